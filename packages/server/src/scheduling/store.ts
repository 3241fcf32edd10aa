import { RUNNABLE_KINDS, type RunnableKind } from '@vedette/schema'
import { sql } from 'kysely'
import type { CheckSettings, SettingsOf } from '../checks/check.ts'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { Demand } from '../db/demand.ts'
import type { Lane, Pause } from './lanes.ts'

export interface LocationRow {
  no: number
  id: string
  accountId: string | null
  slug: string
  name: string
  sealedProxyUrl: string | null
}

export async function loadLocations(db: Db): Promise<LocationRow[]> {
  const rows = await db.selectFrom('locations').selectAll().orderBy('no').execute()
  return rows.map((row) => ({
    no: row.no,
    id: row.id,
    accountId: row.account_id,
    slug: row.slug,
    name: row.name,
    sealedProxyUrl: row.sealed_proxy_url,
  }))
}

export async function loadLiveRunners(
  db: Db,
  lostAfterMs: number,
): Promise<{ id: number; builtIn: boolean; locationNo: number | null }[]> {
  const { rows } = await sql<{ id: number; built_in: boolean; location_no: number | null }>`
    select id, built_in, location_no from runners
    where last_seen_at > now() - ${lostAfterMs} * interval '1 millisecond'`.execute(db)
  return rows.map((row) => ({ id: row.id, builtIn: row.built_in, locationNo: row.location_no }))
}

/** Data centers in the order named, then private locations in the order named. */
export async function locationNumbers(
  db: Db,
  accountId: string,
  regions: readonly string[],
  slugs: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`
    select l.no from locations l
    join (select slug, false as private, place from unnest(${regions}::text[]) with ordinality as r(slug, place)
          union all
          select slug, true, place from unnest(${slugs}::text[]) with ordinality as p(slug, place)) wanted
      on wanted.slug = l.slug and (case when wanted.private then l.account_id = ${accountId}::uuid else l.account_id is null end)
    order by wanted.private, wanted.place`.execute(db)
  return rows.map((row) => row.no)
}

export interface StandingLane {
  id: number
  locationNo: number
  parallel: boolean
  dueAtMs: number
  /** Neither in hand nor between two attempts. */
  idle: boolean
  hasRun: boolean
}

export async function standingLanes(tx: Db, checkNo: number): Promise<StandingLane[]> {
  const rows = await tx
    .selectFrom('schedule')
    .select(['id', 'location_no', 'parallel', 'due_at', 'lease_id', 'attempt', 'last_check_run_id'])
    .where('check_no', '=', checkNo)
    .where('session_id', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => ({
    id: row.id,
    locationNo: row.location_no,
    parallel: row.parallel,
    dueAtMs: row.due_at.getTime(),
    idle: row.lease_id === null && row.attempt === 1,
    hasRun: row.last_check_run_id !== null,
  }))
}

export async function addLane(tx: Db, checkNo: number, lane: Lane, dueAtMs: number): Promise<void> {
  await tx
    .insertInto('schedule')
    .values({ check_no: checkNo, location_no: lane.locationNo, parallel: lane.parallel, due_at: new Date(dueAtMs) })
    .execute()
}

export async function moveLane(
  tx: Db,
  checkNo: number,
  id: number,
  to: { dueAtMs: number; locationNo?: number; rotation?: number },
): Promise<void> {
  await tx
    .updateTable('schedule')
    .set({
      due_at: new Date(to.dueAtMs),
      ...(to.locationNo === undefined ? {} : { location_no: to.locationNo }),
      ...(to.rotation === undefined ? {} : { rotation: to.rotation }),
    })
    .where('check_no', '=', checkNo)
    .where('id', '=', id)
    .execute()
}

export async function removeLanes(tx: Db, checkNo: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('schedule').where('check_no', '=', checkNo).where('id', 'in', ids).execute()
}

/** Checks that should run and will not: they have places to run in, and nothing is planned. */
export async function checksWithoutLane(db: Db): Promise<{ accountId: string; id: string }[]> {
  const { rows } = await sql<{ account_id: string; id: string }>`
    select c.account_id, c.id from checks c
    where c.effective_activated and c.kind = any(${[...RUNNABLE_KINDS]}::text[])
      and not exists (select from schedule s where s.check_no = c.no and s.session_id is null)
      and exists (select from locations l
        where (l.account_id is null and c.effective_settings->'locations' ? l.slug)
          or (l.account_id = c.account_id and c.effective_settings->'privateLocations' ? l.slug))
    limit 1000`.execute(db)
  return rows.map((row) => ({ accountId: row.account_id, id: row.id }))
}

/** A check that is switched on again starts with a clean slate for alerts. */
export async function resetAlertState(tx: Db, checkNo: number): Promise<void> {
  await sql`
    update check_states set state = 'passing', since = now(), run_count = 0, notified_failure = false, notified_degraded = false
    where check_no = ${checkNo}`.execute(tx)
}

/** The check's first run of its own is not needed when somebody runs it on demand before. */
export async function skipFirstRun(tx: Db, checkNo: number, nextSlotMs: number): Promise<void> {
  await sql`
    update schedule set due_at = ${new Date(nextSlotMs)}
    where check_no = ${checkNo} and session_id is null and lease_id is null and attempt = 1
      and check_run_id is null and last_check_run_id is null and due_at < ${new Date(nextSlotMs)}`.execute(tx)
}

export interface DueRun {
  id: number
  checkNo: number
  checkId: string
  accountId: string
  kind: RunnableKind
  /** Without their secrets, which are sealed. */
  settings: SettingsOf<RunnableKind>
  sealed: string | null
  locationNo: number
  dueAtMs: number
  attempt: number
  onDemand: boolean
  demand: Demand | null
  keptId: string | null
  keptFingerprint: string | null
}

/**
 * Locks runs that fall due within the horizon and that nobody has in hand, the most urgent first. Runs that a check
 * would begin by itself during maintenance are not among them.
 */
export async function lockDueRuns(
  tx: Db,
  locations: readonly number[],
  kinds: readonly string[],
  horizonMs: number,
  capacity: number,
): Promise<{ nowMs: number; runs: DueRun[] }> {
  const { rows } = await sql<{
    now_ms: number
    id: number
    check_no: number
    check_id: string
    account_id: string
    kind: RunnableKind
    settings: SettingsOf<RunnableKind>
    sealed: string | null
    location_no: number
    due_ms: number
    attempt: number
    on_demand: boolean
    demand: Demand | null
    kept_id: string | null
    kept_fingerprint: string | null
  }>`
    /* prepared: lock-due-runs */
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms, s.id, s.check_no, c.id as check_id, c.account_id, c.kind,
      c.effective_settings as settings, c.effective_sealed as sealed, s.location_no, (extract(epoch from s.due_at) * 1000)::float8 as due_ms, s.attempt, s.session_id is not null as on_demand,
      s.demand,
      s.kept_id, s.kept_fingerprint
    from schedule s join checks c on c.no = s.check_no
    where s.location_no = any(${locations}::int[]) and s.lease_id is null and c.kind = any(${kinds}::text[])
      and s.due_at <= now() + ${horizonMs} * interval '1 millisecond'
      and (c.paused_until is null or s.session_id is not null or s.attempt > 1
        or greatest(s.due_at, now()) < c.paused_from or greatest(s.due_at, now()) >= c.paused_until)
    order by s.due_at limit ${capacity}
    for update of s skip locked`.execute(tx)
  return {
    nowMs: rows[0]?.now_ms ?? Date.now(),
    runs: rows.map((row) => ({
      id: row.id,
      checkNo: row.check_no,
      checkId: row.check_id,
      accountId: row.account_id,
      kind: row.kind,
      settings: row.settings,
      sealed: row.sealed,
      locationNo: row.location_no,
      dueAtMs: row.due_ms,
      attempt: row.attempt,
      onDemand: row.on_demand,
      demand: row.demand,
      keptId: row.kept_id,
      keptFingerprint: row.kept_fingerprint,
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

/** When the next run of these locations falls due, in milliseconds from now; null when none is waiting. */
export async function nextDueInMs(db: Db, locations: readonly number[]): Promise<number | null> {
  const { rows } = await sql<{ wait_ms: number | null }>`
    /* prepared: next-due */
    select (extract(epoch from min(due_at) - now()) * 1000)::float8 as wait_ms from schedule
    where location_no = any(${locations}::int[]) and lease_id is null`.execute(db)
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

export interface LateRun {
  id: number
  no: number
  settings: CheckSettings
  accountId: string
  createdAt: Date
  locationNo: number
  rotation: number
  parallel: boolean
  dueAtMs: number
  /** The slot that the run answers, once it has been in hand. */
  checkRunId: number | null
  losses: number
  pause: Pause | null
}

/** Locks runs that are overdue by more than a while and that nobody has in hand, except those on demand. */
export async function lockLateRuns(
  tx: Db,
  lateByMs: number,
  limit: number,
  after: Pick<LateRun, 'id' | 'dueAtMs'> = { id: 0, dueAtMs: 0 },
): Promise<LateRun[]> {
  const { rows } = await sql<{
    id: number
    check_no: number
    settings: CheckSettings
    account_id: string
    created_at: Date
    location_no: number
    rotation: number
    parallel: boolean
    due_ms: number
    check_run_id: number | null
    losses: number
    paused_from: Date | null
    paused_until: Date | null
  }>`
    select s.id, s.check_no, c.effective_settings as settings, c.account_id, c.created_at, s.location_no, s.rotation, s.parallel,
      (extract(epoch from s.due_at) * 1000)::float8 as due_ms, s.check_run_id, s.losses, c.paused_from, c.paused_until
    from schedule s join checks c on c.no = s.check_no
    where s.lease_id is null and s.due_at < now() - ${lateByMs} * interval '1 millisecond'
      and s.location_no = any(array(select no from locations)) and s.session_id is null
      and (s.due_at, s.id) > (to_timestamp(${after.dueAtMs / 1000}::float8), ${after.id}::bigint)
    order by s.due_at, s.id limit ${limit} for update of s skip locked`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    no: row.check_no,
    settings: row.settings,
    accountId: row.account_id,
    createdAt: row.created_at,
    locationNo: row.location_no,
    rotation: row.rotation,
    parallel: row.parallel,
    dueAtMs: row.due_ms,
    checkRunId: row.check_run_id,
    losses: row.losses,
    pause: toPause(row),
  }))
}

export function toPause(row: { paused_from: Date | null; paused_until: Date | null }): Pause | null {
  const { paused_from: from, paused_until: until } = row
  return from === null || until === null ? null : { fromMs: from.getTime(), untilMs: until.getTime() }
}

export interface MissedRun {
  checkNo: number
  locationNo: number
  slotAtMs: number
  slots: number
  reason: string
}

export async function recordMissed(tx: Db, missed: readonly MissedRun[]): Promise<void> {
  if (missed.length === 0) return
  await tx
    .insertInto('missed_runs')
    .values(
      missed.map((run) => ({
        check_no: run.checkNo,
        location_no: run.locationNo,
        slot_at: new Date(run.slotAtMs),
        slots: run.slots,
        reason: run.reason,
      })),
    )
    .execute()
}

export interface LaneMove {
  checkNo: number
  id: number
  dueAtMs: number
  locationNo: number
  rotation: number
  /** True: the run is over. False: it only moves elsewhere. */
  over: boolean
}

export async function moveLateLanes(tx: Db, moves: readonly LaneMove[]): Promise<void> {
  if (moves.length === 0) return
  await sql`
    update schedule s set due_at = to_timestamp(m.due_ms / 1000), location_no = m.location_no, rotation = m.rotation,
      attempt = case when m.over then 1 else s.attempt end, losses = case when m.over then 0 else s.losses end,
      check_run_id = case when m.over then null else s.check_run_id end,
      first_started_at = case when m.over then null else s.first_started_at end,
      errors = case when m.over then 0 else s.errors end
    from unnest(${plainArray(moves.map((m) => m.checkNo))}::int[], ${plainArray(moves.map((m) => m.id))}::bigint[], ${plainArray(moves.map((m) => m.dueAtMs))}::float8[],
      ${plainArray(moves.map((m) => m.locationNo))}::int[], ${plainArray(moves.map((m) => m.rotation))}::int[], ${plainArray(moves.map((m) => m.over))}::bool[])
      as m(check_no, id, due_ms, location_no, rotation, over)
    where s.check_no = m.check_no and s.id = m.id`.execute(tx)
}

export interface RunnerRow {
  id: number
  builtIn: boolean
  locationNo: number | null
  kinds: string[]
}

/** Undefined when the key was deleted meanwhile. */
export async function addRunner(
  db: Db,
  runner: {
    keyId: string
    name: string
    version: string
    kinds: string[]
    builtIn: boolean
  },
): Promise<number | undefined> {
  const row = await db
    .insertInto('runners')
    .columns(['key_id', 'name', 'version', 'kinds', 'built_in', 'location_no'])
    .expression((eb) =>
      eb
        .selectFrom('location_keys')
        .select((e) => [
          'location_keys.id as key_id',
          e.val(runner.name).as('name'),
          e.val(runner.version).as('version'),
          sql<string[]>`${runner.kinds}::text[]`.as('kinds'),
          sql<boolean>`${runner.builtIn}::boolean`.as('built_in'),
          'location_keys.location_no',
        ])
        .where('location_keys.id', '=', runner.keyId),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** False once the runner has signed out or its key was deleted. */
export async function isRunnerKnown(db: Db, runnerId: number): Promise<boolean> {
  const row = await db.selectFrom('runners').select('id').where('id', '=', runnerId).executeTakeFirst()
  return row !== undefined
}

/** Marks the runner as seen. Undefined when it is not known with this key. */
export async function seeRunner(
  db: Db,
  runnerId: number,
  keyId: string,
  trouble: string | null | undefined,
): Promise<RunnerRow | undefined> {
  const row = await db
    .updateTable('runners')
    .set({ last_seen_at: sql<Date>`now()`, ...(trouble === undefined ? {} : { trouble }) })
    .where('id', '=', runnerId)
    .where('key_id', '=', keyId)
    .returning(['id', 'built_in', 'location_no', 'kinds'])
    .executeTakeFirst()
  return row && { id: row.id, builtIn: row.built_in, locationNo: row.location_no, kinds: row.kinds }
}

export async function forgetRunner(db: Db, runnerId: number): Promise<void> {
  await db.deleteFrom('runners').where('id', '=', runnerId).execute()
}

/**
 * Takes back what the installation's own runners held that are known to be dead, and forgets them: nobody has to wait
 * until they are missed.
 *
 * @param keyId those that signed in with this key; null: all
 */
export async function buryBuiltInRunners(db: Db, keyId: string | null): Promise<FreedRun[]> {
  const { rows } = await sql<{ id: number; location_no: number; losses: number }>`
    with dead as (
      delete from runners where built_in and (${keyId}::uuid is null or key_id = ${keyId}::uuid) returning id
    ), lost as (
      select s.check_no, s.id from schedule s join dead on dead.id = s.runner_id
      where s.lease_id is not null for update of s skip locked)
    update schedule s set lease_id = null, runner_id = null, leased_at = null, losses = losses + 1
    from lost where s.check_no = lost.check_no and s.id = lost.id
    returning s.id, s.location_no, s.losses`.execute(db)
  return rows.map((row) => ({ id: row.id, locationNo: row.location_no, losses: row.losses }))
}

export async function forgetOldRunners(db: Db): Promise<void> {
  await sql`delete from runners where last_seen_at < now() - interval '1 day'`.execute(db)
}

/** The instant as the name of a run, or the first after it that no other run of the check goes by. */
export async function freeCheckRunId(tx: Db, checkNo: number, nowMs: number): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select coalesce(check_run_id, (extract(epoch from due_at) * 1000)::bigint) as taken from schedule
    where check_no = ${checkNo}`.execute(tx)
  const taken = new Set(rows.map((row) => row.taken))
  let free = nowMs
  while (taken.has(free)) free += 1
  return free
}

export interface DemandedRun {
  checkNo: number
  locationNo: number
  parallel: boolean
  sessionId: string
  checkRunId: number
  demand: Demand | null
}

export async function addDemandedRuns(tx: Db, runs: readonly DemandedRun[]): Promise<void> {
  await tx
    .insertInto('schedule')
    .values(
      runs.map((run) => ({
        check_no: run.checkNo,
        location_no: run.locationNo,
        parallel: run.parallel,
        session_id: run.sessionId,
        check_run_id: run.checkRunId,
        demand: run.demand && JSON.stringify(run.demand),
        due_at: sql<Date>`now()`,
      })),
    )
    .execute()
}

/** Where one of a check's lanes stands that run in several locations at once. */
export interface ParallelLane {
  checkNo: number
  id: number
  locationNo: number
  /** The run that it ended last. */
  lastCheckRunId: number | null
  /** The run that it is at, or that comes next. */
  currentRunId: number
  inHand: boolean
}

/** The parallel lanes of checks, except those given. */
export async function otherLanes(
  tx: Db,
  checkNos: readonly number[],
  except: readonly number[],
): Promise<ParallelLane[]> {
  const { rows } = await sql<{
    check_no: number
    id: number
    location_no: number
    last_check_run_id: number | null
    current_run_id: number
    in_hand: boolean
  }>`
    select check_no, id, location_no, last_check_run_id, lease_id is not null as in_hand,
      coalesce(check_run_id, (extract(epoch from due_at) * 1000)::bigint) as current_run_id
    from schedule
    where check_no = any(${plainArray(checkNos)}::int[]) and session_id is null and parallel
      and id <> all(${plainArray(except)}::bigint[])`.execute(tx)
  return rows.map((row) => ({
    checkNo: row.check_no,
    id: row.id,
    locationNo: row.location_no,
    lastCheckRunId: row.last_check_run_id,
    currentRunId: row.current_run_id,
    inHand: row.in_hand,
  }))
}
