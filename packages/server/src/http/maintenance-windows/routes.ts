/** Maintenance windows. What they do to runs is in scheduling/maintenance.ts. */
import { routes } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import { readDate } from '../instants.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'
import { changedWindow, newWindow, toWindow } from './window.ts'

export function serveMaintenanceWindows(serve: Serve, db: Db): void {
  serve(routes.listMaintenanceWindows, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const bounds = [...boundsOf('startsAt', query.startsAt), ...boundsOf('endsAt', query.endsAt)]
    const { windows, total } = await store.listWindows(db, caller.accountId, bounds, page)
    tellPage(request, reply, page, windows.length, total)
    return windows.map(toWindow)
  })

  serve(routes.getMaintenanceWindow, async ({ params, caller }) => {
    const window = await store.findWindow(db, caller.accountId, params.id)
    if (window === undefined) throw notFound()
    return toWindow(window)
  })

  serve(routes.createMaintenanceWindow, ({ body, caller, record }) => {
    const fields = newWindow(body)
    return db.transaction().execute(async (tx) => {
      const window = toWindow(await store.insertWindow(tx, caller.accountId, fields))
      await record(tx, { after: window, subject: String(window.id) })
      return window
    })
  })

  serve(routes.updateMaintenanceWindow, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const before = await store.findWindow(tx, caller.accountId, params.id, true)
      if (before === undefined) throw notFound()
      const fields = changedWindow(before, body)
      const after = toWindow(await store.updateWindow(tx, caller.accountId, params.id, fields))
      await record(tx, { before: toWindow(before), after })
      return after
    }),
  )

  serve(routes.deleteMaintenanceWindow, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const before = await store.deleteWindow(tx, caller.accountId, params.id)
      if (before === undefined) throw notFound()
      await record(tx, { before: toWindow(before) })
    })
    return null
  })
}

/** The one bound that a filter sets. @throws AppError `invalid`. */
function boundsOf(
  field: store.DateBound['field'],
  filter: Partial<Record<store.DateBound['operator'], string>> = {},
): store.DateBound[] {
  return (['gt', 'gte', 'lt', 'lte'] as const).flatMap((operator) => {
    const text = filter[operator]
    return text === undefined ? [] : [{ field, operator, atMs: readDate(`${field}.${operator}`, text, 'query') }]
  })
}
