/** Undoes the content coding of a body: one coding, and never more output than the limit. */
import zlib from 'node:zlib'
import { codeOf, targetFailure } from './failure.ts'

export const DECODED_LIMIT = 25 * 1024 * 1024
export const ACCEPTED_CODINGS = 'gzip, deflate, br, zstd'

/** Up to these sizes decoding is done at once, which is cheaper than handing it to another thread. */
const SMALL_WIRE = 16 * 1024
const SMALL_DECODED = 256 * 1024

/** `isCut` says that bytes are missing: of what arrived, or of what came out. */
export interface Decoded {
  bytes: Buffer
  isCut: boolean
  /** The codings that were not undone, because there are several or they are not known. */
  leftAs: string | null
}

interface Coding {
  atOnce(bytes: Buffer, maxOutputLength: number): Buffer
  stream(bytes: Buffer): zlib.Gunzip | zlib.Inflate | zlib.InflateRaw | zlib.BrotliDecompress | zlib.ZstdDecompress
}

// Flushing instead of finishing: a body that was cut gives what it has.
const flush = { finishFlush: zlib.constants.Z_SYNC_FLUSH }
const brotliFlush = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }
/** Nobody may ask for more memory than 8 MiB to look back into. Source: RFC 9659. */
const zstdFlush = {
  finishFlush: zlib.constants.ZSTD_e_flush,
  params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 },
}
/** Some servers send deflate without the zlib header that it should have. */
const hasZlibHeader = (bytes: Buffer) => ((bytes[0] ?? 0) & 0x0f) === 8

const gzip: Coding = {
  atOnce: (bytes, maxOutputLength) => zlib.gunzipSync(bytes, { ...flush, maxOutputLength }),
  stream: () => zlib.createGunzip(flush),
}
const codings: { readonly [name: string]: Coding } = {
  gzip,
  'x-gzip': gzip,
  deflate: {
    atOnce: (bytes, maxOutputLength) =>
      hasZlibHeader(bytes)
        ? zlib.inflateSync(bytes, { ...flush, maxOutputLength })
        : zlib.inflateRawSync(bytes, { ...flush, maxOutputLength }),
    stream: (bytes) => (hasZlibHeader(bytes) ? zlib.createInflate(flush) : zlib.createInflateRaw(flush)),
  },
  br: {
    atOnce: (bytes, maxOutputLength) => zlib.brotliDecompressSync(bytes, { ...brotliFlush, maxOutputLength }),
    stream: () => zlib.createBrotliDecompress(brotliFlush),
  },
  zstd: {
    atOnce: (bytes, maxOutputLength) => zlib.zstdDecompressSync(bytes, { ...zstdFlush, maxOutputLength }),
    stream: () => zlib.createZstdDecompress(zstdFlush),
  },
}

const NAMES = Object.keys(codings)

/** Throws a failure when the bytes are not what the coding says. */
export async function decodeContent(header: string | undefined, bytes: Buffer, keep: number): Promise<Decoded> {
  const name = header?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity' || bytes.length === 0) return { bytes, isCut: false, leftAs: null }
  const coding = NAMES.includes(name) ? codings[name] : undefined
  if (coding === undefined) return { bytes, isCut: false, leftAs: name.slice(0, 200) }
  try {
    if (bytes.length <= SMALL_WIRE) return { bytes: coding.atOnce(bytes, SMALL_DECODED), isCut: false, leftAs: null }
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) !== 'ERR_BUFFER_TOO_LARGE') throw undecodable(name, error)
  }
  return { ...(await decodeInPieces(coding, name, bytes, Math.min(keep, DECODED_LIMIT))), leftAs: null }
}

async function decodeInPieces(coding: Coding, name: string, bytes: Buffer, limit: number) {
  const stream = coding.stream(bytes)
  const pieces: Buffer[] = []
  let length = 0
  let isCut = false
  try {
    stream.end(bytes)
    for await (const piece of stream) {
      if (!Buffer.isBuffer(piece)) continue
      pieces.push(piece)
      length += piece.length
      if (length > limit) {
        isCut = true
        break
      }
    }
  } catch (error) {
    throw undecodable(name, error)
  } finally {
    stream.destroy()
  }
  return { bytes: Buffer.concat(pieces).subarray(0, limit), isCut }
}

function undecodable(name: string, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error)
  return targetFailure('body', 'ERR_BODY_DECODING', `the body is not ${name} as its header says (${reason})`)
}
