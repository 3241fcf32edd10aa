/**
 * Answers are compressed for clients that accept it. Measured on lists of checks: 5 KB of JSON become 0.8 KB in 20 µs,
 * 55 KB become 4 KB in 100 µs. That is less than handing them to another thread costs, so only what is larger goes there.
 */
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Below, what is saved is less than a packet. */
const WORTHWHILE_BYTES = 1024
const AT_ONCE_BYTES = 256 * 1024

type Coding = 'br' | 'gzip'

const GZIP = { level: 4 }
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}

const atOnce = {
  br: (content: string | Buffer) => brotliCompressSync(content, BROTLI),
  gzip: (content: string | Buffer) => gzipSync(content, GZIP),
} as const satisfies Record<Coding, unknown>

const brotliElsewhere = promisify(brotliCompress)
const gzipElsewhere = promisify(gzip)
const elsewhere = {
  br: (content: string | Buffer) => brotliElsewhere(content, BROTLI),
  gzip: (content: string | Buffer) => gzipElsewhere(content, GZIP),
} as const satisfies Record<Coding, unknown>

const streams = { br: () => createBrotliCompress(BROTLI), gzip: () => createGzip(GZIP) } as const

/** Event streams are written past this: they are not replies of the framework. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!isText(reply) || reply.hasHeader('content-encoding')) return payload
    const size = sizeOf(payload, reply)
    if (size < WORTHWHILE_BYTES || reply.statusCode === 206) return payload
    reply.header('vary', varying(reply))
    const coding = chooseCoding(request.headers['accept-encoding'])
    if (coding === null) return payload
    reply.header('content-encoding', coding)
    reply.removeHeader('content-length')
    if (typeof payload === 'string' || Buffer.isBuffer(payload))
      return size <= AT_ONCE_BYTES ? atOnce[coding](payload) : elsewhere[coding](payload)
    return isReadable(payload) ? compressed(payload, coding) : payload
  })
}

/** What fails or hangs up on one side ends the other. */
function compressed(payload: Readable, coding: Coding): Readable {
  const coder = streams[coding]()
  payload.on('error', (error) => coder.destroy(error))
  coder.on('close', () => payload.destroy())
  return payload.pipe(coder)
}

function isText(reply: FastifyReply): boolean {
  const type = String(reply.getHeader('content-type') ?? '')
  return /^(text\/(?!event-stream)|application\/(json|feed\+json|javascript|manifest\+json|(rss|atom)\+xml|xml)|image\/svg)/.test(
    type,
  )
}

/** 0 for what is no content at all. */
function sizeOf(payload: unknown, reply: FastifyReply): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  if (Buffer.isBuffer(payload)) return payload.length
  return isReadable(payload) ? Number(reply.getHeader('content-length') ?? Number.POSITIVE_INFINITY) : 0
}

function isReadable(payload: unknown): payload is Readable {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload && typeof payload.pipe === 'function'
}

function varying(reply: FastifyReply): string {
  const present = reply.getHeader('vary')
  return present === undefined ? 'accept-encoding' : `${String(present)}, accept-encoding`
}

/** The one of ours that the client likes best; Brotli when it does not care. */
export function chooseCoding(accepted: string | string[] | undefined): Coding | null {
  const weights = new Map<string, number>()
  for (const part of String(accepted ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight))
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0
  const [br, gz] = [weightOf('br'), weightOf('gzip')]
  if (br > 0 && br >= gz) return 'br'
  return gz > 0 ? 'gzip' : null
}
