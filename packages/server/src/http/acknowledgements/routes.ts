/** “I am on it”, said of the trouble of a check. */
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import * as store from '../../alerting/acknowledgement-store.ts'
import { AppError, notFound } from '../../app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import { findCheck } from '../../checks/store.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import type { Serve } from '../serve.ts'

export function serveAcknowledgements(serve: Serve, db: Db, clock: Clock): void {
  serve(routes.acknowledgeCheck, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const { no } = await getCheck(tx, caller, params.id)
      const trouble = await store.lockTrouble(tx, no)
      if (trouble === undefined) throw new AppError('conflict', 'The check is not in trouble: nothing to acknowledge.')
      const before = await store.findAcknowledgement(tx, no)
      if (before !== undefined) return before
      const note = body.note?.trim() || null
      await store.insertAcknowledgement(tx, no, { by: nameOf(caller), at: new Date(clock.nowMs()), note })
      const after = await store.findAcknowledgement(tx, no)
      if (after === undefined) throw new Error('An acknowledgement is there once it was made.')
      await record(tx, { after })
      return after
    }),
  )

  serve(routes.withdrawAcknowledgement, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const { no } = await getCheck(tx, caller, params.id)
      await store.lockTrouble(tx, no)
      const before = await store.findAcknowledgement(tx, no)
      if (before === undefined) throw notFound('Nobody has acknowledged trouble of this check.')
      await store.deleteAcknowledgement(tx, no)
      await record(tx, { before })
    })
    return null
  })
}

async function getCheck(db: Db, caller: Caller, id: string): Promise<{ no: number }> {
  const check = await findCheck(db, caller.accountId, id)
  if (check === undefined) throw notFound()
  return check
}

/** Kept with what they said: keys and people go. */
function nameOf({ userId, keyId }: Caller) {
  return keyId === null
    ? sql<string>`coalesce((select name from users where id = ${userId}), 'somebody')`
    : sql<string>`coalesce((select coalesce(u.name, k.name) from api_keys k left join users u on u.id = k.user_id where k.id = ${keyId}), 'a key')`
}
