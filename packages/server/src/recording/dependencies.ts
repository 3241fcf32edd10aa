/**
 * What the checks are like that a check depends on, found when an alert of it is about to be told and not before. They are
 * read without locks, so nobody waits for another check. At worst one is judged at the same moment elsewhere: then an alert
 * is told that could have been held, or one is held until the check’s next run.
 */
import { type Ancestor, type Holder, holderOf } from '@vedette/core'
import type { TargetState } from '@vedette/schema'
import { parentsOf } from '../checks/check.ts'
import type { Db } from '../db/database.ts'
import { findAncestors } from './dependency-store.ts'
import type { CheckInHand } from './store.ts'

type Child = Pick<CheckInHand, 'accountId' | 'settings'>

export class Dependencies {
  readonly #tx: Db
  readonly #nowMs: number
  /** Many checks depend on the same few: they are read once. */
  readonly #found = new Map<string, readonly (Ancestor & { checkNo: number })[]>()

  constructor(tx: Db, nowMs: number) {
    this.#tx = tx
    this.#nowMs = nowMs
  }

  /** @param stateOf where it is newer than what is stored */
  async holderOf(
    { accountId, settings }: Child,
    stateOf: (checkNo: number) => TargetState | undefined = () => undefined,
  ): Promise<Holder | null> {
    const dependsOn = parentsOf(settings)
    if (dependsOn.length === 0) return null
    const key = [accountId, ...dependsOn].join()
    const ancestors = this.#found.get(key) ?? (await findAncestors(this.#tx, accountId, dependsOn))
    this.#found.set(key, ancestors)
    const now = ancestors.map((ancestor) => ({ ...ancestor, state: stateOf(ancestor.checkNo) ?? ancestor.state }))
    return holderOf(now, this.#nowMs)
  }
}
