/** Asks over a connection, plain or encrypted (RFC 7858). Each message has its length before it. */
import net from 'node:net'
import tls from 'node:tls'
import type { ProbePhase } from '@vedette/schema'
import { RequestFailure, socketFailure, targetFailure, timeoutFailure } from '../http/failure.ts'
import type { NameServer, Patience } from './name-server.ts'
import { type Answer, type Question, readOwnAnswer } from './question.ts'

interface Options extends Patience {
  secure: boolean
  /** Judges the address that we are connected to. */
  check: (address: string) => void
}

export function askByStream(question: Question, server: NameServer, options: Options): Promise<Answer> {
  const { signal, limitMs, secure, check } = options
  return new Promise((resolve, reject) => {
    let phase: ProbePhase = 'connect'
    if (signal.aborted) {
      reject(timeoutFailure(phase, limitMs))
      return
    }
    let isOver = false
    const received = new Frame()
    const finish = (outcome: Answer | Error) => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', expire)
      socket.destroy()
      if (!(outcome instanceof Error)) resolve(outcome)
      else reject(outcome instanceof RequestFailure ? outcome : socketFailure(outcome, phase))
    }
    const expire = () => finish(timeoutFailure(phase, limitMs))
    const attempt = (work: () => void) => {
      try {
        work()
      } catch (error) {
        finish(error instanceof Error ? error : new Error(String(error)))
      }
    }
    const send = () => {
      phase = 'answer'
      socket.write(framed(question.bytes))
    }
    signal.addEventListener('abort', expire)
    const { address: host, port } = server
    const socket = secure ? tls.connect({ ...tlsOptions(server), host, port }) : net.connect({ host, port })
    socket.once('connect', () =>
      attempt(() => {
        check(socket.remoteAddress ?? '')
        if (secure) phase = 'tls'
        else send()
      }),
    )
    if (secure) socket.once('secureConnect', send)
    socket.on('data', (chunk: Buffer) =>
      attempt(() => {
        const message = isOver ? null : received.push(chunk)
        if (message !== null) finish(readOwnAnswer(question, message))
      }),
    )
    socket.on('error', finish)
    socket.once('close', () => {
      if (!isOver) finish(phase === 'answer' ? received.cutShort() : closed())
    })
  })
}

/** One for all: building it costs a quarter of a handshake. */
let secureContext: tls.SecureContext | undefined

function tlsOptions({ host }: NameServer): tls.ConnectionOptions {
  const name = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  secureContext ??= tls.createSecureContext()
  return { secureContext, ALPNProtocols: ['dot'], servername: net.isIP(name) === 0 ? name : '' }
}

const closed = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

function framed(message: Uint8Array): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

/** The first message of a connection, as it arrives in pieces. */
class Frame {
  readonly #bytes = Buffer.alloc(2 + 65_535)
  #length = 0

  /** The message, once it is whole. */
  push(chunk: Buffer): Uint8Array | null {
    this.#length += chunk.copy(this.#bytes, this.#length)
    const wanted = this.#wanted
    return wanted === null || this.#length < 2 + wanted ? null : this.#bytes.subarray(2, 2 + wanted)
  }

  cutShort(): RequestFailure {
    const wanted = this.#wanted
    const what =
      wanted === null
        ? 'the name server closed the connection without an answer'
        : `the name server closed the connection after ${this.#length - 2} of the ${wanted} bytes that it announced`
    return targetFailure('answer', 'ECONNRESET', what)
  }

  get #wanted(): number | null {
    return this.#length < 2 ? null : this.#bytes.readUInt16BE(0)
  }
}
