/** Sends the request of an API check, follows redirects, and brings back the last answer. */
import type { ApiRequest, ApiSentRequest, HttpResponse, SeenCertificate, TlsDetails } from '@vedette/schema'
import { decodeText } from './http/charset.ts'
import { certificateFor } from './http/client-certificate.ts'
import { decodeContent } from './http/content-decoding.ts'
import { exchange, type HopAnswer } from './http/exchange.ts'
import { ownFailure, RequestFailure, targetFailure, timeoutFailure } from './http/failure.ts'
import { parseProxy } from './http/proxy.ts'
import { REDIRECTS_LIMIT, redirected, tooManyRedirects } from './http/redirect.ts'
import { type OutgoingRequest, prepareRequest, writeRequest } from './http/request.ts'
import type { Probe, RunContext } from './probe.ts'

export const apiProbe: Probe<'API'> = {
  async observe({ request }, context) {
    const startedAt = performance.now()
    let tls: TlsDetails | null = null
    let certificate: SeenCertificate | null = null
    const onHop = (host: string) => {
      tls = null
      const isOwn = host === URL.parse(request.url.trim())?.hostname
      return (details: TlsDetails) => {
        tls = details
        if (isOwn) certificate ??= seenCertificate(details)
      }
    }
    let sent: ApiSentRequest = { method: request.method, url: '', data: '', headers: {}, params: {} }
    try {
      const outgoing = prepareRequest(request)
      sent = describe(request, outgoing)
      const { url, answer } = await follow(request, outgoing, { ...context, onHop })
      const responseTimeMs = answer.times.endedAt - startedAt
      const response = await readAnswer(url, answer, startedAt, context)
      return { request: sent, response, failure: null, responseTimeMs, tls, certificate }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      const { blame, code, message, phase } = error
      const responseTimeMs = performance.now() - startedAt
      return {
        request: sent,
        response: null,
        failure: { blame, code, message, phase },
        responseTimeMs,
        tls,
        certificate,
      }
    }
  },
}

interface FollowContext extends RunContext {
  /** Answers what to tell of the hop's handshake. */
  onHop: (host: string) => (details: TlsDetails) => void
}

async function follow(request: ApiRequest, first: OutgoingRequest, context: FollowContext) {
  const proxy = context.proxyUrl === null ? null : parseProxy(context.proxyUrl)
  const family = request.ipFamily === 'IPv6' ? 6 : 4
  const hopContext = { ...context, proxy }
  const { httpVersion = 'HTTP/1.1' } = request
  const own = certificateFor(first.url.hostname, context.certificates)
  let outgoing = first
  for (let redirects = 0; ; redirects += 1) {
    const { url, method, headers, body } = outgoing
    if (httpVersion === 'HTTP/2' && url.protocol !== 'https:') throw withoutTls(redirects > 0)
    const onTls = context.onHop(url.hostname)
    const text = writeRequest(outgoing, proxy)
    // Another origin is not shown who we are, whatever sends us there.
    const certificate = url.origin === first.url.origin ? own : null
    const hop = {
      url,
      method,
      text,
      headers,
      body,
      family,
      skipSSL: request.skipSSL === true,
      certificate,
      httpVersion,
    } as const
    const answer = await exchange(hop, { ...hopContext, onTls })
    const next = request.followRedirects === false ? null : redirected(outgoing, answer.response)
    if (next === null) return { url, answer }
    if (redirects >= REDIRECTS_LIMIT) throw tooManyRedirects()
    outgoing = next
  }
}

function seenCertificate({ chain: [own] }: TlsDetails): SeenCertificate | null {
  return own === undefined ? null : { fingerprint256: own.fingerprint256, expiresAtMs: Date.parse(own.validTo) }
}

function withoutTls(isRedirect: boolean): RequestFailure {
  if (isRedirect)
    return targetFailure('redirect', 'ERR_REDIRECT', 'the answer redirects to http:, where HTTP/2 is not spoken')
  return ownFailure(
    'send',
    'ERR_HTTP2_WITHOUT_TLS',
    'HTTP/2 is spoken over TLS only: the address must begin with https://',
  )
}

async function readAnswer(
  url: URL,
  { response, times }: HopAnswer,
  startedAt: number,
  { keepBytes, signal, limitMs }: RunContext,
): Promise<HttpResponse> {
  const { status, statusText, httpVersion, headers, body } = response
  const decoded = await decodeContent(headers['content-encoding'], body.bytes, keepBytes)
  if (signal.aborted) throw timeoutFailure('body', limitMs)
  const since = (instant: number) => round(instant - startedAt)
  // What earlier hops took counts as waiting, so that the phases add up to the total.
  const timings = {
    socket: since(times.startedAt),
    lookup: since(times.lookedUpAt),
    connect: since(times.connectedAt),
    response: since(times.firstByteAt),
    end: since(times.endedAt),
  }
  return {
    status,
    statusText,
    httpVersion,
    href: url.href,
    headers,
    body: decodeText(decoded.bytes.subarray(0, keepBytes), headers['content-type']),
    truncated: response.cut || decoded.isCut || body.isCut || decoded.bytes.length > keepBytes,
    timings,
    timingPhases: {
      wait: timings.socket,
      dns: round(timings.lookup - timings.socket),
      tcp: round(timings.connect - timings.lookup),
      firstByte: round(timings.response - timings.connect),
      download: round(timings.end - timings.response),
      total: timings.end,
    },
  }
}

/** To the microsecond: more digits say nothing and fill the database. */
const round = (ms: number) => Math.round(ms * 1000) / 1000

function describe(request: ApiRequest, { method, url, headers, body }: OutgoingRequest): ApiSentRequest {
  const params: Record<string, string> = {}
  for (const { key, value } of request.queryParameters ?? []) params[key] = value
  return { method, url: url.href, data: body, headers: Object.fromEntries(headers), params }
}
