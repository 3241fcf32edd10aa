/** Knows the runners that call, and notes in the database that they are alive: once a second each, not at every call. */
import { AppError } from '../../app-error.ts'
import type { RunnerCaller } from '../../auth/caller.ts'
import type { Db } from '../../db/database.ts'
import { type RunnerRow, seeRunner } from '../../scheduling/runner-store.ts'

const NOTE_EVERY_MS = 1000

interface Seen {
  runner: RunnerRow
  keyId: string
  at: number
  lastLeaseAt: number | undefined
}

export class RunnersSeen {
  readonly #db: Db
  readonly #seen = new Map<number, Seen>()

  constructor(db: Db) {
    this.#db = db
  }

  /** @throws AppError `gone` for a runner that did not sign in with this key, or long ago. */
  async identify(runnerId: number, caller: RunnerCaller): Promise<RunnerRow> {
    const known = this.#seen.get(runnerId)
    const isFresh = known !== undefined && known.keyId === caller.keyId && performance.now() - known.at < NOTE_EVERY_MS
    return isFresh ? known.runner : this.note(runnerId, caller, undefined)
  }

  /** As `identify`, and notes what the runner says of its own trouble. */
  async note(runnerId: number, { keyId }: RunnerCaller, trouble: string | null | undefined): Promise<RunnerRow> {
    const runner = await seeRunner(this.#db, runnerId, keyId, trouble)
    if (runner === undefined) {
      this.#seen.delete(runnerId)
      throw new AppError('gone', 'This runner is not known. Sign in again.')
    }
    this.#seen.set(runnerId, {
      runner,
      keyId,
      at: performance.now(),
      lastLeaseAt: this.#seen.get(runnerId)?.lastLeaseAt,
    })
    return runner
  }

  lastLeaseOf(runnerId: number): number | undefined {
    return this.#seen.get(runnerId)?.lastLeaseAt
  }

  leased(runnerId: number): void {
    const known = this.#seen.get(runnerId)
    if (known !== undefined) known.lastLeaseAt = performance.now()
  }

  forget(runnerId: number): void {
    this.#seen.delete(runnerId)
  }
}
