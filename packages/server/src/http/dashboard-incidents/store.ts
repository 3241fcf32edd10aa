import type { DashboardIncident, DashboardIncidentUpdate, DashboardIncidentUpdateCreate } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { Page } from '../page.ts'

export interface IncidentFields {
  name: string
  impact: DashboardIncident['impact']
  startedAt: Date | null
  stoppedAt: Date | null
}

/** Newest first, of one dashboard or of all. */
export async function listIncidents(
  db: Db,
  accountId: string,
  dashboardId: number | undefined,
  page: Page,
): Promise<{ incidents: DashboardIncident[]; total: number }> {
  const own = db
    .selectFrom('dashboard_incidents')
    .where('account_id', '=', accountId)
    .$if(dashboardId !== undefined, (q) => q.where('dashboard_id', '=', dashboardId ?? 0))
  const rows = await own
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { incidents: await withUpdates(db, rows), total }
}

/** With all updates. */
export async function findIncident(db: Db, accountId: string, id: string): Promise<DashboardIncident | undefined> {
  const row = await db
    .selectFrom('dashboard_incidents')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && (await withUpdates(db, [row]))[0]
}

/** Keeps the dashboard while the transaction makes an incident for it. */
export async function hasDashboard(tx: Db, accountId: string, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('dashboards')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function insertIncident(
  tx: Db,
  accountId: string,
  dashboardId: number,
  fields: IncidentFields,
): Promise<string> {
  const { id } = await tx
    .insertInto('dashboard_incidents')
    .values({ account_id: accountId, dashboard_id: dashboardId, ...columns(fields) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Holds the incident until the transaction ends. */
export async function lockIncident(tx: Db, accountId: string, id: string): Promise<IncidentFields | undefined> {
  return tx
    .selectFrom('dashboard_incidents')
    .select(['name', 'impact', 'started_at as startedAt', 'stopped_at as stoppedAt'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateIncident(tx: Db, id: string, fields: IncidentFields): Promise<void> {
  await tx
    .updateTable('dashboard_incidents')
    .set({ ...columns(fields), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function deleteIncident(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('dashboard_incidents').where('id', '=', id).execute()
}

export async function insertUpdate(
  tx: Db,
  incidentId: string,
  { status, description }: DashboardIncidentUpdateCreate,
): Promise<DashboardIncidentUpdate> {
  const row = await tx
    .insertInto('dashboard_incident_updates')
    .values({ incident_id: incidentId, status, description })
    .returningAll()
    .executeTakeFirstOrThrow()
  return presentUpdate(row)
}

export async function changeUpdate(
  tx: Db,
  incidentId: string,
  id: string,
  description: string,
): Promise<DashboardIncidentUpdate | undefined> {
  const row = await tx
    .updateTable('dashboard_incident_updates')
    .set({ description, updated_at: sql<Date>`now()` })
    .where('incident_id', '=', incidentId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && presentUpdate(row)
}

export async function deleteUpdate(tx: Db, incidentId: string, id: string): Promise<void> {
  await tx.deleteFrom('dashboard_incident_updates').where('incident_id', '=', incidentId).where('id', '=', id).execute()
}

function columns({ name, impact, startedAt, stoppedAt }: IncidentFields) {
  return { name, impact, started_at: startedAt, stopped_at: stoppedAt }
}

async function withUpdates(
  db: Db,
  rows: readonly Selectable<Tables['dashboard_incidents']>[],
): Promise<DashboardIncident[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const updates = await db
    .selectFrom('dashboard_incident_updates')
    .selectAll()
    .where('incident_id', 'in', ids)
    .orderBy('no', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    impact: row.impact,
    dashboardId: row.dashboard_id,
    startedAt: row.started_at?.toISOString() ?? null,
    stoppedAt: row.stopped_at?.toISOString() ?? null,
    incidentUpdates: updates.filter((update) => update.incident_id === row.id).map(presentUpdate),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }))
}

function presentUpdate(row: Selectable<Tables['dashboard_incident_updates']>): DashboardIncidentUpdate {
  return {
    id: row.id,
    status: row.status,
    description: row.description,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}
