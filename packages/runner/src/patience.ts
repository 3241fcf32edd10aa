/** Waits between tries: exponential with full jitter, so that runners do not come back all at once. */
import { setTimeout as wait } from 'node:timers/promises'

const FIRST_MS = 250
const LONGEST_MS = 30_000

export class Patience {
  #failures = 0

  reset(): void {
    this.#failures = 0
  }

  /** Resolves at once when the signal is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    const upTo = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 20)
    await wait(Math.random() * upTo, undefined, { signal }).catch(() => {})
  }
}
