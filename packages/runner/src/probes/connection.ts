/**
 * A connection to a target, judged by the egress policy before and after it is made. The caller's signal ends it in
 * every phase, and whoever gets it closes it.
 */
import net from 'node:net'
import tls from 'node:tls'
import type { ProbePhase } from '@vedette/schema'
import type { Dialer } from './http/dialer.ts'
import { RequestFailure, socketFailure, timeoutFailure } from './http/failure.ts'

export interface Destination {
  /** A name or an address; IPv6 with or without brackets. */
  host: string
  port: number
  family: 4 | 6
  /** Null: in the clear. */
  tls: { skipSSL: boolean; protocols: readonly string[] } | null
}

/** Instants of the monotonic clock. */
export interface Connected {
  socket: net.Socket
  address: string
  /** By ALPN; null in the clear and where the server chose none. */
  protocol: string | null
  startedAt: number
  lookedUpAt: number
  connectedAt: number
  /** With TLS when the handshake was done, else as `connectedAt`. */
  readyAt: number
}

interface Limits {
  signal: AbortSignal
  limitMs: number
  dialer: Dialer
}

/** @throws RequestFailure that names the phase. */
export async function connect(to: Destination, { signal, limitMs, dialer }: Limits): Promise<Connected> {
  const startedAt = performance.now()
  const address =
    dialer.literalOf(to.host) ?? (await untilAborted(dialer.addressOf(to.host, to.family), signal, 'dns', limitMs))
  const lookedUpAt = performance.now()
  let phase: ProbePhase = 'connect'
  let connectedAt = lookedUpAt
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(timeoutFailure(phase, limitMs))
      return
    }
    const socket = to.tls === null ? net.connect({ host: address, port: to.port }) : connectTls(to, to.tls, address)
    const settle = () => {
      signal.removeEventListener('abort', expire)
      socket.removeListener('error', fail)
      socket.removeListener('close', closed)
    }
    const fail = (error: Error) => {
      settle()
      socket.on('error', () => {})
      socket.destroy()
      reject(error instanceof RequestFailure ? error : socketFailure(error, phase))
    }
    const expire = () => fail(timeoutFailure(phase, limitMs))
    const closed = () => fail(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
    const succeed = () => {
      settle()
      const protocol = socket instanceof tls.TLSSocket && socket.alpnProtocol ? socket.alpnProtocol : null
      resolve({ socket, address, protocol, startedAt, lookedUpAt, connectedAt, readyAt: performance.now() })
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

function connectTls(to: Destination, { skipSSL, protocols }: NonNullable<Destination['tls']>, address: string) {
  const host = to.host.startsWith('[') ? to.host.slice(1, -1) : to.host
  return tls.connect({
    host: address,
    port: to.port,
    ALPNProtocols: [...protocols],
    rejectUnauthorized: !skipSSL,
    servername: net.isIP(host) === 0 ? host.replace(/\.$/, '') : '',
  })
}

/** Work that cannot be called back is left alone when time is up. */
export async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  phase: ProbePhase,
  limitMs: number,
): Promise<T> {
  let expire = () => {}
  const expired = new Promise<never>((_, reject) => {
    expire = () => reject(timeoutFailure(phase, limitMs))
    if (signal.aborted) expire()
    else signal.addEventListener('abort', expire)
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    signal.removeEventListener('abort', expire)
  }
}
