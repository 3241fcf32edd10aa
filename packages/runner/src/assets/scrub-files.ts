/**
 * Takes secrets out of files, also of those inside archives: traces are archives that hold requests with their headers and
 * bodies. Pictures and films stay as they are.
 */
import { isUtf8 } from 'node:buffer'
import { scrubber } from '@vedette/core'
import { unzipSync, type Zippable, zipSync } from 'fflate'

/** Of all that is in an archive. */
const MOST_UNPACKED_BYTES = 256 * 1024 * 1024
const MOST_ENTRIES = 20_000

export type ScrubBytes = (bytes: Uint8Array) => Uint8Array

/** What it returns is what it was given where that holds none of the secrets. @throws Error that says why it cannot tell */
export function fileScrubber(values: readonly string[]): ScrubBytes {
  // Traces are JSON that holds bodies that are JSON.
  const secrets = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)])
  const scrub = scrubber(secrets)
  // What is no text is read as bytes, in which a secret stands as UTF-8.
  const bytewise = scrubber([...secrets, ...secrets.map((secret) => Buffer.from(secret).toString('latin1'))])
  const plain: ScrubBytes = (bytes) => {
    if (isPicture(bytes)) return bytes
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const coding = isUtf8(buffer) ? 'utf8' : 'latin1'
    const text = buffer.toString(coding)
    const clean = (coding === 'utf8' ? scrub : bytewise)(text)
    return clean === text ? bytes : Buffer.from(clean, coding)
  }
  return (bytes) => (isArchive(bytes) ? scrubArchive(bytes, plain, scrub) : plain(bytes))
}

function scrubArchive(bytes: Uint8Array, plain: ScrubBytes, scrub: (text: string) => string): Uint8Array {
  const entries = unpack(bytes)
  let changed = false
  const cleaned: Zippable = {}
  for (const [name, content] of Object.entries(entries)) {
    const [cleanName, clean] = [scrub(name), plain(content)]
    changed ||= clean !== content || cleanName !== name
    // Pictures do not get smaller.
    cleaned[cleanName] = [clean, { level: isPicture(clean) ? 0 : 3 }]
  }
  return changed ? zipSync(cleaned) : bytes
}

function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let [entries, unpacked] = [0, 0]
  return unzipSync(bytes, {
    filter({ originalSize }) {
      entries += 1
      unpacked += originalSize
      if (entries > MOST_ENTRIES || unpacked > MOST_UNPACKED_BYTES) throw new Error('there is too much in the archive')
      return true
    },
  })
}

/** How much there is to read, as far as a look from outside can tell. */
export function workIn(bytes: Uint8Array): number {
  if (isPicture(bytes)) return 0
  if (!isArchive(bytes)) return bytes.length
  let unpacked = 0
  unzipSync(bytes, {
    filter({ originalSize }) {
      unpacked += originalSize
      return false
    },
  })
  return unpacked
}

const begins = (bytes: Uint8Array, ...first: readonly number[]) => first.every((byte, at) => bytes[at] === byte)

const isArchive = (bytes: Uint8Array) => begins(bytes, 0x50, 0x4b, 3, 4) || begins(bytes, 0x50, 0x4b, 5, 6)

/** PNG, JPEG, WebP, GIF; WebM. */
function isPicture(bytes: Uint8Array): boolean {
  return (
    begins(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) ||
    begins(bytes, 0xff, 0xd8, 0xff) ||
    (begins(bytes, 0x52, 0x49, 0x46, 0x46) && begins(bytes.subarray(8), 0x57, 0x45, 0x42, 0x50)) ||
    begins(bytes, 0x47, 0x49, 0x46, 0x38) ||
    begins(bytes, 0x1a, 0x45, 0xdf, 0xa3)
  )
}
