import type { CheckKind, HeartbeatSettings, MetricsToken, ScriptLoad } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { hashKey, maskedKey, type NewKey } from '../../auth/keys.ts'
import { certificateHost } from '../../checks/certificate-host.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

export async function insertToken(tx: Db, accountId: string, name: string, key: NewKey): Promise<MetricsToken> {
  const row = await tx
    .insertInto('metrics_tokens')
    .values({ account_id: accountId, name, key_hash: key.hash, last_characters: key.lastCharacters })
    .returningAll()
    .executeTakeFirstOrThrow()
  return present(row, key.raw)
}

export async function listTokens(db: Db, accountId: string): Promise<MetricsToken[]> {
  const rows = await db
    .selectFrom('metrics_tokens')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => present(row, ''))
}

/** Answers what was deleted. */
export async function deleteToken(tx: Db, accountId: string, id: string): Promise<MetricsToken | undefined> {
  const row = await tx
    .deleteFrom('metrics_tokens')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && present(row, '')
}

function present(row: Selectable<Tables['metrics_tokens']>, rawKey: string): MetricsToken {
  return {
    id: row.id,
    name: row.name,
    rawKey,
    maskedKey: maskedKey(row.last_characters),
    created_at: row.created_at.toISOString(),
  }
}

export async function isTokenOf(db: Db, accountId: string, raw: string): Promise<boolean> {
  const row = await db
    .selectFrom('metrics_tokens')
    .select('id')
    .where('account_id', '=', accountId)
    .where('key_hash', '=', hashKey(raw))
    .executeTakeFirst()
  return row !== undefined
}

/** A check with its state. */
export interface ExportedCheck {
  no: number
  id: string
  kind: CheckKind
  name: string
  activated: boolean
  muted: boolean
  tags: string[]
  /** Empty for a check in no group. */
  group: string
  /** Null before the first result. */
  state: 'passing' | 'degraded' | 'failing' | null
}

export async function exportedChecks(db: Db, accountId: string): Promise<ExportedCheck[]> {
  const { rows } = await sql<ExportedCheck>`
    select c.no, c.id, c.kind, c.name, c.effective_activated as activated, c.effective_muted as muted,
      c.effective_tags as tags, coalesce(g.name, '') as group,
      case when s.updated_at is null then null when s.has_failures then 'failing' when s.is_degraded then 'degraded'
        else 'passing' end as state
    from checks c left join check_states s on s.check_no = c.no left join check_groups g on g.id = c.group_id
    where c.account_id = ${accountId} order by c.created_at, c.no`.execute(db)
  return rows
}

export interface ExportedHeartbeat {
  check_no: number
  rhythm: HeartbeatSettings
  last_ping_at: Date | null
}

export async function exportedHeartbeats(db: Db, accountId: string): Promise<ExportedHeartbeat[]> {
  const { rows } = await sql<ExportedHeartbeat>`
    select c.no as check_no, c.settings->'heartbeat' as rhythm, h.last_ping_at
    from checks c left join heartbeats h on h.check_no = c.no
    where c.account_id = ${accountId} and c.kind = 'HEARTBEAT' order by c.created_at, c.no`.execute(db)
  return rows
}

export interface ExportedCertificate {
  checkNo: number
  host: string
  expiresAtMs: number
}

/** Those that were seen at the hosts that the checks name now. */
export async function exportedCertificates(db: Db, accountId: string): Promise<ExportedCertificate[]> {
  const rows = await db
    .selectFrom('check_certificates as k')
    .innerJoin('checks as c', 'c.no', 'k.check_no')
    .select(['c.no', 'k.host', 'k.expires_at', 'c.effective_settings'])
    .where('c.account_id', '=', accountId)
    .orderBy('c.created_at')
    .orderBy('c.no')
    .execute()
  return rows
    .filter(({ host, effective_settings }) => host === certificateHost(effective_settings))
    .map(({ no, host, expires_at }) => ({ checkNo: no, host, expiresAtMs: expires_at.getTime() }))
}

export interface ExportedRunner {
  id: number
  name: string
  /** Empty: it is built in, and serves the data centers. */
  location: string
  load: ScriptLoad
}

/** Those that are there and have said how busy they are with scripts: of the data centers and of the account itself. */
export async function exportedRunners(db: Db, accountId: string, lostAfterMs: number): Promise<ExportedRunner[]> {
  const { rows } = await sql<ExportedRunner>`
    select r.id, r.name, coalesce(l.slug, '') as location, r.script_load as load
    from runners r left join locations l on l.no = r.location_no
    where r.script_load is not null and (l.account_id is null or l.account_id = ${accountId})
      and r.last_seen_at > now() - ${lostAfterMs} * interval '1 millisecond'
    order by r.id`.execute(db)
  return rows
}

export interface ExportedLocation {
  id: string
  name: string
  slug: string
  queued: number
  oldest_seconds: number
  agents: number
}

/** The private locations of an account, with what waits there and who serves them. */
export async function exportedLocations(db: Db, accountId: string, lostAfterMs: number): Promise<ExportedLocation[]> {
  const { rows } = await sql<ExportedLocation>`
    select l.id, l.name, l.slug, q.queued::int as queued, coalesce(q.oldest_seconds, 0)::float8 as oldest_seconds,
      (select count(*)::int from runners r
        where r.location_no = l.no and r.last_seen_at > now() - ${lostAfterMs} * interval '1 millisecond') as agents
    from locations l, lateral (
      select count(*) as queued, extract(epoch from now() - min(due_at)) as oldest_seconds from schedule s
      where s.location_no = l.no and s.due_at < now() and s.lease_id is null) q
    where l.account_id = ${accountId} order by l.created_at, l.no`.execute(db)
  return rows
}
