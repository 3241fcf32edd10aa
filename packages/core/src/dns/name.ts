/** Domain names: on the wire a row of labels, as text with dots, escaped as in zone files and with a dot at the end. */
import { parseIp } from '../ip-address.ts'
import { DnsMessageError } from './problem.ts'

const NAME_LIMIT = 255
const LABEL_LIMIT = 63
const JUMPS_LIMIT = 16
const HEADER_BYTES = 12

export interface NameRead {
  name: string
  /** Where reading goes on. */
  next: number
}

/** The name at a place of a message, which may point to names before it. `end` is where its own part must end. */
export function readName(message: Uint8Array, start: number, end: number): NameRead {
  let name = ''
  let at = start
  let limit = end
  let next = -1
  let jumps = 0
  let size = 1
  for (;;) {
    const length = at < limit ? message[at] : undefined
    if (length === undefined) throw new DnsMessageError('CUT_SHORT', 'it ends in the middle of a name')
    if (length === 0) return { name: name === '' ? '.' : name, next: next < 0 ? at + 1 : next }
    if (length >= 0xc0) {
      const low = at + 1 < limit ? message[at + 1] : undefined
      if (low === undefined) throw new DnsMessageError('CUT_SHORT', 'it ends in the middle of a name')
      const target = (length & 0x3f) * 256 + low
      if (next < 0) next = at + 2
      jumps += 1
      if (jumps > JUMPS_LIMIT) throw new DnsMessageError('BAD_POINTER', `a name jumps more than ${JUMPS_LIMIT} times`)
      if (target < HEADER_BYTES || target >= at) {
        throw new DnsMessageError('BAD_POINTER', 'a name points to itself, ahead or into the header')
      }
      at = target
      limit = message.length
      continue
    }
    if (length > LABEL_LIMIT) throw new DnsMessageError('BAD_NAME', 'a name has a label of a kind that is not known')
    if (at + 1 + length > limit) throw new DnsMessageError('CUT_SHORT', 'it ends in the middle of a name')
    size += length + 1
    if (size > NAME_LIMIT) throw new DnsMessageError('BAD_NAME', `a name is longer than ${NAME_LIMIT} bytes`)
    for (let index = at + 1; index <= at + length; index += 1) name += escaped(message[index] ?? 0)
    name += '.'
    at += 1 + length
  }
}

function escaped(byte: number): string {
  if (byte === 0x2e || byte === 0x5c) return `\\${String.fromCharCode(byte)}`
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte)
  return `\\${String(byte).padStart(3, '0')}`
}

/** A name as it goes over the wire, never compressed; null for a text that is none. */
export function encodeName(text: string): Uint8Array | null {
  const bytes: number[] = []
  let label: number[] = []
  const endLabel = () => {
    if (label.length === 0 || label.length > LABEL_LIMIT) return false
    bytes.push(label.length, ...label)
    label = []
    return true
  }
  if (text === '') return null
  if (text !== '.') {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === 0x2e) {
        if (!endLabel()) return null
      } else if (code === 0x5c) {
        const number = /^\d{3}/.exec(text.slice(at + 1, at + 4))?.[0]
        const byte = number === undefined ? text.charCodeAt(at + 1) : Number(number)
        if (!(byte <= 255)) return null
        label.push(byte)
        at += number === undefined ? 1 : 3
      } else {
        if (code <= 0x20 || code > 0x7e) return null
        label.push(code)
      }
    }
    if (label.length > 0 && !endLabel()) return null
  }
  bytes.push(0)
  return bytes.length > NAME_LIMIT ? null : Uint8Array.from(bytes)
}

/** Names are equal whatever the case of their letters. */
export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The name that is asked for: that of an address stands in a tree of its own. */
export function nameOfQuery(query: string, recordType: string): string {
  const ip = recordType === 'PTR' ? parseIp(query) : null
  if (ip === null) return query.endsWith('.') && !query.endsWith('\\.') ? query : `${query}.`
  if (ip.family === 6) {
    const digits = ip.parts.map((part) => part.toString(16).padStart(4, '0')).join('')
    return `${[...digits].reverse().join('.')}.ip6.arpa.`
  }
  return `${query.split('.').reverse().join('.')}.in-addr.arpa.`
}

/** What is wrong with a name that is to be looked up, as the end of a sentence; null when nothing is. */
export function problemOfQuery(query: string): string | null {
  // What lies beyond ASCII is written otherwise on the wire; whether that can be done, the runner finds out.
  const ascii = [...query].map((letter) => (letter > '\u007f' ? 'x' : letter)).join('')
  return encodeName(ascii) === null ? 'must be a domain name' : null
}
