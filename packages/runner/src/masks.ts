/** Secrets do not leave the runner with a result: what is told of a request shows that they were there, not what. */
import type { ApiRequest, ApiSentRequest } from '@vedette/schema'

export const MASK = '********'

const CREDENTIAL =
  /^(?:authorization|proxy-authorization|cookie|set-cookie)$|api-?_?key|token|secret|password|signature/

export const isCredential = (name: string) => CREDENTIAL.test(name.toLowerCase())

/** Shorter values occur everywhere by chance: masking them would only garble the text. */
const SHORTEST_SECRET = 4

/** Replaces the locked values of a request in any text, as they are and as they stand in URLs. */
export function scrubber({ headers = [], queryParameters = [], basicAuth }: ApiRequest): (text: string) => string {
  const secrets = [...headers, ...queryParameters].filter(({ locked }) => locked).map(({ value }) => value)
  if (basicAuth?.password) secrets.push(basicAuth.password)
  const spellings = new Set(secrets.filter((value) => value.length >= SHORTEST_SECRET))
  for (const secret of [...spellings]) spellings.add(encodeURIComponent(secret))
  if (spellings.size === 0) return (text) => text
  // The longest first, so that no part of one is left over from another.
  const ordered = [...spellings].sort((a, b) => b.length - a.length)
  return (text) => ordered.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
}

export function maskRequest(
  sent: ApiSentRequest,
  request: ApiRequest,
  scrub: (text: string) => string,
): ApiSentRequest {
  const locked = new Set([...(request.headers ?? [])].filter((item) => item.locked).map(({ key }) => key.toLowerCase()))
  const lockedParams = new Set((request.queryParameters ?? []).filter((item) => item.locked).map(({ key }) => key))
  const url = [...lockedParams].length === 0 ? sent.url : maskQuery(sent.url, lockedParams)
  return {
    method: sent.method,
    url: scrub(url),
    data: scrub(sent.data),
    headers: mapValues(sent.headers, (value, name) =>
      isCredential(name) || locked.has(name.toLowerCase()) ? MASK : scrub(value),
    ),
    params: mapValues(sent.params, (value, name) => (lockedParams.has(name) ? MASK : scrub(value))),
  }
}

/** Hides parameters of a URL by name, however short their values are. */
export function maskQuery(href: string, names: ReadonlySet<string>): string {
  const url = URL.parse(href)
  if (url === null) return href
  for (const name of names) if (url.searchParams.has(name)) url.searchParams.set(name, MASK)
  return url.href
}

export function mapValues(record: Record<string, string>, map: (value: string, key: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))
}
