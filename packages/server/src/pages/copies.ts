/**
 * Copies of what public pages show. One is made for all who ask at the same time and lives for seconds. When a new one
 * cannot be made, the last one is shown, with its age.
 */

export interface Copy<Value> {
  value: Value
  ageMs: number
  /** Older than it should be: a new one could not be made, or not in time. */
  isOld: boolean
}

/** Asked before a page is read that nobody keeps; refuses by throwing. */
export type Admit = () => void

export interface CopiesOptions {
  lifeMs: number
  /** An old copy is shown to whoever would have to wait longer for a new one. */
  patienceMs: number
  /** After a failure, until the next try. */
  pauseMs: number
  /** How long an old copy is good enough. */
  keepMs: number
  /** Copies at most, and as many names of what does not exist: what was unused for longest goes first. */
  most: number
  nowMs: () => number
  /** A copy could not be made. */
  onTrouble: (key: string, error: unknown) => void
}

interface Entry<Value> {
  value: Value
  madeAtMs: number
  nextTryAtMs: number
}

export class Copies<Value> {
  readonly #options: CopiesOptions
  readonly #found = new Map<string, Entry<Value>>()
  /** Apart, so that asking for what does not exist pushes out nothing that does. */
  readonly #absent = new Map<string, Entry<null>>()
  readonly #inTheMaking = new Map<string, Promise<Value | null>>()

  constructor(options: CopiesOptions) {
    this.#options = options
  }

  /**
   * `make` answers null for what does not exist. `admit` may refuse by throwing what nobody has a copy of and nobody makes.
   *
   * @throws what either throws, when there is no copy.
   */
  async get(key: string, make: () => Promise<Value | null>, admit: Admit = () => {}): Promise<Copy<Value | null>> {
    const { lifeMs, keepMs, nowMs } = this.#options
    const present = this.#used(key)
    const now = nowMs()
    if (present !== undefined && (now - present.madeAtMs < lifeMs || now < present.nextTryAtMs)) {
      if (now - present.madeAtMs <= keepMs) return this.#show(present)
    }
    if (present === undefined && !this.#inTheMaking.has(key)) admit()
    const making = this.#inTheMaking.get(key) ?? this.#make(key, make)
    if (present === undefined || now - present.madeAtMs > keepMs) {
      return { value: await making, ageMs: 0, isOld: false }
    }
    await this.#inTime(making)
    return this.#show(this.#used(key) ?? present)
  }

  /** The next one to ask gets a new copy, or the error. */
  forget(key: string): void {
    this.#found.delete(key)
    this.#absent.delete(key)
  }

  #show(entry: Entry<Value | null>): Copy<Value | null> {
    const ageMs = this.#options.nowMs() - entry.madeAtMs
    return { value: entry.value, ageMs, isOld: ageMs >= this.#options.lifeMs }
  }

  #used(key: string): Entry<Value | null> | undefined {
    return touch(this.#found, key) ?? touch(this.#absent, key)
  }

  #make(key: string, make: () => Promise<Value | null>): Promise<Value | null> {
    const making = make()
      .then(
        (value) => this.#keep(key, value),
        (error: unknown) => {
          const present = this.#used(key)
          if (present !== undefined) present.nextTryAtMs = this.#options.nowMs() + this.#options.pauseMs
          this.#options.onTrouble(key, error)
          throw error
        },
      )
      .finally(() => this.#inTheMaking.delete(key))
    this.#inTheMaking.set(key, making)
    return making
  }

  #keep(key: string, value: Value | null): Value | null {
    const { nowMs, most } = this.#options
    const times = { madeAtMs: nowMs(), nextTryAtMs: 0 }
    this.#found.delete(key)
    this.#absent.delete(key)
    if (value === null) put(this.#absent, key, { value, ...times }, most)
    else put(this.#found, key, { value, ...times }, most)
    return value
  }

  /** A failure was told already where it happened. */
  async #inTime(making: Promise<unknown>): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.patienceMs)
      const done = () => {
        clearTimeout(timer)
        resolve()
      }
      making.then(done, done)
    })
  }
}

function touch<Value>(entries: Map<string, Value>, key: string): Value | undefined {
  const entry = entries.get(key)
  if (entry !== undefined) {
    entries.delete(key)
    entries.set(key, entry)
  }
  return entry
}

function put<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): void {
  entries.set(key, value)
  if (entries.size <= most) return
  for (const oldest of entries.keys()) {
    entries.delete(oldest)
    return
  }
}
