/**
 * Incidents that checks open by themselves on a service of a status page, and close again. In the transaction that stores
 * the results: an incident is there exactly when the failure is.
 */
import type { IncidentTurn } from '@vedette/core'
import type { TriggerIncident } from '@vedette/schema'
import type { Db } from '../db/database.ts'
import type { Subscribers } from '../subscribers/enqueue.ts'
import { closeIncidents, openIncidents } from './incident-store.ts'

export interface CheckTurn {
  accountId: string
  checkNo: number
  turn: IncidentTurn
  /** Null where the check opens no incidents; one that is open from before is closed all the same. */
  trigger: TriggerIncident | null
}

/** @param turns of each check in the order in which they happened */
export async function followIncidents(tx: Db, turns: readonly CheckTurn[], subscribers: Subscribers): Promise<void> {
  let left = turns.filter(({ turn, trigger }) => turn === 'closes' || trigger !== null)
  while (left.length > 0) {
    // One turn of each check at a time: what opens and closes within a batch does so in this order.
    const first = new Map<number, CheckTurn>()
    for (const turn of left) if (!first.has(turn.checkNo)) first.set(turn.checkNo, turn)
    const now = [...first.values()]
    left = left.filter((turn) => first.get(turn.checkNo) !== turn)
    const closing = now.filter(({ turn }) => turn === 'closes')
    if (closing.length > 0)
      await subscribers.tell(
        tx,
        await closeIncidents(
          tx,
          closing.map(({ checkNo }) => checkNo),
        ),
      )
    const opening = now.flatMap(({ turn, trigger, ...check }) =>
      turn === 'opens' && trigger !== null ? [{ ...check, ...trigger }] : [],
    )
    if (opening.length > 0) await subscribers.tell(tx, await openIncidents(tx, opening))
  }
}
