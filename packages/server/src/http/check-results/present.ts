/** A stored result in the words of the API. */
import { wholeDaysUntil } from '@vedette/core'
import type {
  ApiCheckResult,
  AssertionOutcome,
  CheckResult,
  DnsCheckResult,
  GrpcCheckResult,
  TlsDetails,
} from '@vedette/schema'
import type { StoredCheck, StoredCheckOf } from '../../checks/check.ts'
import { sequenceIdOf } from '../../results/result-row.ts'
import type { StoredResult } from '../../results/result-store.ts'

export function presentResult(check: StoredCheck, result: StoredResult, location: string): CheckResult {
  const { flags } = result
  const stoppedAtMs = result.startedAtMs + result.durationMs
  return {
    id: result.id,
    name: check.name,
    checkId: check.id,
    checkType: check.kind,
    hasFailures: flags.verdict === 'failed',
    hasErrors: flags.verdict === 'error',
    isDegraded: flags.verdict === 'degraded',
    overMaxResponseTime: flags.overMaxResponseTime,
    runLocation: location,
    startedAt: new Date(result.startedAtMs).toISOString(),
    stoppedAt: new Date(stoppedAtMs).toISOString(),
    created_at: new Date(result.startedAtMs + result.recordedAfterMs).toISOString(),
    responseTime: Math.round(result.responseTimeMs),
    checkRunId: result.checkRunId,
    attempts: result.attempt,
    resultType: flags.final ? 'FINAL' : 'ATTEMPT',
    sequenceId: sequenceIdOf(check.no, result.checkRunId, flags.parallel ? result.locationNo : null),
    errorMessage: result.detail?.error ?? null,
    apiCheckResult: check.kind === 'DNS' ? presentDns(check, result) : presentApi(check, result),
    ...(check.kind === 'GRPC' ? { grpcCheckResult: presentGrpc(result) } : {}),
    browserCheckResult: null,
    multiStepCheckResult: null,
  }
}

/** Of an answer like one before, all but the times is that one's. */
function presentGrpc(result: StoredResult): GrpcCheckResult | null {
  const answer = result.detail?.answer ?? null
  if (answer?.kind !== 'GRPC') return null
  if (result.detailId === result.id) return answer.content
  const measured = timingsOf(result)
  return {
    ...answer.content,
    timingPhases: measured.timingPhases,
    assertions: withOwnTime(answer.content.assertions, result),
  }
}

/** Timings are each result's own; headers and body may be those of an equal answer before. */
function presentApi(check: StoredCheck, result: StoredResult): ApiCheckResult | null {
  if (check.kind !== 'API' && check.kind !== 'URL') return null
  const own = result.detailId === result.id
  const answer = result.detail?.answer ?? null
  const detail = answer?.kind === check.kind ? answer.content : null
  if (own) return detail
  const measured = timingsOf(result)
  if (detail === null) return notKept(check, result, measured)
  return {
    ...detail,
    assertions: withOwnTime(detail.assertions, result),
    response: {
      ...detail.response,
      ...measured,
      tls: tlsAt(detail.response.tls ?? null, result.startedAtMs),
      sameAs: result.detailId,
    },
    jobLog: null,
  }
}

function withOwnTime(assertions: readonly AssertionOutcome[], { responseTimeMs }: StoredResult): AssertionOutcome[] {
  return assertions.map((assertion) =>
    assertion.source === 'RESPONSE_TIME' ? { ...assertion, actual: Math.round(responseTimeMs) } : assertion,
  )
}

/** The certificate is the same, and has become older. */
function tlsAt(details: TlsDetails | null, atMs: number): TlsDetails | null {
  const [own] = details?.chain ?? []
  if (details === null || own === undefined) return details
  return { ...details, daysRemaining: wholeDaysUntil(Date.parse(own.validTo), atMs) }
}

function notKept(
  check: StoredCheckOf<'API'> | StoredCheckOf<'URL'>,
  result: StoredResult,
  measured: ReturnType<typeof timingsOf>,
): ApiCheckResult {
  const { request } = check.settings
  return {
    assertions: [],
    request: { method: request.method ?? 'GET', url: request.url, data: '', headers: {}, params: {} },
    response: {
      status: result.statusCode ?? 0,
      statusText: '',
      href: null,
      headers: null,
      body: '',
      truncated: false,
      ...measured,
      kept: false,
    },
    requestError: null,
    jobLog: null,
    jobAssets: null,
    pcapDataUrl: null,
  }
}

function timingsOf(result: StoredResult) {
  if (result.phases === null) return { timings: null, timingPhases: null }
  const [wait = 0, dns = 0, tcp = 0, firstByte = 0, download = 0] = result.phases
  const socket = wait
  const lookup = socket + dns
  const connect = lookup + tcp
  const response = connect + firstByte
  const end = response + download
  return {
    timings: { socket, lookup, connect, response, end },
    timingPhases: { wait, dns, tcp, firstByte, download, total: end },
  }
}

/** The time is each result's own; the answer may be an equal one before. */
function presentDns(check: StoredCheckOf<'DNS'>, result: StoredResult): DnsCheckResult | null {
  const answer = result.detail?.answer ?? null
  const detail = answer?.kind === 'DNS' ? answer.content : null
  if (result.detailId === result.id) return detail
  const timingPhases = { total: result.responseTimeMs }
  if (detail !== null) {
    const response = { ...detail.response, timingPhases, sameAs: result.detailId }
    return { ...detail, assertions: withOwnTime(detail.assertions, result), response }
  }
  const { query, recordType, nameServer = null, port = null, protocol = 'UDP' } = check.settings.request
  return {
    assertions: [],
    request: { query, recordType, nameServer, port, protocol },
    response: { status: '', text: '', json: null, timingPhases, kept: false },
    requestError: null,
    jobLog: null,
    jobAssets: null,
    pcapDataUrl: null,
  }
}
