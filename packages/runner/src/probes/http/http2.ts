/**
 * One request and its answer over HTTP/2, on a connection that is ours. The limits are those of an answer over
 * HTTP/1.1; what a server sends beside the answer is counted, so that it cannot keep us busy.
 */
import http2 from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { ProbePhase } from '@vedette/schema'
import { BodyBuffer } from './body-buffer.ts'
import { codeOf, ownFailure, RequestFailure, targetFailure } from './failure.ts'
import type { Hop } from './hop.ts'
import { type Answer, FIELDS_LIMIT, HEAD_LIMIT, INFORMATIONAL_LIMIT, WIRE_LIMIT } from './response-parser.ts'

/** Settings, pings and the like that are no part of an answer. */
const ASIDES_LIMIT = 200
/** So much may be on its way before we have taken it. */
const WINDOW_BYTES = 1024 * 1024

export interface Http2Listener {
  /** The first bytes of the answer are here. */
  onBegin(): void
  onBody(): void
  /** Called once, with the answer or with why there is none. */
  onEnd(answer: Answer): void
  onFailure(error: Error): void
}

/** Returns what ends it early. */
export function requestOverHttp2(socket: TLSSocket, hop: Hop, keepBytes: number, to: Http2Listener): () => void {
  let phase: ProbePhase = 'headers'
  const session = http2.connect(hop.url.origin, {
    createConnection: () => socket,
    maxReservedRemoteStreams: 0,
    maxHeaderListPairs: FIELDS_LIMIT + 2,
    settings: { enablePush: false, maxHeaderListSize: HEAD_LIMIT, initialWindowSize: WINDOW_BYTES },
  })
  const fail = (error: Error) => to.onFailure(error instanceof RequestFailure ? error : failureOf(error, phase))
  let asides = 0
  const aside = () => {
    asides += 1
    if (asides > ASIDES_LIMIT) fail(malformed(phase, `more than ${ASIDES_LIMIT} frames beside the answer`))
  }
  session.on('error', fail)
  session.on('remoteSettings', aside)
  session.on('ping', aside)
  session.on('altsvc', aside)
  session.on('origin', aside)
  session.once('connect', () => session.setLocalWindowSize(WINDOW_BYTES))

  const stream = begin(session, hop)
  session.on('goaway', (code, lastStreamId) => {
    // Streams up to the last one named may still be answered.
    if (code === NO_ERROR && lastStreamId >= (stream.id ?? 1)) return
    fail(targetFailure(phase, 'ERR_HTTP2_GOAWAY', `the server closed the connection with GOAWAY (${nameOf(code)})`))
  })
  session.once('close', () => fail(targetFailure(phase, 'ECONNRESET', `the connection was closed ${during[phase]}`)))

  let answer: Answer | null = null
  let informational = 0
  stream.on('headers', () => {
    to.onBegin()
    informational += 1
    if (informational > INFORMATIONAL_LIMIT) {
      fail(malformed(phase, `more than ${INFORMATIONAL_LIMIT} informational answers`))
    }
  })
  stream.once('response', ({ ':status': status = 0 }, _flags, rawHeaders) => {
    to.onBegin()
    try {
      const headers = readFields(rawHeaders)
      const keep = headers['content-encoding'] === undefined ? keepBytes : WIRE_LIMIT
      answer = { status, statusText: '', httpVersion: 'HTTP/2', headers, cut: false, body: new BodyBuffer(keep) }
      phase = 'body'
      to.onBody()
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
  })
  stream.on('data', (chunk: Buffer) => {
    if (answer === null) return
    answer.body.append(chunk, 0, chunk.length)
    if (answer.body.received <= WIRE_LIMIT) return
    answer.cut = true
    to.onEnd(answer)
  })
  stream.once('end', () => {
    if (answer === null || (stream.rstCode ?? NO_ERROR) !== NO_ERROR) return
    const missing = missingBytes(answer, hop.method)
    if (missing === null) to.onEnd(answer)
    else fail(targetFailure('body', 'ERR_BODY_CUT', missing))
  })
  stream.on('error', fail)
  stream.once('close', () =>
    fail(targetFailure(phase, 'ERR_HTTP2_RESET', `the server broke off the answer (${nameOf(stream.rstCode ?? 0)})`)),
  )
  return () => session.destroy()
}

const { NGHTTP2_NO_ERROR: NO_ERROR } = http2.constants

const during: { readonly [P in ProbePhase]?: string } = {
  headers: 'before an answer came',
  body: 'in the middle of the body',
}

/** The request as HTTP/2 has it: what HTTP/1.1 says in its first line and in Host comes as fields. */
function begin(session: http2.ClientHttp2Session, { method, url, headers, body }: Hop): http2.ClientHttp2Stream {
  const fields: http2.OutgoingHttpHeaders = {
    ':method': method,
    ':scheme': 'https',
    ':authority': url.host,
    ':path': `${url.pathname}${url.search}`,
  }
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    const known = fields[lower]
    if (lower === 'host') fields[':authority'] = value
    else fields[lower] = known === undefined ? value : [known, value].flat().map(String)
  }
  if (body !== '') fields['content-length'] = Buffer.byteLength(body)
  try {
    const stream = session.request(fields, { endStream: body === '' })
    if (body !== '') stream.end(body)
    return stream
  } catch (error) {
    session.on('error', () => {})
    session.destroy()
    throw ownFailure('send', 'ERR_INVALID_HEADER', error instanceof Error ? error.message : String(error))
  }
}

/** Names and values by turns. */
function readFields(raw: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  let bytes = 0
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]]
    bytes += name.length + value.length + 4
    if (bytes > HEAD_LIMIT) {
      throw targetFailure('headers', 'ERR_HEADERS_TOO_LARGE', `the headers are larger than ${HEAD_LIMIT / 1024} KiB`)
    }
    if (name.startsWith(':')) continue
    const known = headers[name]
    headers[name] = known === undefined ? value : `${known}, ${value}`
  }
  return headers
}

function missingBytes({ status, headers, body }: Answer, method: string): string | null {
  const length = Number(headers['content-length'] ?? body.received)
  if (method === 'HEAD' || status === 304 || body.received >= length) return null
  return `the body ended after ${body.received} of ${length} bytes`
}

function failureOf(error: Error, phase: ProbePhase): Error {
  const code = codeOf(error)
  if (!code.startsWith('ERR_HTTP2_')) return error
  if (error.message.includes('ENHANCE_YOUR_CALM')) {
    return targetFailure(phase, 'ERR_HEADERS_TOO_LARGE', `more than ${FIELDS_LIMIT} header fields, or very large ones`)
  }
  return targetFailure(phase, code, `the server does not keep to HTTP/2 (${error.message})`)
}

const malformed = (phase: ProbePhase, what: string) => targetFailure(phase, 'ERR_MALFORMED_ANSWER', what)

/** The codes of RFC 9113, section 7, in their order. */
const NAMES = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
]
const nameOf = (code: number) => NAMES[code] ?? `code ${code}`
