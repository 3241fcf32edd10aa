/**
 * Connects, sends what there is to send, and reads until the other side closes, falls silent after it has said
 * something, or has said enough. Where nothing is to be read, the connection is the answer.
 */
import type { TcpObservation, TcpRequest, TcpResponse } from '@vedette/schema'
import { addressWithin } from './address.ts'
import { type Connected, connect } from './connection.ts'
import { hear } from './hear.ts'
import { RequestFailure } from './http/failure.ts'
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
      const { hostname: host, port, tls: secure = false, skipSSL = false } = request
      const to = { address: resolvedIp, port, tls: secure ? { host, skipSSL } : null }
      const { readyAt, lastByteAt, ...heard } = await connect(to, context, (connected) =>
        converse(connected, request, context),
      )
      const timingPhases = {
        dns: round(lookedUpAt - startedAt),
        connection: round(readyAt - lookedUpAt),
        data: round(lastByteAt - readyAt),
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

type Heard = Omit<TcpResponse, 'timingPhases'> & { readyAt: number; lastByteAt: number }

async function converse({ socket, readyAt }: Connected, { data }: TcpRequest, context: RunContext): Promise<Heard> {
  const { keepBytes } = context
  const pieces: Buffer[] = []
  let length = 0
  let lastByteAt = readyAt
  const heard = (isCut: boolean): Heard => {
    const truncated = isCut || length > keepBytes
    return { data: decode(Buffer.concat(pieces), keepBytes, truncated), truncated, readyAt, lastByteAt }
  }
  if (keepBytes === 0) return heard(false)
  if (data) socket.write(data, 'utf8')
  const listener = {
    phase: 'data',
    idleMs: IDLE_MS,
    receive(bytes: Buffer) {
      lastByteAt = performance.now()
      pieces.push(bytes)
      length += bytes.length
      return length > keepBytes ? heard(true) : null
    },
    /** A side that hangs up before it is told anything has nothing to say: what was asked of it, the judge knows. */
    end() {
      if (length === 0) lastByteAt = performance.now()
      return heard(false)
    },
    // What drips until the end is an answer too, as far as it came.
    expire: () => (length > 0 ? heard(true) : null),
  } as const
  return hear(socket, listener, context)
}

/** A character that was cut in two is left out, not replaced. */
function decode(bytes: Buffer, limit: number, truncated: boolean): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, limit), { stream: truncated })
}
