import type { AlertState } from '@vedette/core'
import type { AlertSettings, CheckKind, SessionStatus, TargetState, Verdict } from '@vedette/schema'
import { sql } from 'kysely'
import type { CheckSettings } from '../checks/check.ts'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { Demand } from '../db/demand.ts'
import type { Pause } from '../scheduling/lanes.ts'
import type { LeaseKey } from '../scheduling/lease.ts'
import { toPause } from '../scheduling/pause-store.ts'

/** A run in hand, with everything that its result may change. */
export interface RunInHand {
  scheduleId: number
  resultId: string
  checkNo: number
  checkId: string
  accountId: string
  kind: CheckKind
  checkName: string
  muted: boolean
  activated: boolean
  tags: string[]
  settings: CheckSettings
  createdAt: Date
  pause: Pause | null
  accountAlertSettings: AlertSettings
  locationNo: number
  rotation: number
  parallel: boolean
  sessionId: string | null
  demand: Demand | null
  checkRunId: number
  attempt: number
  firstStartedAtMs: number | null
  errors: number
  /** The place whose failure is in question; null: none is. */
  opinionOn: number | null
  /** Places whose last failure was contradicted. */
  contradicted: readonly number[]
  keptId: string | null
  keptFingerprint: string | null
  /** The check’s state for alerts before this result. */
  alertState: AlertState
  judgedUntilMs: number | null
}

/**
 * Locks the runs that the runner holds, and their checks' states, in one order for everybody. A lease that has passed
 * to another runner, or whose result was recorded before, is not among them. Only then are the checks read: what was
 * changed while this waited counts.
 */
export async function lockRunsInHand(tx: Db, runnerId: number, leases: readonly LeaseKey[]): Promise<RunInHand[]> {
  await sql`
    /* prepared: lock-runs */
    select from unnest(${plainArray(leases.map((l) => l.checkNo))}::int[], ${plainArray(leases.map((l) => l.scheduleId))}::bigint[],
      ${plainArray(leases.map((l) => l.resultId))}::uuid[]) as l(check_no, id, lease_id)
    join schedule s on s.check_no = l.check_no and s.id = l.id and s.lease_id = l.lease_id and s.runner_id = ${runnerId}
    join check_states cs on cs.check_no = s.check_no
    order by s.check_no, s.id for update of cs, s`.execute(tx)
  const { rows } = await sql<{
    id: number
    lease_id: string
    check_no: number
    check_id: string
    account_id: string
    kind: CheckKind
    name: string
    muted: boolean
    activated: boolean
    tags: string[]
    settings: CheckSettings
    created_at: Date
    paused_from: Date | null
    paused_until: Date | null
    account_alert_settings: AlertSettings
    location_no: number
    rotation: number
    parallel: boolean
    session_id: string | null
    demand: Demand | null
    check_run_id: number
    attempt: number
    first_started_at: Date | null
    errors: number
    opinion_on: number | null
    contradicted: number[] | null
    kept_id: string | null
    kept_fingerprint: string | null
    state: TargetState
    since: Date
    run_count: number
    notified_failure: boolean
    notified_degraded: boolean
    held_since: Date | null
    judged_until: Date | null
  }>`
    /* prepared: runs-in-hand */
    select s.id, s.lease_id, s.check_no, c.id as check_id, c.account_id, c.kind, c.name,
      c.effective_muted as muted, c.effective_activated as activated, c.effective_tags as tags, c.effective_settings as settings,
      c.created_at, c.paused_from, c.paused_until, a.alert_settings as account_alert_settings, s.location_no, s.rotation, s.parallel, s.session_id, s.demand,
      s.check_run_id, s.attempt, s.first_started_at, s.errors, s.opinion_on, s.contradicted, s.kept_id, s.kept_fingerprint,
      cs.state, cs.since, cs.run_count, cs.notified_failure, cs.notified_degraded, cs.held_since, cs.judged_until
    from unnest(${plainArray(leases.map((l) => l.checkNo))}::int[], ${plainArray(leases.map((l) => l.scheduleId))}::bigint[],
      ${plainArray(leases.map((l) => l.resultId))}::uuid[]) as l(check_no, id, lease_id)
    join schedule s on s.check_no = l.check_no and s.id = l.id and s.lease_id = l.lease_id and s.runner_id = ${runnerId}
    join checks c on c.no = s.check_no join accounts a on a.id = c.account_id join check_states cs on cs.check_no = s.check_no
    order by s.check_no, s.id`.execute(tx)
  return rows.map((row) => ({
    scheduleId: row.id,
    resultId: row.lease_id,
    checkNo: row.check_no,
    checkId: row.check_id,
    accountId: row.account_id,
    kind: row.kind,
    checkName: row.name,
    muted: row.muted,
    activated: row.activated,
    tags: row.tags,
    settings: row.settings,
    createdAt: row.created_at,
    pause: toPause(row),
    accountAlertSettings: row.account_alert_settings,
    locationNo: row.location_no,
    rotation: row.rotation,
    parallel: row.parallel,
    sessionId: row.session_id,
    demand: row.demand,
    checkRunId: row.check_run_id,
    attempt: row.attempt,
    firstStartedAtMs: row.first_started_at?.getTime() ?? null,
    errors: row.errors,
    opinionOn: row.opinion_on,
    contradicted: row.contradicted ?? [],
    keptId: row.kept_id,
    keptFingerprint: row.kept_fingerprint,
    alertState: {
      state: row.state,
      sinceMs: row.since.getTime(),
      runCount: row.run_count,
      notifiedFailure: row.notified_failure,
      notifiedDegraded: row.notified_degraded,
      heldSinceMs: row.held_since?.getTime() ?? null,
    },
    judgedUntilMs: row.judged_until?.getTime() ?? null,
  }))
}

/** A check with what its judgement needs and may change. */
export interface CheckInHand {
  no: number
  id: string
  accountId: string
  kind: CheckKind
  name: string
  muted: boolean
  tags: string[]
  settings: CheckSettings
  accountAlertSettings: AlertSettings
  /** The present or next maintenance. */
  pause: Pause | null
  alertState: AlertState
  /** When the newest run that it was judged by had ended. */
  judgedUntilMs: number | null
  /** The run that its status tells of. */
  lastCheckRunId: number | null
}

/** Locks the states of checks, in one order for everybody. */
export async function lockChecks(tx: Db, checkNos: readonly number[]): Promise<CheckInHand[]> {
  await sql`
    select from check_states where check_no = any(${plainArray(checkNos)}::int[])
    order by check_no for update`.execute(tx)
  const { rows } = await sql<{
    no: number
    id: string
    account_id: string
    kind: CheckKind
    name: string
    muted: boolean
    tags: string[]
    settings: CheckSettings
    account_alert_settings: AlertSettings
    paused_from: Date | null
    paused_until: Date | null
    state: TargetState
    since: Date
    run_count: number
    notified_failure: boolean
    notified_degraded: boolean
    held_since: Date | null
    judged_until: Date | null
    last_check_run_id: number | null
  }>`
    select c.no, c.id, c.account_id, c.kind, c.name, c.effective_muted as muted, c.effective_tags as tags,
      c.effective_settings as settings, a.alert_settings as account_alert_settings,
      c.paused_from, c.paused_until, cs.state, cs.since, cs.run_count, cs.notified_failure, cs.notified_degraded, cs.held_since, cs.judged_until, cs.last_check_run_id
    from checks c join accounts a on a.id = c.account_id join check_states cs on cs.check_no = c.no
    where c.no = any(${plainArray(checkNos)}::int[]) order by c.no`.execute(tx)
  return rows.map((row) => ({
    no: row.no,
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    name: row.name,
    muted: row.muted,
    tags: row.tags,
    settings: row.settings,
    accountAlertSettings: row.account_alert_settings,
    pause: toPause(row),
    alertState: {
      state: row.state,
      sinceMs: row.since.getTime(),
      runCount: row.run_count,
      notifiedFailure: row.notified_failure,
      notifiedDegraded: row.notified_degraded,
      heldSinceMs: row.held_since?.getTime() ?? null,
    },
    judgedUntilMs: row.judged_until?.getTime() ?? null,
    lastCheckRunId: row.last_check_run_id,
  }))
}

/** Where a run goes after a report: to its next attempt, to its next slot, or away. */
export interface RunMove {
  checkNo: number
  scheduleId: number
  /** Null: a run on demand that has ended. */
  dueAtMs: number | null
  locationNo: number
  rotation: number
  attempt: number
  /** Kept between attempts; null once the run has ended. */
  checkRunId: number | null
  firstStartedAtMs: number | null
  errors: number
  opinionOn: number | null
  contradicted: readonly number[]
  keptId: string | null
  keptFingerprint: string | null
  lastCheckRunId: number | null
  lastVerdict: Verdict | null
}

/** What final outcomes change of a check’s status. */
export interface StateChange {
  checkNo: number
  /** Null when there was old news only. */
  latest: LatestOutcome | null
  /** Of the runs that reached the target. */
  longestMs: number | null
  shortestMs: number | null
}

export interface LatestOutcome {
  /** Null when every location was in error: nothing is known of the target. */
  status: TargetState | null
  /** Whether the newest run was in error everywhere. */
  inError: boolean
  /** Null where no run found it. */
  locationNo: number | null
  checkRunId: number
  alertState: AlertState
  judgedUntilMs: number | null
}

/** One statement for a whole batch: the healthy path of recording passes here and through `append` only. */
export async function moveRuns(tx: Db, moves: readonly RunMove[], changes: readonly StateChange[]): Promise<void> {
  const latest = changes.map((change) => change.latest)
  await sql`
    /* prepared: move-runs */
    with moved as (
      update schedule s set lease_id = null, runner_id = null, leased_at = null, losses = 0,
        due_at = coalesce(to_timestamp(m.due_ms / 1000), s.due_at), location_no = m.location_no, rotation = m.rotation,
        attempt = m.attempt, check_run_id = m.check_run_id, first_started_at = to_timestamp(m.first_ms / 1000), errors = m.errors,
        opinion_on = m.opinion_on, contradicted = string_to_array(m.contradicted, ',')::int[],
        kept_id = m.kept_id, kept_fingerprint = m.kept_fingerprint,
        last_check_run_id = coalesce(m.last_run, s.last_check_run_id), last_verdict = coalesce(m.last_verdict, s.last_verdict)
      from unnest(${plainArray(moves.map((m) => m.checkNo))}::int[], ${plainArray(moves.map((m) => m.scheduleId))}::bigint[], ${plainArray(moves.map((m) => m.dueAtMs))}::float8[],
        ${plainArray(moves.map((m) => m.locationNo))}::int[], ${plainArray(moves.map((m) => m.rotation))}::int[], ${plainArray(moves.map((m) => m.attempt))}::int[],
        ${plainArray(moves.map((m) => m.checkRunId))}::bigint[], ${plainArray(moves.map((m) => m.firstStartedAtMs))}::float8[],
        ${plainArray(moves.map((m) => m.keptId))}::uuid[], ${moves.map((m) => m.keptFingerprint)}::text[],
        ${plainArray(moves.map((m) => m.lastCheckRunId))}::bigint[], ${moves.map((m) => m.lastVerdict)}::text[],
        ${plainArray(moves.map((m) => m.errors))}::int[], ${plainArray(moves.map((m) => m.opinionOn))}::int[],
        ${moves.map((m) => (m.contradicted.length === 0 ? null : m.contradicted.join(',')))}::text[])
        as m(check_no, id, due_ms, location_no, rotation, attempt, check_run_id, first_ms, kept_id, kept_fingerprint, last_run, last_verdict, errors, opinion_on, contradicted)
      where s.check_no = m.check_no and s.id = m.id)
    update check_states cs set
      has_failures = coalesce(t.status = 'failing', cs.has_failures), is_degraded = coalesce(t.status = 'degraded', cs.is_degraded),
      has_errors = coalesce(t.in_error, cs.has_errors), last_location_no = coalesce(t.location_no, cs.last_location_no),
      last_check_run_id = coalesce(t.check_run_id, cs.last_check_run_id),
      longest_run = greatest(cs.longest_run, t.longest), shortest_run = least(cs.shortest_run, t.shortest),
      updated_at = now(), state = coalesce(t.state, cs.state), since = coalesce(to_timestamp(t.since_ms / 1000), cs.since),
      run_count = coalesce(t.run_count, cs.run_count), notified_failure = coalesce(t.notified_failure, cs.notified_failure),
      notified_degraded = coalesce(t.notified_degraded, cs.notified_degraded), 
      held_since = case when t.state is null then cs.held_since else to_timestamp(t.held_ms / 1000) end,
      judged_until = coalesce(to_timestamp(t.until_ms / 1000), cs.judged_until)
    from unnest(${plainArray(changes.map((c) => c.checkNo))}::int[], ${latest.map((l) => l?.status ?? null)}::text[],
      ${plainArray(latest.map((l) => l?.inError ?? null))}::bool[], ${plainArray(latest.map((l) => l?.locationNo ?? null))}::int[],
      ${plainArray(latest.map((l) => l?.checkRunId ?? null))}::bigint[], ${plainArray(changes.map((c) => c.longestMs))}::real[],
      ${plainArray(changes.map((c) => c.shortestMs))}::real[], ${latest.map((l) => l?.alertState.state ?? null)}::text[],
      ${plainArray(latest.map((l) => l?.alertState.sinceMs ?? null))}::float8[],
      ${plainArray(latest.map((l) => l?.alertState.runCount ?? null))}::int[],
      ${plainArray(latest.map((l) => l?.alertState.notifiedFailure ?? null))}::bool[],
      ${plainArray(latest.map((l) => l?.alertState.notifiedDegraded ?? null))}::bool[],
      ${plainArray(latest.map((l) => l?.alertState.heldSinceMs ?? null))}::float8[],
      ${plainArray(latest.map((l) => l?.judgedUntilMs ?? null))}::float8[])
      as t(check_no, status, in_error, location_no, check_run_id, longest, shortest, state, since_ms, run_count,
        notified_failure, notified_degraded, held_ms, until_ms)
    where cs.check_no = t.check_no`.execute(tx)
}

export async function removeRuns(tx: Db, runs: readonly Pick<RunInHand, 'checkNo' | 'scheduleId'>[]): Promise<void> {
  await tx
    .deleteFrom('schedule')
    .where(
      'check_no',
      'in',
      runs.map((run) => run.checkNo),
    )
    .where(
      'id',
      'in',
      runs.map((run) => run.scheduleId),
    )
    .execute()
}

export interface ErrorSeen {
  checkNo: number
  hash: string
  raw: string
  cleaned: string
  atMs: number
}

/**
 * A known group is seen again, which brings it back from the archive unless it was archived for ever. One statement for a
 * batch: in a storm each group and each of its days is written once.
 */
export async function recordErrors(tx: Db, errors: readonly ErrorSeen[]): Promise<void> {
  const keyOf = ({ checkNo, hash }: ErrorSeen) => `${checkNo}/${hash}`
  // The same group twice in one statement is refused by PostgreSQL: the last one speaks for both.
  const distinct = [...new Map(errors.map((error) => [keyOf(error), error])).values()]
  const onDays = Map.groupBy(errors, (error) => `${keyOf(error)}/${dayOf(error.atMs)}`)
  const days = [...onDays.values()].flatMap((seen) => {
    const [first] = seen
    return first === undefined ? [] : [{ ...first, day: dayOf(first.atMs), count: seen.length }]
  })
  await sql`
    with seen as (
      insert into error_groups (check_no, error_hash, raw_message, cleaned_message, first_seen, last_seen)
      select check_no, hash, raw, cleaned, to_timestamp(at / 1000), to_timestamp(at / 1000)
      from unnest(${plainArray(distinct.map((e) => e.checkNo))}::int[], ${distinct.map((e) => e.hash)}::text[], ${distinct.map((e) => e.raw)}::text[],
        ${distinct.map((e) => e.cleaned)}::text[], ${plainArray(distinct.map((e) => e.atMs))}::float8[]) as t(check_no, hash, raw, cleaned, at)
      order by check_no, hash
      on conflict (check_no, error_hash) do update set raw_message = excluded.raw_message,
        last_seen = greatest(error_groups.last_seen, excluded.last_seen), archived_until_next_event = false
      returning id, check_no, error_hash)
    insert into error_group_days (group_id, day, seen)
    select seen.id, t.day, t.count
    from unnest(${plainArray(days.map((d) => d.checkNo))}::int[], ${days.map((d) => d.hash)}::text[], ${plainArray(days.map((d) => d.day))}::date[],
      ${plainArray(days.map((d) => d.count))}::int[]) as t(check_no, hash, day, count)
    join seen on seen.check_no = t.check_no and seen.error_hash = t.hash
    order by t.check_no, t.hash, t.day
    on conflict (group_id, day) do update set seen = error_group_days.seen + excluded.seen`.execute(tx)
}

/** By UTC. */
const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

export interface SessionReport {
  sessionId: string
  resultId: string
  locationNo: number
  resultType: 'FINAL' | 'ATTEMPT'
  verdict: Verdict
}

export async function recordSessionResults(tx: Db, reports: readonly SessionReport[]): Promise<void> {
  await tx
    .insertInto('session_results')
    .values(
      reports.map((report) => ({
        session_id: report.sessionId,
        result_id: report.resultId,
        location_no: report.locationNo,
        result_type: report.resultType,
        verdict: report.verdict,
      })),
    )
    .onConflict((c) => c.doNothing())
    .execute()
}

export interface OpenSession {
  id: string
  locations: number
  finals: Verdict[]
}

/** Sessions that have not ended, with their final verdicts so far. */
export async function lockOpenSessions(tx: Db, ids: readonly string[]): Promise<OpenSession[]> {
  const { rows } = await sql<{ id: string; locations: number[]; finals: Verdict[] }>`
    select s.id, s.locations, array(select verdict from session_results r where r.session_id = s.id and r.result_type = 'FINAL') as finals
    from check_sessions s where s.id = any(${ids}::uuid[]) and s.stopped_at is null order by s.id for update of s`.execute(
    tx,
  )
  return rows.map((row) => ({ id: row.id, locations: row.locations.length, finals: row.finals }))
}

export async function setSessionStatus(tx: Db, id: string, status: SessionStatus, ended: boolean): Promise<void> {
  await tx
    .updateTable('check_sessions')
    .set({ status, ...(ended ? { stopped_at: sql<Date>`now()` } : {}) })
    .where('id', '=', id)
    .execute()
}
