/** Fills the database with results as if checks had run for weeks, for benchmarks of reading. */
import { RollUp } from '../packages/core/src/roll-up.ts'
import type { Db } from '../packages/server/src/db/database.ts'
import { makePartitions, makeRollUpPartitions } from '../packages/server/src/db/partitions.ts'
import type { Installation } from './installation.ts'

export const DAYS = 30
const DAY_MS = 86_400_000

/**
 * Results of all checks, spread evenly over the last weeks and locations, and stored in the order in which runs bring
 * them: the results of one check lie far apart.
 */
export async function fillResults({ pool, db }: Installation, resultsACheck: number, locations: number): Promise<void> {
  const nowMs = Date.now()
  for (let age = 1; age <= DAYS; age += 1) await makePartitions(db, nowMs - age * DAY_MS)
  const aDay = Math.round(resultsACheck / DAYS)
  for (let day = 0; day < DAYS; day += 1) {
    await pool.query(
      `insert into check_results (id, check_no, location_no, started_at, check_run_id, recorded_after_ms, duration_ms, response_time_ms,
         wait_ms, dns_ms, tcp_ms, first_byte_ms, download_ms, status_code, attempt, flags)
       select (lpad(to_hex(ms), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid,
         no, 1 + n % $4::int, to_timestamp(ms / 1000.0), ms, 5, t + 2, t, 0, 0.1, 0.5, t - 2, 1, 200, 1,
         8 | (case when n % 50 = 0 then 2 else 0 end)
       from (
         select n, c.no, md5(n::text || '/' || c.no) as h, 10 + 400 * power(random(), 4) as t,
           ($2::float8 + (n - 1 + random()) * $3)::bigint as ms
         from generate_series(1, $1::int) n, checks c order by n) r`,
      [aDay, nowMs - (DAYS - day) * DAY_MS, DAY_MS / aDay, locations],
    )
  }
}

/** Roll-ups of all checks for the same time, all of them alike: it is their number and size that counts. */
export async function fillRollUps({ pool, db }: Installation, resultsACheck: number): Promise<void> {
  const nowMs = Date.now()
  await makeRollUpPartitions(db, nowMs - DAYS * DAY_MS, nowMs)
  for (const [table, unit, times] of [
    ['roll_ups_hour', 'hour', DAYS * 24],
    ['roll_ups_day', 'day', DAYS],
  ] as const) {
    const { main, others } = sample(Math.max(1, Math.round(resultsACheck / times)))
    await pool.query(
      `insert into ${table} (check_no, starts_at, location_no, main, others)
       select c.no, at, 1, $1, $2 from generate_series(date_trunc('${unit}', now()) - interval '${DAYS} days',
         date_trunc('${unit}', now()) - interval '3 hours', interval '1 ${unit}') at, checks c`,
      [Buffer.from(main), Buffer.from(others)],
    )
  }
  await settle(db, Math.floor(nowMs / 3_600_000 - 3) * 3_600_000)
}

function sample(results: number) {
  const rollUp = new RollUp()
  for (let index = 0; index < results; index += 1) {
    const time = 10 + 400 * Math.random() ** 4
    rollUp.add({ verdict: 'passed', final: true, statusCode: 200 }, [time, 0, 0.1, 0.5, time - 2, 1])
  }
  return rollUp.encode()
}

async function settle(db: Db, toMs: number): Promise<void> {
  await db.deleteFrom('roll_up_progress').execute()
  await db
    .insertInto('roll_up_progress')
    .values({ rolled_up_to: new Date(toMs) })
    .execute()
}
