/** Runs on demand: a session of a check, in the place or places where it runs next. */
import { randomUUID } from 'node:crypto'
import { ATTEMPT_LIMITS_MS, RUNNABLE_KINDS } from '@vedette/schema'
import { AppError } from '../app-error.ts'
import { retryStrategyOf, type StoredCheck } from '../checks/check.ts'
import type { Db } from '../db/database.ts'
import type { Demand } from '../db/demand.ts'
import { addDemandedRuns, freeCheckRunId } from './demand-store.ts'
import { skipFirstRun, standingLanes } from './lane-store.ts'
import { nextInRotation, nextSlotOf } from './lanes.ts'
import { fitIn, type LocationView } from './location-view.ts'
import { addSessions } from './session-store.ts'

export interface Wish {
  demand?: Demand
  /** Instead of the check's own locations. */
  locationNo?: number | undefined
}

const GRACE_MS = 5 * 60_000

/** @throws AppError `no-runner` when those who are there cannot execute it: waiting would not help. */
export function assertAble(check: StoredCheck, numbers: readonly number[], view: LocationView): void {
  const reason = view.whyNever(numbers, view.needOf({ ...check, settings: check.effective.settings }))
  if (reason !== null) throw new AppError('no-runner', `${check.name}: ${reason}`)
}

/**
 * Plans the runs and returns the session's id; null for a check without a location.
 *
 * @throws AppError `no-runner` when those who are there cannot execute it
 */
export async function startSession(
  tx: Db,
  check: StoredCheck,
  view: LocationView,
  nowMs: number,
  { demand, locationNo }: Wish = {},
): Promise<string | null> {
  const { runParallel } = check.effective.settings
  const chosen = locationNo === undefined ? await placesFor(tx, check, view) : [locationNo]
  if (chosen.length === 0) return null
  assertAble(check, chosen, view)
  const id = randomUUID()
  const checkRunId = await freeCheckRunId(tx, check.no, nowMs)
  await addSessions(tx, [
    {
      id,
      accountId: check.accountId,
      checkNo: check.no,
      deadlineAt: new Date(nowMs + longestRunMs(check, demand) + GRACE_MS),
      locations: chosen,
    },
  ])
  await addDemandedRuns(
    tx,
    chosen.map((no) => ({
      checkNo: check.no,
      locationNo: no,
      parallel: runParallel && locationNo === undefined,
      sessionId: id,
      checkRunId,
      demand: demand ?? null,
    })),
  )
  await skipFirstRun(tx, check.no, nextSlotOf(check, nowMs))
  return id
}

/** All locations of a parallel check, else the one that comes next; those that somebody serves. */
async function placesFor(tx: Db, check: StoredCheck, view: LocationView): Promise<number[]> {
  const { locations, privateLocations, runParallel } = check.effective.settings
  const all = view.numbersOf(check.accountId, locations, privateLocations)
  const isServed = fitIn(view, all, view.needOf({ ...check, settings: check.effective.settings }))
  const served = all.filter(isServed)
  if (runParallel) return served.length > 0 ? served : all
  const lanes = await standingLanes(tx, check.no)
  const here = Math.max(0, all.indexOf(lanes[0]?.locationNo ?? 0))
  const next = nextInRotation(all, here - 1, isServed)
  return next === null ? [] : [next.locationNo]
}

function longestRunMs(check: StoredCheck, demand: Demand | undefined): number {
  const retry = demand?.withoutRetries ? null : retryStrategyOf(check.effective.settings)
  const retries = retry === null ? 0 : (retry.maxRetries ?? 1)
  const runnable = RUNNABLE_KINDS.find((kind) => kind === check.kind)
  const attemptMs = runnable === undefined ? 0 : ATTEMPT_LIMITS_MS[runnable]
  return attemptMs * (1 + retries) + (retry?.maxDurationSeconds ?? 0) * 1000
}
