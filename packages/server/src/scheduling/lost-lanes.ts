/**
 * A net below the schedule: a check that should run and has no row there would be silent for ever. Nothing is known to
 * bring that about; should it happen all the same, the check runs again and the log says so.
 */
import { findCheckForUpdate } from '../checks/store.ts'
import type { Db } from '../db/database.ts'
import { checksWithoutLane } from './lane-store.ts'
import { syncSchedule } from './sync-schedule.ts'

/** Answers the ids of the checks that run again. */
export async function restoreLostLanes(db: Db, nowMs: number): Promise<string[]> {
  const lost = await checksWithoutLane(db)
  for (const { accountId, id } of lost) {
    await db.transaction().execute(async (tx) => {
      const check = await findCheckForUpdate(tx, accountId, id)
      if (check !== undefined) await syncSchedule(tx, check, 'changed', nowMs)
    })
  }
  return lost.map(({ id }) => id)
}
