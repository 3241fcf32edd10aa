/** Lists by cursor: `nextId` is the place of the last entry, in a form that nobody needs to read. */
import { AppError } from '../app-error.ts'
import type { Place } from '../db/cursor.ts'

const IDS = { uuid: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', number: '[1-9][0-9]{0,14}' } as const
const PLACES = {
  uuid: new RegExp(`^([0-9]{1,16})\\.(${IDS.uuid})$`),
  number: new RegExp(`^([0-9]{1,16})\\.(${IDS.number})$`),
} as const

/** Null at the beginning of the list. @throws AppError `invalid` for what is no cursor. */
export function readCursor(nextId: string | undefined, ids: keyof typeof PLACES = 'uuid'): Place | null {
  if (nextId === undefined || nextId === '') return null
  const [, at, id] = PLACES[ids].exec(Buffer.from(nextId, 'base64url').toString('latin1')) ?? []
  if (at === undefined || id === undefined || written({ at_us: Number(at), id }) !== nextId) {
    throw new AppError('invalid', '"nextId" is no cursor of this list', { source: 'query', keys: ['nextId'] })
  }
  return { at_us: Number(at), id }
}

/** What was found, of which one more was asked for than is shown: it tells whether the list goes on. */
export function cutPage<R extends Place>(found: readonly R[], limit: number): { rows: R[]; nextId: string | null } {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, nextId: found.length > limit && last !== undefined ? written(last) : null }
}

function written({ at_us, id }: Place): string {
  return Buffer.from(`${at_us}.${id}`, 'latin1').toString('base64url')
}
