import type { StatusPage, StatusPageCard, StatusPageIncident, StatusPageSettings } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { isBeyond, type Place, placeTime } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

/** A page without what hangs on it. */
export type PageRow = Selectable<Tables['status_pages']>

export interface PageFields {
  name: string
  url: string
  customDomain: string | null
  settings: StatusPageSettings
}

/** In the order of their making. */
export async function listPages(
  db: Db,
  accountId: string,
  after: Place | null,
  limit: number,
): Promise<(PageRow & Place)[]> {
  return db
    .selectFrom('status_pages')
    .selectAll()
    .select(placeTime())
    .where('account_id', '=', accountId)
    .$if(after !== null, (q) => q.where(isBeyond(after ?? { at_us: 0, id: '' }, 'asc')))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findPage(db: Db, accountId: string, id: string): Promise<PageRow | undefined> {
  return db
    .selectFrom('status_pages')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Holds the page until the transaction ends. */
export async function lockPage(tx: Db, accountId: string, id: string): Promise<PageRow | undefined> {
  return tx
    .selectFrom('status_pages')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertPage(tx: Db, accountId: string, fields: PageFields): Promise<string> {
  const { id } = await tx
    .insertInto('status_pages')
    .values({ account_id: accountId, ...columns(fields) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updatePage(tx: Db, id: string, fields: PageFields): Promise<void> {
  await tx
    .updateTable('status_pages')
    .set({ ...columns(fields), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function deletePage(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('status_pages').where('id', '=', id).execute()
}

function columns({ name, url, customDomain, settings }: PageFields) {
  return { name, url, custom_domain: customDomain, settings: JSON.stringify(settings) }
}

export function presentPage(row: PageRow, cards: StatusPageCard[], incidents: StatusPageIncident[]): StatusPage {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    url: row.url,
    customDomain: row.custom_domain,
    ...row.settings,
    whiteLabel: true,
    cards,
    incidents,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}
