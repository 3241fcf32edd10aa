/** Secrets do not leave the runner with a result: what is told of a request shows that they were there, not what. */
import { isCredential, MASK, type Scrub, scrubber } from '@vedette/core'
import type { ApiRequest, ApiSentRequest } from '@vedette/schema'

export { isCredential, MASK, type Scrub, scrubber }

/** What must not be told of a request: what is locked, credentials by their name, the password. */
export function secretsOf({ headers = [], queryParameters = [], basicAuth }: ApiRequest): string[] {
  const secrets: string[] = []
  for (const { key, value, locked } of headers) if (locked || isCredential(key)) secrets.push(value.trim())
  for (const { value, locked } of queryParameters) if (locked) secrets.push(value)
  if (basicAuth?.password) {
    secrets.push(basicAuth.password, Buffer.from(`${basicAuth.username}:${basicAuth.password}`).toString('base64'))
  }
  return secrets
}

export function maskRequest(sent: ApiSentRequest, request: ApiRequest, scrub: Scrub): ApiSentRequest {
  const locked = new Set((request.headers ?? []).filter((item) => item.locked).map(({ key }) => key.toLowerCase()))
  const lockedParams = new Set((request.queryParameters ?? []).filter((item) => item.locked).map(({ key }) => key))
  const url = lockedParams.size === 0 ? sent.url : maskQuery(sent.url, lockedParams)
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
