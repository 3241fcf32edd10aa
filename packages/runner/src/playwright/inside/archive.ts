/** Unpacks the archive of a project (tar.gz), by rules: nothing in it may lead out of the folder. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { placeBelow } from './workspace.ts'

const BLOCK = 512
const FILES_LIMIT = 20_000
/** When unpacked. The folder has a limit of its own. */
const BYTES_LIMIT = 512 * 1024 * 1024

export interface Unpacked {
  /** The paths of what was written. */
  written: string[]
  /** Whether there was something that is left out. */
  hasMore: boolean
}

/** @param leavesOut asked of each path in it */
export async function unpack(
  archive: string,
  folder: string,
  leavesOut: (path: string) => boolean = () => false,
): Promise<Unpacked> {
  const packed = readFileSync(archive)
  const isPacked = packed[0] === 0x1f && packed[1] === 0x8b
  const tar = isPacked ? await promisify(zlib.gunzip)(packed, { maxOutputLength: BYTES_LIMIT }) : packed
  const links: { place: string; target: string }[] = []
  const written: string[] = []
  let hasMore = false
  let count = 0
  for (const { path, kind, body, target } of entriesOf(tar)) {
    count += 1
    if (count > FILES_LIMIT) throw new Error(`the archive has more than ${FILES_LIMIT} files`)
    const relative = path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
    if (relative === '' || relative === '.') continue
    if (leavesOut(relative)) {
      hasMore = true
      continue
    }
    const place = placeBelow(folder, relative)
    if (kind === 'folder') mkdirSync(place, { recursive: true })
    else if (kind === 'file') {
      mkdirSync(dirname(place), { recursive: true })
      writeFileSync(place, body)
      written.push(place)
    } else if (kind === 'link') {
      const leadsTo = normalize(join(dirname(relative), target))
      if (target.startsWith('/') || leadsTo.startsWith('..'))
        throw new Error(`the link ${relative} leads out of the archive`)
      links.push({ place, target })
    }
  }
  // Last, so that no file is written through one.
  for (const { place, target } of links) {
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(target, place)
  }
  return { written, hasMore }
}

interface Entry {
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
  body: Uint8Array
  /** Of a link. */
  target: string
}

function* entriesOf(tar: Buffer): Generator<Entry> {
  let at = 0
  let long: { path?: string; target?: string } = {}
  while (at + BLOCK <= tar.length) {
    const header = tar.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) return
    const size = sizeIn(header)
    const body = tar.subarray(at + BLOCK, at + BLOCK + size)
    if (body.length < size) throw new Error('the archive is cut off')
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'x') {
      long = { ...long, ...extended(body) }
      continue
    }
    if (type === 'L' || type === 'K') {
      const value = textIn(body)
      long = type === 'L' ? { ...long, path: value } : { ...long, target: value }
      continue
    }
    if (type === 'g') continue
    const isStandard = textIn(header.subarray(257, 263)).startsWith('ustar')
    const prefix = isStandard ? textIn(header.subarray(345, 500)) : ''
    const name = textIn(header.subarray(0, 100))
    yield {
      path: long.path ?? (prefix === '' || header[262] === 0x20 ? name : `${prefix}/${name}`),
      kind: type === '0' || type === '\0' ? 'file' : type === '5' ? 'folder' : type === '2' ? 'link' : 'other',
      body,
      target: long.target ?? textIn(header.subarray(157, 257)),
    }
    long = {}
  }
}

function textIn(bytes: Uint8Array): string {
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8')
}

function sizeIn(header: Uint8Array): number {
  const field = header.subarray(124, 136)
  const size = Number.parseInt(textIn(field).trim() || '0', 8)
  if (((field[0] ?? 0) & 0x80) !== 0 || !Number.isSafeInteger(size) || size < 0)
    throw new Error('the archive has a file of an impossible size')
  return size
}

/** `<length> <key>=<value>\n`, of which two are of use. */
function extended(body: Uint8Array): { path?: string; target?: string } {
  const found: { path?: string; target?: string } = {}
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at)
    const length = Number.parseInt(Buffer.from(body.subarray(at, space)).toString('latin1'), 10)
    if (space === -1 || !Number.isSafeInteger(length) || length <= 0) break
    const text = Buffer.from(body.subarray(space + 1, at + length - 1)).toString('utf8')
    const equals = text.indexOf('=')
    if (text.slice(0, equals) === 'path') found.path = text.slice(equals + 1)
    if (text.slice(0, equals) === 'linkpath') found.target = text.slice(equals + 1)
    at += length
  }
  return found
}
