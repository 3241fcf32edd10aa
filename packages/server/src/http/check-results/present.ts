/** A stored result in the words of the API. */
import { wholeDaysUntil } from '@vedette/core'
import type {
  ApiCheckResult,
  AssertionOutcome,
  CheckResult,
  DnsCheckResult,
  GrpcCheckResult,
  IcmpCheckResult,
  LinkedAsset,
  SslCheckResult,
  TcpCheckResult,
  TlsDetails,
} from '@vedette/schema'
import type { StoredCheck, StoredCheckOf } from '../../checks/check.ts'
import { sequenceIdOf } from '../../results/result-row.ts'
import type { StoredResult } from '../../results/result-store.ts'
import { presentBrowser, presentMultiStep, presentPlaywright } from './present-script.ts'

/** @param files that its run left */
export function presentResult(
  check: StoredCheck,
  result: StoredResult,
  location: string,
  files: readonly LinkedAsset[] = [],
): CheckResult {
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
    apiCheckResult: presentRequest(check, result),
    ...(check.kind === 'GRPC' ? { grpcCheckResult: presentGrpc(result) } : {}),
    ...(check.kind === 'SSL' ? { sslCheckResult: presentSsl(check, result) } : {}),
    browserCheckResult: check.kind === 'BROWSER' ? presentBrowser(result, files) : null,
    multiStepCheckResult: check.kind === 'MULTI_STEP' ? presentMultiStep(result, files) : null,
    ...(check.kind === 'PLAYWRIGHT' ? { playwrightCheckResult: presentPlaywright(result, files) } : {}),
    icmpCheckResult: check.kind === 'ICMP' ? presentIcmp(check, result) : null,
  }
}

function presentRequest(check: StoredCheck, result: StoredResult): CheckResult['apiCheckResult'] {
  switch (check.kind) {
    case 'API':
    case 'URL':
      return presentHttp(check, result)
    case 'TCP':
      return presentTcp(check, result)
    case 'DNS':
      return presentDns(check, result)
    default:
      return null
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
function presentHttp(check: StoredCheckOf<'API'> | StoredCheckOf<'URL'>, result: StoredResult): ApiCheckResult | null {
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

/** The answer may be that of an equal run before, its time is this run's own. */
function withOwnTime(assertions: readonly AssertionOutcome[], { responseTimeMs }: StoredResult): AssertionOutcome[] {
  return assertions.map((assertion) =>
    assertion.source === 'RESPONSE_TIME' ? { ...assertion, actual: Math.round(responseTimeMs) } : assertion,
  )
}

function presentTcp(check: StoredCheckOf<'TCP'>, result: StoredResult): TcpCheckResult | null {
  const answer = result.detail?.answer ?? null
  const detail = answer?.kind === 'TCP' ? answer.content : null
  if (result.detailId === result.id) return detail
  const { hostname, port, data = null, ipFamily = 'IPv4', tls = false } = check.settings.request
  const timingPhases = tcpPhasesOf(result)
  if (detail === null) {
    return {
      assertions: [],
      request: { hostname, port, data, ipFamily, tls },
      response: { data: '', truncated: false, resolvedIp: null, timingPhases, kept: false },
      requestError: null,
    }
  }
  return {
    ...detail,
    assertions: withOwnTime(detail.assertions, result),
    response: { ...detail.response, timingPhases, sameAs: result.detailId },
  }
}

/** Counts may be those of an equal run before, times are this run's own; those of the single pings are not kept then. */
function presentIcmp(check: StoredCheckOf<'ICMP'>, result: StoredResult): IcmpCheckResult | null {
  const answer = result.detail?.answer ?? null
  const detail = answer?.kind === 'ICMP' ? answer.content : null
  if (result.detailId === result.id) return detail
  const { hostname, ipFamily = 'IPv4', pingCount = 10 } = check.settings.request
  const request = detail?.request ?? { hostname, ipFamily, pingCount }
  const [packetLoss = null, min, max, stdDev] = result.phases ?? []
  const isAnswered = min !== undefined && max !== undefined && stdDev !== undefined
  const packetsSent = packetLoss === null ? 0 : request.pingCount
  const packetsLost = Math.round((packetsSent * (packetLoss ?? 0)) / 100)
  return {
    assertions: detail?.assertions ?? [],
    request,
    response: {
      resolvedIp: detail?.response.resolvedIp ?? null,
      packetsSent,
      packetsReceived: packetsSent - packetsLost,
      packetsLost,
      packetLoss,
      latency: isAnswered ? { min, avg: result.responseTimeMs, max, stdDev } : null,
      times: null,
    },
    requestError: null,
  }
}

/** The certificate may be that of an equal run before, and is older by now; the time is this run's own. */
function presentSsl(check: StoredCheckOf<'SSL'>, result: StoredResult): SslCheckResult | null {
  const answer = result.detail?.answer ?? null
  const detail = answer?.kind === 'SSL' ? answer.content : null
  if (result.detailId === result.id) return detail
  if (detail === null) return sslNotKept(check, result)
  const { response } = detail
  if (response === null) return detail
  const daysUntilExpiry = wholeDaysUntil(Date.parse(response.certificate.validTo), result.startedAtMs)
  return {
    ...detail,
    daysUntilExpiry,
    handshakeTimeMs: result.responseTimeMs,
    assertions: withOwnTime(detail.assertions, result).map((assertion) =>
      assertion.source === 'CERTIFICATE' && assertion.property === 'daysUntilExpiry'
        ? { ...assertion, actual: daysUntilExpiry }
        : assertion,
    ),
    response: { ...response, daysUntilExpiry, timingPhases: null, sameAs: result.detailId },
  }
}

/** What the columns of a passing run say. */
function sslNotKept(check: StoredCheckOf<'SSL'>, { phases, responseTimeMs }: StoredResult): SslCheckResult {
  const { hostname, port = 443, serverName, ipFamily = 'IPv4' } = check.settings.request.sslConfig
  const [daysUntilExpiry = null, , version, chainTrusted, hostnameVerified] = phases ?? []
  return {
    tlsVersion: version === undefined ? null : `TLS${version.toFixed(1)}`,
    cipherSuite: null,
    daysUntilExpiry,
    handshakeTimeMs: phases === null ? null : responseTimeMs,
    chainTrusted: chainTrusted === undefined ? null : chainTrusted > 0,
    hostnameVerified: hostnameVerified === undefined ? null : hostnameVerified > 0,
    baselineVerdict: null,
    baselineGrade: null,
    baselineFindings: [],
    failureCategory: null,
    requestError: null,
    request: { hostname, port, serverName: serverName ?? hostname, ipFamily },
    assertions: [],
    response: null,
  }
}

function tcpPhasesOf({ phases }: StoredResult): TcpCheckResult['response']['timingPhases'] {
  if (phases === null) return null
  const [, dns = 0, connection = 0, data = 0] = phases
  return { dns, connection, data, total: dns + connection + data }
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
