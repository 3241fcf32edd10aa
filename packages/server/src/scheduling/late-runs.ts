/**
 * Runs that nobody took in time. A run whose location has lost its runner moves to the next location that somebody
 * serves; else its slots are recorded as missed and the lane goes on from the clock. Runs on demand wait until their
 * session ends.
 */
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import { nextInRotation, nextSlotOf, type Scheduled, slotsBetween } from './lanes.ts'
import {
  type LaneMove,
  type LateRun,
  lockLateRuns,
  type MissedRun,
  moveLateLanes,
  recordMissed,
} from './late-run-store.ts'
import { fitIn, type LocationView } from './location-view.ts'

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

export interface LateParts {
  db: Db
  view: LocationView
  /** Part of the same transaction: hears of the runs that went on in other locations at the same time. */
  onGivenUp: (tx: Db, runs: readonly GivenUpRun[]) => Promise<void>
}

export const NOBODY_SERVES = 'No runner serves this location.'
export const NOT_RUNNING = 'Vedette was not running.'

/** @param whyNobody what is said of a run whose location nobody serves */
export async function moveOnLateRuns(parts: LateParts, nowMs: number, whyNobody = NOBODY_SERVES): Promise<LateOutcome> {
  const outcome: LateOutcome = { missed: [], moved: 0 }
  let last: LateRun | undefined
  do {
    const late = await moveOnSome(parts, nowMs, whyNobody, last, outcome)
    last = late.length < AT_ONCE ? undefined : late.at(-1)
  } while (last !== undefined)
  return outcome
}

async function moveOnSome(
  { db, view, onGivenUp }: LateParts,
  nowMs: number,
  whyNobody: string,
  after: LateRun | undefined,
  outcome: LateOutcome,
): Promise<LateRun[]> {
  return db.transaction().execute(async (tx) => {
    const late = await lockLateRuns(tx, LATE_AFTER_MS, AT_ONCE, after)
    const missed: MissedRun[] = []
    const moves: LaneMove[] = []
    const givenUp: GivenUpRun[] = []
    for (const run of late) {
      const plan = planLateRun(run, view, nowMs, whyNobody)
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
    if (elsewhere.length > 0) await notify(tx, 'runs', [...new Set(elsewhere)].join(','))
    outcome.missed.push(...missed)
    outcome.moved += elsewhere.length
    return late
  })
}

/** Null: wait longer. */
export function planLateRun(
  run: LateRun,
  view: Pick<LocationView, 'numbersOf' | 'servedBy' | 'canJudge' | 'canRun' | 'needOf' | 'whyUnable'>,
  nowMs: number,
  whyNobody = NOBODY_SERVES,
): { move: LaneMove; missed: MissedRun | null } | null {
  const isServed = view.servedBy(run.locationNo) !== 'nobody'
  const locations = view.numbersOf(run.accountId, run.settings.locations, run.settings.privateLocations)
  const need = view.needOf(run)
  const isFit = fitIn(view, locations, need)
  const next = run.parallel ? null : nextInRotation(locations, run.rotation, isFit)
  const setAside = run.losses >= MAX_LOSSES
  if (run.opinionOn !== null && run.opinionOn !== run.locationNo && view.canJudge(run.opinionOn)) {
    // The other place does not find the time: whoever saw the failure looks once more, and that counts.
    const back = { locationNo: run.opinionOn, rotation: run.rotation, over: false }
    return { move: { checkNo: run.no, id: run.id, dueAtMs: run.dueAtMs, ...back }, missed: null }
  }
  if (!isFit(run.locationNo) && !setAside && next !== null && isFit(next.locationNo)) {
    return { move: { checkNo: run.no, id: run.id, dueAtMs: run.dueAtMs, ...next, over: false }, missed: null }
  }
  const following = nextSlotOf(run, run.dueAtMs)
  const givenUp = nowMs >= Math.min(following, run.dueAtMs + GIVE_UP_AFTER_MS)
  if (!setAside && !givenUp) return null
  const resume = nextSlotOf(run, nowMs)
  const reason = setAside
    ? `Runners were lost ${run.losses} times with this run in hand.`
    : isServed
      ? (view.whyUnable([run.locationNo], need) ?? 'No runner took the run in time.')
      : whyNobody
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
export function countSlots(run: Scheduled & Pick<LateRun, 'dueAtMs' | 'checkRunId' | 'pause'>, nowMs: number): number {
  return 1 + slotsBetween(run, run.checkRunId ?? run.dueAtMs, nowMs)
}
