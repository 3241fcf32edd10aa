/** Keys: those of people act with their role, those of an account have one of their own. */
import { type ApiKey, routes } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import { newKey } from '../../auth/keys.ts'
import type { Db } from '../../db/database.ts'
import type { Call, Serve } from '../serve.ts'
import * as store from './keys-store.ts'

export function serveKeys(serve: Serve, db: Db): void {
  serve(routes.listApiKeys, ({ caller }) => store.listKeys(db, personOf(caller)))

  serve(routes.createApiKey, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const key = newKey('user')
      const made = await store.addUserKey(tx, personOf(caller).userId, body.name.trim(), key)
      await record(tx, { subject: made.id, after: made })
      return { ...made, rawKey: key.raw }
    }),
  )

  serve(routes.deleteApiKey, ({ params, caller, record }) => deleteKey(db, personOf(caller), params.id, record))

  serve(routes.listServiceKeys, ({ caller }) => store.listKeys(db, { accountId: caller.accountId }))

  serve(routes.createServiceKey, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const key = newKey('service')
      const made = await store.addServiceKey(tx, caller.accountId, body.name.trim(), body.role, key)
      await record(tx, { subject: made.id, after: made })
      return { ...made, rawKey: key.raw }
    }),
  )

  serve(routes.deleteServiceKey, ({ params, caller, record }) =>
    deleteKey(db, { accountId: caller.accountId }, params.id, record),
  )
}

async function deleteKey(
  db: Db,
  holder: store.KeyHolder,
  id: string,
  record: Call<typeof routes.deleteApiKey>['record'],
): Promise<null> {
  await db.transaction().execute(async (tx) => {
    const before: ApiKey | undefined = await store.findKey(tx, holder, id)
    if (before === undefined) throw notFound()
    // While it is there: a key that deletes itself is named in the log.
    await record(tx, { before })
    if (!(await store.deleteKey(tx, holder, id))) throw notFound()
  })
  return null
}

function personOf({ userId }: Caller): { userId: string } {
  if (userId === null) throw new AppError('unauthorized', 'Sign in first.')
  return { userId }
}
