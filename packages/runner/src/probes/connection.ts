/**
 * A connection to a target: the one place where probes connect, but for HTTP, which reads in its own way. It is judged by
 * the egress policy when it is made, ended by the caller's signal in every phase, and closed when its use is over.
 */
import net from 'node:net'
import tls from 'node:tls'
import type { ProbePhase } from '@vedette/schema'
import { RequestFailure, socketFailure, timeoutFailure } from './http/failure.ts'

export interface Destination {
  /** Numeric. */
  address: string
  port: number
  /** Null: in the clear. */
  tls: Securing | null
}

export interface Securing {
  /** Asked for, and what the certificate must be for: a name or an address, IPv6 with or without brackets. */
  host: string
  /** Any certificate will do. */
  skipSSL: boolean
  /** Offered by ALPN. */
  protocols?: readonly string[]
  /** Versions, ciphers, certificates; otherwise what is usual. */
  secureContext?: tls.SecureContext
  /** The answer of the authority is asked for, and told before the handshake ends; null: none came. */
  onStapled?: (answer: Buffer | null) => void
}

/** Instants of the monotonic clock. */
export interface Connected {
  socket: net.Socket
  /** By ALPN; null in the clear and where the server chose none. */
  protocol: string | null
  startedAt: number
  connectedAt: number
  /** With TLS when the handshake was done, else as `connectedAt`. */
  readyAt: number
}

export interface Limits {
  signal: AbortSignal
  /** For messages. */
  limitMs: number
}

interface Permitted extends Limits {
  dialer: { check(address: string): void }
}

/**
 * `use` begins while the connection is fresh, so that nothing that comes over it is missed. Then the connection is closed.
 *
 * @throws RequestFailure that names the phase.
 */
export function connect<T>(
  to: Destination,
  { signal, limitMs, dialer }: Permitted,
  use: (connected: Connected) => T | Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  let connectedAt = startedAt
  let phase: ProbePhase = 'connect'
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(timeoutFailure(phase, limitMs))
      return
    }
    const { address: host, port } = to
    const socket = to.tls === null ? net.connect({ host, port }) : tls.connect({ host, port, ...secured(to.tls) })
    if (to.tls?.onStapled !== undefined) socket.once('OCSPResponse', to.tls.onStapled)
    const settle = () => {
      signal.removeEventListener('abort', expire)
      socket.removeListener('error', fail)
      socket.removeListener('close', closed)
      // What breaks it from now on is for its user to hear, as long as there is one.
      socket.on('error', () => {})
    }
    const fail = (error: Error) => {
      settle()
      socket.destroy()
      reject(error instanceof RequestFailure ? error : socketFailure(error, phase))
    }
    const expire = () => fail(timeoutFailure(phase, limitMs))
    const closed = () => fail(reset())
    const succeed = () => {
      settle()
      const protocol = socket instanceof tls.TLSSocket && socket.alpnProtocol ? socket.alpnProtocol : null
      const connected = { socket, protocol, startedAt, connectedAt, readyAt: performance.now() }
      const used = (async () => use(connected))()
      resolve(used.finally(() => socket.destroy()))
    }
    signal.addEventListener('abort', expire)
    socket.on('error', fail)
    socket.on('close', closed)
    socket.once('connect', () => {
      connectedAt = performance.now()
      try {
        // What we are connected to is judged too, not only what we meant to dial.
        dialer.check(socket.remoteAddress ?? '')
      } catch (failure) {
        fail(failure instanceof Error ? failure : new Error(String(failure)))
        return
      }
      if (to.tls === null) succeed()
      else phase = 'tls'
    })
    if (to.tls !== null) socket.once('secureConnect', succeed)
  })
}

function secured({ host, skipSSL, protocols = [], secureContext, onStapled }: Securing): tls.ConnectionOptions {
  return {
    secureContext: secureContext ?? plainContext(),
    servername: serverNameOf(host),
    rejectUnauthorized: !skipSSL,
    requestOCSP: onStapled !== undefined,
    ...(protocols.length > 0 ? { ALPNProtocols: [...protocols] } : {}),
  }
}

/** One for all: building it costs a quarter of a handshake. */
let sharedContext: tls.SecureContext | undefined
export function plainContext(): tls.SecureContext {
  sharedContext ??= tls.createSecureContext()
  return sharedContext
}

/** As certificates spell it: without the brackets of an address and the dot at the end of a name. */
export const bareHost = (host: string) => (host.startsWith('[') ? host.slice(1, -1) : host.replace(/\.$/, ''))

/** Servers are not asked for addresses by name. */
export function serverNameOf(host: string): string {
  const bare = bareHost(host)
  return net.isIP(bare) === 0 ? bare : ''
}

export const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
