/** What is kept of an observed API run: small enough to store, free of secrets, free of what a database refuses. */
import type { ApiCheckResult, ApiObservation, ApiSettings, AssertionOutcome } from '@vedette/schema'
import { isCredential, MASK, mapValues, maskQuery, maskRequest, scrubber } from './masks.ts'

export const STORED_BODY_LIMIT = 64 * 1024

const BINARY =
  /^(?:audio|video|image|font)\/(?!svg)|^application\/(?:pdf|zip|gzip|octet-stream|ogg|x-shockwave-flash|wasm|x-(?:tar|7z-compressed|rar-compressed|bzip2?))/i

/** The part of a body that is stored. Binary content is none that anyone could read. */
export function storedBody({ body, headers }: NonNullable<ApiObservation['response']>): string {
  if (BINARY.test(headers['content-type'] ?? '')) return ''
  return storable(body.length > STORED_BODY_LIMIT ? body.slice(0, STORED_BODY_LIMIT) : body)
}

export function apiDetail(
  { request }: ApiSettings,
  observation: ApiObservation,
  assertions: readonly AssertionOutcome[],
): ApiCheckResult {
  const scrub = scrubber(request)
  const clean = (text: string) => scrub(storable(text))
  return {
    assertions: assertions.map((outcome) => ({
      ...outcome,
      error: outcome.error === null ? null : clean(outcome.error),
      actual: cleanValue(outcome.actual, clean),
    })),
    request: maskRequest(observation.request, request, clean),
    response: describeAnswer(request, observation.response, clean),
    requestError: observation.failure === null ? null : clean(observation.failure.message),
    jobLog: null,
    jobAssets: null,
    pcapDataUrl: null,
  }
}

function describeAnswer(
  { queryParameters = [] }: ApiSettings['request'],
  response: ApiObservation['response'],
  clean: (text: string) => string,
): ApiCheckResult['response'] {
  if (response === null) {
    const nothing = { href: null, headers: null, timings: null, timingPhases: null }
    return { status: 0, statusText: '', body: '', truncated: false, ...nothing }
  }
  const { status, statusText, href, headers, truncated, timings, timingPhases } = response
  const body = storedBody(response)
  const locked = new Set(queryParameters.filter((item) => item.locked).map(({ key }) => key))
  return {
    status,
    statusText: clean(statusText),
    href: clean(locked.size === 0 ? href : maskQuery(href, locked)),
    headers: mapValues(headers, (value, name) => (isCredential(name) ? MASK : clean(value))),
    body: clean(body),
    truncated: truncated || body.length < response.body.length,
    timings,
    timingPhases,
  }
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export function storable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed()
}

function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), cleanValue(item, clean)]))
}
