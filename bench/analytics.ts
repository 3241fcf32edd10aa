/** How long a month of analytics takes: a check that ran every minute in four locations. */
import { rollUpResults } from '../packages/server/src/results/roll-up.ts'
import { apiCheck } from './bench-checks.ts'
import { DAYS, fillResults } from './fill.ts'
import { addChecks, type Installation } from './installation.ts'
import type { Row } from './table.ts'
import { showTimes, timeCalls } from './timing.ts'

const RESULTS = DAYS * 1440 * 4
const BUDGET_MS = 50
const CALLS = 100
const PERCENTILES = 'availability,responseTime_p50,responseTime_p90,responseTime_p95,responseTime_p99'
const EVERYTHING = ['responseTime', 'wait', 'dns', 'tcp', 'firstByte', 'download']
  .flatMap((name) => ['avg', 'max', 'min', 'p50', 'p95', 'p99', 'stddev', 'sum'].map((figure) => `${name}_${figure}`))
  .join(',')

export async function benchAnalytics(installation: Installation): Promise<Row[]> {
  const { pool, db } = installation
  await addChecks(installation, apiCheck('http', 9), 1)
  await pool.query('delete from schedule')
  await fillResults(installation, RESULTS, 4)
  // The server has begun by itself, before there was anything; it leaves this to us.
  await pool.query(`update tasks set due_at = now() + interval '1 day' where name = 'roll-ups'`)
  await pool.query('delete from roll_up_progress')
  const startedAt = performance.now()
  while ((await rollUpResults(db, Date.now())) > 0);
  const rollUpUs = ((performance.now() - startedAt) * 1000) / RESULTS
  await pool.query('vacuum analyze')
  const { rows } = await pool.query<{ id: string }>('select id from checks')
  const path = `/v1/analytics/api-checks/${rows[0]?.id}?quickRange=last30Days`
  const answers: Row[] = []
  for (const [what, query] of [
    ['Percentiles', `metrics=${PERCENTILES}`],
    ['Percentiles, grouped by location', `metrics=${PERCENTILES}&groupBy=runLocation`],
    ['Percentiles of 30 days, a row a day', `metrics=${PERCENTILES}&aggregationInterval=1440&limit=100`],
    ['All aggregations of all metrics', `metrics=${EVERYTHING}`],
  ] as const) {
    const times = await timeCalls(installation, () => `${path}&${query}`, CALLS)
    answers.push({
      figure: `${what}, 30 days of a check every minute in 4 locations (${RESULTS.toLocaleString('en')} results)`,
      budget: `p99 ≤ ${BUDGET_MS} ms`,
      measured: showTimes(times),
      met: times.p99 <= BUDGET_MS,
    })
  }
  answers.push({
    figure: 'Rolling up a result, hours and days, database included',
    budget: '≤ 50 µs',
    measured: `${rollUpUs.toFixed(0)} µs`,
    met: rollUpUs <= 50,
  })
  return answers
}
