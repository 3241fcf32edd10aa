/** Asks over a connection, plain or encrypted (RFC 7858). Each message has its length before it. */
import { connect } from '../connection.ts'
import { hear } from '../hear.ts'
import { type RequestFailure, targetFailure } from '../http/failure.ts'
import type { NameServer, Patience } from './name-server.ts'
import { type Answer, type Question, readOwnAnswer } from './question.ts'

interface Options extends Patience {
  secure: boolean
  /** Any certificate will do. */
  skipSSL: boolean
  /** Judges the address that we are connected to. */
  check: (address: string) => void
}

export function askByStream(
  question: Question,
  { host, address, port }: NameServer,
  { secure, skipSSL, check, ...patience }: Options,
): Promise<Answer> {
  const tls = secure ? { host, skipSSL, protocols: ['dot'] } : null
  return connect({ address, port, tls }, { ...patience, dialer: { check } }, ({ socket }) => {
    const received = new Frame()
    const listener = {
      phase: 'answer',
      receive(chunk: Buffer) {
        const message = received.push(chunk)
        return message === null ? null : readOwnAnswer(question, message)
      },
      end(): never {
        throw received.cutShort()
      },
    } as const
    socket.write(framed(question.bytes))
    return hear<Answer>(socket, listener, patience)
  })
}

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
