/** Values that are kept while the version of what they were made of stays the same, a short while at most. */

/** Everything that changes says so; should it ever not, what is kept is stale no longer than this. */
export const KEPT_MS = 30_000

interface Entry<T> {
  value: T
  version: string | number
  until: number
}

export class Kept<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #limit: number
  readonly #ttlMs: number

  constructor(limit: number, ttlMs: number) {
    this.#limit = limit
    this.#ttlMs = ttlMs
  }

  /** @param version null: nothing that is kept can be trusted. */
  get(key: string, version: string | number | null): T | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || entry.version !== version || entry.until < performance.now()) return undefined
    return entry.value
  }

  /**
   * @param before the version before the value was read: what has changed meanwhile may or may not be in it
   * @param now the version now
   */
  keep(key: string, value: T, before: string | number | null, now: string | number | null): void {
    if (before === null || before !== now) return
    // The oldest goes: what is asked for often is soon back.
    if (this.#entries.size >= this.#limit) this.#entries.delete(this.#entries.keys().next().value ?? '')
    this.#entries.delete(key)
    this.#entries.set(key, { value, version: before, until: performance.now() + this.#ttlMs })
  }
}
