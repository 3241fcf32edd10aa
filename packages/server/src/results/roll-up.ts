/**
 * Rolls results up, an hour at a time and once: when no more late results can come. Each hour is one transaction together
 * with the progress, so that a server that dies in between leaves what a later one completes.
 */
import { ROLL_UP_MS, RollUp } from '@vedette/core'
import type { CheckKind } from '@vedette/schema'
import type { Db } from '../db/database.ts'
import { makeRollUpPartitions } from '../db/partitions.ts'
import { timesOf } from './measures.ts'
import * as store from './roll-up-store.ts'

/**
 * How late a result can be: a run may wait a quarter of an hour for a runner, the longest may take half an hour, and its
 * report has as long again.
 */
export const SETTLED_AFTER_MS = 3_600_000

/** So many checks at once: the event loop is given back in between. */
const CHECKS_AT_ONCE = 50

/** Rolls up what has settled, until time is up. Answers how many hours were done. */
export async function rollUpResults(db: Db, nowMs: number, forMs = 10_000): Promise<number> {
  const startedAt = performance.now()
  await begin(db, nowMs)
  let done = 0
  while (performance.now() - startedAt < forMs && (await rollUpNext(db, nowMs))) done += 1
  return done
}

/**
 * Where rolling up begins on an installation that has never done so: with its oldest result. One that was away for long
 * has no partitions for the time since.
 */
async function begin(db: Db, nowMs: number): Promise<void> {
  const reachedMs = await store.rolledUpTo(db)
  if (reachedMs !== null) {
    if (nowMs - reachedMs > ROLL_UP_MS.day) await makeRollUpPartitions(db, reachedMs, nowMs)
    return
  }
  const oldestMs = Math.min((await store.oldestResult(db)) ?? nowMs, nowMs - SETTLED_AFTER_MS)
  const fromMs = Math.floor(oldestMs / ROLL_UP_MS.day) * ROLL_UP_MS.day
  await makeRollUpPartitions(db, fromMs, nowMs)
  await store.beginProgress(db, fromMs)
}

/** False when there is nothing to do, or somebody else is at it. */
function rollUpNext(db: Db, nowMs: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const startsAtMs = await store.lockProgress(tx)
    if (startsAtMs === undefined) return false
    const endsAtMs = startsAtMs + ROLL_UP_MS.hour
    if (endsAtMs + SETTLED_AFTER_MS > nowMs) return false
    await eachCheck(tx, (checks) => rollUpHour(tx, checks, { fromMs: startsAtMs, toMs: endsAtMs }))
    if (endsAtMs % ROLL_UP_MS.day === 0)
      await eachCheck(tx, (checks) => sumUpDay(tx, checks, { fromMs: endsAtMs - ROLL_UP_MS.day, toMs: endsAtMs }))
    await store.moveProgress(tx, endsAtMs)
    return true
  })
}

async function eachCheck(tx: Db, work: (checks: Map<number, CheckKind>) => Promise<void>): Promise<void> {
  let last = 0
  for (;;) {
    const checks = await store.checksAfter(tx, last, CHECKS_AT_ONCE)
    if (checks.length === 0) return
    await work(new Map(checks.map(({ no, kind }) => [no, kind])))
    last = checks.at(-1)?.no ?? last
  }
}

async function rollUpHour(tx: Db, checks: ReadonlyMap<number, CheckKind>, range: store.TimeRange): Promise<void> {
  const sums = new Sums()
  const known = [...checks].map(([no, kind]) => ({ no, kind }))
  for (const result of await store.resultsWithin(tx, known, [range], { withPages: true })) {
    const kind = checks.get(result.checkNo)
    if (kind === undefined) continue
    const [first = null] = result.pages
    sums.of({ ...result, page: 0, url: first?.url ?? null }).add(result, timesOf(kind, result.columns, first))
    for (const page of result.pages)
      sums.of({ ...result, page: page.index + 1, url: page.url }).add(result, timesOf(kind, result.columns, page))
  }
  await store.saveRollUps(tx, 'hour', range.fromMs, sums.encoded())
}

async function sumUpDay(tx: Db, checks: ReadonlyMap<number, CheckKind>, range: store.TimeRange): Promise<void> {
  const sums = new Sums()
  for (const part of await store.rollUpsWithin(tx, 'hour', [...checks.keys()], [range], 'all', true))
    sums.of(part).read(part, () => true)
  await store.saveRollUps(tx, 'day', range.fromMs, sums.encoded())
}

type SumName = Pick<store.NewRollUp, 'checkNo' | 'locationNo' | 'page' | 'url'>

/** A roll-up for each check and location, and for each page of their runs. */
class Sums {
  readonly #sums = new Map<string, SumName & { rollUp: RollUp }>()

  of({ checkNo, locationNo, page, url }: SumName): RollUp {
    const key = `${checkNo}/${locationNo}/${page}`
    let sum = this.#sums.get(key)
    if (sum === undefined) {
      sum = { checkNo, locationNo, page, url, rollUp: new RollUp() }
      this.#sums.set(key, sum)
    }
    // What is newer comes later.
    sum.url = url ?? sum.url
    return sum.rollUp
  }

  encoded(): store.NewRollUp[] {
    return [...this.#sums.values()].map(({ rollUp, ...name }) => ({ ...name, ...rollUp.encode() }))
  }
}
