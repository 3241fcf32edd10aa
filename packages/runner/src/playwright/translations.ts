/**
 * What Playwright has made of scripts, so that the next run of the same one need not translate it again. It was written by
 * the process of a script and is never looked into here: it goes to runs of that very text, of that very check, and nowhere else.
 */
import { createHash } from 'node:crypto'
import type { JobFile, PlaywrightJob } from './job.ts'

const MEBIBYTE = 1024 * 1024
/** In characters, of all together and of one script. What has not been used for longest goes first. */
const MOST = { all: 16 * MEBIBYTE, one: 2 * MEBIBYTE }

export class Translations {
  readonly #most: typeof MOST
  readonly #kept = new Map<string, { files: readonly JobFile[]; size: number }>()
  #size = 0

  constructor(most = MOST) {
    this.#most = most
  }

  /** Null: it has not been translated yet. */
  find(key: string): readonly JobFile[] | null {
    const found = this.#kept.get(key)
    if (found === undefined) return null
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found.files
  }

  /** The first that is brought stays. */
  keep(key: string, made: ReadonlyMap<string, Buffer>): void {
    if (this.#kept.has(key)) return
    const files = [...made].map(
      ([path, content]): JobFile => ({ path, content: content.toString('base64'), encoding: 'base64' }),
    )
    const size = files.reduce((sum, { path, content }) => sum + path.length + content.length, key.length)
    if (size > this.#most.one) return
    this.#kept.set(key, { files, size })
    this.#size += size
    for (const [oldest, { size }] of this.#kept) {
      if (this.#size <= this.#most.all) break
      this.#kept.delete(oldest)
      this.#size -= size
    }
  }
}

/** Of what is translated, and for whom. Null: it is not known for whom, or the project is not for us to look into. */
export function translationKey(checkId: string | undefined, runtimeId: string, job: PlaywrightJob): string | null {
  if (checkId === undefined || job.is === 'suite') return null
  const { is, entry, files } = job
  return createHash('sha256')
    .update(JSON.stringify([checkId, runtimeId, is, entry, files]))
    .digest('base64')
}
