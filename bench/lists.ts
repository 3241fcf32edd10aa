/** How long lists take with millions of results stored; BENCH_CHECKS and BENCH_RESULTS say of how many. */
import { FREQUENCIES } from '../packages/schema/src/index.ts'
import { apiCheck } from './bench-checks.ts'
import { DAYS, fillResults, fillRollUps } from './fill.ts'
import { addChecks, type Installation } from './installation.ts'
import type { Row } from './table.ts'
import { showTimes, timeCalls } from './timing.ts'

const CHECKS = Number(process.env.BENCH_CHECKS ?? 1000)
const RESULTS_A_CHECK = Number(process.env.BENCH_RESULTS ?? 3_000_000) / CHECKS
const CALLS = 500
const BUDGET_MS = 15

function frequencyFor(results: number): number {
  const minutes = (DAYS * 1440) / results
  return FREQUENCIES.findLast((frequency) => frequency > 0 && frequency <= minutes) ?? 1
}

export async function benchLists(installation: Installation): Promise<Row[]> {
  const { pool } = installation
  await addChecks(installation, apiCheck('http', 9), CHECKS)
  // It is reading that is measured: nothing runs meanwhile. The checks ran as often as there are results.
  await pool.query(
    `update checks set activated = false, effective_activated = false,
       settings = settings || $1::jsonb, effective_settings = effective_settings || $1::jsonb`,
    [JSON.stringify({ frequency: frequencyFor(RESULTS_A_CHECK), frequencyOffset: 1 })],
  )
  await pool.query('delete from schedule')
  await fillResults(installation, RESULTS_A_CHECK, 1)
  await fillRollUps(installation, RESULTS_A_CHECK)
  // The server would begin to roll up what is rolled up already.
  await pool.query(`update tasks set due_at = now() + interval '1 day' where name = 'roll-ups'`)
  await pool.query('update check_states set updated_at = now(), run_count = 1')
  await pool.query('vacuum analyze')
  // Else what was written is still on its way to the disk.
  await pool.query('checkpoint')
  const { rows: stored } = await pool.query<{ count: number }>('select count(*)::float8 as count from check_results')
  const { rows: checks } = await pool.query<{ id: string }>('select id from checks order by no')
  const any = () => checks[Math.floor(Math.random() * checks.length)]?.id ?? ''
  const calls = {
    'Page of 100 results': () => `/v2/check-results/${any()}?limit=100`,
    'Page of failing results': () => `/v2/check-results/${any()}?hasFailures=true&limit=20`,
    'Page of 100 checks': () => `/v1/checks?limit=100&page=${1 + Math.floor(Math.random() * (CHECKS / 100))}`,
    'Check by id': () => `/v1/checks/${any()}`,
    'Screen of 25 checks with 30 runs each': () =>
      `/v1/check-overviews?limit=25&page=${1 + Math.floor(Math.random() * (CHECKS / 25))}`,
  }
  const rows: Row[] = []
  for (const [what, path] of Object.entries(calls)) {
    const times = await timeCalls(installation, path, CALLS)
    rows.push({
      figure: `${what}, ${((stored[0]?.count ?? 0) / 1e6).toFixed(1)} million results stored`,
      budget: `p99 ≤ ${BUDGET_MS} ms`,
      measured: showTimes(times),
      met: times.p99 <= BUDGET_MS,
    })
  }
  return rows
}
