/**
 * One request and its answer over a connection of its own, which is closed afterwards whatever happened. The caller's
 * signal ends it in every phase.
 */
import net from 'node:net'
import tls from 'node:tls'
import type { HttpVersion, ProbePhase } from '@vedette/schema'
import { untilAborted } from '../address.ts'
import { bareHost, plainContext, reset, serverNameOf } from '../connection.ts'
import { contextWith, refusalOf } from './client-certificate.ts'
import { RequestFailure, socketFailure, targetFailure, timeoutFailure } from './failure.ts'
import type { Hop, HopContext } from './hop.ts'
import { requestOverHttp2 } from './http2.ts'
import { connectToProxy } from './proxy.ts'
import { type Answer, ResponseParser } from './response-parser.ts'
import { problemOf, tlsDetails } from './tls-details.ts'

/** Instants of the monotonic clock. */
export interface HopTimes {
  startedAt: number
  lookedUpAt: number
  connectedAt: number
  firstByteAt: number
  endedAt: number
}

export interface HopAnswer {
  response: Answer
  times: HopTimes
}

/** Throws a failure that names the phase. */
export async function exchange(hop: Hop, context: HopContext): Promise<HopAnswer> {
  const { signal, dialer, proxy, limitMs } = context
  const startedAt = performance.now()
  const secure = hop.url.protocol === 'https:'
  const port = Number(hop.url.port) || (secure ? 443 : 80)
  const secured = secure ? tlsOptions(hop) : null
  if (proxy !== null) {
    // Names are the proxy's to resolve; what is numeric is judged all the same.
    dialer.literalOf(hop.url.hostname)
    const tunnel = await connectToProxy(proxy, secure ? `${hop.url.hostname}:${port}` : null, context)
    return converse(hop, context, { startedAt, lookedUpAt: performance.now(), isConnected: true }, (receive) => {
      const socket = secured === null ? tunnel : tls.connect({ ...secured, socket: tunnel })
      return receive === null ? socket : socket.on('data', receive)
    })
  }
  const address =
    dialer.literalOf(hop.url.hostname) ??
    (await untilAborted(dialer.addressOf(hop.url.hostname, hop.family), signal, () => timeoutFailure('dns', limitMs)))
  return converse(hop, context, { startedAt, lookedUpAt: performance.now(), isConnected: false }, (receive) => {
    if (receive === null && secured !== null) return tls.connect({ ...secured, host: address, port })
    const callback = (bytes: number) => {
      receive?.(READ_BUFFER.subarray(0, bytes))
      return true
    }
    const onread = { buffer: READ_BUFFER, callback }
    const options = { host: address, port, onread }
    return secured === null ? net.connect(options) : tls.connect({ ...secured, ...options })
  })
}

/**
 * All connections read into one buffer: what arrives is taken out of it before anything else can be read. It saves an
 * allocation a read and the whole machinery of a readable stream.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024)

const ALPN: { readonly [V in HttpVersion]: Buffer } = {
  'HTTP/1.1': Buffer.from('\x08http/1.1', 'latin1'),
  'HTTP/2': Buffer.from('\x02h2', 'latin1'),
  auto: Buffer.from('\x02h2\x08http/1.1', 'latin1'),
}

/** The handshake is completed with whoever answers; `acceptPeer` decides, so that what was refused can be shown. */
function tlsOptions({ url, certificate, httpVersion }: Hop): tls.ConnectionOptions {
  const host = bareHost(url.hostname)
  return {
    secureContext: certificate === null ? plainContext() : contextWith(certificate),
    ALPNProtocols: ALPN[httpVersion],
    rejectUnauthorized: false,
    checkServerIdentity: (_, theirs) => tls.checkServerIdentity(host, theirs),
    servername: serverNameOf(host),
  }
}

/** Throws when the certificate is not for this host or not to be trusted, unless that is to be overlooked. */
function acceptPeer(socket: tls.TLSSocket, { url, skipSSL }: Hop, { onTls }: HopContext): void {
  const problem = problemOf(socket, bareHost(url.hostname))
  onTls(tlsDetails(socket, problem))
  if (problem !== null && !skipSSL) throw problem
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
  /** Null: nothing is read before the protocol is agreed on. */
  open: (receive: ((chunk: Buffer) => void) | null) => net.Socket,
): Promise<HopAnswer> {
  const { signal, limitMs, dialer } = context
  const secure = hop.url.protocol === 'https:'
  const isAgreedOn = secure && hop.httpVersion !== 'HTTP/1.1'
  const response = new ResponseParser(hop.method, context.keepBytes)
  const { startedAt, lookedUpAt, isConnected } = begun
  const times = { startedAt, lookedUpAt, connectedAt: lookedUpAt, firstByteAt: 0, endedAt: 0 }
  let phase: ProbePhase = isConnected && secure ? 'tls' : 'connect'

  return new Promise((resolve, reject) => {
    let isOver = false
    let isHttp2 = false
    let endHttp2 = () => {}
    let answer: Answer = response
    const finish = (failure: unknown) => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', expire)
      times.endedAt = performance.now()
      endHttp2()
      socket.destroy()
      if (failure === null) resolve({ response: answer, times })
      else if (failure instanceof RequestFailure) reject(failure)
      else if (!(failure instanceof Error)) reject(new Error(String(failure)))
      else reject(refusalOf(failure, hop.certificate, phase) ?? socketFailure(failure, phase))
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

    const sendOverHttp2 = (connected: tls.TLSSocket) => {
      times.connectedAt = performance.now()
      phase = 'headers'
      isHttp2 = true
      endHttp2 = requestOverHttp2(connected, hop, context.keepBytes, {
        onBegin: () => {
          if (times.firstByteAt === 0) times.firstByteAt = performance.now()
        },
        onBody: () => {
          phase = 'body'
        },
        onEnd: (whole) => {
          answer = whole
          finish(null)
        },
        onFailure: finish,
      })
    }

    if (signal.aborted) {
      reject(timeoutFailure(phase, limitMs))
      return
    }
    signal.addEventListener('abort', expire)
    const socket = open(isAgreedOn ? null : receive)
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
    if (socket instanceof tls.TLSSocket) {
      socket.once('secureConnect', () => {
        try {
          acceptPeer(socket, hop, context)
          if (socket.alpnProtocol === 'h2') sendOverHttp2(socket)
          else if (hop.httpVersion === 'HTTP/2') throw noHttp2()
          else {
            if (isAgreedOn) socket.on('data', receive)
            send()
          }
        } catch (failure) {
          finish(failure)
        }
      })
    } else if (isConnected) send()
    socket.on('error', finish)
    socket.once('end', () => {
      if (isOver) return
      try {
        if (phase === 'tls' || isHttp2) throw reset()
        response.end()
        finish(null)
      } catch (failure) {
        finish(failure)
      }
    })
    socket.once('close', () => {
      if (!isOver) finish(reset())
    })
  })
}

const noHttp2 = () => targetFailure('tls', 'ERR_HTTP2_NOT_OFFERED', 'the server does not offer HTTP/2')
