/** Services that status pages show. */
import { routes, type StatusPageService } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import { lockConfiguration } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import { cutPage, readCursor } from '../cursor.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'

export function serveStatusPageServices(serve: Serve, db: Db): void {
  serve(routes.listStatusPageServices, async ({ query, caller }) => {
    const limit = query.paginated === false ? null : (query.limit ?? 20)
    const after = limit === null ? null : readCursor(query.nextId)
    const found = await store.listServices(db, caller.accountId, after, limit === null ? null : limit + 1)
    const { rows, nextId } = cutPage(found, limit ?? found.length)
    return { length: rows.length, entries: rows.map(({ service }) => service), nextId }
  })

  serve(routes.getStatusPageService, ({ params, caller }) => find(db, caller.accountId, params.serviceId))

  serve(routes.createStatusPageService, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const after = await store.insertService(tx, caller.accountId, body.name)
      await record(tx, { after, subject: after.id })
      return after
    }),
  )

  serve(routes.updateStatusPageService, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const before = await find(tx, caller.accountId, params.serviceId)
      await store.renameService(tx, caller.accountId, params.serviceId, body.name)
      const after = await find(tx, caller.accountId, params.serviceId)
      await record(tx, { before, after })
      return after
    }),
  )

  serve(routes.deleteStatusPageService, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      await lockConfiguration(tx, caller.accountId)
      const before = await find(tx, caller.accountId, params.serviceId)
      if (!(await store.deleteService(tx, caller.accountId, params.serviceId))) throw notFound()
      await store.releaseChecksOf(tx, caller.accountId, params.serviceId)
      await record(tx, { before })
    })
    return null
  })
}

async function find(db: Db, accountId: string, id: string): Promise<StatusPageService> {
  const service = await store.findService(db, accountId, id)
  if (service === undefined) throw notFound()
  return service
}
