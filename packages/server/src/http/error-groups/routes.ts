/** Failures grouped by message. */
import { routes } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import { findCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import { readWindow } from '../instants.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000

export function serveErrorGroups(serve: Serve, db: Db): void {
  serve(routes.listAllErrorGroups, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const { found, total } = await store.pageOfErrorGroups(db, caller.accountId, page)
    tellPage(request, reply, page, found.length, total)
    return found
  })

  serve(routes.listErrorGroups, async ({ params, caller }) => {
    if ((await findCheck(db, caller.accountId, params.checkId)) === undefined) throw notFound()
    return store.listErrorGroups(db, caller.accountId, params.checkId)
  })

  serve(routes.countErrorGroups, async ({ params, query, caller }) => {
    const check = await findCheck(db, caller.accountId, params.checkId)
    if (check === undefined) throw notFound()
    // Of 14 days today is one.
    const window = readWindow(query, { defaultMs: 13 * DAY_MS, maxMs: 366 * DAY_MS }, Date.now() + 1)
    return store.countErrorGroups(db, check.no, window)
  })

  serve(routes.getErrorGroup, async ({ params, caller }) => {
    const group = await store.findErrorGroup(db, caller.accountId, params.id)
    if (group === undefined) throw notFound()
    return group
  })

  serve(routes.updateErrorGroup, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const before = await store.findErrorGroup(tx, caller.accountId, params.id)
      const group = await store.updateErrorGroup(tx, caller.accountId, params.id, body)
      if (group === undefined) throw notFound()
      await record(tx, { before, after: { ...group, ...body } })
      return group
    }),
  )
}
