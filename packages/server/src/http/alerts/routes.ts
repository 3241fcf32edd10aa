/** What went wrong with checks, and what was told to whom. */
import { wordsOfDecision, wordsOfWithheld } from '@vedette/core'
import { type AlertDecision, routes } from '@vedette/schema'
import { listDecisions, type StoredDecision } from '../../alerting/decision-store.ts'
import { listNotifications } from '../../alerting/store.ts'
import { notFound } from '../../app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import { findCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { ResultStore } from '../../results/result-store.ts'
import { readWindow } from '../instants.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Call, Serve } from '../serve.ts'
import { replay } from './replay.ts'
import { listAlerts } from './store.ts'

const HOUR_MS = 3_600_000
/** What has just happened is within a window that ends now, whose end is exclusive. */
const now = () => Date.now() + 1000

export function serveAlerts(serve: Serve, db: Db, results: Pick<ResultStore, 'pastRuns'>): void {
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

  serve(routes.listAlertDecisions, async ({ query, params, caller, request, reply }) => {
    const check = await findCheck(db, caller.accountId, params.id)
    if (check === undefined) throw notFound()
    const window = readWindow(query, { defaultMs: 24 * HOUR_MS, maxMs: 31 * 24 * HOUR_MS }, now())
    const page = pageOf(query)
    const { decisions, total } = await listDecisions(db, check.no, { ...window, ...page })
    tellPage(request, reply, page, decisions.length, total)
    return decisions.map(toAlertDecision)
  })

  serve(routes.replayAlerts, async ({ query, params, body, caller }) => {
    const check = await findCheck(db, caller.accountId, params.id)
    if (check === undefined) throw notFound()
    const window = readWindow(query, { defaultMs: 7 * 24 * HOUR_MS, maxMs: 31 * 24 * HOUR_MS }, now())
    return replay(db, results, check, body.alertSettings, window)
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

function toAlertDecision(decision: StoredDecision): AlertDecision {
  const { id, atMs, checkRunId, resultId, from, to, alertType, rule, inputs, due, muted, alertId } = decision
  return {
    id: String(id),
    at: new Date(atMs).toISOString(),
    checkRunId,
    resultId,
    from,
    to,
    alertType,
    rule,
    inputs,
    due,
    muted,
    alertId: alertId === null ? null : String(alertId),
    channels: decision.channels.map((channel) => ({ ...channel, words: wordsOfWithheld(channel.because) })),
    words: wordsOfDecision(decision),
    decidedAt: decision.decidedAt.toISOString(),
  }
}
