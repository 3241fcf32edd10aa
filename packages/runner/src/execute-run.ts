/**
 * One leased run from its due time to its report: sets the deadline, has the probe observe, asks the rules to judge,
 * and doubts the judgement where this runner was in trouble itself.
 */
import { type Judgement, judges, shouldKeepDetail } from '@vedette/core'
import { API_ATTEMPT_LIMIT_MS, type LeasedRun, type RunnableKind, type RunReport } from '@vedette/schema'
import { apiDetail, STORED_BODY_LIMIT, storable, storedBody } from './api-detail.ts'
import { fingerprintOf } from './fingerprint.ts'
import { scrubber } from './masks.ts'
import type { TroubleWatch } from './own-trouble.ts'
import type { Dialer } from './probes/http/dialer.ts'
import { WIRE_LIMIT } from './probes/http/response-parser.ts'
import { probes } from './probes/index.ts'

export interface RunTools {
  dialer: Dialer
  watch: TroubleWatch
  /** How long an attempt may take, by kind. */
  limitsMs?: { [K in RunnableKind]: number }
}

const LIMITS_MS: { [K in RunnableKind]: number } = { API: API_ATTEMPT_LIMIT_MS }
const ERROR_LIMIT = 2000

/** `dueAt` is the due time on this process's monotonic clock. Never throws: what goes wrong here is reported as ours. */
export async function executeRun(run: LeasedRun, dueAt: number, tools: RunTools): Promise<RunReport> {
  const startedAt = performance.now()
  const limitMs = (tools.limitsMs ?? LIMITS_MS)[run.kind]
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

async function observeAndJudge(
  { settings, kind, kept, keepDetail, proxyUrl }: LeasedRun,
  { startedAt, limitMs, signal }: Attempt,
  { dialer, watch }: RunTools,
): Promise<Omit<RunReport, 'leaseId' | 'startedAtMs' | 'latenessMs'>> {
  const readsBody = (settings.request.assertions ?? []).some(({ source }) => source.endsWith('_BODY'))
  const keepBytes = readsBody ? WIRE_LIMIT : STORED_BODY_LIMIT
  const observation = await probes[kind].observe(settings, { signal, limitMs, dialer, proxyUrl, keepBytes })
  const endedAt = performance.now()
  const { response, failure, responseTimeMs } = observation
  const judged = judges[kind](settings, observation)
  const judgement = await revise(judged, watch, { from: startedAt, to: endedAt, phase: failure?.phase ?? null })
  const { verdict, error, overMaxResponseTime, networkError, assertions } = judgement

  const fingerprint = response === null ? null : fingerprintOf(response, storedBody(response), assertions)
  const isKept = shouldKeepDetail({ verdict, keepDetail, kept, fingerprint })
  const phases = response?.timingPhases
  return {
    verdict,
    durationMs: round(endedAt - startedAt),
    responseTimeMs: round(responseTimeMs),
    overMaxResponseTime,
    networkError,
    statusCode: response?.status ?? null,
    phases: phases ? [phases.wait, phases.dns, phases.tcp, phases.firstByte, phases.download] : null,
    error: error === null ? null : scrubber(settings.request)(storable(error)).slice(0, ERROR_LIMIT),
    fingerprint,
    detail: isKept ? apiDetail(settings, observation, assertions) : null,
  }
}

async function revise(
  judgement: Judgement,
  watch: TroubleWatch,
  when: Parameters<TroubleWatch['doubt']>[1],
): Promise<Judgement> {
  if (judgement.verdict === 'passed' || judgement.verdict === 'error') return judgement
  const doubt = await watch.doubt(judgement, when)
  if (doubt === null) return judgement
  const seen = judgement.error === null ? '' : ` (what it saw: ${judgement.error})`
  return { ...judgement, verdict: 'error', overMaxResponseTime: false, error: `${doubt}${seen}` }
}

function inError(error: string) {
  return {
    verdict: 'error' as const,
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
