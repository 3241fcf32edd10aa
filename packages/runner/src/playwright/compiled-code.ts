/**
 * Compiled code of the runtimes' packages, made once by a process that runs nothing but a script of ours, and read by
 * those that run the scripts of users. None of these can write what another executes.
 */
import { chmod, lchown, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Way } from '../scripts/isolation.ts'
import type { CompiledPlace } from './sandbox.ts'

/** Whether those that read it cannot change it, being another user than the one it belongs to, or seeing it read-only. */
export const canBeShared = ({ level, apart }: Way): boolean => level === 'strict' || apart

/** After an attempt that came to nothing; doubled after each further one that failed. */
const AGAIN_AFTER_MS = 5 * 60_000
const AGAIN_AT_THE_LATEST_MS = 2 * 60 * 60_000

export interface CompiledCodeOptions {
  /** One that is only ours to write in. */
  folder: () => Promise<string>
  /** Hears of the first failure of a kind, and of no other before it has been made. */
  trouble: (reason: string) => void
  now?: () => number
}

/** What became of an attempt: it could come to nothing for reasons that have nothing to do with it. */
export type Attempt = 'filled' | 'not now'

type Made =
  | { is: 'here'; place: CompiledPlace }
  | { is: 'being made' }
  | { is: 'to be tried again'; notBefore: number; failures: number }

export class CompiledCode {
  readonly #options: CompiledCodeOptions
  readonly #made = new Map<string, Made>()

  constructor(options: CompiledCodeOptions) {
    this.#options = options
  }

  /** Null: there is none, or none yet. */
  find(key: string): CompiledPlace | null {
    const made = this.#made.get(key)
    return made?.is === 'here' ? made.place : null
  }

  /**
   * Has it made, if it is time to try. Never throws: all goes on without.
   * @param fill runs the process that fills it, to its end
   */
  async make(key: string, fill: (place: CompiledPlace) => Promise<Attempt>): Promise<void> {
    const before = this.#made.get(key)
    if (before?.is === 'here' || before?.is === 'being made') return
    if (before !== undefined && this.#now() < before.notBefore) return
    const failures = before?.failures ?? 0
    this.#made.set(key, { is: 'being made' })
    try {
      const place = await this.#tryToMake(key, fill)
      this.#made.set(key, place === null ? this.#again(failures) : { is: 'here', place })
    } catch (error) {
      this.#made.set(key, this.#again(failures + 1))
      if (failures === 0) this.#options.trouble(error instanceof Error ? error.message : String(error))
    }
  }

  async #tryToMake(key: string, fill: (place: CompiledPlace) => Promise<Attempt>): Promise<CompiledPlace | null> {
    const folder = join(await this.#options.folder(), `compiled-${key}`)
    // What an attempt before has left.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o755 })
    if ((await fill({ folder, isFilled: true })) === 'not now') return null
    await takeOver(folder)
    return { folder, isFilled: false }
  }

  #again(failures: number): Made {
    const waitMs = Math.min(AGAIN_AFTER_MS * 2 ** Math.max(0, failures - 1), AGAIN_AT_THE_LATEST_MS)
    return { is: 'to be tried again', notBefore: this.#now() + waitMs, failures }
  }

  #now(): number {
    return (this.#options.now ?? Date.now)()
  }
}

/** Whoever has filled it is gone, and nobody but us may write there again. */
async function takeOver(path: string): Promise<void> {
  const stat = await lstat(path)
  if (!stat.isFile() && !stat.isDirectory()) throw new Error('there is something else than files in it')
  await lchown(path, process.getuid?.() ?? stat.uid, process.getgid?.() ?? stat.gid)
  await chmod(path, stat.isDirectory() ? 0o755 : 0o644)
  if (stat.isDirectory()) for (const name of await readdir(path)) await takeOver(join(path, name))
}
