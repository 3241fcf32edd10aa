/** Keeps a check's rows in the schedule in step with its settings. */
import type { StoredCheck } from '../checks/check.ts'
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import { FIRST_RUN_DELAY_MS, lanesOf, nextSlotOf } from './lanes.ts'
import * as store from './store.ts'

/** `created` and `activated`: the check runs at once. `changed`: it keeps to its slots. */
export type ScheduleChange = 'created' | 'activated' | 'changed'

/** Call it in the transaction that writes the check. Runs in hand are left to end. */
export async function syncSchedule(tx: Db, check: StoredCheck, change: ScheduleChange): Promise<void> {
  const { locations, privateLocations } = check.settings
  const numbers = await store.locationNumbers(tx, check.accountId, locations ?? [], privateLocations ?? [])
  const wanted = lanesOf(check, numbers)
  const present = await store.standingLanes(tx, check.no)
  const nowMs = Date.now()
  const runsAtOnceFrom = change === 'created' ? check.createdAt.getTime() : nowMs
  const dueAtMs = change === 'changed' ? nextSlotOf(check, nowMs) : runsAtOnceFrom + FIRST_RUN_DELAY_MS

  const kept = new Set<number>()
  for (const lane of wanted) {
    const same = present.find(
      (row) => row.parallel === lane.parallel && (!lane.parallel || row.locationNo === lane.locationNo),
    )
    if (same === undefined) {
      await store.addLane(tx, check.no, lane, dueAtMs)
      continue
    }
    kept.add(same.id)
    const inRotation = lane.parallel || numbers.includes(same.locationNo)
    await store.moveLane(tx, check.no, same.id, {
      dueAtMs: same.idle ? Math.min(dueAtMs, Math.max(same.dueAtMs, nowMs)) : same.dueAtMs,
      ...(inRotation ? {} : { locationNo: lane.locationNo, rotation: 0 }),
    })
  }
  await store.removeLanes(
    tx,
    check.no,
    present.filter((row) => !kept.has(row.id)).map((row) => row.id),
  )
  if (change === 'activated') await store.resetAlertState(tx, check.no)
  if (wanted.length > 0) await notify(tx, 'runs', wanted.map((lane) => lane.locationNo).join(','))
}
