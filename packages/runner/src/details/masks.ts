/** Secrets do not leave the runner with a result: what is told of a request shows that they were there, not what. */
import { isCredential } from '@vedette/core'
import type { ApiRequest, ApiSentRequest } from '@vedette/schema'

export { isCredential }

export const MASK = '********'

/** Shorter values occur everywhere by chance: masking them would only garble the text. */
const SHORTEST_SECRET = 4

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

/** Takes secrets out of a text. */
export type Scrub = (text: string) => string

/** Secrets are found as they are, and as targets repeat them: in an address, in JSON, in HTML or encoded. */
export function scrubber(secrets: readonly string[]): Scrub {
  if (secrets.length === 0) return (text) => text
  const spellings = new Set<string>()
  for (const secret of secrets) {
    if (secret.length >= SHORTEST_SECRET) for (const spelling of spellingsOf(secret)) spellings.add(spelling)
  }
  if (spellings.size === 0) return (text) => text
  // The longest first, so that no part of one is left over from another.
  const ordered = [...spellings].sort((a, b) => b.length - a.length)
  return (text) =>
    scrubCut(
      ordered.reduce((rest, secret) => rest.replaceAll(secret, MASK), text),
      ordered,
    )
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const encoded = encodeURIComponent(secret.toWellFormed())
  const spellings = [
    secret,
    encoded,
    encoded.replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    html.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]
  // In base64 a text looks different by where it begins in a group of three; the characters at the seams are shared
  // with what stands around it.
  for (let before = 0; before < 3; before += 1) {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const whole = padded.subarray(0, padded.length - (padded.length % 3))
    const middle = whole.toString('base64').slice(before === 0 ? 0 : 4)
    if (middle.length >= 2 * SHORTEST_SECRET) spellings.push(middle, middle.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return spellings
}

/** A text that was shortened may end in the beginning of a secret. */
function scrubCut(text: string, secrets: readonly string[]): string {
  const cut = text.lastIndexOf('…')
  if (cut < 0) return text
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, cut); length >= SHORTEST_SECRET; length -= 1) {
      if (text.startsWith(secret.slice(0, length), cut - length)) {
        return text.slice(0, cut - length) + MASK + text.slice(cut)
      }
    }
  }
  return text
}

export function maskRequest(
  sent: ApiSentRequest,
  request: ApiRequest,
  scrub: (text: string) => string,
): ApiSentRequest {
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
