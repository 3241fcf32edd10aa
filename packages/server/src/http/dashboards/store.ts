import type { Dashboard, PageKey } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { maskedKey, type NewKey, visitOf } from '../../auth/keys.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { Page } from '../page.ts'
import type { DashboardFields } from './dashboard.ts'

/** By what a dashboard is found. */
export type DashboardName = 'dashboardId' | 'customUrl' | 'customDomain'
const COLUMNS = { dashboardId: 'dashboard_id', customUrl: 'custom_url', customDomain: 'custom_domain' } as const

export async function listDashboards(
  db: Db,
  accountId: string,
  page: Page,
): Promise<{ dashboards: Dashboard[]; total: number }> {
  const own = db.selectFrom('dashboards').where('account_id', '=', accountId)
  const rows = await own.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute()
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { dashboards: await withKeys(db, rows), total }
}

export async function findDashboard(
  db: Db,
  accountId: string,
  name: string,
  by: DashboardName = 'dashboardId',
): Promise<Dashboard | undefined> {
  const row = await db
    .selectFrom('dashboards')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(COLUMNS[by], '=', by === 'dashboardId' ? name : name.toLowerCase())
    .executeTakeFirst()
  return row && (await withKeys(db, [row]))[0]
}

/** Holds the dashboard until the transaction ends. */
export async function lockDashboard(
  tx: Db,
  accountId: string,
  dashboardId: string,
): Promise<(DashboardFields & { id: number }) | undefined> {
  const row = await tx
    .selectFrom('dashboards')
    .select(['id', 'custom_url as customUrl', 'custom_domain as customDomain', 'settings'])
    .where('account_id', '=', accountId)
    .where('dashboard_id', '=', dashboardId)
    .forUpdate()
    .executeTakeFirst()
  return row
}

export async function insertDashboard(
  tx: Db,
  accountId: string,
  dashboardId: string,
  fields: DashboardFields,
): Promise<number> {
  const { id } = await tx
    .insertInto('dashboards')
    .values({ account_id: accountId, dashboard_id: dashboardId, ...columns(fields) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateDashboard(tx: Db, id: number, fields: DashboardFields): Promise<void> {
  await tx
    .updateTable('dashboards')
    .set({ ...columns(fields), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function deleteDashboard(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('dashboards').where('id', '=', id).execute()
}

function columns({ customUrl, customDomain, settings }: DashboardFields) {
  return { custom_url: customUrl, custom_domain: customDomain, settings: JSON.stringify(settings) }
}

export async function listKeys(db: Db, id: number): Promise<PageKey[]> {
  return (await keysOf(db, [id])).map((row) => presentKey(row, ''))
}

export async function insertKey(tx: Db, id: number, key: NewKey): Promise<PageKey> {
  const row = await tx
    .insertInto('dashboard_keys')
    .values({
      dashboard_id: id,
      key_hash: key.hash,
      visit_hash: visitOf(key.raw).hash,
      last_characters: key.lastCharacters,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return presentKey(row, key.raw)
}

export async function deleteKey(tx: Db, id: number, keyId: string): Promise<PageKey | undefined> {
  const row = await tx
    .deleteFrom('dashboard_keys')
    .where('dashboard_id', '=', id)
    .where('id', '=', keyId)
    .returningAll()
    .executeTakeFirst()
  return row && presentKey(row, '')
}

function keysOf(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('dashboard_keys')
    .selectAll()
    .where('dashboard_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

async function withKeys(db: Db, rows: readonly Selectable<Tables['dashboards']>[]): Promise<Dashboard[]> {
  const closed = rows.filter((row) => row.settings.isPrivate).map((row) => row.id)
  const keys = closed.length === 0 ? [] : await keysOf(db, closed)
  return rows.map((row) => ({
    id: row.id,
    dashboardId: row.dashboard_id,
    customUrl: row.custom_url,
    customDomain: row.custom_domain,
    ...row.settings,
    keys: keys.filter((key) => key.dashboard_id === row.id).map((key) => presentKey(key, '')),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }))
}

function presentKey(row: Selectable<Tables['dashboard_keys']>, rawKey: string): PageKey {
  return {
    id: row.id,
    rawKey,
    maskedKey: maskedKey(row.last_characters),
    created_at: row.created_at.toISOString(),
    updated_at: null,
  }
}
