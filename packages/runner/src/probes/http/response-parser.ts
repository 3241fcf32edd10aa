/**
 * Reads one HTTP/1.1 answer from a connection that carries nothing else. Strict where a lenient reader would have to
 * guess, bounded everywhere.
 *
 * head → (1xx: head) → counted | chunked | until close → done
 */
import type { SpokenVersion } from '@vedette/schema'
import { BodyBuffer } from './body-buffer.ts'
import { type RequestFailure, targetFailure } from './failure.ts'

export const HEAD_LIMIT = 32 * 1024
export const FIELDS_LIMIT = 200
export const INFORMATIONAL_LIMIT = 100
export const WIRE_LIMIT = 25 * 1024 * 1024
const CHUNK_LINE_LIMIT = 4096

type State = 'head' | 'counted' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailer' | 'until-close' | 'done'

const CR = 13
const LF = 10

/** What came back, whichever protocol brought it. */
export interface Answer {
  status: number
  statusText: string
  httpVersion: SpokenVersion
  /** Lower-case names; repeated fields joined with a comma. */
  headers: Record<string, string>
  /** The limit on the wire was reached. */
  cut: boolean
  body: BodyBuffer
}

export class ResponseParser implements Answer {
  status = 0
  statusText = ''
  httpVersion: SpokenVersion = 'HTTP/1.1'
  headers: Record<string, string> = {}
  cut = false
  body: BodyBuffer

  readonly #bodiless: boolean
  #state: State = 'head'
  /** What came of an unfinished head or line. */
  #pending: Buffer | null = null
  #informational = 0
  #left = 0
  #onWire = 0
  #trailerBytes = 0

  constructor(method: string, keepBytes: number) {
    this.#bodiless = method === 'HEAD'
    this.body = new BodyBuffer(keepBytes)
  }

  get isDone(): boolean {
    return this.#state === 'done'
  }

  get isInBody(): boolean {
    return this.#state !== 'head'
  }

  /** Takes what arrived. Throws a failure when it is no answer. */
  push(chunk: Buffer): void {
    let at = 0
    let data = chunk
    if (this.#pending !== null) {
      data = Buffer.concat([this.#pending, chunk])
      this.#pending = null
    }
    while (at < data.length && this.#state !== 'done') {
      const next = this.#state === 'head' ? this.#readHead(data, at) : this.#readBody(data, at)
      if (next < 0) {
        this.#pending = Buffer.from(data.subarray(at))
        return
      }
      if (this.#state !== 'head') this.#onWire += next - at
      at = next
      if (this.#onWire > WIRE_LIMIT) {
        this.cut = true
        this.#state = 'done'
      }
    }
  }

  /** The other side closed. Throws a failure when the answer is not complete. */
  end(): void {
    switch (this.#state) {
      case 'done':
        return
      case 'until-close':
        this.#state = 'done'
        return
      case 'head':
        if (this.#pending === null && this.#informational === 0) {
          throw targetFailure('headers', 'ECONNRESET', 'the connection was closed before an answer came')
        }
        throw targetFailure('headers', 'ECONNRESET', 'the connection was closed in the middle of the headers')
      case 'counted': {
        const { received } = this.body
        throw targetFailure(
          'body',
          'ERR_BODY_CUT',
          `the body ended after ${received} of ${received + this.#left} bytes`,
        )
      }
      default:
        throw targetFailure('body', 'ERR_BODY_CUT', 'the connection was closed in the middle of a chunked body')
    }
  }

  /** Returns where the head ended, or -1 when more is needed. */
  #readHead(data: Buffer, at: number): number {
    const end = data.indexOf('\r\n\r\n', at, 'latin1')
    if (end < 0 || end - at > HEAD_LIMIT) {
      if (!looksLikeHttp(data, at)) throw notHttp(data, at)
      if (data.length - at > HEAD_LIMIT) {
        throw targetFailure('headers', 'ERR_HEADERS_TOO_LARGE', `the headers are larger than ${HEAD_LIMIT / 1024} KiB`)
      }
      if (data.includes('\n\n', at, 'latin1')) throw malformed('lines of the headers do not end in CR LF')
      return -1
    }
    const text = data.toString('latin1', at, end)
    const firstEnd = text.indexOf('\r\n')
    const statusLine = firstEnd < 0 ? text : text.slice(0, firstEnd)
    const parts = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([^\r\n\0]*))?$/.exec(statusLine)
    if (parts === null) {
      if (!looksLikeHttp(data, at)) throw notHttp(data, at)
      throw malformed(`the status line is ${JSON.stringify(statusLine.slice(0, 80))}`)
    }
    this.httpVersion = parts[1] === '0' ? 'HTTP/1.0' : 'HTTP/1.1'
    this.status = Number(parts[2])
    this.statusText = parts[3] ?? ''
    this.headers = firstEnd < 0 ? {} : readFields(text, firstEnd + 2)
    if (this.status < 200 && this.status !== 101) {
      this.#informational += 1
      if (this.#informational > INFORMATIONAL_LIMIT) {
        throw malformed(`more than ${INFORMATIONAL_LIMIT} informational answers`)
      }
    } else this.#state = this.#framing()
    return end + 4
  }

  #framing(): State {
    // What is coded can only be read whole.
    if (this.headers['content-encoding'] !== undefined) this.body = new BodyBuffer(WIRE_LIMIT)
    const { 'transfer-encoding': transfer, 'content-length': length } = this.headers
    if (this.#bodiless || this.status === 101 || this.status === 204 || this.status === 304) return 'done'
    if (transfer !== undefined) {
      if (length !== undefined) throw malformed('both Content-Length and Transfer-Encoding are given')
      return /(?:^|,)[ \t]*chunked[ \t]*$/i.test(transfer) ? 'chunk-size' : 'until-close'
    }
    if (length === undefined) return 'until-close'
    const lengths = new Set(length.split(',').map((item) => item.trim()))
    const [only] = lengths
    if (lengths.size !== 1 || only === undefined || !/^\d{1,15}$/.test(only)) {
      throw malformed(`the Content-Length is ${JSON.stringify(length.slice(0, 80))}`)
    }
    this.#left = Number(only)
    return this.#left === 0 ? 'done' : 'counted'
  }

  /** Returns where it stopped reading, or -1 when a line is not complete. */
  #readBody(data: Buffer, at: number): number {
    switch (this.#state) {
      case 'until-close':
        this.body.append(data, at, data.length)
        return data.length
      case 'counted':
      case 'chunk-data': {
        const end = Math.min(data.length, at + this.#left)
        this.body.append(data, at, end)
        this.#left -= end - at
        if (this.#left === 0) this.#state = this.#state === 'counted' ? 'done' : 'chunk-end'
        return end
      }
      case 'chunk-end':
        if (data.length - at < 2 && data[at] === CR) return -1
        if (data[at] !== CR || data[at + 1] !== LF) throw malformedBody('a chunk is longer than it said')
        this.#state = 'chunk-size'
        return at + 2
      default:
        return this.#readLine(data, at)
    }
  }

  #readLine(data: Buffer, at: number): number {
    const end = data.indexOf(LF, at)
    if (end < 0) {
      if (data.length - at > CHUNK_LINE_LIMIT) throw malformedBody('a line between chunks is too long')
      return -1
    }
    if (data[end - 1] !== CR || end === at) throw malformedBody('a line between chunks does not end in CR LF')
    const line = data.toString('latin1', at, end - 1)
    if (this.#state === 'trailer') {
      this.#trailerBytes += end - at
      if (this.#trailerBytes > HEAD_LIMIT) throw malformedBody('the trailers are too large')
      if (line === '') this.#state = 'done'
      return end + 1
    }
    const size = /^([0-9a-fA-F]{1,12})[ \t]*(?:;|$)/.exec(line)?.[1]
    if (size === undefined) throw malformedBody(`a chunk size is ${JSON.stringify(line.slice(0, 40))}`)
    this.#left = Number.parseInt(size, 16)
    this.#state = this.#left === 0 ? 'trailer' : 'chunk-data'
    return end + 1
  }
}

/** Fields of a head from a position on; its last line has no end. */
function readFields(text: string, from: number): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  let fields = 0
  let name = ''
  for (let at = from; at <= text.length; ) {
    const lineEnd = text.indexOf('\r\n', at)
    const end = lineEnd < 0 ? text.length : lineEnd
    const first = text.charCodeAt(at)
    if ((first === 32 || first === 9) && name !== '') {
      headers[name] = `${headers[name]} ${fieldValue(name, text.slice(at, end))}`
    } else {
      const colon = text.indexOf(':', at)
      if (colon < 0 || colon >= end) throw malformed('a header line has no colon')
      name = text.slice(at, colon).toLowerCase()
      if (!TOKEN.test(name)) throw malformed(`${JSON.stringify(name.slice(0, 80))} is no header name`)
      const value = fieldValue(name, text.slice(colon + 1, end))
      fields += 1
      if (fields > FIELDS_LIMIT) {
        throw targetFailure('headers', 'ERR_HEADERS_TOO_LARGE', `more than ${FIELDS_LIMIT} header fields`)
      }
      const known = headers[name]
      headers[name] = known === undefined ? value : `${known}, ${value}`
    }
    at = end + 2
  }
  return headers
}

function fieldValue(name: string, text: string): string {
  if (FORBIDDEN.test(text)) throw malformed(`the header ${name} has forbidden characters`)
  return text.trim()
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const FORBIDDEN = /[\0\r\n]/

/** False as soon as the first bytes cannot become a status line. */
function looksLikeHttp(data: Buffer, at: number): boolean {
  const start = data.toString('latin1', at, Math.min(at + 7, data.length))
  return 'HTTP/1.'.startsWith(start)
}

function notHttp(data: Buffer, at: number): RequestFailure {
  const start = JSON.stringify(data.toString('latin1', at, Math.min(at + 40, data.length)))
  return targetFailure('headers', 'ERR_NOT_HTTP', `the server does not speak HTTP/1.1, it said ${start}`)
}

const malformed = (what: string) => targetFailure('headers', 'ERR_MALFORMED_ANSWER', what)
const malformedBody = (what: string) => targetFailure('body', 'ERR_MALFORMED_ANSWER', what)
