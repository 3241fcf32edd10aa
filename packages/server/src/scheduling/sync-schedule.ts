/** Keeps what is planned for a check in step with its settings. */
import type { StoredCheck } from '../checks/check.ts'
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import { syncInspection } from './inspections.ts'
import { addLane, moveLane, removeLanes, resetAlertState, type StandingLane, standingLanes } from './lane-store.ts'
import { FIRST_RUN_DELAY_MS, lanesOf, nextSlotOf } from './lanes.ts'
import { locationNumbers } from './location-store.ts'

/** The place in the rotation from which the next one is the first. */
const BEFORE_FIRST = -1

/** `created` and `activated`: the check runs at once. `changed`: it keeps to its slots. */
export type ScheduleChange = 'created' | 'activated' | 'changed'

/**
 * Call it in the transaction that writes the check. Runs in hand are left to end where they are; those of a location
 * that is not wanted any more are dropped when they are reported.
 *
 * @param restartRotation whether the list of locations has changed: the next run is in the first of them
 */
export async function syncSchedule(
  tx: Db,
  check: StoredCheck,
  change: ScheduleChange,
  nowMs: number,
  restartRotation = false,
): Promise<void> {
  const { locations, privateLocations } = check.effective.settings
  const numbers = await locationNumbers(tx, check.accountId, locations, privateLocations)
  const wanted = lanesOf(check, numbers)
  const present = await standingLanes(tx, check.no)
  const runsAtOnceFrom = change === 'created' ? check.createdAt.getTime() : nowMs
  const dueAtMs = change === 'changed' ? nextSlotOf(check, nowMs) : runsAtOnceFrom + FIRST_RUN_DELAY_MS

  const kept = new Set<number>()
  for (const lane of wanted) {
    const same = present.find(
      (row) => row.parallel === lane.parallel && (!lane.parallel || row.locationNo === lane.locationNo),
    )
    if (same === undefined) {
      await addLane(tx, check.no, lane, dueAtMs)
      continue
    }
    kept.add(same.id)
    const restarts = restartRotation && !lane.parallel
    await moveLane(tx, check.no, same.id, {
      dueAtMs: same.idle ? dueAfterChange(check, same, dueAtMs) : same.dueAtMs,
      ...(restarts ? (same.idle ? { locationNo: lane.locationNo, rotation: 0 } : { rotation: BEFORE_FIRST }) : {}),
    })
  }
  await removeLanes(
    tx,
    check.no,
    present.filter((row) => !kept.has(row.id)).map((row) => row.id),
  )
  await syncInspection(tx, check)
  if (change === 'activated') await resetAlertState(tx, check.no)
  if (wanted.length > 0) await notify(tx, 'runs', wanted.map((lane) => lane.locationNo).join(','))
}

/** A check that has yet to run for the first time keeps that run; else it keeps a slot that is one of its own still. */
function dueAfterChange(check: StoredCheck, lane: StandingLane, nextSlotMs: number): number {
  const isSlot = nextSlotOf(check, lane.dueAtMs - 1) === lane.dueAtMs
  return isSlot || !lane.hasRun ? Math.min(lane.dueAtMs, nextSlotMs) : nextSlotMs
}
