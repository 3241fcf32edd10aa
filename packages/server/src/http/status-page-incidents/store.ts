import type { StatusPageIncident } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { isBeyond, type Place, placeTime } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import { presentService } from '../status-page-services/store.ts'
import { presentIncident } from './present.ts'

type Row = Selectable<Tables['status_page_incidents']>

export interface IncidentFields {
  name: string
  severity: StatusPageIncident['severity']
}

/** Newest first. */
export async function listIncidents(
  db: Db,
  accountId: string,
  { before, limit, nowMs }: { before: Place | null; limit: number; nowMs: number },
): Promise<(Place & { incident: StatusPageIncident })[]> {
  const rows = await db
    .selectFrom('status_page_incidents')
    .selectAll()
    .select(placeTime())
    .where('account_id', '=', accountId)
    .$if(before !== null, (q) => q.where(isBeyond(before ?? { at_us: 0, id: '' }, 'desc')))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  const incidents = await toIncidents(db, rows, nowMs)
  return rows.flatMap(({ at_us, id }) => {
    const incident = incidents.get(id)
    return incident === undefined ? [] : [{ at_us, id, incident }]
  })
}

export async function findIncident(
  db: Db,
  accountId: string,
  id: string,
  nowMs: number,
): Promise<StatusPageIncident | undefined> {
  const rows = await db
    .selectFrom('status_page_incidents')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
  return (await toIncidents(db, rows, nowMs)).values().next().value
}

/** The newest incidents of the services that each page shows, newest first. */
export async function newestOfPages(
  db: Db,
  pageIds: readonly string[],
  { most, nowMs }: { most: number; nowMs: number },
): Promise<Map<string, StatusPageIncident[]>> {
  const { rows } = await sql<Row & { page_id: string }>`
    select p.id as page_id, i.* from status_pages p, lateral (
      select * from status_page_incidents i where i.account_id = p.account_id and exists (
        select from status_page_incident_services x
        join status_page_card_services s on s.service_id = x.service_id
        join status_page_cards c on c.id = s.card_id
        where x.incident_id = i.id and c.page_id = p.id)
      order by i.created_at desc, i.id desc limit ${most}
    ) i where p.id = any(${pageIds}::uuid[]) order by i.created_at desc, i.id desc`.execute(db)
  const incidents = await toIncidents(db, rows, nowMs)
  const found = new Map<string, StatusPageIncident[]>()
  for (const { page_id, id } of rows) {
    const incident = incidents.get(id)
    if (incident !== undefined) found.set(page_id, [...(found.get(page_id) ?? []), incident])
  }
  return found
}

export async function insertIncident(tx: Db, accountId: string, fields: IncidentFields): Promise<string> {
  const { id } = await tx
    .insertInto('status_page_incidents')
    .values({ account_id: accountId, ...fields })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Holds the incident until the transaction ends, so that what is told of it follows each other. */
export async function lockIncident(tx: Db, accountId: string, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('status_page_incidents')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function updateIncident(tx: Db, id: string, fields: Partial<IncidentFields>): Promise<void> {
  await tx
    .updateTable('status_page_incidents')
    .set({ ...fields, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Services that were required before. */
export async function setServices(tx: Db, incidentId: string, serviceIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('status_page_incident_services').where('incident_id', '=', incidentId).execute()
  await tx
    .insertInto('status_page_incident_services')
    .values(serviceIds.map((service_id, place) => ({ incident_id: incidentId, service_id, place })))
    .execute()
}

export async function deleteIncident(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('status_page_incidents').where('id', '=', id).execute()
}

async function toIncidents(db: Db, rows: readonly Row[], nowMs: number): Promise<Map<string, StatusPageIncident>> {
  if (rows.length === 0) return new Map()
  const ids = [...new Set(rows.map((row) => row.id))]
  const updates = await db
    .selectFrom('status_page_incident_updates')
    .selectAll()
    .where('incident_id', 'in', ids)
    .orderBy('public_at', 'desc')
    .orderBy('no', 'desc')
    .execute()
  const services = await db
    .selectFrom('status_page_incident_services as x')
    .innerJoin('status_page_services as s', 's.id', 'x.service_id')
    .selectAll('s')
    .select('x.incident_id')
    .where('x.incident_id', 'in', ids)
    .orderBy('x.place')
    .execute()
  const updatesOf = Map.groupBy(updates, (update) => update.incident_id)
  const servicesOf = Map.groupBy(services, (service) => service.incident_id)
  return new Map(
    rows.map((row) => [
      row.id,
      presentIncident(
        row,
        (servicesOf.get(row.id) ?? []).map((service) => presentService(service)),
        updatesOf.get(row.id) ?? [],
        nowMs,
      ),
    ]),
  )
}
