/**
 * Compiled code of the runtimes' packages, made once by a process that runs nothing but a script of ours, and read by
 * those that run the scripts of users. None of these can write what another executes.
 */
import { chmod, lchown, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Way } from '../scripts/isolation.ts'
import type { CompiledPlace } from './sandbox.ts'

/** Whether those that read it cannot change it, being another user than the one it belongs to, or seeing it read-only. */
export const canBeShared = ({ level, apart }: Way): boolean => level === 'strict' || apart

export class CompiledCode {
  readonly #folder: () => Promise<string>
  readonly #trouble: (reason: string) => void
  readonly #made = new Map<string, CompiledPlace | null>()

  /** @param folder one that is only ours to write in */
  constructor(folder: () => Promise<string>, trouble: (reason: string) => void) {
    this.#folder = folder
    this.#trouble = trouble
  }

  /** Null: there is none, or none yet. */
  find(key: string): CompiledPlace | null {
    return this.#made.get(key) ?? null
  }

  /**
   * Has it made, if nobody has tried yet. Never throws: all goes on without.
   * @param fill runs the process that fills it, to its end
   */
  async make(key: string, fill: (place: CompiledPlace) => Promise<void>): Promise<void> {
    if (this.#made.has(key)) return
    this.#made.set(key, null)
    try {
      const folder = join(await this.#folder(), `compiled-${key}`)
      await mkdir(folder, { mode: 0o755 })
      await fill({ folder, isFilled: true })
      await takeOver(folder)
      this.#made.set(key, { folder, isFilled: false })
    } catch (error) {
      this.#trouble(error instanceof Error ? error.message : String(error))
    }
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
