/** Handing out runs that fall due, and taking them back. */
import { KINDS_WITH_RUNTIME, type RunnableKind, type RuntimeId } from '@vedette/schema'
import { sql } from 'kysely'
import type { SettingsOf } from '../checks/check.ts'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { Demand } from '../db/demand.ts'
import { groupHasScripts } from './extras-store.ts'

export interface DueRun {
  id: number
  checkNo: number
  checkId: string
  checkName: string
  accountId: string
  kind: RunnableKind
  groupId: number | null
  /** Of scripts that its group runs around the requests of its members. */
  groupHasScripts: boolean
  /** The slot that the run answers, once it has been in hand. */
  checkRunId: number | null
  /** Without their secrets, which are sealed. */
  settings: SettingsOf<RunnableKind>
  sealed: string | null
  locationNo: number
  dueAtMs: number
  attempt: number
  parallel: boolean
  onDemand: boolean
  demand: Demand | null
  keptId: string | null
  keptFingerprint: string | null
  /** Whether the account has client certificates. */
  hasCertificates: boolean
  /** In force: its own, its group's or its account's; of scripts. */
  runtimeId: RuntimeId | null
}

/** Looked up only for scripts: of all others the kind alone decides. */
const runtimeInForce = sql<RuntimeId>`coalesce(c.effective_settings ->> 'runtimeId', (select a.runtime_id from accounts a where a.id = c.account_id))`

/**
 * Locks runs that fall due within the horizon and that nobody has in hand, the most urgent first. Runs that a check
 * would begin by itself during maintenance are not among them.
 *
 * They are looked for location by location, in the order of their index: asked all at once, the database reads every
 * check and sorts them, which cost a third of all it does for a run.
 */
export async function lockDueRuns(
  tx: Db,
  locations: readonly number[],
  words: readonly string[],
  horizonMs: number,
  capacity: number,
): Promise<{ nowMs: number; runs: DueRun[] }> {
  const { rows } = await sql<{
    now_ms: number
    id: number
    check_no: number
    check_id: string
    check_name: string
    account_id: string
    kind: RunnableKind
    group_id: number | null
    group_has_scripts: boolean
    check_run_id: number | null
    settings: SettingsOf<RunnableKind>
    sealed: string | null
    location_no: number
    due_ms: number
    attempt: number
    parallel: boolean
    on_demand: boolean
    demand: Demand | null
    kept_id: string | null
    kept_fingerprint: string | null
    has_certificates: boolean
    runtime_id: RuntimeId | null
  }>`
    /* prepared: lock-due-runs */
    with due as materialized (
      select d.ctid, d.due_at from unnest(${locations}::int[]) as l(no)
      cross join lateral (
        select s.ctid, s.due_at from schedule s
        cross join lateral (
          select from checks c where c.no = s.check_no and (c.kind = any(${words}::text[]) or c.kind || '/' || ${runtimeInForce} = any(${words}::text[]))
            and (c.paused_until is null or s.session_id is not null or s.attempt > 1
              or greatest(s.due_at, now()) < c.paused_from or greatest(s.due_at, now()) >= c.paused_until)
          offset 0) may_run
        where s.location_no = l.no and s.lease_id is null and s.due_at <= now() + ${horizonMs} * interval '1 millisecond'
        order by s.due_at limit ${capacity}) d
      order by d.due_at limit ${capacity})
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms, s.id, s.check_no, c.id as check_id, c.account_id, c.kind,
      c.effective_settings as settings, c.effective_sealed as sealed, s.location_no, (extract(epoch from s.due_at) * 1000)::float8 as due_ms, s.attempt, s.parallel, s.session_id is not null as on_demand,
      s.demand,
      s.kept_id, s.kept_fingerprint, c.account_id = any(array(select account_id from client_certificates)) as has_certificates, s.check_run_id, c.name as check_name, c.group_id,
      ${groupHasScripts} as group_has_scripts, case when c.kind = any(${KINDS_WITH_RUNTIME}::text[]) then ${runtimeInForce} end as runtime_id
    from due join schedule s on s.ctid = due.ctid join checks c on c.no = s.check_no left join check_groups g on g.id = c.group_id
    where s.lease_id is null
    order by s.due_at
    for update of s skip locked`.execute(tx)
  return {
    nowMs: rows[0]?.now_ms ?? Date.now(),
    runs: rows.map((row) => ({
      id: row.id,
      checkNo: row.check_no,
      checkId: row.check_id,
      checkName: row.check_name,
      accountId: row.account_id,
      kind: row.kind,
      groupId: row.group_id,
      groupHasScripts: row.group_has_scripts,
      checkRunId: row.check_run_id,
      settings: row.settings,
      sealed: row.sealed,
      locationNo: row.location_no,
      dueAtMs: row.due_ms,
      attempt: row.attempt,
      parallel: row.parallel,
      onDemand: row.on_demand,
      demand: row.demand,
      keptId: row.kept_id,
      keptFingerprint: row.kept_fingerprint,
      hasCertificates: row.has_certificates,
      runtimeId: row.runtime_id,
    })),
  }
}

export async function recordLeases(
  tx: Db,
  runnerId: number,
  leases: readonly { checkNo: number; id: number; leaseId: string; checkRunId: number }[],
): Promise<void> {
  await sql`
    /* prepared: record-leases */
    update schedule s set lease_id = l.lease_id, runner_id = ${runnerId}, leased_at = now(),
      check_run_id = coalesce(s.check_run_id, l.check_run_id)
    from unnest(${plainArray(leases.map((lease) => lease.checkNo))}::int[], ${plainArray(leases.map((lease) => lease.id))}::bigint[], ${plainArray(leases.map((lease) => lease.leaseId))}::uuid[],
      ${plainArray(leases.map((lease) => lease.checkRunId))}::bigint[]) as l(check_no, id, lease_id, check_run_id)
    where s.check_no = l.check_no and s.id = l.id`.execute(tx)
}

/** Runs that go to other places as they are. */
export async function moveElsewhere(
  tx: Db,
  moves: readonly { checkNo: number; id: number; locationNo: number }[],
): Promise<void> {
  await sql`
    update schedule s set location_no = m.location_no
    from unnest(${plainArray(moves.map((m) => m.checkNo))}::int[], ${plainArray(moves.map((m) => m.id))}::bigint[],
      ${plainArray(moves.map((m) => m.locationNo))}::int[]) as m(check_no, id, location_no)
    where s.check_no = m.check_no and s.id = m.id`.execute(tx)
}

/** Sessions whose first run has just been taken. */
export async function markSessionsTaken(tx: Db, runs: readonly { checkNo: number; id: number }[]): Promise<void> {
  await sql`
    update check_sessions set status = 'PROGRESS'
    where status = 'STARTED' and id in (
      select session_id from schedule
      where check_no = any(${plainArray(runs.map((run) => run.checkNo))}::int[]) and id = any(${plainArray(runs.map((run) => run.id))}::bigint[]))`.execute(
    tx,
  )
}

/** What came within the horizon so recently may have been missed by the look before. */
const MISSED_MS = 1000

/**
 * When the next run of these locations falls due, in milliseconds from now; null when none is waiting. What was within the
 * horizon before was looked at and not taken: runs that this runner cannot execute must not keep it asking.
 */
export async function nextDueInMs(db: Db, locations: readonly number[], horizonMs: number): Promise<number | null> {
  const { rows } = await sql<{ wait_ms: number | null }>`
    /* prepared: next-due */
    select (extract(epoch from min(due_at) - now()) * 1000)::float8 as wait_ms from schedule
    where location_no = any(${locations}::int[]) and lease_id is null
      and due_at > now() + ${horizonMs - MISSED_MS} * interval '1 millisecond'`.execute(db)
  return rows[0]?.wait_ms ?? null
}

export interface FreedRun {
  id: number
  locationNo: number
  losses: number
}

/**
 * Takes back what lost runners held. What somebody is at work on at this moment is passed over: waiting for it could
 * end in a deadlock, and the next look will find it.
 */
export async function freeLostLeases(db: Db, lostAfterMs: number): Promise<FreedRun[]> {
  const { rows } = await sql<{ id: number; location_no: number; losses: number }>`
    with lost as (
      select s.check_no, s.id from schedule s
      where s.lease_id is not null and s.due_at < now() + interval '30 seconds'
        and not exists (select from runners r where r.id = s.runner_id
          and r.last_seen_at > now() - ${lostAfterMs} * interval '1 millisecond')
      for update of s skip locked)
    update schedule s set lease_id = null, runner_id = null, leased_at = null, losses = losses + 1
    from lost where s.check_no = lost.check_no and s.id = lost.id
    returning s.id, s.location_no, s.losses`.execute(db)
  return rows.map((row) => ({ id: row.id, locationNo: row.location_no, losses: row.losses }))
}

/** Takes back what a live runner does not know that it holds: the answer to its lease was lost. */
export async function freeUnknownLeases(
  db: Db,
  runnerId: number,
  holding: readonly string[],
  graceMs: number,
): Promise<FreedRun[]> {
  const { rows } = await sql<{ id: number; location_no: number; losses: number }>`
    with unknown as (
      select s.check_no, s.id from schedule s
      where s.runner_id = ${runnerId} and s.lease_id is not null and s.due_at < now() + interval '30 seconds'
        and s.leased_at < now() - ${graceMs} * interval '1 millisecond' and s.lease_id <> all(${plainArray(holding)}::uuid[])
      for update of s skip locked)
    update schedule s set lease_id = null, runner_id = null, leased_at = null
    from unknown where s.check_no = unknown.check_no and s.id = unknown.id
    returning s.id, s.location_no, s.losses`.execute(db)
  return rows.map((row) => ({ id: row.id, locationNo: row.location_no, losses: row.losses }))
}

/** Takes back what a runner was given and did not get. */
export async function giveBack(db: Db, runnerId: number, leaseIds: readonly string[]): Promise<FreedRun[]> {
  if (leaseIds.length === 0) return []
  const { rows } = await sql<{ id: number; location_no: number; losses: number }>`
    update schedule s set lease_id = null, runner_id = null, leased_at = null
    where s.runner_id = ${runnerId} and s.lease_id = any(${plainArray(leaseIds)}::uuid[])
    returning s.id, s.location_no, s.losses`.execute(db)
  return rows.map((row) => ({ id: row.id, locationNo: row.location_no, losses: row.losses }))
}

export async function freeLeasesOf(db: Db, runnerId: number): Promise<FreedRun[]> {
  return freeUnknownLeases(db, runnerId, [], -1000)
}
