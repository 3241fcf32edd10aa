/** From the settings of a check to what is written to the connection. */
import type { ApiRequest, KeyValue } from '@vedette/schema'
import { ACCEPTED_CODINGS } from './content-decoding.ts'
import { checkFailure } from './failure.ts'
import type { HttpProxy } from './hop.ts'

export const USER_AGENT = 'Vedette/0.1'

export interface OutgoingRequest {
  method: string
  url: URL
  /** As the user wrote them, in order, with our defaults before. */
  headers: [name: string, value: string][]
  body: string
  /** Lower-case names that are not told to another origin. */
  secretNames: ReadonlySet<string>
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]/

/** The framing of the request is ours: these are left out, whoever sets them. */
const RESERVED = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'proxy-connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'http2-settings',
])

const ALWAYS_SECRET = ['authorization', 'cookie', 'proxy-authorization']

/** Throws a failure of the check when its settings make no request. */
export function prepareRequest(request: ApiRequest): OutgoingRequest {
  const url = URL.parse(request.url.trim())
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw checkFailure('ERR_INVALID_URL', 'the address must be valid and begin with http:// or https://')
  }
  const headers: [string, string][] = []
  const secretNames = new Set(ALWAYS_SECRET)
  const given = new Set<string>()
  for (const { key, value, locked } of request.headers ?? []) {
    const name = key.trim()
    const lower = name.toLowerCase()
    if (name === '' || RESERVED.has(lower)) continue
    if (!TOKEN.test(name)) throw badHeader(`${JSON.stringify(name.slice(0, 80))} is no header name`)
    if (FORBIDDEN.test(value)) throw badHeader(`the value of ${name} has characters that no header may have`)
    headers.push([name, value.trim()])
    given.add(lower)
    if (locked) secretNames.add(lower)
  }
  const body = bodyOf(request)
  const contentType = CONTENT_TYPES[request.bodyType ?? 'NONE']
  const defaults: [string, string][] = []
  if (!given.has('user-agent')) defaults.push(['User-Agent', USER_AGENT])
  if (!given.has('accept')) defaults.push(['Accept', '*/*'])
  if (!given.has('accept-encoding')) defaults.push(['Accept-Encoding', ACCEPTED_CODINGS])
  if (contentType !== null && body !== '' && !given.has('content-type')) defaults.push(['Content-Type', contentType])
  const authorization = basicAuthOf(request, url)
  if (authorization !== null && !given.has('authorization')) defaults.push(['Authorization', authorization])
  url.username = ''
  url.password = ''
  appendParameters(url, request.queryParameters ?? [])
  return { method: request.method, url, headers: [...defaults, ...headers], body, secretNames }
}

const badHeader = (what: string) => checkFailure('ERR_INVALID_HEADER', what)

const CONTENT_TYPES = {
  JSON: 'application/json',
  GRAPHQL: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
  RAW: null,
  NONE: null,
} as const

function bodyOf({ method, body = '', bodyType = 'NONE' }: ApiRequest): string {
  if (method === 'HEAD' || bodyType === 'NONE') return ''
  return bodyType === 'GRAPHQL' ? JSON.stringify({ query: body }) : body
}

function basicAuthOf({ basicAuth }: ApiRequest, url: URL): string | null {
  const { username = '', password = '' } = basicAuth ?? {}
  const user = username !== '' || password !== '' ? username : decode(url.username)
  const secret = username !== '' || password !== '' ? password : decode(url.password)
  return user === '' && secret === '' ? null : `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Appended as text: going through `searchParams` would rewrite the query that the user wrote. */
function appendParameters(url: URL, parameters: readonly KeyValue[]): void {
  if (parameters.length === 0) return
  const added = parameters.map(({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')
  url.search = url.search === '' ? `?${added}` : `${url.search}&${added}`
}

/** The request as it goes over the wire; a proxy gets the whole address of a plain request. */
export function writeRequest({ method, url, headers, body }: OutgoingRequest, proxy: HttpProxy | null): string {
  const isProxied = proxy !== null && url.protocol === 'http:'
  const path = `${url.pathname}${url.search}`
  let text = `${method} ${isProxied ? `${url.origin}${path}` : path} HTTP/1.1\r\n`
  if (!headers.some(([name]) => name.length === 4 && name.toLowerCase() === 'host')) text += `Host: ${url.host}\r\n`
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`
  if (isProxied && proxy.authorization !== null) text += `Proxy-Authorization: ${proxy.authorization}\r\n`
  if (body !== '') text += `Content-Length: ${Buffer.byteLength(body)}\r\n`
  else if (method === 'POST' || method === 'PUT' || method === 'PATCH') text += 'Content-Length: 0\r\n'
  return `${text}Connection: close\r\n\r\n${body}`
}
