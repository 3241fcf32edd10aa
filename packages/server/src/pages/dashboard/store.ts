/** What a dashboard shows, read in a few statements, and nothing else. */
import type { CheckKind, DashboardIncident, DashboardSettings } from '@vedette/schema'
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../../db/arrays.ts'
import type { Db } from '../../db/database.ts'
import type { PageAddress } from '../page-address.ts'
import { CHECK_STATES, type CheckState } from './check-state.ts'

export interface PublicDashboard {
  id: number
  dashboardId: string
  accountId: string
  url: string
  customDomain: string | null
  settings: DashboardSettings
  /** Changes with every change of it. */
  version: string
  /** Digests of what opens it to those who have shown a key, if it is private. */
  visitHashes: readonly Buffer[]
}

/** Undefined when there is none. */
export async function readDashboard(db: Db, address: PageAddress): Promise<PublicDashboard | undefined> {
  const where =
    'url' in address ? sql<boolean>`d.custom_url = ${address.url}` : sql<boolean>`d.custom_domain = ${address.domain}`
  const { rows } = await sql<DashboardRow>`
    select d.id, d.dashboard_id, d.account_id, d.custom_url, d.custom_domain, d.settings,
      coalesce(d.updated_at, d.created_at) as changed_at,
      array(select k.visit_hash from dashboard_keys k where k.dashboard_id = d.id and k.visit_hash is not null) as visit_hashes
    from dashboards d where ${where}`.execute(db)
  const [row] = rows
  return (
    row && {
      id: row.id,
      dashboardId: row.dashboard_id,
      accountId: row.account_id,
      url: row.custom_url,
      customDomain: row.custom_domain,
      settings: row.settings,
      version: row.changed_at.toISOString(),
      visitHashes: row.visit_hashes,
    }
  )
}

interface DashboardRow {
  id: number
  dashboard_id: string
  account_id: string
  custom_url: string
  custom_domain: string | null
  settings: DashboardSettings
  changed_at: Date
  visit_hashes: Buffer[]
}

/** Which checks are meant, and when. */
export interface Selection {
  accountId: string
  /** None: all checks. */
  tags: readonly string[]
  /** All of the tags, not any. */
  needsAll: boolean
  nowMs: number
}

/** How many checks are in each state. */
export async function countStates(db: Db, selection: Selection): Promise<Map<CheckState, number>> {
  const { rows } = await sql<{ state: CheckState; count: number }>`
    select ${stateAt(selection.nowMs)} as state, count(*) as count
    from checks c left join check_states s on s.check_no = c.no
    where ${isShown(selection)} group by 1`.execute(db)
  return new Map(rows.map(({ state, count }) => [state, count]))
}

export interface ListedCheck {
  no: number
  id: string
  kind: CheckKind
  name: string
  tags: string[]
  groupName: string | null
  state: CheckState
  /** Since when it has been so, where that is known. */
  sinceMs: number | null
}

/** One page of them: by state if that is asked for, then by group, then by name. */
export async function listChecks(
  db: Db,
  selection: Selection,
  { byState, byGroup, limit, offset }: { byState: boolean; byGroup: boolean; limit: number; offset: number },
): Promise<ListedCheck[]> {
  const order = [
    ...(byState ? [sql`array_position(${FROM_WORST}, state)`] : []),
    ...(byGroup ? [sql`lower(group_name) nulls last`, sql`group_id`, sql`group_order nulls last`] : []),
    sql`lower(name)`,
    sql`no`,
  ]
  const { rows } = await sql<ListedRow>`
    select no, id, kind, name, effective_tags, group_name, state,
      case when judged = state and updated_at is not null then since end as since
    from (
      select c.no, c.id, c.kind, c.name, c.effective_tags, c.group_id, c.group_order, g.name as group_name,
        ${stateAt(selection.nowMs)} as state, s.state as judged, s.since, s.updated_at
      from checks c left join check_states s on s.check_no = c.no left join check_groups g on g.id = c.group_id
      where ${isShown(selection)}
    ) shown
    order by ${sql.join(order)} limit ${limit} offset ${offset}`.execute(db)
  return rows.map((row) => ({
    no: row.no,
    id: row.id,
    kind: row.kind,
    name: row.name,
    tags: row.effective_tags,
    groupName: row.group_name,
    state: row.state,
    sinceMs: row.since?.getTime() ?? null,
  }))
}

interface ListedRow {
  no: number
  id: string
  kind: CheckKind
  name: string
  effective_tags: string[]
  group_name: string | null
  state: CheckState
  since: Date | null
}

const FROM_WORST = sql`${[...CHECK_STATES]}::text[]`

/** As lists of checks and badges say it; but a check that does not run is neither well nor unwell. */
function stateAt(nowMs: number): RawBuilder<CheckState> {
  const now = new Date(nowMs)
  return sql<CheckState>`case when not c.effective_activated then 'off'
    when c.paused_from <= ${now} and c.paused_until > ${now} then 'maintenance'
    when s.updated_at is null then 'unknown' when s.has_failures then 'failing' when s.is_degraded then 'degraded'
    else 'passing' end`
}

function isShown({ accountId, tags, needsAll }: Selection): RawBuilder<boolean> {
  if (tags.length === 0) return sql<boolean>`c.account_id = ${accountId}`
  const operator = needsAll ? sql`@>` : sql`&&`
  return sql<boolean>`c.account_id = ${accountId} and c.effective_tags ${operator} ${[...tags]}::text[]`
}

/** The newest result of each check that has one. */
export async function newestResults(db: Db, checkNos: readonly number[]): Promise<Map<number, string>> {
  if (checkNos.length === 0) return new Map()
  const { rows } = await sql<{ no: number; id: string }>`
    select c.no, r.id from unnest(${plainArray(checkNos)}::int[]) as c(no),
      lateral (select id from check_results where check_no = c.no order by id desc limit 1) r`.execute(db)
  return new Map(rows.map(({ no, id }) => [no, id]))
}

export interface PublicIncident {
  name: string
  impact: DashboardIncident['impact']
  startsAtMs: number
  endsAtMs: number | null
  /** Newest first. */
  updates: { status: DashboardIncident['incidentUpdates'][number]['status']; description: string; atMs: number }[]
}

/** Those that were not over a while ago; the newest first. */
export async function incidentsOf(db: Db, dashboardId: number, nowMs: number): Promise<PublicIncident[]> {
  const incidents = await db
    .selectFrom('dashboard_incidents')
    .select(['id', 'name', 'impact', 'started_at', 'stopped_at', 'created_at'])
    .where('dashboard_id', '=', dashboardId)
    .where((eb) => eb.or([eb('stopped_at', 'is', null), eb('stopped_at', '>', new Date(nowMs))]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MOST_INCIDENTS)
    .execute()
  if (incidents.length === 0) return []
  const rows = await db
    .selectFrom('dashboard_incident_updates')
    .select(['incident_id', 'status', 'description', 'created_at'])
    .where(
      'incident_id',
      'in',
      incidents.map(({ id }) => id),
    )
    .orderBy('no', 'desc')
    .execute()
  const updatesOf = Map.groupBy(rows, (row) => row.incident_id)
  return incidents.map(({ id, name, impact, started_at, stopped_at, created_at }) => ({
    name,
    impact,
    startsAtMs: (started_at ?? created_at).getTime(),
    endsAtMs: stopped_at?.getTime() ?? null,
    updates: (updatesOf.get(id) ?? []).map((update) => ({
      status: update.status,
      description: update.description,
      atMs: update.created_at.getTime(),
    })),
  }))
}

/** More are not read, even if many were never ended. */
const MOST_INCIDENTS = 100

/**
 * Takes a key for what its holder's browser will show from now on. Answers whether there is such a key; the write is for
 * keys that are older than visits.
 */
export async function exchangeKey(db: Db, dashboardId: number, keyHash: Buffer, visitHash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('dashboard_keys')
    .set({ visit_hash: visitHash })
    .where('dashboard_id', '=', dashboardId)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
