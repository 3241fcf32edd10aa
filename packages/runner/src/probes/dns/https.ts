/**
 * Asks over HTTPS (RFC 8484): the question stands in the address, the answer is the body. HTTP/2 is offered first, which
 * the standard recommends and some servers insist on.
 */
import { DNS_MESSAGE_LIMIT } from '@vedette/core'
import { exchange } from '../http/exchange.ts'
import { targetFailure } from '../http/failure.ts'
import type { Hop } from '../http/hop.ts'
import { USER_AGENT, writeRequest } from '../http/request.ts'
import type { Asking, NameServer } from './name-server.ts'
import { type Answer, type Question, readOwnAnswer } from './question.ts'

export const DOH_PATH = '/dns-query'

export interface TimedAnswer {
  answer: Answer
  startedAt: number
  endedAt: number
}

interface Resource {
  path: string
  skipSSL: boolean
}

const MEDIA_TYPE = 'application/dns-message'

export async function askByHttps(
  question: Question,
  { host, address, port }: NameServer,
  { path, skipSSL }: Resource,
  asking: Asking,
): Promise<TimedAnswer> {
  const bare = host.replace(/^\[|\]$/g, '')
  const url = URL.parse(`https://${bare.includes(':') ? `[${bare}]` : bare}:${port}/`)
  if (url === null) throw targetFailure('send', 'ERR_INVALID_URL', `${host} is no host of an address`)
  const [pathname = DOH_PATH, query = ''] = path.split('?', 2)
  url.pathname = pathname
  url.search = `${query === '' ? '' : `${query}&`}dns=${Buffer.from(question.bytes).toString('base64url')}`
  const headers: [string, string][] = [
    ['User-Agent', USER_AGENT],
    ['Accept', MEDIA_TYPE],
  ]
  const text = writeRequest({ method: 'GET', url, headers, body: '', secretNames: new Set() }, null)
  const hop: Hop = {
    url,
    method: 'GET',
    text,
    headers,
    body: '',
    httpVersion: 'auto',
    family: address.includes(':') ? 6 : 4,
    skipSSL,
    certificate: null,
  }
  const limits = { ...asking, proxy: null, keepBytes: DNS_MESSAGE_LIMIT, onTls: () => {} }
  const { response, times } = await exchange(hop, limits)
  const { status, statusText, headers: given, body } = response
  if (status !== 200) {
    const answered = `${status} ${statusText}`.trim()
    throw targetFailure('answer', 'ERR_HTTP_STATUS', `the name server answered with the HTTP status ${answered}`)
  }
  const mediaType = (given['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (mediaType !== MEDIA_TYPE) {
    const what = mediaType === '' ? 'something without a type' : mediaType.slice(0, 100)
    throw targetFailure('answer', 'ERR_NOT_DNS', `expected ${MEDIA_TYPE}, but the answer is ${what}`)
  }
  if (body.isCut) {
    throw targetFailure('answer', 'ERR_MALFORMED_ANSWER', `the answer is longer than ${DNS_MESSAGE_LIMIT} bytes`)
  }
  return { answer: readOwnAnswer(question, body.bytes), startedAt: times.lookedUpAt, endedAt: times.endedAt }
}
