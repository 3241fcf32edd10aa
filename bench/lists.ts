/** How long lists take with millions of results stored. */
import { API_KEY, addChecks, type Installation } from './installation.ts'
import type { Row } from './table.ts'

const CHECKS = 1000
const RESULTS_A_CHECK = Number(process.env.BENCH_RESULTS ?? 3_000_000) / CHECKS
const CALLS = 300
/** Connections and caches are warm in a service that people use. */
const WARM_UP_CALLS = 50
const BUDGET_MS = 15

export async function benchLists({ pool, url }: Installation): Promise<Row[]> {
  await addChecks(pool, CHECKS, 'http://127.0.0.1:9/')
  await pool.query('delete from schedule')
  await pool.query(
    `insert into check_results (id, check_no, location_no, started_at, check_run_id, recorded_after_ms, duration_ms, response_time_ms,
       wait_ms, dns_ms, tcp_ms, first_byte_ms, download_ms, status_code, attempt, flags)
     select (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(n::text || c.no), 1, 3) || '8' || substr(md5(c.no || n::text), 1, 15))::uuid,
       c.no, 1, to_timestamp(ms / 1000.0), ms, 5, 12, 10, 0, 0.1, 0.5, 8, 1, 200, 1, 8 | (case when n % 50 = 0 then 2 else 0 end)
     from checks c, generate_series(1, $1::int) n, lateral (select floor(extract(epoch from now()) * 1000 - n * (86400000.0 / $1))::bigint as ms) t`,
    [RESULTS_A_CHECK],
  )
  await pool.query('update check_states set updated_at = now(), run_count = 1')
  await pool.query('vacuum analyze')
  const { rows: stored } = await pool.query<{ count: number }>('select count(*)::float8 as count from check_results')
  const { rows: checks } = await pool.query<{ id: string }>('select id from checks order by no')
  const any = () => checks[Math.floor(Math.random() * checks.length)]?.id ?? ''
  const calls = {
    'Page of 100 results': () => `/v2/check-results/${any()}?limit=100`,
    'Page of failing results': () => `/v2/check-results/${any()}?hasFailures=true&limit=20`,
    'Page of 100 checks': () => `/v1/checks?limit=100&page=${1 + Math.floor(Math.random() * 10)}`,
    'Check by id': () => `/v1/checks/${any()}`,
    'Screen of 25 checks with 30 runs each': () =>
      `/v1/check-overviews?limit=25&page=${1 + Math.floor(Math.random() * 40)}`,
  }
  const rows: Row[] = []
  for (const [what, path] of Object.entries(calls)) {
    const times = []
    for (let call = -WARM_UP_CALLS; call < CALLS; call += 1) {
      const startedAt = performance.now()
      const answer = await fetch(url + path(), { headers: { authorization: `Bearer ${API_KEY}` } })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${what}: ${answer.status}`)
      if (call >= 0) times.push(performance.now() - startedAt)
    }
    times.sort((a, b) => a - b)
    const p99 = times[Math.floor(CALLS * 0.99)] ?? 0
    rows.push({
      figure: `${what}, ${((stored[0]?.count ?? 0) / 1e6).toFixed(1)} million results stored`,
      budget: `p99 ≤ ${BUDGET_MS} ms`,
      measured: `p50 ${times[CALLS / 2]?.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      met: p99 <= BUDGET_MS,
    })
  }
  return rows
}
