/** What a status page shows, read in a few statements, and nothing else: what is not on the page does not get here. */
import { type IncidentStep, UPTIME_DAYS, type WindowRule } from '@vedette/core'
import type { IncidentStatus, StatusPageIncident, StatusPageSettings } from '@vedette/schema'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { DAY_MS } from '../instants.ts'
import type { PageAddress } from '../page-address.ts'

export interface PublicService {
  id: string
  name: string
  createdAtMs: number
}

export interface PublicPage {
  name: string
  url: string
  customDomain: string | null
  settings: StatusPageSettings
  cards: { name: string; services: PublicService[] }[]
}

export type Severity = StatusPageIncident['severity']

export interface PublicUpdate {
  status: IncidentStatus
  description: string
  atMs: number
}

/** An incident, as far as the public may know of it by now. */
export interface IncidentOutline {
  id: string
  name: string
  severity: Severity
  /** Those of its services that the page shows. */
  serviceIds: string[]
  /** In the order of their time; at least one. */
  steps: IncidentStep[]
}

export interface PublicIncident extends IncidentOutline {
  /** Newest first. */
  updates: PublicUpdate[]
}

/** When checks of services are not run. What people call it is theirs, and is not read. */
export interface ServiceMaintenance {
  rule: WindowRule
  serviceIds: string[]
}

/** Incidents whose trouble may touch the days that are shown. */
const MOST_INCIDENTS = 5000

interface PageRow {
  id: string
  account_id: string
  name: string
  url: string
  custom_domain: string | null
  settings: StatusPageSettings
}

/** Undefined when there is none. */
export async function readPage(
  db: Db,
  address: PageAddress,
): Promise<{ page: PublicPage; accountId: string } | undefined> {
  const row: PageRow | undefined = await db
    .selectFrom('status_pages')
    .select(['id', 'account_id', 'name', 'url', 'custom_domain', 'settings'])
    .$if('url' in address, (q) => q.where('url', '=', 'url' in address ? address.url : ''))
    .$if('domain' in address, (q) => q.where('custom_domain', '=', 'domain' in address ? address.domain : ''))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { name, url, custom_domain: customDomain, settings } = row
  return { page: { name, url, customDomain, settings, cards: await cardsOf(db, row.id) }, accountId: row.account_id }
}

async function cardsOf(db: Db, pageId: string): Promise<PublicPage['cards']> {
  const rows = await db
    .selectFrom('status_page_cards as c')
    .leftJoin('status_page_card_services as x', 'x.card_id', 'c.id')
    .leftJoin('status_page_services as s', 's.id', 'x.service_id')
    .select(['c.id as card_id', 'c.name as card_name', 's.id', 's.name', 's.created_at'])
    .where('c.page_id', '=', pageId)
    .orderBy('c.place')
    .orderBy('c.id')
    .orderBy('x.place')
    .execute()
  return [...Map.groupBy(rows, (row) => row.card_id).values()].map((ofCard) => ({
    name: ofCard[0]?.card_name ?? '',
    services: ofCard.flatMap(({ id, name, created_at }) =>
      id === null || name === null || created_at === null ? [] : [{ id, name, createdAtMs: created_at.getTime() }],
    ),
  }))
}

interface Shown {
  accountId: string
  serviceIds: readonly string[]
  nowMs: number
}

/** Those that are open or were told of in the days that are shown, the one told of last first. */
export async function recentIncidents(db: Db, shown: Shown): Promise<IncidentOutline[]> {
  const since = new Date(shown.nowMs - (UPTIME_DAYS + 1) * DAY_MS)
  return readIncidents(db, shown, {
    where: sql`(t.last_at >= ${since} or t.steps->-1->>'status' <> 'RESOLVED')`,
    orderBy: sql`t.last_at desc, i.id`,
    limit: MOST_INCIDENTS,
    offset: 0,
  })
}

/** All there have ever been, those that began last first. */
export async function incidentsOfPast(
  db: Db,
  shown: Shown,
  { limit, offset }: { limit: number; offset: number },
): Promise<PublicIncident[]> {
  const where = sql`true`
  const outlines = await readIncidents(db, shown, { where, orderBy: sql`t.first_at desc, i.id`, limit, offset })
  return withUpdates(db, outlines, shown.nowMs)
}

/** Undefined for one that has nothing to do with the page. */
export async function findIncident(db: Db, shown: Shown, id: string): Promise<PublicIncident | undefined> {
  const where = sql`i.id = ${id}::uuid`
  const outlines = await readIncidents(db, shown, { where, orderBy: sql`i.id`, limit: 1, offset: 0 })
  return (await withUpdates(db, outlines, shown.nowMs))[0]
}

export async function withUpdates(
  db: Db,
  outlines: readonly IncidentOutline[],
  nowMs: number,
): Promise<PublicIncident[]> {
  if (outlines.length === 0) return []
  const rows = await db
    .selectFrom('status_page_incident_updates')
    .select(['incident_id', 'status', 'description', 'public_at'])
    .where(
      'incident_id',
      'in',
      outlines.map(({ id }) => id),
    )
    .where('public_at', '<=', new Date(nowMs))
    .orderBy('public_at', 'desc')
    .orderBy('no', 'desc')
    .execute()
  const updatesOf = Map.groupBy(rows, (row) => row.incident_id)
  return outlines.map((outline) => ({
    ...outline,
    updates: (updatesOf.get(outline.id) ?? []).map(({ status, description, public_at }) => ({
      status,
      description,
      atMs: public_at.getTime(),
    })),
  }))
}

interface IncidentQuestion {
  where: RawBuilder<unknown>
  orderBy: RawBuilder<unknown>
  limit: number
  offset: number
}

interface IncidentRow {
  id: string
  name: string
  severity: Severity
  service_ids: string[]
  steps: IncidentStep[]
}

async function readIncidents(
  db: Db,
  { accountId, serviceIds, nowMs }: Shown,
  { where, orderBy, limit, offset }: IncidentQuestion,
): Promise<IncidentOutline[]> {
  if (serviceIds.length === 0) return []
  const { rows } = await sql<IncidentRow>`
    select i.id, i.name, i.severity, s.service_ids, t.steps
    from status_page_incidents i
    cross join lateral (
      select array_agg(x.service_id::text order by x.place) as service_ids from status_page_incident_services x
      where x.incident_id = i.id and x.service_id = any(${serviceIds}::uuid[])
    ) s
    cross join lateral (
      select min(u.public_at) as first_at, max(u.public_at) as last_at, jsonb_agg(jsonb_build_object(
        'status', u.status, 'atMs', floor(extract(epoch from u.public_at) * 1000)::bigint) order by u.public_at, u.no) as steps
      from status_page_incident_updates u where u.incident_id = i.id and u.public_at <= ${new Date(nowMs)}
    ) t
    where i.account_id = ${accountId} and s.service_ids is not null and t.steps is not null and ${where}
    order by ${orderBy} limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id, name, severity, service_ids, steps }) => ({
    ...{ id, name, severity, steps },
    serviceIds: service_ids,
  }))
}

interface WindowRow {
  starts_at: Date
  ends_at: Date
  repeat_unit: WindowRule['repeatUnit']
  repeat_interval: number | null
  repeat_ends_at: Date | null
  timezone: string | null
  service_ids: string[]
}

/** Windows that are not over and keep checks from running which open incidents on the services. */
export async function maintenanceOf(db: Db, { accountId, serviceIds, nowMs }: Shown): Promise<ServiceMaintenance[]> {
  if (serviceIds.length === 0) return []
  const { rows } = await sql<WindowRow>`
    select w.starts_at, w.ends_at, w.repeat_unit, w.repeat_interval, w.repeat_ends_at, w.timezone,
      array_agg(distinct lower(c.settings->'triggerIncident'->>'serviceId')) as service_ids
    from maintenance_windows w
    join checks c on c.account_id = w.account_id and (w.pause_all_checks or c.effective_tags && w.tags)
    where w.account_id = ${accountId} and (w.repeat_unit is not null or w.ends_at > ${new Date(nowMs)})
      and lower(c.settings->'triggerIncident'->>'serviceId') = any(${serviceIds}::text[])
    group by w.id order by w.id`.execute(db)
  return rows.map((row) => ({
    rule: {
      startsAtMs: row.starts_at.getTime(),
      endsAtMs: row.ends_at.getTime(),
      repeatUnit: row.repeat_unit,
      repeatInterval: row.repeat_interval,
      repeatEndsAtMs: row.repeat_ends_at?.getTime() ?? null,
      timezone: row.timezone,
    },
    serviceIds: row.service_ids,
  }))
}
