/** Puts one question to one name server, in the way that was asked for. */
import { RECORD_TYPES } from '@vedette/core'
import type { DnsProtocol } from '@vedette/schema'
import { RequestFailure } from '../http/failure.ts'
import { askByHttps, DOH_PATH } from './https.ts'
import type { Asking, NameServer } from './name-server.ts'
import { type Answer, ask, type Question } from './question.ts'
import { askByStream } from './stream.ts'
import { askByUdp } from './udp.ts'

export interface Wanted {
  name: string
  type: number
  /** Null: UDP, and TCP once more when the answer was cut. */
  protocol: DnsProtocol | null
  path?: string | undefined
  /** With encrypted protocols: any certificate will do. */
  skipSSL: boolean
}

export interface Consultation {
  answer: Answer
  protocol: DnsProtocol
  /** From the question, or the connection for it, to the whole answer. */
  tookMs: number
}

interface Ways extends Asking {
  /** Judges the address that we are connected to. */
  check: (address: string) => void
}

const FORMERR = 1
const NOTIMP = 4

/** Throws a failure of the target. */
export async function consult(wanted: Wanted, server: NameServer, ways: Ways): Promise<Consultation> {
  const startedAt = performance.now()
  const first = await put(wanted, wanted.protocol ?? 'UDP', server, ways)
  if (wanted.protocol !== null || !first.answer.flags.tc) return first
  try {
    const { answer } = await put(wanted, 'TCP', server, ways)
    return { answer, protocol: 'TCP', tookMs: performance.now() - startedAt }
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error
    const { blame, code, phase, message } = error
    throw new RequestFailure({ blame, code, phase, message: `${message} (over TCP, since the answer by UDP was cut)` })
  }
}

/** Servers older than extensions are asked again without. */
async function put(wanted: Wanted, protocol: DnsProtocol, server: NameServer, ways: Ways): Promise<Consultation> {
  const startedAt = performance.now()
  const { name, type } = wanted
  // Answers over HTTP are cached by their address: the same question has the same number.
  const numbered = protocol === 'DOH' ? { id: 0 } : {}
  const first = await send(ask(name, type, numbered), protocol, server, wanted, ways)
  const { rcode, additionals } = first.answer
  const isPlain = !additionals.some((record) => record.type === RECORD_TYPES.OPT)
  if ((rcode !== FORMERR && rcode !== NOTIMP) || !isPlain) return { ...first, protocol }
  const second = await send(ask(name, type, { ...numbered, hasExtensions: false }), protocol, server, wanted, ways)
  return { answer: second.answer, protocol, tookMs: performance.now() - startedAt }
}

async function send(
  question: Question,
  protocol: DnsProtocol,
  server: NameServer,
  { path, skipSSL }: Wanted,
  ways: Ways,
): Promise<{ answer: Answer; tookMs: number }> {
  if (protocol === 'DOH') {
    const { answer, startedAt, endedAt } = await askByHttps(question, server, { path: path ?? DOH_PATH, skipSSL }, ways)
    return { answer, tookMs: endedAt - startedAt }
  }
  const startedAt = performance.now()
  const answer =
    protocol === 'UDP'
      ? await askByUdp(question, server, ways)
      : await askByStream(question, server, { ...ways, secure: protocol === 'DOT', skipSSL })
  return { answer, tookMs: performance.now() - startedAt }
}
