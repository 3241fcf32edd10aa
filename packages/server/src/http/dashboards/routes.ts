/** Dashboards and the keys that open private ones. */
import { type Dashboard, routes } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import { newKey } from '../../auth/keys.ts'
import type { Db } from '../../db/database.ts'
import { pageOf, tellPage } from '../page.ts'
import { assertDomainFree, assertSubDomainFree, awaitAddressTurn } from '../page-addresses-store.ts'
import type { Serve } from '../serve.ts'
import { changedDashboard, newDashboard, randomName } from './dashboard.ts'
import * as store from './store.ts'

const KEYS_A_DASHBOARD = 10

export function serveDashboards(serve: Serve, db: Db): void {
  serve(routes.listDashboards, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const { dashboards, total } = await store.listDashboards(db, caller.accountId, page)
    tellPage(request, reply, page, dashboards.length, total)
    return dashboards
  })

  serve(routes.getDashboard, ({ params, query, caller }) => find(db, caller.accountId, params.dashboardId, query.type))

  serve(routes.createDashboard, ({ body, caller, record }) => {
    const fields = newDashboard(body)
    return db.transaction().execute(async (tx) => {
      await awaitAddressTurn(tx)
      await assertSubDomainFree(tx, fields.customUrl, { dashboard: null })
      await assertDomainFree(tx, fields.customDomain, { dashboard: null })
      const dashboardId = randomName(8)
      const id = await store.insertDashboard(tx, caller.accountId, dashboardId, fields)
      const { shown, stored } = await withFirstKey(tx, id, await find(tx, caller.accountId, dashboardId))
      await record(tx, { after: stored, subject: dashboardId })
      return shown
    })
  })

  serve(routes.updateDashboard, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      await awaitAddressTurn(tx)
      const current = await store.lockDashboard(tx, caller.accountId, params.dashboardId)
      if (current === undefined) throw notFound()
      const before = await find(tx, caller.accountId, params.dashboardId)
      const fields = changedDashboard(current, body)
      await assertSubDomainFree(tx, fields.customUrl, { dashboard: current.id })
      await assertDomainFree(tx, fields.customDomain, { dashboard: current.id })
      await store.updateDashboard(tx, current.id, fields)
      const after = await find(tx, caller.accountId, params.dashboardId)
      const { shown, stored } = await withFirstKey(tx, current.id, after)
      await record(tx, { before, after: stored })
      return shown
    }),
  )

  serve(routes.deleteDashboard, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const current = await store.lockDashboard(tx, caller.accountId, params.dashboardId)
      if (current === undefined) throw notFound()
      await record(tx, { before: await find(tx, caller.accountId, params.dashboardId) })
      await store.deleteDashboard(tx, current.id)
    })
    return null
  })

  serve(routes.listDashboardKeys, async ({ params, caller }) => {
    const { id } = await find(db, caller.accountId, params.dashboardId)
    return store.listKeys(db, id)
  })

  serve(routes.createDashboardKey, ({ params, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const dashboard = await store.lockDashboard(tx, caller.accountId, params.dashboardId)
      if (dashboard === undefined) throw notFound()
      if ((await store.listKeys(tx, dashboard.id)).length >= KEYS_A_DASHBOARD) {
        throw new AppError('conflict', `A dashboard has ${KEYS_A_DASHBOARD} keys at most. Delete one first.`)
      }
      const key = await store.insertKey(tx, dashboard.id, newKey('dashboard'))
      await record(tx, { after: { ...key, rawKey: '' }, subject: `${params.dashboardId}/${key.id}` })
      return key
    }),
  )

  serve(routes.deleteDashboardKey, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const dashboard = await store.lockDashboard(tx, caller.accountId, params.dashboardId)
      const key = dashboard && (await store.deleteKey(tx, dashboard.id, params.keyId))
      if (key === undefined) throw notFound()
      await record(tx, { before: key })
    })
    return null
  })
}

async function find(db: Db, accountId: string, name: string, by?: store.DashboardName): Promise<Dashboard> {
  const dashboard = await store.findDashboard(db, accountId, name, by)
  if (dashboard === undefined) throw notFound()
  return dashboard
}

/** A private dashboard without a key would be closed to everybody. The key is shown this once, and never noted. */
async function withFirstKey(
  tx: Db,
  id: number,
  dashboard: Dashboard,
): Promise<{ shown: Dashboard; stored: Dashboard }> {
  if (!dashboard.isPrivate || dashboard.keys.length > 0) return { shown: dashboard, stored: dashboard }
  const key = await store.insertKey(tx, id, newKey('dashboard'))
  return { shown: { ...dashboard, keys: [key] }, stored: { ...dashboard, keys: [{ ...key, rawKey: '' }] } }
}
