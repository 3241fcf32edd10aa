/**
 * How often the configuration of each account has changed, so that what was read of it can be kept until it changes.
 * Every change is heard of by a signal that comes with its commit. The server that made it does not wait for the signal:
 * whoever has changed something reads it back changed.
 */
import type { Signals } from '../db/signals.ts'

export class Changes {
  readonly #signals: Signals
  readonly #counts = new Map<string, number>()
  #total = 0

  constructor(signals: Signals) {
    this.#signals = signals
    signals.on('changes', (accountId) => this.note(accountId))
  }

  /** An account has changed; an empty id means any may have. */
  note(accountId: string): void {
    this.#total += 1
    this.#counts.set(accountId, (this.#counts.get(accountId) ?? 0) + 1)
  }

  /** The same for as long as nothing changes in the account; null while changes could pass unheard. */
  versionOf(accountId: string): string | null {
    if (!this.#signals.isListening()) return null
    return `${this.#counts.get('') ?? 0}/${this.#counts.get(accountId) ?? 0}`
  }

  /** The same for as long as nothing changes anywhere; null while changes could pass unheard. */
  version(): number | null {
    return this.#signals.isListening() ? this.#total : null
  }
}
