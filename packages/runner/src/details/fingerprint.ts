/** A name for what an answer tells, equal for answers that tell the same: headers that change every time are left out. */
import { hash } from 'node:crypto'
import type { AssertionOutcome, HttpResponse, TlsDetails } from '@vedette/schema'

const VOLATILE = new Set([
  'age',
  'alt-svc',
  'connection',
  'content-security-policy',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'nel',
  'report-to',
  'server-timing',
  'set-cookie',
  'traceparent',
  'tracestate',
  'via',
  'x-runtime',
  'x-timer',
  'x-varnish',
])
const VOLATILE_PART =
  /(?:request|trace|correlation|transaction|session)-?id|rate-?limit|^cf-|^x-amz|^x-cache|^x-served|^x-b3-|-time$|nonce/

/** The same names come with every answer. */
const known = new Map<string, boolean>()

function isVolatile(name: string): boolean {
  let answer = known.get(name)
  if (answer === undefined) {
    answer = VOLATILE.has(name) || VOLATILE_PART.test(name)
    if (known.size > 5000) known.clear()
    known.set(name, answer)
  }
  return answer
}

export function fingerprintOf(
  { status, statusText, headers, truncated }: HttpResponse,
  storedBody: string,
  assertions: readonly AssertionOutcome[],
  tls: TlsDetails | null,
): string {
  let text = `${status} ${statusText} ${truncated}\n`
  for (const name in headers) if (!isVolatile(name)) text += `${name}:${headers[name]}\n`
  for (const { error } of assertions) text += `${error}\n`
  if (tls !== null) text += `${tls.protocol} ${tls.chain[0]?.fingerprint256}\n`
  return hash('sha1', `${text}\n${storedBody}`, 'base64url')
}
