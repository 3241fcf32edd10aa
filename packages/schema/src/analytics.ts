/** What can be measured of each kind of check, and how measurements are answered. */
import Type, { type Static } from 'typebox'
import { CHECK_KINDS, CheckKind } from './check-kind.ts'
import { DateTime, Nullable, Uuid } from './shape.ts'

export const UNITS = ['milliseconds', 'score', 'count', 'percentage'] as const
export type Unit = (typeof UNITS)[number]
export const METRIC_AGGREGATIONS = ['avg', 'max', 'median', 'min', 'p50', 'p90', 'p95', 'p99', 'stddev', 'sum'] as const
export type MetricAggregation = (typeof METRIC_AGGREGATIONS)[number]

export const QUICK_RANGES = [
  'last24Hours',
  'last24Hrs',
  'last7Days',
  'last30Days',
  'thisWeek',
  'thisMonth',
  'lastWeek',
  'lastMonth',
] as const
export type QuickRange = (typeof QUICK_RANGES)[number]
export const QuickRangeQuery = Type.Optional(
  Type.Enum(QUICK_RANGES, {
    default: 'last24Hours',
    description: 'Weeks begin on Monday, 00:00 UTC. `last…` of a week or month is the whole one before.',
  }),
)

const ms = (label: string) => ({ unit: 'milliseconds', label }) as const
const count = (label: string) => ({ unit: 'count', label }) as const
const http = {
  responseTime: ms('Response time'),
  wait: ms('Wait for a socket'),
  dns: ms('DNS lookup'),
  tcp: ms('TCP connection'),
  firstByte: ms('Time to first byte'),
  download: ms('Download'),
}

/** The measurements of each kind; the main one comes first. */
export const MEASURES = {
  API: http,
  URL: http,
  BROWSER: {
    responseTime: ms('Response time for the full script'),
    TTFB: ms('Time To First Byte'),
    FCP: ms('First Contentful Paint'),
    LCP: ms('Largest Contentful Paint'),
    CLS: { unit: 'score', label: 'Cumulative Layout Shift' },
    TBT: ms('Total Blocking Time'),
    consoleErrors: count('Console errors'),
    networkErrors: count('Network errors'),
    userScriptErrors: count('User script errors'),
    documentErrors: count('Document errors'),
  },
  MULTI_STEP: { responseTime: ms('Response time for the full script') },
  PLAYWRIGHT: { responseTime: ms('Response time for the full suite') },
  TCP: {
    total: ms('Total time'),
    dns: ms('DNS lookup'),
    connection: ms('TCP connection'),
    data: ms('Data'),
  },
  DNS: { total: ms('Total time') },
  ICMP: {
    latencyAvg: ms('Average latency'),
    packetLoss: { unit: 'percentage', label: 'Packet loss' },
    latencyMin: ms('Lowest latency'),
    latencyMax: ms('Highest latency'),
    latencyStdDev: ms('Standard deviation of the latency'),
  },
  HEARTBEAT: {},
  GRPC: http,
  SSL: {
    handshakeTimeMs: ms('TLS handshake'),
    daysUntilExpiry: count('Days until the certificate expires'),
    keySizeBits: count('Size of the key in bits'),
    tlsVersion: { unit: 'score', label: 'TLS version' },
    chainTrusted: { unit: 'percentage', label: 'Chain trusted' },
    hostnameVerified: { unit: 'percentage', label: 'Host name verified' },
  },
} as const satisfies Record<CheckKind, Record<string, { unit: Unit; label: string }>>

/** Measured of every kind; neither raw nor aggregated. */
export const COUNTED_METRICS = {
  availability: { unit: 'percentage', label: 'Availability', aggregation: 'avg' },
  retries: { unit: 'count', label: 'Retries', aggregation: 'sum' },
} as const satisfies Record<string, { unit: Unit; label: string; aggregation: MetricAggregation }>

export interface Metric {
  name: string
  unit: Unit
  label: string
  /** Which of the kind's measurements; null: counted. */
  measure: number | null
  /** Null: the measurements themselves, one row a result. */
  aggregation: MetricAggregation | null
}

/** Every metric of a kind: the counted ones, each measurement, and each aggregation of it. */
export function metricsOf(kind: CheckKind): Metric[] {
  const counted = Object.entries(COUNTED_METRICS).map(([name, metric]) => ({ name, measure: null, ...metric }))
  const measured = Object.entries(MEASURES[kind]).flatMap(([name, { unit, label }], measure) => [
    { name, unit, label, measure, aggregation: null },
    ...METRIC_AGGREGATIONS.map((aggregation) => ({
      name: `${name}_${aggregation}`,
      unit,
      label,
      measure,
      aggregation,
    })),
  ])
  return [...counted, ...measured]
}

/** By what the rows of a kind can be grouped. */
export const GROUPINGS = {
  API: ['runLocation', 'statusCode'],
  URL: ['runLocation', 'statusCode'],
  BROWSER: ['runLocation', 'pageIndex'],
  MULTI_STEP: ['runLocation'],
  PLAYWRIGHT: ['runLocation'],
  TCP: ['runLocation'],
  DNS: ['runLocation'],
  ICMP: ['runLocation'],
  HEARTBEAT: [],
  GRPC: ['runLocation'],
  SSL: ['runLocation'],
} as const satisfies Record<CheckKind, readonly string[]>

const MetricValue = Nullable(Type.Number())

/** Metrics by name; `startedAt` where a row stands for one result or one interval. */
export const AnalyticsRow = Type.Record(Type.String(), Type.Union([Type.Number(), Type.String(), Type.Null()]))
export type AnalyticsRow = Static<typeof AnalyticsRow>

export const AnalyticsSeries = Type.Object({
  runLocation: Type.Optional(Type.String()),
  statusCode: Type.Optional(Type.Integer({ description: '0 where there was no answer.' })),
  pageIndex: Type.Optional(Type.Integer()),
  data: Type.Array(AnalyticsRow, { description: 'Newest first.' }),
})
export type AnalyticsSeries = Static<typeof AnalyticsSeries>

export const Analytics = Type.Object({
  checkId: Uuid,
  name: Type.String(),
  checkType: CheckKind,
  activated: Type.Boolean(),
  muted: Type.Boolean(),
  frequency: Nullable(Type.Number()),
  from: DateTime,
  to: DateTime,
  tags: Type.Array(Type.String()),
  series: Type.Array(AnalyticsSeries),
  metadata: Type.Record(
    Type.String(),
    Type.Object({
      unit: Type.Enum(UNITS),
      label: Type.String(),
      aggregation: Type.Optional(Type.Enum(METRIC_AGGREGATIONS)),
    }),
  ),
  pagination: Type.Object({ page: Type.Integer(), limit: Type.Integer() }),
})
export type Analytics = Static<typeof Analytics>

export const MetricDescriptor = Type.Object({
  name: Type.String(),
  unit: Type.Enum(UNITS),
  label: Type.String(),
  type: Type.Enum(['Array', 'Int', 'Integer', 'Float', 'String']),
  aggregated: Type.Boolean(),
})
export type MetricDescriptor = Static<typeof MetricDescriptor>

/** The figures of one of many checks. A figure that its kind does not have is absent; null: there is no data. */
export const CheckAnalytics = Type.Object({
  checkId: Uuid,
  checkType: Type.Enum(CHECK_KINDS),
  availability: MetricValue,
  responseTime_avg: Type.Optional(MetricValue),
  responseTime_p50: Type.Optional(MetricValue),
  responseTime_p95: Type.Optional(MetricValue),
  responseTime_p99: Type.Optional(MetricValue),
})
export type CheckAnalytics = Static<typeof CheckAnalytics>

const Aggregate = Type.Object({
  successRatio: Type.Number({ description: 'Percentage of runs that did not fail; runs in error left out.' }),
  avg: Type.Number(),
  p95: Type.Number(),
  p99: Type.Number(),
})

export const REPORT_GRANULARITIES = ['day', 'week', 'month'] as const
export type ReportGranularity = (typeof REPORT_GRANULARITIES)[number]

export const ReportEntry = Type.Object({
  name: Type.String(),
  checkId: Uuid,
  checkType: CheckKind,
  deactivated: Type.Boolean(),
  tags: Type.Array(Type.String()),
  aggregate: Type.Optional(Aggregate),
  aggregates: Type.Optional(Type.Array(Type.Object({ startsAt: DateTime, ...Aggregate.properties }))),
})
export type ReportEntry = Static<typeof ReportEntry>
