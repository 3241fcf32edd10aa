import type { WindowRule } from '@vedette/core'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { Page } from '../page.ts'

export interface WindowFields extends WindowRule {
  name: string
  description: string | null
  tags: string[]
  pauseAllChecks: boolean
}

export interface StoredWindow extends WindowFields {
  id: number
  createdAt: Date
  updatedAt: Date | null
}

export interface DateBound {
  field: 'startsAt' | 'endsAt'
  operator: 'gt' | 'gte' | 'lt' | 'lte'
  atMs: number
}

const COLUMNS = { startsAt: 'starts_at', endsAt: 'ends_at' } as const
const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

export async function listWindows(
  db: Db,
  accountId: string,
  bounds: readonly DateBound[],
  page: Page,
): Promise<{ windows: StoredWindow[]; total: number }> {
  let matching = db.selectFrom('maintenance_windows').where('account_id', '=', accountId)
  for (const { field, operator, atMs } of bounds) {
    matching = matching.where(COLUMNS[field], OPERATORS[operator], new Date(atMs))
  }
  const rows = await matching.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute()
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { windows: rows.map(toStored), total }
}

/** Held until the transaction ends, if it is one that changes the window. */
export async function findWindow(
  db: Db,
  accountId: string,
  id: number,
  forUpdate = false,
): Promise<StoredWindow | undefined> {
  const row = await db
    .selectFrom('maintenance_windows')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .$if(forUpdate, (q) => q.forUpdate())
    .executeTakeFirst()
  return row && toStored(row)
}

export async function insertWindow(tx: Db, accountId: string, window: WindowFields): Promise<StoredWindow> {
  const row = await tx
    .insertInto('maintenance_windows')
    .values({ account_id: accountId, ...columnsOf(window) })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toStored(row)
}

export async function updateWindow(tx: Db, accountId: string, id: number, window: WindowFields): Promise<StoredWindow> {
  const row = await tx
    .updateTable('maintenance_windows')
    .set({ ...columnsOf(window), updated_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toStored(row)
}

export async function deleteWindow(tx: Db, accountId: string, id: number): Promise<StoredWindow | undefined> {
  const row = await tx
    .deleteFrom('maintenance_windows')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toStored(row)
}

function columnsOf(window: WindowFields) {
  return {
    name: window.name,
    description: window.description,
    tags: window.tags,
    pause_all_checks: window.pauseAllChecks,
    starts_at: new Date(window.startsAtMs),
    ends_at: new Date(window.endsAtMs),
    repeat_unit: window.repeatUnit,
    repeat_interval: window.repeatInterval,
    repeat_ends_at: window.repeatEndsAtMs === null ? null : new Date(window.repeatEndsAtMs),
    timezone: window.timezone,
  }
}

function toStored(row: Selectable<Tables['maintenance_windows']>): StoredWindow {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    tags: row.tags,
    pauseAllChecks: row.pause_all_checks,
    startsAtMs: row.starts_at.getTime(),
    endsAtMs: row.ends_at.getTime(),
    repeatUnit: row.repeat_unit,
    repeatInterval: row.repeat_interval,
    repeatEndsAtMs: row.repeat_ends_at?.getTime() ?? null,
    timezone: row.timezone,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
