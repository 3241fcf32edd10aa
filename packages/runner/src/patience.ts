/** Waits between tries: exponential with full jitter, so that runners do not come back all at once. */
import { setTimeout as wait } from 'node:timers/promises'

const FIRST_MS = 250
const LONGEST_MS = 30_000
/** For a server that is there and says that it cannot serve for a moment: it costs nothing to ask soon. */
export const SOON_MS = 2000

export class Patience {
  #failures = 0

  reset(): void {
    this.#failures = 0
  }

  /** Resolves at once when the signal is aborted. */
  async wait(signal: AbortSignal, longestMs = LONGEST_MS): Promise<void> {
    await wait(this.nextMs(longestMs), undefined, { signal }).catch(() => {})
  }

  nextMs(longestMs = LONGEST_MS): number {
    const upTo = Math.min(longestMs, FIRST_MS * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 20)
    return Math.random() * upTo
  }
}
