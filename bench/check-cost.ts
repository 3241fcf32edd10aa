/** What a passing API check costs end to end, how many fit, how late they start, and what they leave on disk. */
import { latenessQuantile } from '../packages/server/src/results/coverage.ts'
import { addChecks, bareRequests, type Installation, pause, removeChecks, startTarget } from './installation.ts'
import { cpuOf, cpuOfTree, findInTree } from './processes.ts'
import type { Row } from './table.ts'

interface Load {
  perSecond: number
  /** Microseconds of server, runner and database. */
  cpuUs: number
  parts: string
  p50Ms: number | null
  p99Ms: number | null
  bytesWritten: number
  failed: number
  missed: number
}

/** Runs checks at a rate for a while and measures the second part of it. */
async function load(installation: Installation, target: string, rate: number, seconds: number): Promise<Load> {
  const { pool } = installation
  await addChecks(pool, rate * 10, target)
  await pause(15_000)
  const before = await measure(installation)
  await pause(seconds * 1000)
  const after = await measure(installation)
  await removeChecks(pool)
  await pause(1000)
  const done = after.done - before.done
  const use = (part: 'server' | 'runner' | 'database') => ((after[part] - before[part]) * 1000) / done
  const lateness = after.lateness.map((count, index) => count - (before.lateness[index] ?? 0))
  return {
    perSecond: done / ((after.at - before.at) / 1000),
    cpuUs: use('server') + use('runner') + use('database'),
    parts: `runner ${use('runner').toFixed(0)}, server ${use('server').toFixed(0)}, database ${use('database').toFixed(0)} µs`,
    p50Ms: latenessQuantile(lateness, 0.5),
    p99Ms: latenessQuantile(lateness, 0.99),
    bytesWritten: (after.written - before.written) / done,
    failed: after.failed - before.failed,
    missed: after.missed - before.missed,
  }
}

async function measure({ pool, server, postmaster }: Installation) {
  const { rows } = await pool.query<{ done: number; lateness: number[] | null }>(
    `select (select count(*)::float8 from check_results) as done,
       (select array_agg(n::float8 order by i) from (select i, sum(x) as n from coverage c, unnest(c.lateness) with ordinality as u(x, i) group by i) t) as lateness`,
  )
  const bad = await pool.query<{ failed: number; missed: number }>(
    `select (select count(*) from check_results where flags & 3 <> 0)::int as failed, (select coalesce(sum(slots), 0) from missed_runs)::int as missed`,
  )
  const runner = findInTree(server, 'runner/src/main.ts')
  return {
    at: performance.now(),
    done: rows[0]?.done ?? 0,
    lateness: rows[0]?.lateness ?? [],
    failed: bad.rows[0]?.failed ?? 0,
    missed: bad.rows[0]?.missed ?? 0,
    server: cpuOf(server),
    runner: cpuOf(runner),
    database: cpuOfTree(postmaster),
    written: await bytesWritten(pool),
  }
}

/**
 * What the engine has handed to the disk: the log, and the pages of the results, which are written once. Pages of the
 * schedule and of states are written again and again in memory and reach the disk once in a quarter of an hour.
 * (The kernel's own count of a process's writes is useless here: it takes a whole folio for every page.)
 */
async function bytesWritten(pool: Installation['pool']): Promise<number> {
  const { rows } = await pool.query<{ wal: number; results: number }>(
    `select (select wal_bytes::float8 from pg_stat_wal) as wal,
       (select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 from pg_inherits where inhparent = 'check_results'::regclass) as results`,
  )
  return (rows[0]?.wal ?? 0) + (rows[0]?.results ?? 0)
}

const quality = ({ failed, missed }: Load) => (failed + missed === 0 ? '' : ` (${failed} not passed, ${missed} missed)`)

export async function benchCheckCost(installation: Installation): Promise<Row[]> {
  const rows: Row[] = []
  const sizeBefore = await resultBytes(installation)
  for (const { protocol, budget, rate } of [
    { protocol: 'http', budget: 2, rate: 500 },
    { protocol: 'https', budget: 1.4, rate: 250 },
  ] as const) {
    const target = await startTarget(protocol)
    const first = await bareRequests(target.url, rate, 8)
    const checks = await load(installation, target.url, rate, 20)
    const second = await bareRequests(target.url, rate, 8)
    target.stop()
    const bare = (first.cpuUsPerRequest + second.cpuUsPerRequest) / 2
    rows.push({
      figure: `CPU of an API check, ${protocol}, at ${rate}/s`,
      budget: `≤ ${budget} × a bare request`,
      measured: `${(checks.cpuUs / bare).toFixed(2)} × (${checks.cpuUs.toFixed(0)} µs to ${bare.toFixed(0)} µs; ${checks.parts})${quality(checks)}`,
      met: checks.cpuUs / bare <= budget,
    })
    if (protocol === 'https') continue
    rows.push({
      figure: `Lateness at ${rate} checks/s`,
      budget: 'p99 ≤ 25 ms',
      measured: `p50 ≤ ${checks.p50Ms} ms, p99 ≤ ${checks.p99Ms} ms`,
      met: (checks.p99Ms ?? Number.POSITIVE_INFINITY) <= 25,
    })
    rows.push({
      figure: 'Bytes written to disk per check, WAL included',
      budget: '≤ 1,500',
      measured: `${checks.bytesWritten.toFixed(0)}`,
      met: checks.bytesWritten <= 1500,
    })
    const size = await resultBytes(installation)
    const bytes = (size.bytes - sizeBefore.bytes) / (size.rows - sizeBefore.rows)
    rows.push({
      figure: 'Result of a passing check on disk, with indexes',
      budget: '≤ 250 bytes',
      measured: `${bytes.toFixed(0)} bytes`,
      met: bytes <= 250,
    })
  }
  return rows
}

export async function benchSustained(installation: Installation): Promise<Row[]> {
  const rows: Row[] = []
  for (const { protocol, budget } of [
    { protocol: 'http', budget: 2000 },
    { protocol: 'https', budget: 900 },
  ] as const) {
    const target = await startTarget(protocol)
    // A little more than is asked for, so that a batch at the edge of the measurement does not decide.
    const checks = await load(installation, target.url, Math.ceil(budget * 1.05), 20)
    target.stop()
    rows.push({
      figure: `Sustained checks/s, ${protocol}, target on the same machine`,
      budget: `≥ ${budget}`,
      measured: `${checks.perSecond.toFixed(0)}, p99 lateness ≤ ${checks.p99Ms} ms (${checks.parts})${quality(checks)}`,
      met: checks.perSecond >= budget && checks.failed + checks.missed === 0,
    })
  }
  return rows
}

async function resultBytes({ pool }: Installation): Promise<{ bytes: number; rows: number }> {
  const { rows } = await pool.query<{ bytes: number; rows: number }>(
    `select (select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 from pg_inherits where inhparent = 'check_results'::regclass) as bytes,
       (select count(*)::float8 from check_results) as rows`,
  )
  return rows[0] ?? { bytes: 0, rows: 0 }
}
