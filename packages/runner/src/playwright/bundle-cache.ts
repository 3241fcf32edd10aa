/**
 * The bundles of suites that this runner has fetched, as files by their hash. A bundle is fetched once for the runs that want
 * it; those that were not wanted for longest make room.
 */
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeFolder, markInUse } from '../scripts/own-folders.ts'

const MOST_BYTES = 1024 * 1024 * 1024

/** The bytes of a bundle, for whoever holds the lease. */
export type FetchBundle = (sha256: string, leaseId: string) => Promise<AsyncIterable<Uint8Array>>

export class BundleCache {
  readonly #fetch: FetchBundle
  readonly #mostBytes: number
  /** By hash; what was wanted last is at the end. */
  readonly #kept = new Map<string, { path: string; size: number }>()
  readonly #coming = new Map<string, Promise<string>>()
  #folder: Promise<{ path: string; release(): void }> | null = null

  constructor(fetch: FetchBundle, { mostBytes = MOST_BYTES } = {}) {
    this.#fetch = fetch
    this.#mostBytes = mostBytes
  }

  /** @throws Error when it cannot be fetched, or is not what the hash says */
  async fileOf(sha256: string, leaseId: string): Promise<string> {
    const kept = this.#kept.get(sha256)
    // Somebody else may have tidied up.
    if (kept !== undefined && existsSync(kept.path)) {
      this.#kept.delete(sha256)
      this.#kept.set(sha256, kept)
      return kept.path
    }
    const coming = this.#coming.get(sha256) ?? this.#take(sha256, leaseId).finally(() => this.#coming.delete(sha256))
    this.#coming.set(sha256, coming)
    return coming
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#coming.values())
    if (this.#folder === null) return
    const { path, release } = await this.#folder
    release()
    await rm(path, { recursive: true, force: true })
  }

  async #take(sha256: string, leaseId: string): Promise<string> {
    const path = join(await this.#place(), `${sha256}.tar.gz`)
    const unfinished = `${path}.new`
    const hash = createHash('sha256')
    let size = 0
    try {
      await pipeline(
        await this.#fetch(sha256, leaseId),
        async function* (pieces) {
          for await (const piece of pieces) {
            hash.update(piece)
            size += piece.length
            yield piece
          }
        },
        createWriteStream(unfinished, { mode: 0o644 }),
      )
      if (hash.digest('hex') !== sha256) throw new Error('it came with other bytes than it was uploaded with')
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    this.#kept.set(sha256, { path, size })
    await this.#makeRoom(sha256)
    return path
  }

  async #place(): Promise<string> {
    this.#folder ??= openFolder()
    try {
      const { path } = await this.#folder
      if (existsSync(path)) return path
    } catch (error) {
      this.#folder = null
      throw error
    }
    this.#folder = openFolder()
    return (await this.#folder).path
  }

  async #makeRoom(newest: string): Promise<void> {
    let bytes = [...this.#kept.values()].reduce((sum, { size }) => sum + size, 0)
    for (const [sha256, { path, size }] of this.#kept) {
      if (bytes <= this.#mostBytes || sha256 === newest) return
      this.#kept.delete(sha256)
      bytes -= size
      await rm(path, { force: true })
    }
  }
}

async function openFolder() {
  const path = await makeFolder('bundles')
  return { path, release: await markInUse(path) }
}
