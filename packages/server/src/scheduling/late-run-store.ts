/** Runs that nobody took in time, and slots that were missed. */
import type { CheckKind } from '@vedette/schema'
import { sql } from 'kysely'
import type { CheckSettings } from '../checks/check.ts'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { Pause } from './lanes.ts'
import { toPause } from './pause-store.ts'

export interface LateRun {
  id: number
  kind: CheckKind
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
  /** The place whose failure another one is asked about. */
  opinionOn: number | null
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
    kind: CheckKind
    settings: CheckSettings
    account_id: string
    created_at: Date
    location_no: number
    rotation: number
    parallel: boolean
    due_ms: number
    check_run_id: number | null
    losses: number
    opinion_on: number | null
    paused_from: Date | null
    paused_until: Date | null
  }>`
    select s.id, s.check_no, c.kind, c.effective_settings as settings, c.account_id, c.created_at, s.location_no, s.rotation, s.parallel,
      (extract(epoch from s.due_at) * 1000)::float8 as due_ms, s.check_run_id, s.losses, s.opinion_on, c.paused_from, c.paused_until
    from schedule s join checks c on c.no = s.check_no
    where s.lease_id is null and s.due_at < now() - ${lateByMs} * interval '1 millisecond'
      and s.location_no = any(array(select no from locations)) and s.session_id is null
      and (s.due_at, s.id) > (to_timestamp(${after.dueAtMs / 1000}::float8), ${after.id}::bigint)
    order by s.due_at, s.id limit ${limit} for update of s skip locked`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    no: row.check_no,
    kind: row.kind,
    settings: row.settings,
    accountId: row.account_id,
    createdAt: row.created_at,
    locationNo: row.location_no,
    rotation: row.rotation,
    parallel: row.parallel,
    dueAtMs: row.due_ms,
    checkRunId: row.check_run_id,
    losses: row.losses,
    opinionOn: row.opinion_on,
    pause: toPause(row),
  }))
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
      errors = case when m.over then 0 else s.errors end, opinion_on = case when m.over then null else s.opinion_on end
    from unnest(${plainArray(moves.map((m) => m.checkNo))}::int[], ${plainArray(moves.map((m) => m.id))}::bigint[], ${plainArray(moves.map((m) => m.dueAtMs))}::float8[],
      ${plainArray(moves.map((m) => m.locationNo))}::int[], ${plainArray(moves.map((m) => m.rotation))}::int[], ${plainArray(moves.map((m) => m.over))}::bool[])
      as m(check_no, id, due_ms, location_no, rotation, over)
    where s.check_no = m.check_no and s.id = m.id`.execute(tx)
}
