/**
 * What the checks are like that a check depends on, found when an alert of it is about to be told and not before. They are
 * read without locks, so nobody waits for another check. At worst one is judged at the same moment elsewhere: then an alert
 * is told that could have been held, or one is held for some seconds more.
 */
import { type Ancestor, type Holder, holderOf, isReleased } from '@vedette/core'
import type { Db } from '../db/database.ts'
import { findAncestors } from './dependency-store.ts'

interface Child {
  accountId: string
  dependsOn: readonly string[]
  heldSinceMs: number | null
}

/** What is newer of a check than what is stored. */
export type NewerState = Pick<Ancestor, 'state' | 'sinceMs' | 'isTold'>

type Found = readonly (Ancestor & { checkNo: number })[]

export class Dependencies {
  readonly #tx: Db
  readonly #nowMs: number
  /** Many checks depend on the same few: they are read once. */
  readonly #found = new Map<string, Found>()

  constructor(tx: Db, nowMs: number) {
    this.#tx = tx
    this.#nowMs = nowMs
  }

  async holderOf(
    child: Child,
    newerOf: (ancestor: Ancestor & { checkNo: number }) => NewerState | undefined = () => undefined,
  ): Promise<Holder | null> {
    const ancestors = await this.#ancestorsOf(child)
    const now = ancestors.map((ancestor) => ({ ...ancestor, ...newerOf(ancestor) }))
    return holderOf(now, child.heldSinceMs, this.#nowMs)
  }

  /** Whether the held alert of a check is to be told now. */
  async isReleased(child: Child & { heldSinceMs: number; runsSoon: boolean }): Promise<boolean> {
    return isReleased(await this.#ancestorsOf(child), child, this.#nowMs)
  }

  async #ancestorsOf({ accountId, dependsOn }: Child): Promise<Found> {
    if (dependsOn.length === 0) return []
    const key = [accountId, ...dependsOn].join()
    const ancestors = this.#found.get(key) ?? (await findAncestors(this.#tx, accountId, dependsOn))
    this.#found.set(key, ancestors)
    return ancestors
  }
}
