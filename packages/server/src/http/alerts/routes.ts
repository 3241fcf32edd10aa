/** What went wrong with checks, and what was told to whom. */
import { routes } from '@vedette/schema'
import { listNotifications } from '../../alerting/store.ts'
import { notFound } from '../../app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import { findCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import { readWindow } from '../instants.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Call, Serve } from '../serve.ts'
import { listAlerts } from './store.ts'

const HOUR_MS = 3_600_000
/** What has just happened is within a window that ends now, whose end is exclusive. */
const now = () => Date.now() + 1000

export function serveAlerts(serve: Serve, db: Db): void {
  serve(routes.listAlertNotifications, async ({ query, caller, request, reply }) => {
    const window = readWindow(query, { defaultMs: 6 * HOUR_MS, maxMs: 24 * HOUR_MS }, now())
    const page = pageOf(query)
    const { rows, total } = await listNotifications(db, caller.accountId, {
      ...window,
      channelId: query.alertChannelId ?? null,
      hasFailures: query.hasFailures ?? null,
      ...page,
    })
    tellPage(request, reply, page, rows.length, total)
    return rows
  })

  serve(routes.listCheckAlerts, (call) => alertsFor(call, null))

  serve(routes.listAlertsOfCheck, async (call) => {
    const check = await findCheck(db, call.caller.accountId, call.params.checkId)
    if (check === undefined) throw notFound()
    return alertsFor(call, check.no)
  })

  async function alertsFor(
    {
      query,
      caller,
      request,
      reply,
    }: Pick<Call<typeof routes.listCheckAlerts>, 'query' | 'request' | 'reply'> & {
      caller: Caller
    },
    checkNo: number | null,
  ) {
    const window = readWindow(query, { defaultMs: 6 * HOUR_MS, maxMs: 6 * HOUR_MS }, now())
    const page = pageOf(query)
    const { alerts, total } = await listAlerts(db, caller.accountId, { ...window, checkNo, ...page })
    tellPage(request, reply, page, alerts.length, total)
    return alerts
  }
}
