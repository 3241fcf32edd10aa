/** Ends sessions whose deadline has passed: their runs are not wanted any more. */
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import { endSessionsPastDeadline } from './session-store.ts'

export async function endLateSessions(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const id of await endSessionsPastDeadline(tx)) await notify(tx, 'sessions', id)
  })
}
