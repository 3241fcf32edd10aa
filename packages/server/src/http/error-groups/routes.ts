/** Failures grouped by message. */
import { routes } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import { findCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'

export function serveErrorGroups(serve: Serve, db: Db): void {
  serve(routes.listErrorGroups, async ({ params, caller }) => {
    if ((await findCheck(db, caller.accountId, params.checkId)) === undefined) throw notFound()
    return store.listErrorGroups(db, caller.accountId, params.checkId)
  })

  serve(routes.getErrorGroup, async ({ params, caller }) => {
    const group = await store.findErrorGroup(db, caller.accountId, params.id)
    if (group === undefined) throw notFound()
    return group
  })

  serve(routes.updateErrorGroup, async ({ params, body, caller }) => {
    const group = await store.updateErrorGroup(db, caller.accountId, params.id, body)
    if (group === undefined) throw notFound()
    return group
  })
}
