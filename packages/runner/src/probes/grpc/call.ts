/** One gRPC call over HTTP/2: a message there, messages back, and the status that ends it. */
import http2 from 'node:http2'
import type { ProbePhase } from '@vedette/schema'
import { socketFailure, targetFailure, timeoutFailure } from '../http/failure.ts'
import { framed, MESSAGE_LIMIT, messagesIn } from './frames.ts'

export interface GrpcCall {
  /** Such as `/grpc.health.v1.Health/Check`. */
  path: string
  metadata: readonly (readonly [name: string, value: string])[]
  message: Uint8Array
}

export interface GrpcReply {
  status: number
  statusMessage: string
  /** Headers and trailers, lower-case names; repeated ones joined with ", ". */
  metadata: Record<string, string>
  messages: Uint8Array[]
  /** More came than is read. */
  truncated: boolean
  /** Instants of the monotonic clock. */
  sentAt: number
  firstByteAt: number
  endedAt: number
}

const ANSWER_LIMIT = 8 * 1024 * 1024
const HEADER_LIMIT = 32 * 1024

/** Sessions whose other side has said something in HTTP/2. */
const speaking = new WeakSet<http2.ClientHttp2Session>()

/** A session over a connection that is there already. Whoever opens it closes it. */
export function openSession(socket: import('node:net').Socket, authority: string, secure: boolean) {
  const session = http2.connect(`${secure ? 'https' : 'http'}://${authority}`, {
    createConnection: () => socket,
    maxHeaderListPairs: 200,
    maxReservedRemoteStreams: 0,
    settings: { enablePush: false, maxHeaderListSize: HEADER_LIMIT, initialWindowSize: MESSAGE_LIMIT },
  })
  session.once('remoteSettings', () => speaking.add(session))
  // What breaks the session breaks its call, which tells why.
  session.on('error', () => {})
  return session
}

/** @throws RequestFailure that names the phase. */
export function call(
  session: http2.ClientHttp2Session,
  { path, metadata, message }: GrpcCall,
  { signal, limitMs }: { signal: AbortSignal; limitMs: number },
): Promise<GrpcReply> {
  const sentAt = performance.now()
  let phase: ProbePhase = 'headers'
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(timeoutFailure(phase, limitMs))
      return
    }
    let firstByteAt = 0
    let headers: http2.IncomingHttpHeaders = {}
    let trailers: http2.IncomingHttpHeaders = {}
    const chunks: Buffer[] = []
    let bytes = 0
    let truncated = false
    let isOver = false
    let goneAway = ''
    const seen = () => ({ code: stream.rstCode ?? 0, goneAway, phase, speaks: speaking.has(session) })
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      te: 'trailers',
      'content-type': 'application/grpc+proto',
      'grpc-accept-encoding': 'identity',
      'grpc-timeout': `${Math.max(1, Math.round(limitMs))}m`,
      'user-agent': 'Vedette/0.1',
      ...gathered(metadata),
    })
    const finish = (failure: Error | null) => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', expire)
      session.removeListener('goaway', onGoAway)
      session.removeListener('error', onSessionError)
      stream.on('error', () => {})
      stream.close(http2.constants.NGHTTP2_CANCEL)
      if (failure !== null) {
        reject(failure)
        return
      }
      try {
        const endedAt = performance.now()
        const all = { ...headers, ...trailers }
        resolve({
          ...statusOf(headers, trailers),
          metadata: flattened(all),
          messages: truncated ? [] : messagesIn(Buffer.concat(chunks)),
          truncated,
          sentAt,
          firstByteAt: firstByteAt || endedAt,
          endedAt,
        })
      } catch (problem) {
        reject(problem)
      }
    }
    const expire = () => finish(timeoutFailure(phase, limitMs))
    const onGoAway = (code: number) => {
      goneAway = nameOfCode(code)
    }
    const onSessionError = (error: Error) => finish(brokenOff(error, seen()))
    signal.addEventListener('abort', expire)
    session.on('goaway', onGoAway)
    session.on('error', onSessionError)
    stream.on('response', (received) => {
      firstByteAt = performance.now()
      headers = received
      phase = 'body'
    })
    stream.on('trailers', (received) => {
      trailers = received
    })
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > ANSWER_LIMIT) {
        truncated = true
        finish(targetFailure('body', 'ERR_TOO_LARGE', `the answer is larger than ${ANSWER_LIMIT / 2 ** 20} MB`))
      } else chunks.push(chunk)
    })
    stream.on('end', () => {
      if (firstByteAt > 0) finish(null)
    })
    stream.on('error', (error: Error) => finish(brokenOff(error, seen())))
    stream.on('close', () => {
      if (firstByteAt > 0 && stream.rstCode === 0) finish(null)
      else finish(brokenOff(null, seen()))
    })
    stream.end(framed(message))
  })
}

function gathered(metadata: GrpcCall['metadata']): http2.OutgoingHttpHeaders {
  const headers: Record<string, string[]> = Object.create(null)
  for (const [name, value] of metadata) {
    const key = name.toLowerCase()
    headers[key] = [...(headers[key] ?? []), value]
  }
  return headers
}

/** The status is in the trailers, or in the headers of an answer that has nothing else. */
function statusOf(headers: http2.IncomingHttpHeaders, trailers: http2.IncomingHttpHeaders) {
  const from = trailers['grpc-status'] === undefined ? headers : trailers
  const text = String(from['grpc-status'] ?? '')
  if (!/^\d{1,3}$/.test(text)) {
    const type = String(headers['content-type'] ?? 'nothing')
    const http = Number(headers[':status'] ?? 0)
    const what = http === 200 ? `an answer of ${type} without a gRPC status` : `HTTP status ${http} and no gRPC status`
    throw targetFailure('headers', 'ERR_NOT_GRPC', `the server does not speak gRPC here: it sent ${what}`)
  }
  return { status: Number(text), statusMessage: decoded(String(from['grpc-message'] ?? '')) }
}

/** Percent-encoded; what is not is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function flattened(headers: http2.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !name.startsWith(':'))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value ?? '')]),
  )
}

interface Seen {
  /** With which the other side ended the stream; 0: it did not. */
  code: number
  goneAway: string
  phase: ProbePhase
  speaks: boolean
}

function brokenOff(error: Error | null, { code, goneAway, phase, speaks }: Seen) {
  if (goneAway !== '') return targetFailure(phase, 'ERR_GOAWAY', `the server closed the session (${goneAway})`)
  const isProtocol = error !== null && 'code' in error && String(error.code).startsWith('ERR_HTTP2')
  if (!speaks && isProtocol)
    return targetFailure(phase, 'ERR_NOT_HTTP2', 'the server does not speak HTTP/2, which gRPC needs')
  if (error !== null && !isProtocol) return socketFailure(error, phase)
  if (speaks && code !== 0)
    return targetFailure(phase, 'ERR_RST_STREAM', `the server broke off the call (${nameOfCode(code)})`)
  return targetFailure(phase, 'ECONNRESET', 'the connection was closed before the call ended')
}

function nameOfCode(code: number): string {
  const entry = Object.entries(http2.constants).find(
    ([name, value]) => value === code && /^NGHTTP2_[A-Z_]+$/.test(name) && ERROR_NAMES.test(name),
  )
  return entry?.[0].replace('NGHTTP2_', '') ?? String(code)
}

const ERROR_NAMES =
  /^NGHTTP2_(?:NO_ERROR|PROTOCOL_ERROR|INTERNAL_ERROR|FLOW_CONTROL_ERROR|SETTINGS_TIMEOUT|STREAM_CLOSED|FRAME_SIZE_ERROR|REFUSED_STREAM|CANCEL|COMPRESSION_ERROR|CONNECT_ERROR|ENHANCE_YOUR_CALM|INADEQUATE_SECURITY|HTTP_1_1_REQUIRED)$/
