/**
 * Connects, sends what there is to send, and reads until the other side closes, falls silent after it has said
 * something, or has said enough. Where nothing is to be read, the connection is the answer.
 */
import net from 'node:net'
import tls from 'node:tls'
import type { ProbePhase, TcpObservation, TcpRequest, TcpResponse } from '@vedette/schema'
import { addressWithin } from './address.ts'
import { RequestFailure, socketFailure, timeoutFailure } from './http/failure.ts'
import type { Probe, RunContext } from './probe.ts'

/** Who has said something and then nothing for so long has said all. */
const IDLE_MS = 1000

export const tcpProbe: Probe<'TCP'> = {
  async observe({ request }, context): Promise<TcpObservation> {
    const startedAt = performance.now()
    let resolvedIp: string | null = null
    try {
      resolvedIp = await addressWithin(request.hostname, request.ipFamily, context)
      const lookedUpAt = performance.now()
      const { connectedAt, lastByteAt, ...heard } = await converse(request, resolvedIp, context)
      const timingPhases = {
        dns: round(lookedUpAt - startedAt),
        connection: round(connectedAt - lookedUpAt),
        data: round(lastByteAt - connectedAt),
        total: round(lastByteAt - startedAt),
      }
      const responseTimeMs = context.keepBytes > 0 ? timingPhases.total : timingPhases.connection
      return { resolvedIp, response: { ...heard, timingPhases }, failure: null, responseTimeMs }
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      const { blame, code, message, phase } = error
      const responseTimeMs = performance.now() - startedAt
      return { resolvedIp, response: null, failure: { blame, code, message, phase }, responseTimeMs }
    }
  },
}

const round = (ms: number) => Math.round(ms * 1000) / 1000

type Heard = Omit<TcpResponse, 'timingPhases'> & { connectedAt: number; lastByteAt: number }

function converse(
  { hostname, port, data, tls: secure = false, skipSSL = false }: TcpRequest,
  address: string,
  { signal, limitMs, dialer, keepBytes }: RunContext,
): Promise<Heard> {
  let phase: ProbePhase = 'connect'
  let connectedAt = 0
  let lastByteAt = 0
  const pieces: Buffer[] = []
  let length = 0

  return new Promise((resolve, reject) => {
    let isOver = false
    let idle: NodeJS.Timeout | undefined
    const end = () => {
      isOver = true
      clearTimeout(idle)
      signal.removeEventListener('abort', expire)
      socket.destroy()
    }
    const answer = (isCut: boolean) => {
      if (isOver) return
      end()
      const truncated = isCut || length > keepBytes
      resolve({ data: decode(Buffer.concat(pieces), keepBytes, truncated), truncated, connectedAt, lastByteAt })
    }
    const fail = (failure: Error) => {
      if (isOver) return
      end()
      reject(failure instanceof RequestFailure ? failure : socketFailure(failure, phase))
    }
    // What drips until the end is an answer too, as far as it came.
    const expire = () => (length > 0 ? answer(true) : fail(timeoutFailure(phase, limitMs)))
    const ready = () => {
      connectedAt = performance.now()
      lastByteAt = connectedAt
      phase = 'data'
      if (keepBytes === 0) return answer(false)
      if (data) socket.write(data, 'utf8')
    }
    const receive = (bytes: Buffer) => {
      if (isOver) return
      lastByteAt = performance.now()
      pieces.push(bytes)
      length += bytes.length
      clearTimeout(idle)
      if (length > keepBytes) answer(true)
      else idle = setTimeout(() => answer(false), IDLE_MS)
    }

    if (signal.aborted) {
      reject(timeoutFailure(phase, limitMs))
      return
    }
    const socket = secure
      ? tls.connect({ host: address, port, ...handshake(hostname, skipSSL) })
      : net.connect({ host: address, port })
    signal.addEventListener('abort', expire)
    socket.once('connect', () => {
      try {
        // What we are connected to is judged too, not only what we meant to dial.
        dialer.check(socket.remoteAddress ?? '')
      } catch (failure) {
        fail(failure instanceof Error ? failure : new Error(String(failure)))
        return
      }
      if (secure) phase = 'tls'
      else ready()
    })
    if (secure) socket.once('secureConnect', ready)
    socket.on('data', receive)
    socket.on('error', fail)
    socket.once('end', () => (phase === 'data' ? closed() : fail(reset())))
    socket.once('close', () => fail(reset()))

    /** A side that hangs up before it is told anything has nothing to say: what was asked of it, the judge knows. */
    function closed(): void {
      lastByteAt = length === 0 ? performance.now() : lastByteAt
      answer(false)
    }
  })
}

const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

/** One for all: building it costs a quarter of a handshake. */
let secureContext: tls.SecureContext | undefined

function handshake(hostname: string, skipSSL: boolean): tls.ConnectionOptions {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  secureContext ??= tls.createSecureContext()
  const servername = net.isIP(host) === 0 ? host.replace(/\.$/, '') : ''
  return { secureContext, servername, rejectUnauthorized: !skipSSL }
}

/** A character that was cut in two is left out, not replaced. */
function decode(bytes: Buffer, limit: number, truncated: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, limit), { stream: truncated })
}
