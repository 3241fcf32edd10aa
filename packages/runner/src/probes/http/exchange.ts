/**
 * One request and its answer over a connection of its own, which is closed afterwards whatever happened. The caller's
 * signal ends it in every phase.
 */
import net from 'node:net'
import tls from 'node:tls'
import type { ProbePhase } from '@vedette/schema'
import { untilAborted } from '../connection.ts'
import { RequestFailure, socketFailure, timeoutFailure } from './failure.ts'
import type { Hop, HopContext } from './hop.ts'
import { connectToProxy } from './proxy.ts'
import { ResponseParser } from './response-parser.ts'

/** Instants of the monotonic clock. */
export interface HopTimes {
  startedAt: number
  lookedUpAt: number
  connectedAt: number
  firstByteAt: number
  endedAt: number
}

export interface HopAnswer {
  response: ResponseParser
  times: HopTimes
}

/** Throws a failure that names the phase. */
export async function exchange(hop: Hop, context: HopContext): Promise<HopAnswer> {
  const { signal, dialer, proxy, limitMs } = context
  const startedAt = performance.now()
  const secure = hop.url.protocol === 'https:'
  const port = Number(hop.url.port) || (secure ? 443 : 80)
  if (proxy !== null) {
    // Names are the proxy's to resolve; what is numeric is judged all the same.
    dialer.literalOf(hop.url.hostname)
    const tunnel = await connectToProxy(proxy, secure ? `${hop.url.hostname}:${port}` : null, context)
    return converse(hop, context, { startedAt, lookedUpAt: performance.now(), isConnected: true }, (receive) => {
      const socket = secure ? tls.connect({ ...tlsOptions(hop), socket: tunnel }) : tunnel
      return socket.on('data', receive)
    })
  }
  const address =
    dialer.literalOf(hop.url.hostname) ??
    (await untilAborted(dialer.addressOf(hop.url.hostname, hop.family), signal, 'dns', limitMs))
  return converse(hop, context, { startedAt, lookedUpAt: performance.now(), isConnected: false }, (receive) => {
    const callback = (bytes: number) => {
      receive(READ_BUFFER.subarray(0, bytes))
      return true
    }
    const onread = { buffer: READ_BUFFER, callback }
    const options = { host: address, port, onread }
    return secure ? tls.connect({ ...tlsOptions(hop), ...options }) : net.connect(options)
  })
}

/**
 * All connections read into one buffer: what arrives is taken out of it before anything else can be read. It saves an
 * allocation a read and the whole machinery of a readable stream.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024)

/** One for all: building it costs a quarter of a handshake. */
let secureContext: tls.SecureContext | undefined
const ALPN = Buffer.from('\x08http/1.1', 'latin1')

function tlsOptions({ url, skipSSL }: Hop): tls.ConnectionOptions {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  secureContext ??= tls.createSecureContext()
  return {
    secureContext,
    ALPNProtocols: ALPN,
    rejectUnauthorized: !skipSSL,
    servername: net.isIP(host) === 0 ? host.replace(/\.$/, '') : '',
  }
}

interface Begun {
  startedAt: number
  lookedUpAt: number
  /** Through a proxy, which is connected when the exchange begins. */
  isConnected: boolean
}

function converse(
  hop: Hop,
  context: HopContext,
  begun: Begun,
  open: (receive: (chunk: Buffer) => void) => net.Socket,
): Promise<HopAnswer> {
  const { signal, limitMs, dialer } = context
  const secure = hop.url.protocol === 'https:'
  const response = new ResponseParser(hop.method, context.keepBytes)
  const { startedAt, lookedUpAt, isConnected } = begun
  const times = { startedAt, lookedUpAt, connectedAt: lookedUpAt, firstByteAt: 0, endedAt: 0 }
  let phase: ProbePhase = isConnected && secure ? 'tls' : 'connect'

  return new Promise((resolve, reject) => {
    let isOver = false
    const finish = (failure: unknown) => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', expire)
      socket.destroy()
      times.endedAt = performance.now()
      if (failure === null) resolve({ response, times })
      else if (failure instanceof RequestFailure) reject(failure)
      else reject(failure instanceof Error ? socketFailure(failure, phase) : new Error(String(failure)))
    }
    const expire = () => finish(timeoutFailure(phase, limitMs))
    const send = () => {
      times.connectedAt = performance.now()
      phase = 'headers'
      socket.write(hop.text, 'utf8')
    }
    const receive = (chunk: Buffer) => {
      if (isOver) return
      if (times.firstByteAt === 0) times.firstByteAt = performance.now()
      try {
        response.push(chunk)
      } catch (failure) {
        finish(failure)
        return
      }
      if (response.isInBody) phase = 'body'
      if (response.isDone) finish(null)
    }

    if (signal.aborted) {
      reject(timeoutFailure(phase, limitMs))
      return
    }
    signal.addEventListener('abort', expire)
    const socket = open(receive)
    if (!isConnected) {
      socket.once('connect', () => {
        try {
          // What we are connected to is judged too, not only what we meant to dial.
          dialer.check(socket.remoteAddress ?? '')
        } catch (failure) {
          finish(failure)
          return
        }
        if (secure) phase = 'tls'
        else send()
      })
    }
    if (secure) socket.once('secureConnect', send)
    else if (isConnected) send()
    socket.on('error', finish)
    socket.once('end', () => {
      if (isOver) return
      try {
        if (phase === 'tls') throw closed()
        response.end()
        finish(null)
      } catch (failure) {
        finish(failure)
      }
    })
    socket.once('close', () => {
      if (!isOver) finish(closed())
    })
  })
}

const closed = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
