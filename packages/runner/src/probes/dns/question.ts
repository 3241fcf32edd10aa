/** One question, and what counts as an answer to it. */
import { randomInt } from 'node:crypto'
import {
  CLASS_IN,
  type DnsMessage,
  DnsMessageError,
  decodeMessage,
  encodeQuery,
  isSameName,
  type ReadRecord,
  recordTypeName,
} from '@vedette/core'
import { targetFailure } from '../http/failure.ts'

export type Answer = DnsMessage<ReadRecord>

export interface Question {
  id: number
  name: string
  type: number
  bytes: Uint8Array
}

export function ask(name: string, type: number, options: { id?: number; hasExtensions?: boolean } = {}): Question {
  const { id = randomInt(0x10000), hasExtensions = true } = options
  return { id, name, type, bytes: encodeQuery(id, name, type, hasExtensions) }
}

/** What arrived is not an answer to the question: somebody else's, or one that somebody made up. */
export interface Stray {
  stray: string
}

/** Throws a failure of the target when the answer is to this question and cannot be read. */
export function readAnswer(question: Question, bytes: Uint8Array): Answer | Stray {
  const id = bytes.length < 2 ? null : (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)
  if (id !== question.id) return { stray: 'it has another number than the question' }
  let answer: Answer
  try {
    answer = decodeMessage(bytes)
  } catch (error) {
    if (!(error instanceof DnsMessageError)) throw error
    throw targetFailure('answer', 'ERR_MALFORMED_ANSWER', `the answer cannot be read: ${error.message}`)
  }
  if (!answer.flags.qr || answer.opcode !== 0) return { stray: 'it is a question itself' }
  const [asked, ...more] = answer.questions
  // Servers that did not understand the question may leave it out.
  if (asked === undefined && answer.rcode !== 0) return answer
  const isSame =
    asked !== undefined &&
    more.length === 0 &&
    asked.type === question.type &&
    asked.class === CLASS_IN &&
    isSameName(asked.name, question.name)
  if (isSame) return answer
  const what = asked === undefined ? 'no question' : `${asked.name} ${recordTypeName(asked.type)}`
  return { stray: `it is to another question (${what.slice(0, 300)})` }
}

/** Over a connection nobody but the name server can have sent it. */
export function readOwnAnswer(question: Question, bytes: Uint8Array): Answer {
  const answer = readAnswer(question, bytes)
  if ('stray' in answer) throw targetFailure('answer', 'ERR_WRONG_ANSWER', `the answer is not ours: ${answer.stray}`)
  return answer
}
