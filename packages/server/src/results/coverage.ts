/**
 * How many runs were done and how late they started, counted minute by minute. Counts are kept in memory and added to
 * the database every few seconds: a crash loses seconds of a statistic, never a result.
 */
import { randomUUID } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { addCoverage } from './store.ts'

/** Upper bounds of the buckets in milliseconds; the last bucket is open. */
export const LATENESS_BOUNDS = [
  1, 2, 3, 5, 8, 12, 18, 25, 35, 50, 75, 100, 150, 250, 500, 1000, 2500, 5000, 15_000, 60_000,
] as const

interface Minute {
  done: number
  inError: number
  lateness: number[]
}

export class Coverage {
  readonly #serverId = randomUUID()
  #minutes = new Map<number, Minute>()

  add(startedAtMs: number, latenessMs: number, inError: boolean): void {
    const at = Math.floor(startedAtMs / 60_000) * 60_000
    let minute = this.#minutes.get(at)
    if (minute === undefined) {
      minute = { done: 0, inError: 0, lateness: Array.from({ length: LATENESS_BOUNDS.length + 1 }, () => 0) }
      this.#minutes.set(at, minute)
    }
    minute.done += 1
    if (inError) minute.inError += 1
    const found = LATENESS_BOUNDS.findIndex((bound) => latenessMs <= bound)
    const bucket = found < 0 ? LATENESS_BOUNDS.length : found
    minute.lateness[bucket] = (minute.lateness[bucket] ?? 0) + 1
  }

  /** Adds what was counted since the last call to the database. On failure the counts wait for the next call. */
  async flush(db: Db): Promise<void> {
    const counted = this.#minutes
    if (counted.size === 0) return
    this.#minutes = new Map()
    try {
      for (const [at, minute] of counted) await addCoverage(db, this.#serverId, at, minute)
    } catch (error) {
      for (const [at, minute] of this.#minutes) counted.set(at, merge(counted.get(at), minute))
      this.#minutes = counted
      throw error
    }
  }
}

function merge(a: Minute | undefined, b: Minute): Minute {
  if (a === undefined) return b
  return {
    done: a.done + b.done,
    inError: a.inError + b.inError,
    lateness: a.lateness.map((count, index) => count + (b.lateness[index] ?? 0)),
  }
}

/** The bound below which a share of the runs started, or null without runs. Milliseconds. */
export function latenessQuantile(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let seen = 0
  for (const [index, count] of buckets.entries()) {
    seen += count
    if (seen >= total * share) return LATENESS_BOUNDS[index] ?? LATENESS_BOUNDS.at(-1) ?? 0
  }
  return LATENESS_BOUNDS.at(-1) ?? 0
}
