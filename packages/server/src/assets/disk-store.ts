/** Files on the disk of this server. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type AssetStore, NoRoom } from './asset-store.ts'

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG']

export function diskStore(folder: string): AssetStore {
  const pathOf = (key: string) => join(folder, key)
  return {
    description: folder,
    async put(key, content) {
      const path = pathOf(key)
      const unfinished = `${path}.${randomUUID()}.part`
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }))
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw FULL.includes(codeOf(error)) ? new NoRoom('The disk is full.', { cause: error }) : error
      }
    },
    async read(key, range) {
      try {
        const file = await open(pathOf(key))
        return file.createReadStream(range === null ? {} : { start: range.first, end: range.last })
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null
        throw error
      }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async *list() {
      for (const path of await filesBelow(folder)) {
        const found = await stat(path).catch(() => null)
        if (found !== null) yield { key: relative(folder, path), modifiedAtMs: found.mtimeMs }
      }
    },
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
