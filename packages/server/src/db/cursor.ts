/**
 * Places in lists that are ordered by the time of creation and then by id. A place means the same whatever is added
 * before or behind it, so that who reads on from it skips nothing and reads nothing twice.
 */
import { sql } from 'kysely'

export interface Place {
  /** Microseconds since 1970: a date of ours knows only milliseconds, and rows between two of them would be skipped. */
  at_us: number
  id: string
}

/** Selects the time of a row’s place. */
export const placeTime = (createdAt = 'created_at') =>
  sql<number>`(extract(epoch from ${sql.ref(createdAt)}) * 1000000)::bigint`.as('at_us')

/** Whether a row comes after a place. */
export function isBeyond(
  { at_us, id }: Place,
  order: 'asc' | 'desc',
  columns: { createdAt: string; id: string } = { createdAt: 'created_at', id: 'id' },
) {
  const row = sql`(${sql.ref(columns.createdAt)}, ${sql.ref(columns.id)})`
  const place = sql`(timestamptz 'epoch' + ${at_us}::bigint * interval '1 microsecond', ${id})`
  return order === 'asc' ? sql<boolean>`${row} > ${place}` : sql<boolean>`${row} < ${place}`
}
