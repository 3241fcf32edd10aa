/** Variables of the account. */
import { routes, type Variable } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import { mayReadLocked } from '../../auth/caller.ts'
import type { Db } from '../../db/database.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'

/** Instead of a value that the reader may not see. */
const MASK = '********'

export function serveVariables(serve: Serve, db: Db, secrets: Secrets): void {
  serve(routes.listVariables, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const { variables, total } = await store.listVariables(db, secrets, caller.accountId, page)
    tellPage(request, reply, page, variables.length, total)
    return variables.map((variable) => visible(variable, mayReadLocked(caller)))
  })

  serve(routes.getVariable, async ({ params, caller }) => {
    const variable = await store.findVariable(db, secrets, caller.accountId, params.key)
    if (variable === undefined) throw notFound()
    return visible(variable, mayReadLocked(caller))
  })

  serve(routes.createVariable, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const { key, value, locked = false, secret = false } = body
      const { accountId } = caller
      const variable = await store.insertVariable(tx, secrets, { accountId, key, value, locked, secret })
      if (variable === undefined) throw new AppError('conflict', `There is a variable "${key}" already.`)
      await record(tx, { after: visible(variable, false), subject: key })
      return visible(variable, true)
    }),
  )

  serve(routes.updateVariable, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const before = await store.findVariable(tx, secrets, caller.accountId, params.key, true)
      if (before === undefined) throw notFound()
      const after = {
        ...before,
        value: body.value,
        locked: body.locked ?? before.locked,
        // Who was promised that nobody reads it again can rely on it.
        secret: before.secret || (body.secret ?? false),
      }
      await store.updateVariable(tx, secrets, after)
      await record(tx, { before: visible(before, false), after: visible(after, false) })
      return visible(after, true)
    }),
  )

  serve(routes.deleteVariable, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const variable = await store.findVariable(tx, secrets, caller.accountId, params.key, true)
      if (variable === undefined) throw notFound()
      await store.deleteVariable(tx, variable)
      await record(tx, { before: visible(variable, false) })
    })
    return null
  })
}

function visible({ key, value, locked, secret }: store.StoredVariable, showLocked: boolean): Variable {
  return { key, value: secret ? null : locked && !showLocked ? MASK : value, locked, secret }
}
