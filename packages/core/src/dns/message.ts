/**
 * Messages of name servers (RFC 1035), to and from bytes. Reading trusts nothing: every bound is checked, and whatever
 * is wrong is told by a `DnsMessageError`.
 */
import { CLASS_IN, RECORD_TYPES } from './codes.ts'
import { encodeName, readName } from './name.ts'
import { DnsMessageError } from './problem.ts'
import { recordText } from './record-data.ts'

export interface DnsFlags {
  /** It is an answer. */
  qr: boolean
  /** The server is responsible for the name. */
  aa: boolean
  /** It was cut. */
  tc: boolean
  /** The server is asked to find out. */
  rd: boolean
  /** The server would find out. */
  ra: boolean
  /** The server has checked the signatures. */
  ad: boolean
  /** Signatures need not be checked. */
  cd: boolean
}

export interface DnsQuestion {
  name: string
  type: number
  class: number
}

export interface DnsRecord {
  name: string
  type: number
  class: number
  ttl: number
  /** As it stands in the message; names in it may point elsewhere. */
  data: Uint8Array
}

export interface DnsMessage<R extends DnsRecord = DnsRecord> {
  id: number
  opcode: number
  /** The four bits of the header: see `responseCodeOf`. */
  rcode: number
  flags: DnsFlags
  questions: DnsQuestion[]
  answers: R[]
  authorities: R[]
  additionals: R[]
}

/** A record whose data was read. */
export interface ReadRecord extends DnsRecord {
  text: string
}

export const DNS_MESSAGE_LIMIT = 65_535
export const DNS_RECORDS_LIMIT = 512
const HEADER_BYTES = 12

const FLAG_BITS: readonly (readonly [keyof DnsFlags, number])[] = [
  ['qr', 0x8000],
  ['aa', 0x0400],
  ['tc', 0x0200],
  ['rd', 0x0100],
  ['ra', 0x0080],
  ['ad', 0x0020],
  ['cd', 0x0010],
]

/** Only what cannot be read at all throws: of a message that says it was cut, what is whole is read. */
export function decodeMessage(bytes: Uint8Array): DnsMessage<ReadRecord> {
  if (bytes.length > DNS_MESSAGE_LIMIT)
    throw new DnsMessageError('TOO_LONG', `it is longer than ${DNS_MESSAGE_LIMIT} bytes`)
  if (bytes.length < HEADER_BYTES) throw new DnsMessageError('CUT_SHORT', `its ${bytes.length} bytes are no header`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const word = view.getUint16(2)
  const has = (bit: number) => (word & bit) !== 0
  const message: DnsMessage<ReadRecord> = {
    id: view.getUint16(0),
    opcode: (word >> 11) & 15,
    rcode: word & 15,
    flags: {
      qr: has(0x8000),
      aa: has(0x0400),
      tc: has(0x0200),
      rd: has(0x0100),
      ra: has(0x0080),
      ad: has(0x0020),
      cd: has(0x0010),
    },
    questions: [],
    answers: [],
    authorities: [],
    additionals: [],
  }
  const [questions = 0, ...records] = [4, 6, 8, 10].map((at) => view.getUint16(at))
  const total = records.reduce((sum, count) => sum + count, questions)
  if (total > DNS_RECORDS_LIMIT) {
    throw new DnsMessageError('TOO_MANY_RECORDS', `it claims ${total} records, more than ${DNS_RECORDS_LIMIT}`)
  }
  let at = HEADER_BYTES
  for (let index = 0; index < questions; index += 1) {
    const { name, next } = readName(bytes, at, bytes.length)
    if (next + 4 > bytes.length) throw cutShort(index + 1, total)
    message.questions.push({ name, type: view.getUint16(next), class: view.getUint16(next + 2) })
    at = next + 4
  }
  try {
    let read = questions
    for (const [index, section] of [message.answers, message.authorities, message.additionals].entries()) {
      for (let left = records[index] ?? 0; left > 0; left -= 1) {
        read += 1
        const record = readRecord(bytes, view, at, () => cutShort(read, total))
        section.push(record.value)
        at = record.next
      }
    }
  } catch (error) {
    if (message.flags.tc && error instanceof DnsMessageError && error.problem === 'CUT_SHORT') return message
    throw error
  }
  if (at < bytes.length) {
    throw new DnsMessageError('LEFT_OVER', `${bytes.length - at} bytes follow the ${total} records that it claims`)
  }
  return message
}

const cutShort = (record: number, total: number) =>
  new DnsMessageError('CUT_SHORT', `it ends in record ${record} of the ${total} that it claims`)

function readRecord(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  tooShort: () => DnsMessageError,
): { value: ReadRecord; next: number } {
  if (start >= bytes.length) throw tooShort()
  const { name, next } = readName(bytes, start, bytes.length)
  if (next + 10 > bytes.length) throw tooShort()
  const from = next + 10
  const to = from + view.getUint16(next + 8)
  if (to > bytes.length) throw tooShort()
  const type = view.getUint16(next)
  const text = type === RECORD_TYPES.OPT ? '' : recordText(type, bytes, from, to)
  return {
    value: {
      name,
      type,
      class: view.getUint16(next + 2),
      ttl: view.getUint32(next + 4),
      data: bytes.slice(from, to),
      text,
    },
    next: to,
  }
}

/** Throws a `RangeError` for names that are none, and for more than fits. */
export function encodeMessage(message: DnsMessage): Uint8Array {
  const { id, opcode, rcode, flags, questions, answers, authorities, additionals } = message
  let word = ((opcode & 15) << 11) | (rcode & 15)
  for (const [flag, bit] of FLAG_BITS) if (flags[flag]) word |= bit
  const parts: Uint8Array[] = [
    words(id, word, questions.length, answers.length, authorities.length, additionals.length),
    ...questions.flatMap((question) => [wireName(question.name), words(question.type, question.class)]),
    ...[...answers, ...authorities, ...additionals].flatMap(({ name, type, class: klass, ttl, data }) => [
      wireName(name),
      words(type, klass, Math.floor(ttl / 0x10000), ttl % 0x10000, data.length),
      data,
    ]),
  ]
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length > DNS_MESSAGE_LIMIT) throw new RangeError(`The message is longer than ${DNS_MESSAGE_LIMIT} bytes.`)
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function wireName(text: string): Uint8Array {
  const bytes = encodeName(text)
  if (bytes === null) throw new RangeError(`"${text}" is no domain name.`)
  return bytes
}

const words = (...numbers: number[]) =>
  Uint8Array.from(numbers.flatMap((number) => [(number >> 8) & 255, number & 255]))

/** What fits into a datagram everywhere without being taken apart. */
const DATAGRAM_BYTES = 1232
/** Asks for signatures, so that the answer tells whether there are any. */
const DNSSEC_OK = 0x8000

/** A question to a name server; with extensions (EDNS), which some old servers do not understand. */
export function encodeQuery(id: number, name: string, type: number, hasExtensions = true): Uint8Array {
  const extensions = {
    name: '.',
    type: RECORD_TYPES.OPT,
    class: DATAGRAM_BYTES,
    ttl: DNSSEC_OK,
    data: new Uint8Array(),
  }
  return encodeMessage({
    id,
    opcode: 0,
    rcode: 0,
    flags: { qr: false, aa: false, tc: false, rd: true, ra: false, ad: false, cd: false },
    questions: [{ name, type, class: CLASS_IN }],
    answers: [],
    authorities: [],
    additionals: hasExtensions ? [extensions] : [],
  })
}

/** The whole response code: extensions carry its upper eight bits. */
export function responseCodeOf({ rcode, additionals }: DnsMessage): number {
  const extensions = additionals.find(({ type }) => type === RECORD_TYPES.OPT)
  return (extensions === undefined ? 0 : Math.floor(extensions.ttl / 0x1000000) * 16) + rcode
}
