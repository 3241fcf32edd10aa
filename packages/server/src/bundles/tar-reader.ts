/**
 * Reads the entries of a tar archive as its bytes come by, without keeping any. Understood are the formats that tar
 * programs write: ustar, pax and GNU. What is not plain is refused rather than guessed: whoever unpacks must not see
 * other files than whoever looked.
 */

const BLOCK = 512
/** Of a name or a pax header. */
const TEXT_LIMIT = 64 * 1024

export type TarEntry = { path: string; size: number } & (
  | { is: 'file' | 'folder' }
  /** Symbolic. */
  | { is: 'link'; target: string }
  | { is: 'other'; what: string }
)

/** What is wrong with an archive, as a sentence that begins with "The archive". */
export class ArchiveProblem extends Error {}

const OTHERS: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '3': 'a character device',
  '4': 'a block device',
  '6': 'a named pipe',
}
/** Entries that say something about the next one. */
const ABOUT_NEXT = { x: 'pax', L: 'name', K: 'target' } as const
type AboutNext = (typeof ABOUT_NEXT)[keyof typeof ABOUT_NEXT]

export class TarReader {
  readonly #hear: (entry: TarEntry) => void
  #header = Buffer.alloc(0)
  /** Of the entry that is going on, with its padding. */
  #bodyLeft = 0
  #text: { about: AboutNext | 'nothing'; left: number; pieces: Buffer[] } | null = null
  #next: { path?: string; target?: string; size?: number } = {}
  #isOver = false

  constructor(hear: (entry: TarEntry) => void) {
    this.#hear = hear
  }

  /** @throws ArchiveProblem, and whatever `hear` throws */
  write(bytes: Buffer): void {
    let rest = bytes
    while (rest.length > 0 && !this.#isOver) {
      if (this.#bodyLeft > 0) rest = this.#takeBody(rest)
      else {
        const missing = BLOCK - this.#header.length
        this.#header = Buffer.concat([this.#header, rest.subarray(0, missing)])
        rest = rest.subarray(missing)
        if (this.#header.length === BLOCK) this.#takeHeader()
      }
    }
  }

  /** @throws ArchiveProblem when it breaks off */
  end(): void {
    if (!this.#isOver && (this.#bodyLeft > 0 || this.#header.length > 0))
      throw new ArchiveProblem('The archive is cut off')
  }

  #takeBody(bytes: Buffer): Buffer {
    const taken = bytes.subarray(0, this.#bodyLeft)
    this.#bodyLeft -= taken.length
    if (this.#text !== null) {
      const piece = taken.subarray(0, this.#text.left)
      this.#text.left -= piece.length
      this.#text.pieces.push(Buffer.from(piece))
      if (this.#bodyLeft === 0) this.#takeText(this.#text.about, Buffer.concat(this.#text.pieces))
    }
    return bytes.subarray(taken.length)
  }

  #takeHeader(): void {
    const header = this.#header
    this.#header = Buffer.alloc(0)
    // What follows the first empty block is padding.
    if (header.every((byte) => byte === 0)) {
      this.#isOver = true
      return
    }
    if (numberIn(header, 148, 8) !== sumOf(header))
      throw new ArchiveProblem('The archive is no tar file, or is damaged')
    const type = header.subarray(156, 157).toString('latin1')
    const written = numberIn(header, 124, 12)
    const about = type === 'g' ? 'nothing' : isAboutNext(type) ? ABOUT_NEXT[type] : null
    const size = about === null ? (this.#next.size ?? written) : written
    if (size === null) throw new ArchiveProblem('The archive has a file of an impossible size')
    const hasBody = about !== null || !['1', '2', '3', '4', '5', '6'].includes(type)
    this.#bodyLeft = hasBody ? Math.ceil(size / BLOCK) * BLOCK : 0
    this.#text = null
    if (about !== null) {
      if (size > TEXT_LIMIT) throw new ArchiveProblem('The archive has a name that is too long')
      this.#text = { about, left: size, pieces: [] }
      if (size === 0) this.#takeText(about, Buffer.alloc(0))
      return
    }
    const path = this.#next.path ?? nameIn(header)
    const target = this.#next.target ?? textIn(header.subarray(157, 257))
    this.#next = {}
    this.#hear(entryOf(type, path, hasBody ? size : 0, target))
  }

  #takeText(about: AboutNext | 'nothing', body: Buffer): void {
    this.#text = null
    if (about === 'name') this.#next.path = textIn(body)
    else if (about === 'target') this.#next.target = textIn(body)
    else if (about === 'pax') Object.assign(this.#next, readPax(body))
    // A value for all entries that follow would change what they are.
    else if (Object.keys(readPax(body)).length > 0)
      throw new ArchiveProblem('The archive has a header for all of its files')
  }
}

function entryOf(type: string, path: string, size: number, target: string): TarEntry {
  switch (type) {
    case '0':
    case '\0':
    case '7':
      // Older programs mark a folder by its name alone.
      return { is: path.endsWith('/') ? 'folder' : 'file', path, size }
    case '5':
      return { is: 'folder', path, size }
    case '2':
      return { is: 'link', path, size, target }
    default:
      return { is: 'other', path, size, what: OTHERS[type] ?? 'an entry of an unknown kind' }
  }
}

function isAboutNext(type: string): type is keyof typeof ABOUT_NEXT {
  return Object.hasOwn(ABOUT_NEXT, type)
}

function nameIn(header: Buffer): string {
  const name = textIn(header.subarray(0, 100))
  // GNU keeps other things where ustar has the beginning of a long name.
  const isUstar = header.subarray(257, 263).toString('latin1') === 'ustar\0'
  const prefix = isUstar ? textIn(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function textIn(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return (end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8')
}

/** Octal digits; null for what is no number, or one larger than eleven digits can say. */
function numberIn(header: Buffer, at: number, length: number): number | null {
  const text = textIn(header.subarray(at, at + length)).trim()
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : null
}

/** The checksum counts itself as spaces. */
function sumOf(header: Buffer): number {
  let sum = 8 * 0x20
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += header[at] ?? 0
  return sum
}

/** `<length> <key>=<value>\n` after each other. @throws ArchiveProblem */
function readPax(body: Buffer): { path?: string; target?: string; size?: number } {
  const found: { path?: string; target?: string; size?: number } = {}
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at)
    const length = space === -1 ? Number.NaN : Number(body.subarray(at, space).toString('latin1'))
    const record = body.subarray(space + 1, at + length - 1)
    const equals = record.indexOf(0x3d)
    if (!Number.isInteger(length) || length <= 0 || at + length > body.length || equals === -1)
      throw new ArchiveProblem('The archive has a header that cannot be read')
    const key = record.subarray(0, equals).toString('utf8')
    const value = record.subarray(equals + 1).toString('utf8')
    if (key === 'path') found.path = value
    else if (key === 'linkpath') found.target = value
    else if (key === 'size') {
      if (!/^\d{1,15}$/.test(value)) throw new ArchiveProblem('The archive has a file of an impossible size')
      found.size = Number(value)
    } else if (key.startsWith('GNU.sparse.')) throw new ArchiveProblem('The archive has a sparse file')
    at += length
  }
  return found
}
