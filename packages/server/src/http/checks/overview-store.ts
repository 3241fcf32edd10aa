import type { CheckKind, CheckSummary, RuntimeId, TargetState } from '@vedette/schema'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Page } from '../page.ts'

export interface OverviewRow {
  no: number
  id: string
  name: string
  kind: CheckKind
  activated: boolean
  muted: boolean
  tags: string[]
  frequency: number
  frequencyOffset: number
  /** What the check looks at, in one line. */
  target: string
  state: 'passing' | 'degraded' | 'failing' | 'unknown'
  hasErrors: boolean
  since: Date
  alertState: TargetState
  acknowledgedBy: string | null
  acknowledgedAt: Date | null
  acknowledgedNote: string | null
  nextRunAt: Date | null
  /** Of a heartbeat. */
  lastPingAt: Date | null
  /** In force. */
  locations: string[]
  privateLocations: string[]
  runtimeId: RuntimeId | null
}

export type CheckFilterState = OverviewRow['state'] | 'paused'

export interface OverviewFilter {
  search?: string | undefined
  tag?: string[] | undefined
  checkId?: string | undefined
  checkType?: CheckKind | undefined
  groupId?: number | undefined
  state?: CheckFilterState | undefined
}

/** A paused check has its last state, but is counted and found as paused. */
const STATE = sql<OverviewRow['state']>`case when s.updated_at is null or s.run_count = 0 then 'unknown'
  when s.has_failures then 'failing' when s.is_degraded then 'degraded' else 'passing' end`

const TARGET = sql<string>`case c.kind
  when 'API' then concat_ws(' ', c.settings->'request'->>'method', c.settings->'request'->>'url')
  when 'URL' then concat_ws(' ', 'GET', c.settings->'request'->>'url')
  when 'GRPC' then concat_ws(':', c.settings->'request'->>'url', c.settings->'request'->>'port')
  when 'TCP' then concat_ws(':', c.settings->'request'->>'hostname', c.settings->'request'->>'port')
  when 'DNS' then concat_ws(' ', c.settings->'request'->>'recordType', c.settings->'request'->>'query')
  when 'ICMP' then c.settings->'request'->>'hostname'
  when 'SSL' then concat_ws(':', c.settings#>>'{request,sslConfig,hostname}', c.settings#>>'{request,sslConfig,port}')
  when 'HEARTBEAT' then coalesce(
    (c.settings->'heartbeat'->'schedule'->>'cron') || ' ' || (c.settings->'heartbeat'->'schedule'->>'timezone'),
    concat_ws(' ', 'every', c.settings->'heartbeat'->>'period',
      case c.settings->'heartbeat'->>'period' when '1' then rtrim(c.settings->'heartbeat'->>'periodUnit', 's')
      else c.settings->'heartbeat'->>'periodUnit' end))
  when 'PLAYWRIGHT' then coalesce(nullif(trim(c.settings->>'testCommand'), ''), 'npx playwright test')
  else coalesce(c.settings->>'scriptPath', '') end`

/** By which a check is found besides its name. */
const ADDRESS = sql<string>`coalesce(c.settings->'request'->>'url', c.settings->'request'->>'hostname',
  c.settings#>>'{request,sslConfig,hostname}', c.settings->'request'->>'query', c.settings->>'scriptPath', '')`

export async function summariseChecks(db: Db, accountId: string): Promise<CheckSummary> {
  const states = await sql<{ state: CheckFilterState; count: number; in_error: number }>`
    select case when c.effective_activated then ${STATE} else 'paused' end as state, count(*) as count,
      count(*) filter (where c.effective_activated and s.has_errors) as in_error
    from checks c join check_states s on s.check_no = c.no where c.account_id = ${accountId} group by 1`.execute(db)
  const tags = await sql<{ tag: string }>`
    select distinct unnest(effective_tags) as tag from checks where account_id = ${accountId} order by tag limit 1000`.execute(
    db,
  )
  const count = (state: CheckFilterState) => states.rows.find((row) => row.state === state)?.count ?? 0
  return {
    total: states.rows.reduce((sum, row) => sum + row.count, 0),
    passing: count('passing'),
    degraded: count('degraded'),
    failing: count('failing'),
    unknown: count('unknown'),
    paused: count('paused'),
    inError: states.rows.reduce((sum, row) => sum + row.in_error, 0),
    tags: tags.rows.map((row) => row.tag),
  }
}

/**
 * Failing ones first, then degraded, then the rest by name; paused ones last. Most checks are well: those in trouble are
 * sorted, the others come out of an index in their order, as far as the page reaches, and only the rows of the page are
 * read in full.
 */
export async function listOverviewRows(
  db: Db,
  accountId: string,
  filter: OverviewFilter,
  page: Page,
): Promise<{ rows: OverviewRow[]; total: number }> {
  const condition = conditionOf(accountId, filter)
  const [{ rows }, count] = await Promise.all([
    sql<OverviewRow>`
    with trouble as materialized (
      select c.no, case when s.has_failures then 0 when s.is_degraded then 1 else 2 end as severity,
        lower(c.name) collate "C" as name
      from check_states s join checks c on c.no = s.check_no
      where (s.has_failures or s.is_degraded or s.has_errors) and c.effective_activated and ${condition}),
    page as materialized (
      select no, row_number() over () as place from (
        (select no from trouble order by severity, name, no)
        union all
        (select c.no from checks c where ${condition} and c.no not in (select no from trouble)
          order by c.effective_activated desc, lower(c.name) collate "C", c.no)
        limit ${page.limit} offset ${page.offset}) as in_order)
    select c.no, c.id, c.name, c.kind, c.effective_activated as activated, c.effective_muted as muted,
      c.effective_tags as tags, c.settings->'frequency' as frequency, c.settings->'frequencyOffset' as "frequencyOffset",
      ${TARGET} as target, s.has_errors as "hasErrors", s.since, ${STATE} as state,
      s.state as "alertState", a.by_whom as "acknowledgedBy", a.at as "acknowledgedAt", a.note as "acknowledgedNote",
      coalesce((select min(due_at) from schedule d where d.check_no = c.no and d.session_id is null), h.due_at) as "nextRunAt",
      h.last_ping_at as "lastPingAt", c.effective_settings->'locations' as locations,
      c.effective_settings->'privateLocations' as "privateLocations", c.effective_settings->>'runtimeId' as "runtimeId"
    from page join checks c on c.no = page.no join check_states s on s.check_no = c.no
      left join heartbeats h on h.check_no = c.no
      left join acknowledgements a on a.check_no = s.check_no and a.since = s.since
    order by page.place`.execute(db),
    sql<{ total: number }>`select count(*) as total from checks c where ${condition}`.execute(db),
  ])
  return { rows, total: count.rows[0]?.total ?? 0 }
}

function conditionOf(accountId: string, filter: OverviewFilter) {
  const where: ReturnType<typeof sql<SqlBool>>[] = [sql<SqlBool>`c.account_id = ${accountId}`]
  if (filter.search)
    where.push(sql<SqlBool>`(position(lower(${filter.search}) in lower(c.name)) > 0
    or position(lower(${filter.search}) in lower(${ADDRESS})) > 0)`)
  if (filter.tag && filter.tag.length > 0) where.push(sql<SqlBool>`c.effective_tags && ${filter.tag}::text[]`)
  if (filter.checkId) where.push(sql<SqlBool>`c.id = ${filter.checkId}`)
  if (filter.checkType) where.push(sql<SqlBool>`c.kind = ${filter.checkType}`)
  if (filter.groupId) where.push(sql<SqlBool>`c.group_id = ${filter.groupId}`)
  if (filter.state === 'paused') where.push(sql<SqlBool>`not c.effective_activated`)
  else if (filter.state)
    where.push(sql<SqlBool>`c.effective_activated
      and exists (select from check_states s where s.check_no = c.no and ${STATE} = ${filter.state})`)
  return sql.join(where, sql` and `)
}

export async function missedOf(
  db: Db,
  checkNo: number,
  since: Date,
): Promise<{ at: string; location: string; count: number; reason: string }[]> {
  const rows = await db
    .selectFrom('missed_runs as m')
    .leftJoin('locations as l', 'l.no', 'm.location_no')
    .select(['m.slot_at', 'l.slug', 'm.slots', 'm.reason'])
    .where('m.check_no', '=', checkNo)
    .where('m.slot_at', '>=', since)
    .orderBy('m.slot_at')
    .limit(1000)
    .execute()
  return rows.map((row) => ({
    at: row.slot_at.toISOString(),
    location: row.slug ?? '',
    count: row.slots,
    reason: row.reason,
  }))
}

/** The account's checks whose state moved after an instant, and the newest such instant. */
export async function changedChecks(db: Db, accountId: string, after: Date): Promise<{ ids: string[]; latest: Date }> {
  const rows = await db
    .selectFrom('check_states as s')
    .innerJoin('checks as c', 'c.no', 's.check_no')
    .select(['c.id', 's.updated_at'])
    .where('c.account_id', '=', accountId)
    .where('s.updated_at', '>', after)
    .orderBy('s.updated_at')
    .limit(500)
    .execute()
  return { ids: rows.map((row) => row.id), latest: rows.at(-1)?.updated_at ?? after }
}
