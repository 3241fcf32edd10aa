/** The lanes of checks: where each stands in the schedule, whatever hands are at work on it. */
import { RUNNABLE_KINDS } from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { Lane } from './lanes.ts'

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
    with ended as (delete from alert_reminders where check_no = ${checkNo})
    update check_states set state = 'passing', since = now(), run_count = 0, notified_failure = false, notified_degraded = false, held_since = null
    where check_no = ${checkNo}`.execute(tx)
}

/** The check's first run of its own is not needed when somebody runs it on demand before. */
export async function skipFirstRun(tx: Db, checkNo: number, nextSlotMs: number): Promise<void> {
  await sql`
    update schedule set due_at = ${new Date(nextSlotMs)}
    where check_no = ${checkNo} and session_id is null and lease_id is null and attempt = 1
      and check_run_id is null and last_check_run_id is null and due_at < ${new Date(nextSlotMs)}`.execute(tx)
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
