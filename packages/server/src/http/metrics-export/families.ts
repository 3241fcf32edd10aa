/** The metrics of an account as families of samples. */
import { COUNT_BOUNDS, histogram, type Labels, type MetricFamily, type Spread, sample, tagLabels } from '@vedette/core'
import {
  type CheckKind,
  ISOLATION_LAYERS,
  ISOLATION_LEVELS,
  type Isolation,
  MEASURES,
  type Verdict,
  WEB_VITALS,
} from '@vedette/schema'
import type { Tally } from '../../results/tally.ts'
import type { ExportedCheck, ExportedLocation, ExportedRunner } from './store.ts'

/** What one check did in one place, or in all of them. */
export interface ExportedTally {
  check: ExportedCheck
  /** Null: all of them. */
  location: string | null
  tally: Tally
}

const STATES = { passing: 'passed', degraded: 'degraded', failing: 'failed' } as const satisfies Record<string, Verdict>

const OWN_LABELS = new Set([
  'name',
  'check_id',
  'check_type',
  'muted',
  'activated',
  'group',
  'status',
  'type',
  'location',
  'domain',
  'le',
])

export function labelsOf(check: ExportedCheck, parseTags: boolean): Labels {
  return {
    name: check.name,
    check_id: check.id,
    check_type: check.kind.toLowerCase(),
    muted: String(check.muted),
    activated: String(check.activated),
    group: check.group,
    ...tagLabels(check.tags, OWN_LABELS, parseTags),
  }
}

export function statusFamily(checks: readonly ExportedCheck[], parseTags: boolean): MetricFamily {
  const name = 'service_check_status'
  return {
    name,
    type: 'gauge',
    help: 'How a check is doing: 1 for its status, 0 for the others.',
    samples: checks.flatMap((check) =>
      Object.keys(STATES).map((status) =>
        sample(name, { ...labelsOf(check, parseTags), status }, check.state === status ? 1 : 0),
      ),
    ),
  }
}

export function resultFamily(tallies: readonly ExportedTally[], parseTags: boolean): MetricFamily {
  const name = 'service_check_result_total'
  return {
    name,
    type: 'counter',
    help: 'Results since the hour began, by status.',
    samples: tallies.flatMap(({ check, location, tally }) =>
      Object.entries(STATES).map(([status, verdict]) =>
        sample(name, { ...labelsOf(check, parseTags), ...placed(location), status }, tally.countOf(verdict)),
      ),
    ),
  }
}

const placed = (location: string | null): Labels => (location === null ? {} : { location })

interface Timing {
  kind: CheckKind
  name: string
  help: string
  /** What the label `type` calls each measurement that is told; null: there is no such label, for there is one alone. */
  types: Readonly<Record<string, string>> | null
}

const phases = {
  responseTime: 'total',
  wait: 'wait',
  dns: 'dns',
  tcp: 'tcp',
  firstByte: 'firstByte',
  download: 'download',
}
const tcp = { total: 'total', dns: 'dns', connection: 'connection', data: 'data' }

const TIMINGS: readonly Timing[] = [
  { kind: 'API', name: 'service_api_check_timing_seconds', help: 'Phases of API checks.', types: phases },
  { kind: 'URL', name: 'service_url_monitor_timing_seconds', help: 'Phases of URL checks.', types: phases },
  { kind: 'TCP', name: 'service_tcp_monitor_timing_seconds', help: 'Phases of TCP checks.', types: tcp },
  {
    kind: 'TCP',
    name: 'service_tcp_check_timing_seconds',
    help: 'Deprecated: see service_tcp_monitor_timing_seconds.',
    types: tcp,
  },
  {
    kind: 'ICMP',
    name: 'service_icmp_monitor_timing_seconds',
    help: 'Latencies of ICMP checks.',
    types: { latencyAvg: 'latency_avg', latencyMin: 'latency_min', latencyMax: 'latency_max' },
  },
  {
    kind: 'DNS',
    name: 'service_dns_monitor_timing_seconds',
    help: 'Times of DNS checks.',
    types: { total: 'total' },
  },
  {
    kind: 'SSL',
    name: 'service_ssl_monitor_timing_seconds',
    help: 'Handshakes of SSL checks.',
    types: { handshakeTimeMs: 'handshake' },
  },
  { kind: 'BROWSER', name: 'service_browser_check_duration_seconds', help: 'Times of browser checks.', types: null },
  {
    kind: 'BROWSER',
    name: 'service_browser_check_web_vitals_seconds',
    help: 'Web vitals of the first pages of browser checks; CLS is a score.',
    types: Object.fromEntries(WEB_VITALS.map((name) => [name, name])),
  },
  {
    kind: 'MULTI_STEP',
    name: 'service_multistep_check_duration_seconds',
    help: 'Times of multi-step checks.',
    types: null,
  },
  {
    kind: 'PLAYWRIGHT',
    name: 'service_playwright_check_duration_seconds',
    help: 'Times of Playwright checks.',
    types: null,
  },
]

export function timingFamilies(tallies: readonly ExportedTally[], parseTags: boolean): MetricFamily[] {
  return TIMINGS.map(({ kind, name, help, types }) => ({
    name,
    type: 'histogram',
    help: `${help} Since the hour began.`,
    samples: tallies
      .filter(({ check }) => check.kind === kind)
      .flatMap(({ check, location, tally }) =>
        Object.entries(MEASURES[kind]).flatMap(([measured, { unit }], index) => {
          const spread = tally.spread(index)
          const type = types === null ? (index === 0 ? {} : undefined) : typeNamed(types[measured])
          if (spread === undefined || type === undefined) return []
          const labels = { ...labelsOf(check, parseTags), ...placed(location), ...type }
          return histogram(name, labels, unit === 'milliseconds' ? inSeconds(spread) : asIs(spread))
        }),
      ),
  }))
}

const typeNamed = (type: string | undefined) => (type === undefined ? undefined : { type })

const ERROR_TYPES = {
  consoleErrors: 'console',
  networkErrors: 'network',
  userScriptErrors: 'user_script',
  documentErrors: 'document',
} as const satisfies Partial<Record<keyof typeof MEASURES.BROWSER, string>>

export function browserErrorFamily(tallies: readonly ExportedTally[], parseTags: boolean): MetricFamily {
  const name = 'service_browser_check_errors'
  const measures = Object.keys(MEASURES.BROWSER)
  return {
    name,
    type: 'histogram',
    help: 'Errors that the pages of a run of a browser check had. Since the hour began.',
    samples: tallies
      .filter(({ check }) => check.kind === 'BROWSER')
      .flatMap(({ check, location, tally }) =>
        Object.entries(ERROR_TYPES).flatMap(([measured, type]) => {
          const spread = tally.spread(measures.indexOf(measured))
          if (spread === undefined) return []
          const labels = { ...labelsOf(check, parseTags), ...placed(location), type }
          return histogram(name, labels, counted(spread), COUNT_BOUNDS)
        }),
      ),
  }
}

export function packetLossFamily(tallies: readonly ExportedTally[], parseTags: boolean): MetricFamily {
  const name = 'service_icmp_monitor_packet_loss_ratio'
  const measure = Object.keys(MEASURES.ICMP).indexOf('packetLoss')
  return {
    name,
    type: 'gauge',
    help: 'Share of the pings that were lost, on the average since the hour began.',
    samples: tallies.flatMap(({ check, location, tally }) => {
      const spread = check.kind === 'ICMP' ? tally.spread(measure) : undefined
      if (spread === undefined || spread.count === 0) return []
      return [sample(name, { ...labelsOf(check, parseTags), ...placed(location) }, spread.sum / spread.count / 100)]
    }),
  }
}

/** Whole numbers: their bounds are kept clear of the width of a bucket. */
const counted = (spread: Spread) => ({ ...asIs(spread), upTo: (bound: number) => spread.countUpTo(bound + 0.5) })

const asIs = (spread: Spread) => ({
  count: spread.count,
  sum: spread.sum,
  upTo: (bound: number) => spread.countUpTo(bound),
})

function inSeconds(spread: Spread) {
  return {
    count: spread.count,
    sum: spread.sum / 1000,
    upTo: (bound: number) => spread.countUpTo(bound * 1000),
  }
}

export function heartbeatFamilies(
  heartbeats: readonly { check: ExportedCheck; lastPingMs: number; everyMs: number }[],
  parseTags: boolean,
): MetricFamily[] {
  const family = (
    name: string,
    help: string,
    ms: (heartbeat: (typeof heartbeats)[number]) => number,
  ): MetricFamily => ({
    name,
    type: 'gauge',
    help,
    samples: heartbeats.map((heartbeat) => sample(name, labelsOf(heartbeat.check, parseTags), ms(heartbeat) / 1000)),
  })
  return [
    family(
      'service_heartbeat_last_success_timestamp_seconds',
      'When the last ping came; 0: never.',
      (h) => h.lastPingMs,
    ),
    family('service_heartbeat_expected_interval_seconds', 'How often a ping is expected.', (h) => h.everyMs),
  ]
}

export interface ExportedExpiry {
  check: ExportedCheck
  domain: string
  expiresAtMs: number
}

export function expiryFamily(expiries: readonly ExportedExpiry[], parseTags: boolean, nowMs: number): MetricFamily {
  const name = 'service_time_to_ssl_expiry_seconds'
  return {
    name,
    type: 'gauge',
    help: 'How long the certificate of the host of a check is still good for; negative once it has expired.',
    samples: expiries.map(({ check, domain, expiresAtMs }) =>
      sample(name, { ...labelsOf(check, parseTags), domain }, Math.floor((expiresAtMs - nowMs) / 1000)),
    ),
  }
}

export function locationFamilies(locations: readonly ExportedLocation[]): MetricFamily[] {
  const family = (name: string, help: string, value: (location: ExportedLocation) => number): MetricFamily => ({
    name,
    type: 'gauge',
    help,
    samples: locations.map((location) =>
      sample(
        name,
        {
          private_location_name: location.name,
          private_location_slug_name: location.slug,
          private_location_id: location.id,
        },
        value(location),
      ),
    ),
  })
  return [
    family('service_private_location_queue_size', 'Runs that are due and that nobody has taken.', (l) => l.queued),
    family(
      'service_private_location_oldest_scheduled_check_run',
      'Seconds for which the oldest of them has waited.',
      (l) => Math.round(l.oldest_seconds * 1000) / 1000,
    ),
    family('service_private_location_agent_count', 'Runners that are there.', (l) => l.agents),
  ]
}

export function scriptLoadFamilies(runners: readonly ExportedRunner[]): MetricFamily[] {
  const runs = 'service_runner_script_runs'
  const turnedAway = 'service_runner_script_runs_turned_away_total'
  const labelled = ({ id, name, location }: ExportedRunner): Labels => ({
    runner: name,
    runner_id: String(id),
    location,
  })
  return [
    {
      name: runs,
      type: 'gauge',
      help: 'Scripts with Playwright that a runner runs, and that wait there for a place or for memory.',
      samples: runners.flatMap((runner) =>
        (['running', 'waiting'] as const).map((state) =>
          sample(runs, { ...labelled(runner), state }, runner.load[state]),
        ),
      ),
    },
    {
      name: turnedAway,
      type: 'counter',
      help: 'Scripts with Playwright that were in error because the runner had no room in time, since it began.',
      samples: runners.map((runner) => sample(turnedAway, labelled(runner), runner.load.turnedAway)),
    },
  ]
}

/** Of the locations that somebody serves. */
export function isolationFamilies(locations: readonly { slug: string; isolation: Isolation }[]): MetricFamily[] {
  const level = 'service_location_script_isolation'
  const layer = 'service_location_script_isolation_layer'
  return [
    {
      name: level,
      type: 'gauge',
      help: 'How scripts are kept apart from the machine: 1 for the level of the location, 0 for the others.',
      samples: locations.flatMap(({ slug, isolation }) =>
        [...ISOLATION_LEVELS, 'none'].map((name) =>
          sample(level, { location: slug, level: name }, isolation.level === name ? 1 : 0),
        ),
      ),
    },
    {
      name: layer,
      type: 'gauge',
      help: 'Whether the machine adds a filter of system calls, and control groups.',
      samples: locations.flatMap(({ slug, isolation }) =>
        ISOLATION_LAYERS.map((name) =>
          sample(layer, { location: slug, layer: name }, isolation.layers.includes(name) ? 1 : 0),
        ),
      ),
    },
  ]
}
