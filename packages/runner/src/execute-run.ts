/**
 * One leased run from its due time to its report: sets the deadline, has the probe observe, asks the rules to judge,
 * and doubts the judgement where this runner was in trouble itself.
 */
import { type Judgement, judges, shouldKeepDetail } from '@vedette/core'
import {
  ATTEMPT_LIMITS_MS,
  type KindSettings,
  type LeasedRun,
  type LeasedRunOf,
  type RunnableKind,
  type RunReport,
} from '@vedette/schema'
import type { AroundTools, Surrounded } from './around/around.ts'
import { around } from './around/index.ts'
import type { AssetDesk } from './assets/hand-in.ts'
import { details } from './details/index.ts'
import { scrubber } from './details/masks.ts'
import { storable } from './details/storable.ts'
import type { DoubtfulRun, TroubleWatch } from './own-trouble.ts'
import type { BundleCache } from './playwright/bundle-cache.ts'
import type { PlaywrightHost } from './playwright/playwright-host.ts'
import type { Dialer } from './probes/http/dialer.ts'
import { probes } from './probes/index.ts'
import type { ScriptHost } from './scripts/script-host.ts'

export interface RunTools {
  dialer: Dialer
  watch: TroubleWatch
  /** Absent: scripts are not run here. */
  scriptHost?: ScriptHost
  /** Absent: nor are those of browsers and of several steps. */
  playwright?: PlaywrightHost
  /** Absent: nor are suites. */
  bundles?: BundleCache
  /** Absent: files that runs leave are not kept. */
  desk?: AssetDesk
  /** How long an attempt may take, by kind. */
  limitsMs?: Partial<Record<RunnableKind, number>>
}

const ERROR_LIMIT = 2000

/** `dueAt` is the due time on this process's monotonic clock. Never throws: what goes wrong here is reported as ours. */
export async function executeRun(run: LeasedRun, dueAt: number, tools: RunTools): Promise<RunReport> {
  const startedAt = performance.now()
  const limitMs = tools.limitsMs?.[run.kind] ?? limitOf(run)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), limitMs)
  const begun = {
    leaseId: run.leaseId,
    startedAtMs: round(run.dueAtMs + startedAt - dueAt),
    latenessMs: round(startedAt - dueAt),
  }
  try {
    return { ...begun, ...(await observeAndJudge(run, { startedAt, limitMs, signal: deadline.signal }, tools)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ...begun, ...inError(`the probe broke: ${reason}`), durationMs: round(performance.now() - startedAt) }
  } finally {
    clearTimeout(timer)
  }
}

interface Attempt {
  startedAt: number
  limitMs: number
  signal: AbortSignal
}

async function observeAndJudge<K extends RunnableKind>(
  run: LeasedRunOf<K>,
  { startedAt, limitMs, signal }: Attempt,
  { dialer, watch, scriptHost, playwright, bundles, desk }: RunTools,
): Promise<Omit<RunReport, 'leaseId' | 'startedAtMs' | 'latenessMs'>> {
  const { checkId, kind, kept, keepDetail, proxyUrl, variables, scripts, certificates } = run
  const about = details[kind]
  const observe = (settings: KindSettings<K>, atLeastBytes = 0) => {
    const keepBytes = Math.max(about.keepBytes(settings), atLeastBytes)
    const context = {
      ...{ signal, checkId, limitMs, dialer, playwright, proxyUrl, keepBytes },
      ...{ variables, scripts, certificates },
      bundles: bundles && ((sha256: string) => bundles.fileOf(sha256, run.leaseId)),
    }
    return probes[kind].observe(settings, context)
  }
  const { settings, observation, hidden } = await (around[kind] ?? asItIs)(run, {
    observe,
    runScript: async (job) => scriptHost?.run(job, dialer) ?? null,
  })
  const endedAt = performance.now()
  const { failure, responseTimeMs } = observation
  const ofVariables = variables.filter((variable) => variable.hidden).map(({ value }) => value)
  const shown = certificates.flatMap(({ key, passphrase }) => [key, passphrase ?? ''])
  const secrets = [...about.secrets(run.settings), ...about.secrets(settings), ...ofVariables, ...hidden, ...shown]
  const scrub = scrubber(secrets)
  const clean = (text: string) => scrub(storable(text))
  const judged = judges[kind](settings, about.toJudge?.(observation, clean) ?? observation)
  const judgement = await revise(judged, watch, { from: startedAt, to: endedAt, failure, family: familyOf(settings) })
  const { verdict, rule, error, overMaxResponseTime, networkError, assertions } = judgement
  const fingerprint = about.fingerprint(observation, assertions, settings)
  const isKept = about.isAlwaysKept === true || shouldKeepDetail({ verdict, keepDetail, kept, fingerprint })
  const files = about.files?.(observation) ?? []
  const left = { leaseId: run.leaseId, checkId: run.checkId, verdict, isOnDemand: keepDetail, files, secrets, clean }
  const handedIn = (await desk?.handIn(left)) ?? { taken: [], problem: null }
  const seen = about.keeping?.(observation, handedIn) ?? observation
  return {
    verdict,
    rule,
    durationMs: round(endedAt - startedAt),
    responseTimeMs: round(responseTimeMs),
    overMaxResponseTime,
    networkError,
    statusCode: about.statusCode(observation),
    phases: about.phases(observation),
    error: error === null ? null : clean(error).slice(0, ERROR_LIMIT),
    fingerprint,
    certificate: about.certificate?.(observation) ?? null,
    detail: isKept ? about.detail(settings, seen, assertions, clean) : null,
  }
}

/** What the check says, where its kind lets it. */
const limitOf = ({ kind, settings }: LeasedRun): number =>
  'limitMs' in settings ? settings.limitMs : ATTEMPT_LIMITS_MS[kind]

async function asItIs<K extends RunnableKind>(
  { settings }: LeasedRunOf<K>,
  { observe }: AroundTools<K>,
): Promise<Surrounded<K>> {
  return { settings, observation: await observe(settings), hidden: [] }
}

async function revise(judgement: Judgement, watch: TroubleWatch, when: DoubtfulRun): Promise<Judgement> {
  // Where nobody may answer, a run passes by what would be a failure elsewhere: that too may be our own doing.
  const { verdict, networkError } = judgement
  if (verdict === 'error' || (verdict === 'passed' && !networkError)) return judgement
  const doubt = await watch.doubt(judgement, when)
  if (doubt === null) return judgement
  const seen = judgement.error === null ? '' : ` (what it saw: ${judgement.error})`
  return { ...judgement, verdict: 'error', rule: 'our-trouble', overMaxResponseTime: false, error: `${doubt}${seen}` }
}

/** The addresses that a request asks for, where its kind has a choice. */
function familyOf(settings: KindSettings<RunnableKind>): 4 | 6 | null {
  if (!('request' in settings)) return null
  const { request } = settings
  const asked = 'sslConfig' in request ? request.sslConfig : request
  if (!('ipFamily' in asked) || asked.ipFamily === undefined) return null
  return asked.ipFamily === 'IPv6' ? 6 : 4
}

function inError(error: string) {
  return {
    verdict: 'error' as const,
    rule: 'our-trouble' as const,
    responseTimeMs: 0,
    overMaxResponseTime: false,
    networkError: true,
    statusCode: null,
    phases: null,
    error: storable(error).slice(0, ERROR_LIMIT),
    fingerprint: null,
    detail: null,
  }
}

const round = (ms: number) => Math.round(ms * 1000) / 1000
