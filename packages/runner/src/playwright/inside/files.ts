/**
 * What a run leaves behind. The reporter notes what there is in a ledger while tests end; when all is over the bytes are
 * told, as many as are taken.
 */
import fs from 'node:fs'
import { basename, extname, join, relative, sep } from 'node:path'
import type { ScriptEvent, ScriptFault } from '../event.ts'
import { say } from './say.ts'
import { placesIn } from './settings.ts'
import { clip } from './texts.ts'

const { appendFileSync, closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, readdirSync } = fs
const { parse, stringify } = JSON

export const FILES_LIMIT = 200
export const BYTES_LIMIT = 64 * 1024 * 1024
/** In base64 no more than a line may have. */
const PIECE = 96 * 1024
const DEPTH = 6

type FileEvent = Extract<ScriptEvent, { is: 'file' }>
type Role = FileEvent['role']

export type LedgerLine =
  | { is: 'result'; status: string }
  /** Why there is no result. */
  | { is: 'fault'; fault: ScriptFault }
  | {
      is: 'file'
      name: string
      contentType: string
      path: string
      /** The script gave the bytes rather than a file. */
      isBody: boolean
      test: string
      retry: number
    }

export interface Found {
  role: Role
  name: string
  contentType: string
  path: string
  test: string | null
  retry: number
}

export function noteInLedger(folder: string, line: LedgerLine): void {
  appendFileSync(placesIn(folder).ledger, `${stringify(line)}\n`)
}

export function readLedger(folder: string): LedgerLine[] {
  const { ledger } = placesIn(folder)
  if (!existsSync(ledger)) return []
  const lines: LedgerLine[] = []
  for (const line of readFileSync(ledger, 'utf8').split('\n')) {
    try {
      if (line !== '') lines.push(parse(line))
    } catch {
      // The script could write there too, and so may have ruined a line of its own.
    }
  }
  return lines
}

/**
 * Everything worth taking along.
 * @param before the files of the job, which nobody made
 */
export function findFiles(folder: string, workingDir: string, before: ReadonlySet<string>): Found[] {
  const places = placesIn(folder)
  const found: Found[] = []
  for (const line of readLedger(folder)) {
    if (line.is !== 'file') continue
    const role = roleOf(line)
    const name = line.isBody || role === 'attachment' ? nameFor(line) : basename(line.path)
    found.push({ role, name, contentType: line.contentType, path: line.path, test: line.test, retry: line.retry })
  }
  if (existsSync(places.report)) found.push(plainFile('report', 'report.json', 'application/json', places.report))
  const known = new Set([...before, ...found.map(({ path }) => path)])
  const written = [...filesBelow(workingDir, DEPTH)].map((path) => ({ path, name: relative(workingDir, path) }))
  // Where `testInfo.outputPath` leads, beside what was attached.
  if (existsSync(places.results))
    for (const path of filesBelow(places.results, 2)) written.push({ path, name: basename(path) })
  for (const { path, name } of written) {
    if (known.has(path)) continue
    const kind = KINDS[extname(path).toLowerCase()]
    if (kind) found.push(plainFile(kind.role, name.split(sep).join('/'), kind.contentType, path))
    else if (/trace[^/]*\.zip$/i.test(path)) found.push(plainFile('trace', basename(path), 'application/zip', path))
  }
  return found
}

const plainFile = (role: Role, name: string, contentType: string, path: string): Found => ({
  role,
  name,
  contentType,
  path,
  test: null,
  retry: 0,
})

/** Files that scripts write by themselves: `page.screenshot({ path })`. */
const KINDS: Readonly<Record<string, { role: Role; contentType: string }>> = {
  '.png': { role: 'screenshot', contentType: 'image/png' },
  '.jpg': { role: 'screenshot', contentType: 'image/jpeg' },
  '.jpeg': { role: 'screenshot', contentType: 'image/jpeg' },
  '.webp': { role: 'screenshot', contentType: 'image/webp' },
  '.webm': { role: 'video', contentType: 'video/webm' },
}

function roleOf({ name, contentType, isBody }: Extract<LedgerLine, { is: 'file' }>): Role {
  if (isBody) return contentType.startsWith('image/') ? 'screenshot' : 'attachment'
  if (name === 'trace') return 'trace'
  if (name === 'video' || contentType.startsWith('video/')) return 'video'
  return contentType.startsWith('image/') ? 'screenshot' : 'attachment'
}

const ENDINGS: Readonly<Record<string, string>> = {
  'text/plain': '.txt',
  'application/json': '.json',
  'text/html': '.html',
  'text/markdown': '.md',
  'image/png': '.png',
  'image/jpeg': '.jpg',
}

/** As it was called, with an ending that says what it is. */
function nameFor({ name, contentType, path }: Extract<LedgerLine, { is: 'file' }>): string {
  if (extname(name) !== '') return name
  return name + (extname(path) || (ENDINGS[contentType.split(';')[0] ?? ''] ?? ''))
}

function* filesBelow(folder: string, depth: number): Generator<string> {
  if (depth === 0) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      yield* filesBelow(path, depth - 1)
  }
}

/** Files of the transform cache that were not brought with the job. */
export function findCache(folder: string, before: ReadonlySet<string>): Found[] {
  const { cache } = placesIn(folder)
  if (!existsSync(cache)) return []
  return [...filesBelow(cache, 3)]
    .filter((path) => !before.has(path))
    .map((path) => plainFile('cache', relative(folder, path).split(sep).join('/'), 'application/octet-stream', path))
}

/** @returns how many were left out */
export function tellFiles(found: readonly Found[]): number {
  let no = 0
  let bytesLeft = BYTES_LIMIT
  let leftOut = 0
  for (const { path, ...file } of found) {
    const told = no < FILES_LIMIT ? tellFile(no, path, file, bytesLeft) : null
    if (told === null) leftOut += 1
    else {
      no += 1
      bytesLeft -= told
    }
  }
  return leftOut
}

/** @returns its bytes; null: it is not told */
function tellFile(no: number, path: string, file: Omit<Found, 'path'>, limit: number): number | null {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch {
    // It was announced and is not there: the script, or Playwright, has removed it.
    return null
  }
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile() || stat.size > limit) return null
    const { role, test, retry } = file
    const name = clip(file.name, 255)
    say({ is: 'file', no, role, name, contentType: clip(file.contentType, 200), bytes: stat.size, test, retry })
    const buffer = Buffer.alloc(Math.min(PIECE, stat.size))
    for (let at = 0; at < stat.size; ) {
      const read = readSync(descriptor, buffer, 0, buffer.length, at)
      if (read === 0) break
      at += read
      say({ is: 'data', no, base64: buffer.toString('base64', 0, read) })
    }
    return stat.size
  } finally {
    closeSync(descriptor)
  }
}
