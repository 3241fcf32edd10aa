/**
 * Runs that nobody took in time. A run whose location has lost its runner moves to the next location that somebody
 * serves; else its slots are recorded as missed and the lane goes on from the clock. Runs on demand wait until their
 * session ends.
 */
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import { nextInRotation, nextSlotOf, type Scheduled, slotsBetween } from './lanes.ts'
import type { LocationView } from './location-view.ts'
import { type LaneMove, type LateRun, lockLateRuns, type MissedRun, moveLateLanes, recordMissed } from './store.ts'

/** Nothing is called late before this. */
const LATE_AFTER_MS = 5000
/** A slot is given up when the next one is due, and after this long at most. */
const GIVE_UP_AFTER_MS = 6 * 60_000
const AT_ONCE = 1000
/** Tries at a run whose runner is lost each time, before it is set aside. */
const MAX_LOSSES = 3

export interface GivenUpRun {
  checkNo: number
  checkRunId: number
}

export interface LateOutcome {
  missed: MissedRun[]
  moved: number
}

/** @param onGivenUp part of the same transaction: hears of the runs that went on in other locations at the same time */
export async function moveOnLateRuns(
  db: Db,
  view: LocationView,
  nowMs: number,
  onGivenUp: (tx: Db, runs: readonly GivenUpRun[]) => Promise<void>,
): Promise<LateOutcome> {
  return db.transaction().execute(async (tx) => {
    const late = await lockLateRuns(tx, LATE_AFTER_MS, AT_ONCE)
    const missed: MissedRun[] = []
    const moves: LaneMove[] = []
    const givenUp: GivenUpRun[] = []
    for (const run of late) {
      if (run.sessionId !== null) continue
      const plan = planLateRun(run, view, nowMs)
      if (plan === null) continue
      moves.push(plan.move)
      if (plan.missed === null) continue
      missed.push(plan.missed)
      if (run.parallel) givenUp.push({ checkNo: run.no, checkRunId: run.checkRunId ?? Math.round(run.dueAtMs) })
    }
    await moveLateLanes(tx, moves)
    await recordMissed(tx, missed)
    await onGivenUp(tx, givenUp)
    const elsewhere = moves.filter((move) => !move.over).map((move) => move.locationNo)
    if (elsewhere.length > 0) await notify(tx, 'runs', elsewhere.join(','))
    return { missed, moved: elsewhere.length }
  })
}

/** Null: wait longer. */
export function planLateRun(
  run: LateRun,
  view: Pick<LocationView, 'numbersOf' | 'servedBy'>,
  nowMs: number,
): { move: LaneMove; missed: MissedRun | null } | null {
  const served = (no: number) => view.servedBy(no) !== 'nobody'
  const isServed = served(run.locationNo)
  const locations = view.numbersOf(run.accountId, run.settings.locations ?? [], run.settings.privateLocations ?? [])
  const next = run.parallel ? null : nextInRotation(locations, run.rotation, served)
  const setAside = run.losses >= MAX_LOSSES
  if (!isServed && !setAside && next !== null && served(next.locationNo)) {
    return { move: { checkNo: run.no, id: run.id, dueAtMs: run.dueAtMs, ...next, over: false }, missed: null }
  }
  const following = nextSlotOf(run, run.dueAtMs)
  const givenUp = nowMs >= Math.min(following, run.dueAtMs + GIVE_UP_AFTER_MS)
  if (!setAside && !givenUp) return null
  const resume = nextSlotOf(run, nowMs)
  const reason = setAside
    ? `Runners were lost ${run.losses} times with this run in hand.`
    : isServed
      ? 'No runner took the run in time.'
      : 'No runner serves this location.'
  return {
    move: {
      checkNo: run.no,
      id: run.id,
      dueAtMs: resume,
      locationNo: next?.locationNo ?? run.locationNo,
      rotation: next?.rotation ?? run.rotation,
      over: true,
    },
    missed: {
      checkNo: run.no,
      locationNo: run.locationNo,
      slotAtMs: run.checkRunId ?? run.dueAtMs,
      slots: countSlots(run, nowMs),
      reason,
    },
  }
}

/** The slot of the run and those after it that have passed. */
export function countSlots(run: Scheduled & Pick<LateRun, 'dueAtMs' | 'checkRunId'>, nowMs: number): number {
  return 1 + slotsBetween(run, run.checkRunId ?? run.dueAtMs, nowMs)
}
