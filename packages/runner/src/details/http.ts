/** What is kept of an observed HTTP exchange: small enough to store, free of secrets, free of what a database refuses. */
import { isCredential } from '@vedette/core'
import type {
  ApiCheckResult,
  ApiRequest,
  AssertionOutcome,
  HttpObservation,
  HttpResponse,
  JobLog,
  TlsDetails,
} from '@vedette/schema'
import { WIRE_LIMIT } from '../probes/http/response-parser.ts'
import { httpRequestOf } from '../probes/url.ts'
import { cleanCertificate } from './certificates.ts'
import type { Details } from './details.ts'
import { fingerprintOf } from './fingerprint.ts'
import { MASK, mapValues, maskQuery, maskRequest, type Scrub, secretsOf } from './masks.ts'
import { cleanOutcomes } from './outcomes.ts'
import { storable } from './storable.ts'

export const STORED_BODY_LIMIT = 64 * 1024

const BINARY =
  /^(?:audio|video|image|font)\/(?!svg)|^application\/(?:pdf|zip|gzip|octet-stream|ogg|x-shockwave-flash|wasm|x-(?:tar|7z-compressed|rar-compressed|bzip2?))/i

/** The part of a body that is stored. Binary content is none that anyone could read. */
export function storedBody({ body, headers }: HttpResponse): string {
  if (BINARY.test(headers['content-type'] ?? '')) return ''
  return storable(body.length > STORED_BODY_LIMIT ? body.slice(0, STORED_BODY_LIMIT) : body)
}

export function httpContent(
  request: ApiRequest,
  observation: HttpObservation,
  assertions: readonly AssertionOutcome[],
  clean: Scrub,
): ApiCheckResult {
  return {
    assertions: cleanOutcomes(assertions, clean),
    request: maskRequest(observation.request, request, clean),
    response: { ...describeAnswer(request, observation.response, clean), tls: cleanTls(observation.tls, clean) },
    requestError: observation.failure === null ? null : clean(observation.failure.message),
    jobLog: observation.jobLog === undefined ? null : cleanLog(observation.jobLog, clean),
    jobAssets: null,
    pcapDataUrl: null,
  }
}

function cleanLog(log: JobLog, clean: Scrub): JobLog {
  return Object.fromEntries(
    Object.entries(log).map(([phase, entries]) => [
      phase,
      entries.map((entry) => ({ ...entry, msg: clean(entry.msg), level: clean(entry.level) })),
    ]),
  )
}

function describeAnswer(
  { queryParameters = [] }: ApiRequest,
  response: HttpResponse | null,
  clean: Scrub,
): ApiCheckResult['response'] {
  if (response === null) {
    const nothing = { href: null, headers: null, timings: null, timingPhases: null }
    return { status: 0, statusText: '', body: '', truncated: false, ...nothing }
  }
  const { status, statusText, httpVersion, href, headers, truncated, timings, timingPhases } = response
  const body = storedBody(response)
  const locked = new Set(queryParameters.filter((item) => item.locked).map(({ key }) => key))
  return {
    status,
    httpVersion,
    statusText: clean(statusText),
    href: clean(locked.size === 0 ? href : maskQuery(href, locked)),
    headers: mapValues(headers, (value, name) => (isCredential(name) ? MASK : clean(value))),
    body: clean(body),
    truncated: truncated || body.length < response.body.length,
    timings,
    timingPhases,
  }
}

function cleanTls(details: TlsDetails | null, clean: Scrub): TlsDetails | null {
  if (details === null) return null
  return {
    ...details,
    problem: details.problem === null ? null : clean(details.problem),
    chain: details.chain.map((certificate) => cleanCertificate(certificate, clean)),
  }
}

const ofExchange = {
  certificate: ({ certificate }: HttpObservation) => certificate,
  statusCode: ({ response }: HttpObservation) => response?.status ?? null,
  phases: ({ response }: HttpObservation) => {
    if (response === null) return null
    const { wait, dns, tcp, firstByte, download } = response.timingPhases
    return [wait, dns, tcp, firstByte, download]
  },
  fingerprint: ({ response, tls }: HttpObservation, assertions: readonly AssertionOutcome[]) =>
    response === null ? null : fingerprintOf(response, storedBody(response), assertions, tls),
}

export const apiDetails: Details<'API'> = {
  ...ofExchange,
  keepBytes: ({ request }) =>
    (request.assertions ?? []).some(({ source }) => source.endsWith('_BODY')) ? WIRE_LIMIT : STORED_BODY_LIMIT,
  secrets: ({ request }) => secretsOf(request),
  detail: ({ request }, observation, assertions, clean) => ({
    kind: 'API',
    content: httpContent(request, observation, assertions, clean),
  }),
}

export const urlDetails: Details<'URL'> = {
  ...ofExchange,
  keepBytes: () => STORED_BODY_LIMIT,
  secrets: () => [],
  detail: ({ request }, observation, assertions, clean) => ({
    kind: 'URL',
    content: httpContent(httpRequestOf(request), observation, assertions, clean),
  }),
}
