import Type from 'typebox'
import {
  Analytics,
  CheckAnalytics,
  GROUPINGS,
  MetricDescriptor,
  metricsOf,
  QuickRangeQuery,
  REPORT_GRANULARITIES,
  ReportEntry,
} from '../analytics.ts'
import { CheckKind } from '../check-kind.ts'
import { HeartbeatState } from '../heartbeat-event.ts'
import { BooleanQuery, InstantQuery, PageQuery, route } from '../route.ts'
import { Uuid } from '../shape.ts'

const tag = 'Analytics'
const rate = { requests: 30, seconds: 60 }

const Metrics = (kind: CheckKind) =>
  Type.Array(Type.Enum(metricsOf(kind).map(({ name }) => name)), {
    minItems: 1,
    description: 'Names of metrics, separated by commas: all aggregated ones, or all without an aggregation.',
  })

const window = { from: InstantQuery, to: InstantQuery, quickRange: QuickRangeQuery }
const interval = {
  aggregationInterval: Type.Optional(
    Type.Number({ minimum: 1, maximum: 43_200, description: 'Minutes: one row for each interval.' }),
  ),
}
const common = {
  method: 'GET',
  policy: 'read',
  tag,
  params: Type.Object({ id: Uuid }),
  answers: { 200: Analytics },
  refusals: { 404: 'No such check of this kind in this account.' },
} as const

/** The analytics of a kind of check; they differ in their metrics and groups only. */
function analyticsOf<const P extends string, const G extends string[]>(
  kind: CheckKind,
  segment: P,
  groupings: readonly [...G],
  summary: string,
) {
  return route({
    ...common,
    path: `/v1/analytics/${segment}/{id}`,
    summary,
    rate,
    query: Type.Object({
      ...window,
      ...interval,
      ...PageQuery,
      metrics: Metrics(kind),
      filterByStatus: Type.Optional(Type.Array(Type.Enum(['success', 'failure']))),
      groupBy: Type.Optional(Type.Enum(groupings)),
    }),
  })
}

export const analyzeApiCheck = analyticsOf('API', 'api-checks', GROUPINGS.API, 'Measure an API check')
export const analyzeBrowserCheck = analyticsOf(
  'BROWSER',
  'browser-checks',
  GROUPINGS.BROWSER,
  'Measure a browser check',
)
export const analyzeMultiStepCheck = analyticsOf(
  'MULTI_STEP',
  'multistep-checks',
  GROUPINGS.MULTI_STEP,
  'Measure a multi-step check',
)
export const analyzeSuite = analyticsOf(
  'PLAYWRIGHT',
  'playwright-checks',
  GROUPINGS.PLAYWRIGHT,
  'Measure a Playwright check',
)
export const analyzeTcpCheck = analyticsOf('TCP', 'tcp-checks', GROUPINGS.TCP, 'Measure a TCP check')
export const analyzeUrlMonitor = analyticsOf('URL', 'url-monitors', GROUPINGS.URL, 'Measure a URL check')
export const analyzeGrpc = analyticsOf('GRPC', 'grpc', GROUPINGS.GRPC, 'Measure a gRPC check')
export const analyzeDnsMonitor = analyticsOf('DNS', 'dns', GROUPINGS.DNS, 'Measure a DNS check')
export const analyzeIcmpMonitor = analyticsOf('ICMP', 'icmp', GROUPINGS.ICMP, 'Measure an ICMP check')
export const analyzeSslMonitor = analyticsOf('SSL', 'ssl', GROUPINGS.SSL, 'Measure an SSL check')

export const analyzeHeartbeat = route({
  ...common,
  path: '/v1/analytics/heartbeat-checks/{id}',
  summary: 'Measure a heartbeat check',
  rate: { requests: 600, seconds: 60 },
  query: Type.Object({
    ...window,
    ...interval,
    ...PageQuery,
    metrics: Type.Optional(Type.Array(Type.Enum(['availability', 'retries']), { default: ['availability'] })),
    filterByStatus: Type.Optional(Type.Array(HeartbeatState)),
  }),
})

export const listMetrics = route({
  method: 'GET',
  path: '/v1/analytics/metrics',
  policy: 'read',
  tag,
  summary: 'List what can be measured of a kind of check',
  rate,
  query: Type.Object({ checkType: CheckKind }),
  answers: { 200: Type.Array(MetricDescriptor) },
})

export const analyzeChecks = route({
  method: 'POST',
  path: '/v1/analytics/checks',
  policy: 'read',
  tag,
  summary: 'Measure many checks at once',
  description: 'Ids that name no check of the account are left out of the answer.',
  rate,
  query: Type.Object({ quickRange: QuickRangeQuery }),
  body: Type.Object({ checkIds: Type.Array(Uuid, { minItems: 1, maxItems: 100 }) }),
  answers: { 200: Type.Array(CheckAnalytics) },
})

export const report = route({
  method: 'GET',
  path: '/v1/reporting',
  policy: 'read',
  tag,
  summary: 'Report availability and response times of all checks',
  query: Type.Object({
    ...window,
    filterByTags: Type.Optional(Type.Array(Type.String(), { description: 'Checks with one of these tags.' })),
    deactivated: BooleanQuery,
    granularity: Type.Optional(
      Type.Enum(REPORT_GRANULARITIES, { description: 'Answer `aggregates`, one for each day, week or month (UTC).' }),
    ),
  }),
  answers: { 200: Type.Array(ReportEntry) },
})
