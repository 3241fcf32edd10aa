/** Analytics of checks, and reports over all of them. */
import { type CheckKind, metricsOf, routes } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import { findCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import type { Serve } from '../serve.ts'
import { type AnalyticsQuery, analyzeCheck } from './analyze.ts'
import { analyzeChecks, reportChecks } from './report.ts'
import { reportedChecks } from './store.ts'
import { readRange } from './window.ts'

export function serveAnalytics(
  serve: Serve,
  db: Db,
  locations: () => Promise<LocationView>,
  retentionDays: number,
): void {
  const analyze = async (kind: CheckKind, caller: Caller, id: string, query: AnalyticsQuery) => {
    const check = await findCheck(db, caller.accountId, id)
    if (check === undefined || check.kind !== kind) throw notFound()
    return analyzeCheck({ db, view: await locations(), retentionDays, nowMs: Date.now() }, check, query)
  }

  serve(routes.analyzeApiCheck, ({ params, query, caller }) => analyze('API', caller, params.id, query))
  serve(routes.analyzeGrpc, ({ params, query, caller }) => analyze('GRPC', caller, params.id, query))
  serve(routes.analyzeUrlMonitor, ({ params, query, caller }) => analyze('URL', caller, params.id, query))
  serve(routes.analyzeBrowserCheck, ({ params, query, caller }) => analyze('BROWSER', caller, params.id, query))
  serve(routes.analyzeMultiStepCheck, ({ params, query, caller }) => analyze('MULTI_STEP', caller, params.id, query))
  serve(routes.analyzeSuite, ({ params, query, caller }) => analyze('PLAYWRIGHT', caller, params.id, query))
  serve(routes.analyzeTcpCheck, ({ params, query, caller }) => analyze('TCP', caller, params.id, query))
  serve(routes.analyzeDnsMonitor, ({ params, query, caller }) => analyze('DNS', caller, params.id, query))
  serve(routes.analyzeIcmpMonitor, ({ params, query, caller }) => analyze('ICMP', caller, params.id, query))
  serve(routes.analyzeSslMonitor, ({ params, query, caller }) => analyze('SSL', caller, params.id, query))
  serve(
    routes.analyzeHeartbeat,
    ({ params, query: { metrics = ['availability'], filterByStatus, ...query }, caller }) =>
      analyze('HEARTBEAT', caller, params.id, { ...query, metrics, heartbeatStates: filterByStatus }),
  )

  serve(routes.listMetrics, async ({ query }) =>
    metricsOf(query.checkType).map(({ name, unit, label, measure, aggregation }) => ({
      name,
      unit,
      label,
      type: measure === null && name === 'retries' ? 'Integer' : 'Float',
      aggregated: aggregation !== null,
    })),
  )

  serve(routes.analyzeChecks, async ({ body, query, caller }) => {
    const nowMs = Date.now()
    const checks = await reportedChecks(db, caller.accountId, { ids: body.checkIds })
    return analyzeChecks(db, checks, readRange(query, nowMs), { retentionDays, nowMs })
  })

  serve(routes.report, async ({ query, caller }) => {
    const nowMs = Date.now()
    const window = readRange(query, nowMs)
    const checks = await reportedChecks(db, caller.accountId, {
      tags: query.filterByTags,
      deactivated: query.deactivated,
    })
    return reportChecks(db, checks, window, query.granularity, { retentionDays, nowMs })
  })
}
