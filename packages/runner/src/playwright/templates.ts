/**
 * Which template a run is forked from: one for each kind of run, tried before it is used, replaced when it is old or its
 * runs crash, and given up where the replacement is no better. Until there is one, and after, runs are started as ever.
 */
import type { Log } from '../log.ts'

const REPLACED_AFTER_MS = 60 * 60_000
const MOST_CRASHES = 2

/** What is kept of a template: its process, in fact. */
export interface Template {
  readonly isOver: boolean
  readonly ended: Promise<void>
  kill(): void
}

export interface TemplatesOptions<K, T extends Template> {
  log: Log
  keyOf: (wanted: K) => string
  /** Ready, and tried. @throws Error with what is wrong */
  make: (wanted: K) => Promise<T>
  now?: () => number
}

interface Used<T> {
  template: T
  madeAt: number
  runs: number
  /** In a row. */
  crashes: number
  /** No run is forked from it any more. */
  isRetired: boolean
}

export interface Lent<T> {
  template: T
  /** @param hasCrashed whether the process of the run did */
  giveBack(hasCrashed: boolean): void
}

export class Templates<K, T extends Template> {
  readonly #options: TemplatesOptions<K, T>
  readonly #used = new Map<string, Used<T>>()
  readonly #making = new Map<string, Promise<void>>()
  /** Also those that are retired, until they are gone. */
  readonly #all = new Set<T>()
  #isGivenUp = false

  constructor(options: TemplatesOptions<K, T>) {
    this.#options = options
  }

  get isGivenUp(): boolean {
    return this.#isGivenUp
  }

  /** Null: there is none now; one is made where there may be one. */
  lend(wanted: K): Lent<T> | null {
    const used = this.#current(wanted)
    if (used === null) return null
    used.runs += 1
    let isLent = true
    const giveBack = (hasCrashed: boolean) => {
      if (!isLent) return
      isLent = false
      used.runs -= 1
      used.crashes = hasCrashed ? used.crashes + 1 : 0
      if (used.crashes >= MOST_CRASHES && !used.isRetired) {
        this.#options.log('WARN', `${MOST_CRASHES} scripts in a row crashed in forked processes: they are forked anew`)
        this.#retire(this.#options.keyOf(wanted), used)
        this.#make(wanted)
      }
      if (used.isRetired && used.runs === 0) used.template.kill()
    }
    return { template: used.template, giveBack }
  }

  /** Whether there is one; one is made where there may be one. */
  has(wanted: K): boolean {
    return this.#current(wanted) !== null
  }

  /** Resolves when there is one, or is not going to be one. */
  async made(wanted: K): Promise<void> {
    if (!this.has(wanted)) await this.#making.get(this.#options.keyOf(wanted))
  }

  async close(): Promise<void> {
    this.#isGivenUp = true
    await Promise.all(this.#making.values())
    for (const template of this.#all) template.kill()
    await Promise.allSettled([...this.#all].map(({ ended }) => ended))
  }

  #current(wanted: K): Used<T> | null {
    const key = this.#options.keyOf(wanted)
    const used = this.#used.get(key)
    if (used?.template.isOver) this.#retire(key, used)
    const found = this.#used.get(key) ?? null
    // An old one is good enough until there is a new one.
    if (found === null || this.#now() - found.madeAt > REPLACED_AFTER_MS) this.#make(wanted)
    return this.#isGivenUp ? null : found
  }

  #make(wanted: K): void {
    const key = this.#options.keyOf(wanted)
    if (this.#isGivenUp || this.#making.has(key)) return
    const make = async () => {
      try {
        const template = await this.#options.make(wanted)
        this.#all.add(template)
        template.ended.finally(() => this.#all.delete(template)).catch(() => {})
        const before = this.#used.get(key)
        if (before !== undefined) this.#retire(key, before)
        const madeAt = this.#now()
        this.#used.set(key, { template, madeAt, runs: 0, crashes: 0, isRetired: false })
      } catch (error) {
        if (!this.#isGivenUp)
          this.#options.log('WARN', `scripts are not forked: ${error instanceof Error ? error.message : error}`)
        this.#isGivenUp = true
        for (const [other, used] of this.#used) this.#retire(other, used)
      } finally {
        this.#making.delete(key)
      }
    }
    this.#making.set(key, make())
  }

  #retire(key: string, used: Used<T>): void {
    if (this.#used.get(key) === used) this.#used.delete(key)
    used.isRetired = true
    if (used.runs === 0) used.template.kill()
  }

  #now(): number {
    return (this.#options.now ?? Date.now)()
  }
}
