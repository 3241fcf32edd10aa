/** The data of records as text, in the form of zone files, except that texts stand without quotes. */
import { RECORD_TYPES } from './codes.ts'
import { readName } from './name.ts'
import { DnsMessageError } from './problem.ts'

/** Reads within one record; names may point to what stands before it. */
class DataReader {
  readonly #message: Uint8Array
  readonly #end: number
  #at: number

  constructor(message: Uint8Array, start: number, end: number) {
    this.#message = message
    this.#at = start
    this.#end = end
  }

  get left(): number {
    return this.#end - this.#at
  }

  bytes(length: number): Uint8Array {
    if (length > this.left) throw new DnsMessageError('BAD_RECORD', 'the data of a record is shorter than it says')
    this.#at += length
    return this.#message.subarray(this.#at - length, this.#at)
  }

  number(size: 1 | 2 | 4): number {
    let number = 0
    for (const byte of this.bytes(size)) number = number * 256 + byte
    return number
  }

  name(): string {
    const { name, next } = readName(this.#message, this.#at, this.#end)
    this.#at = next
    return name
  }

  /** A text with its length before it. */
  text(): Uint8Array {
    return this.bytes(this.number(1))
  }
}

type Write = (data: DataReader) => string

const name: Write = (data) => data.name()
const service: Write = (data) => {
  const parts = [String(data.number(2)), data.name()]
  while (data.left > 0) parts.push(parameter(data.number(2), data.bytes(data.number(2))))
  return parts.join(' ')
}

const writers: { readonly [type: number]: Write } = {
  [RECORD_TYPES.A]: (data) => data.bytes(4).join('.'),
  [RECORD_TYPES.AAAA]: (data) => ipv6Text(data.bytes(16)),
  [RECORD_TYPES.CNAME]: name,
  [RECORD_TYPES.NS]: name,
  [RECORD_TYPES.PTR]: name,
  [RECORD_TYPES.DNAME]: name,
  [RECORD_TYPES.MX]: (data) => `${data.number(2)} ${data.name()}`,
  [RECORD_TYPES.SRV]: (data) => `${data.number(2)} ${data.number(2)} ${data.number(2)} ${data.name()}`,
  [RECORD_TYPES.SOA]: (data) => {
    const names = `${data.name()} ${data.name()}`
    return `${names} ${[0, 1, 2, 3, 4].map(() => data.number(4)).join(' ')}`
  },
  [RECORD_TYPES.TXT]: (data) => {
    const parts: Uint8Array[] = []
    while (data.left > 0) parts.push(data.text())
    return readable(parts.flatMap((part) => [...part]))
  },
  [RECORD_TYPES.CAA]: (data) => {
    const flags = data.number(1)
    const tag = readable(data.text())
    return `${flags} ${tag} ${JSON.stringify(readable(data.bytes(data.left)))}`
  },
  [RECORD_TYPES.HTTPS]: service,
  [RECORD_TYPES.SVCB]: service,
}

/** The data between two places of a message. Types that are not known are told in hexadecimal, as RFC 3597 has it. */
export function recordText(type: number, message: Uint8Array, start: number, end: number): string {
  const write = writers[type]
  const data = new DataReader(message, start, end)
  if (write === undefined) return unknownText(data.bytes(data.left))
  let text: string
  try {
    text = write(data)
  } catch (error) {
    if (!(error instanceof DnsMessageError) || error.problem !== 'CUT_SHORT') throw error
    throw new DnsMessageError('BAD_RECORD', 'the data of a record is shorter than it says')
  }
  if (data.left > 0) throw new DnsMessageError('BAD_RECORD', 'the data of a record is longer than its type allows')
  return text
}

const hex = (bytes: Iterable<number>) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const unknownText = (bytes: Uint8Array) => `\\# ${bytes.length}${bytes.length === 0 ? '' : ` ${hex(bytes)}`}`

/** UTF-8 as it is meant; bytes that are none are escaped, as are those that no text has. */
function readable(bytes: Iterable<number>): string {
  const all = [...bytes]
  let text: string
  try {
    text = decodeURIComponent(all.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  } catch {
    return all.map((byte) => (byte < 0x20 || byte > 0x7e ? byteEscape(byte) : String.fromCharCode(byte))).join('')
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return text.replace(/[\0-\x1f\x7f]/g, (letter) => byteEscape(letter.charCodeAt(0)))
}

const byteEscape = (byte: number) => `\\${String(byte).padStart(3, '0')}`

/** As RFC 5952 has it: the longest run of zeroes is left out. */
export function ipv6Text(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, index) => (bytes[index * 2] ?? 0) * 256 + (bytes[index * 2 + 1] ?? 0))
  let longest = { at: -1, length: 1 }
  for (let at = 0; at < 8; at += 1) {
    let length = 0
    while (at + length < 8 && groups[at + length] === 0) length += 1
    if (length > longest.length) longest = { at, length }
  }
  const words = groups.map((group) => group.toString(16))
  if (longest.at < 0) return words.join(':')
  return `${words.slice(0, longest.at).join(':')}::${words.slice(longest.at + longest.length).join(':')}`
}

const PARAMETERS = ['mandatory', 'alpn', 'no-default-alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint', 'dohpath']
const parameterName = (key: number) => PARAMETERS[key] ?? `key${key}`

/** A parameter of a record that tells how to reach a service. */
function parameter(key: number, bytes: Uint8Array): string {
  const value = parameterValue(key, bytes)
  return value === '' ? parameterName(key) : `${parameterName(key)}=${value}`
}

function parameterValue(key: number, bytes: Uint8Array): string {
  const data = new DataReader(bytes, 0, bytes.length)
  const all = (read: () => string): string => {
    const values: string[] = []
    while (data.left > 0) values.push(read())
    return values.join(',')
  }
  switch (parameterName(key)) {
    case 'mandatory':
      return all(() => parameterName(data.number(2)))
    case 'alpn':
      return `"${all(() => readable(data.text()))}"`
    case 'no-default-alpn':
      return ''
    case 'port':
      return all(() => String(data.number(2)))
    case 'ipv4hint':
      return all(() => data.bytes(4).join('.'))
    case 'ipv6hint':
      return all(() => ipv6Text(data.bytes(16)))
    case 'ech':
      return base64(bytes)
    default:
      return bytes.length === 0 ? '' : `"${readable(bytes)}"`
  }
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const letters = [18, 12, 6, 0].map((shift) => BASE64[(group >> shift) & 63]).join('')
    text += letters.slice(0, Math.min(bytes.length - at, 3) + 1).padEnd(4, '=')
  }
  return text
}
