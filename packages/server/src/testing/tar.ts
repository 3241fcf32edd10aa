/** Archives for tests, honest ones and others. */
import { gzipSync } from 'node:zlib'

export interface Entry {
  path: string
  body?: string | Uint8Array
  /** As tar marks it: a file unless told otherwise. */
  type?: string
  target?: string
  /** Instead of that of the body. */
  size?: number
}

const BLOCK = 512

/** In the format that all tar programs read; long names by pax headers. */
export function tarOf(entries: readonly Entry[]): Buffer {
  return Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(2 * BLOCK)])
}

export const archiveOf = (entries: readonly Entry[]): Buffer => gzipSync(tarOf(entries), { level: 1 })

/** A project by the paths of its files. */
export const projectOf = (files: Readonly<Record<string, string>>): Buffer =>
  archiveOf(Object.entries(files).map(([path, body]) => ({ path, body })))

function blocksOf({ path, body = '', type = '0', target = '', size }: Entry): Buffer[] {
  const bytes = Buffer.from(body)
  const isLong = Buffer.byteLength(path) > 100 || Buffer.byteLength(target) > 100
  const pax = isLong ? Buffer.from(paxOf('path', path) + (target === '' ? '' : paxOf('linkpath', target))) : null
  return [
    ...(pax === null ? [] : [headerOf('pax', 'x', pax.length, ''), padded(pax)]),
    headerOf(isLong ? 'long' : path, type, size ?? bytes.length, isLong ? '' : target),
    padded(bytes),
  ]
}

function headerOf(path: string, type: string, size: number, target: string): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(path, 0, 100)
  header.write('0000644\0', 100)
  header.write('0000000\x000000000\0', 108)
  header.write(size.toString(8).padStart(11, '0'), 124)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write(type, 156)
  header.write(target, 157, 100)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function paxOf(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = Buffer.byteLength(rest)
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest)
  return `${length}${rest}`
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)])
}
