/** Where an answer sends us, and what of the request goes along. */
import { targetFailure } from './failure.ts'
import type { OutgoingRequest } from './request.ts'
import type { Answer } from './response-parser.ts'

export const REDIRECTS_LIMIT = 10

/** The next request, or null when the answer is not a redirect. Throws a failure when it leads nowhere. */
export function redirected(request: OutgoingRequest, { status, headers }: Answer): OutgoingRequest | null {
  const { location } = headers
  if (
    location === undefined ||
    (status !== 301 && status !== 302 && status !== 303 && status !== 307 && status !== 308)
  ) {
    return null
  }
  const url = URL.parse(Buffer.from(location, 'latin1').toString('utf8'), request.url.href)
  if (url === null) throw targetFailure('redirect', 'ERR_REDIRECT', 'the answer redirects to an invalid address')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw targetFailure('redirect', 'ERR_REDIRECT', `the answer redirects to ${url.protocol}, which is not followed`)
  }
  if (url.hash === '') url.hash = request.url.hash
  url.username = ''
  url.password = ''
  return withoutSecrets(withoutBody({ ...request, url }, request.method, status), request.url)
}

/** As browsers do: 303 fetches what is there, and a POST that was moved becomes a GET; 307 and 308 repeat all of it. */
function withoutBody(request: OutgoingRequest, method: string, status: number): OutgoingRequest {
  const becomesGet = status === 303 ? method !== 'GET' && method !== 'HEAD' : status < 303 && method === 'POST'
  if (!becomesGet) return request
  const headers = request.headers.filter(([name]) => !name.toLowerCase().startsWith('content-'))
  return { ...request, method: 'GET', body: '', headers }
}

/** Another origin gets no credentials, and not our idea of its host name. */
function withoutSecrets(request: OutgoingRequest, before: URL): OutgoingRequest {
  if (request.url.origin === before.origin) return request
  const headers = request.headers.filter(([name]) => {
    const lower = name.toLowerCase()
    return lower !== 'host' && !request.secretNames.has(lower)
  })
  return { ...request, headers }
}

export const tooManyRedirects = () =>
  targetFailure('redirect', 'ERR_TOO_MANY_REDIRECTS', `more than ${REDIRECTS_LIMIT} redirects in a row`)
