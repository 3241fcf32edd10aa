/**
 * The database's time, which rules over due times and leases: servers whose own clocks differ or jump agree by it. It
 * is asked for every few seconds and carried on by the monotonic clock in between.
 */
import { sql } from 'kysely'
import type { Db } from './database.ts'

export interface Clock {
  /** Whole milliseconds since 1970. */
  nowMs(): number
}

const ASK_EVERY_MS = 5000
/** A slow answer tells the time badly: it is used only until a quicker one comes. */
const GOOD_ANSWER_MS = 250

export async function startDatabaseClock(db: Db): Promise<Clock & { stop(): void }> {
  let offset = await askOffset(db)
  const timer = setInterval(() => {
    askOffset(db).then(
      (asked) => {
        if (asked.tookMs < GOOD_ANSWER_MS || offset.tookMs >= GOOD_ANSWER_MS) offset = asked
      },
      // Away for a moment: the clock goes on by itself.
      () => undefined,
    )
  }, ASK_EVERY_MS)
  return { nowMs: () => Math.round(performance.now() + offset.ms), stop: () => clearInterval(timer) }
}

/** What must be added to the monotonic clock. */
async function askOffset(db: Db): Promise<{ ms: number; tookMs: number }> {
  const askedAt = performance.now()
  const { rows } = await sql<{ now_ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`.execute(db)
  const answeredAt = performance.now()
  return { ms: (rows[0]?.now_ms ?? Date.now()) - (askedAt + answeredAt) / 2, tookMs: answeredAt - askedAt }
}
