/** Runs checks at a rate for a while and tells what they cost, how late they started, and what they left on disk. */
import { latenessQuantile } from '../packages/server/src/results/coverage.ts'
import type { NewCheck } from './bench-checks.ts'
import { addChecks, type Installation, removeChecks } from './installation.ts'
import { forSeconds, pause, perSecond } from './pace.ts'
import { cpuOf, cpuOfMachine, cpuOfTree, findInTree } from './processes.ts'

export interface Load {
  perSecond: number
  /** Microseconds of server, runner and database for a check. */
  cpuUs: number
  /** Of the whole machine, target and strangers included. */
  machineUs: number
  parts: string
  p50Ms: number | null
  p99Ms: number | null
  bytesWritten: number
  /** Milliseconds that a run took beyond its answer, in the mean. */
  besidesMs: number
  failed: number
  missed: number
}

/** Checks of a sort, so many a second. */
export interface Share {
  check: NewCheck
  rate: number
}

const WARM_UP_MS = 15_000

/** It is the second part of the time that is measured. */
export async function load(installation: Installation, shares: readonly Share[], seconds = 20): Promise<Load> {
  const { pool } = installation
  for (const { check, rate } of shares) await addChecks(installation, check, perSecond(rate) * 10)
  await pause(WARM_UP_MS)
  const before = await measure(installation)
  await pause(forSeconds(seconds) * 1000)
  const after = await measure(installation)
  const besidesMs = await meanBesides(pool, before.done, after.done)
  await removeChecks(pool)
  await pause(1000)
  const done = after.done - before.done
  const use = (part: 'server' | 'runner' | 'database') => ((after[part] - before[part]) * 1000) / done
  const lateness = after.lateness.map((count, index) => count - (before.lateness[index] ?? 0))
  return {
    perSecond: done / ((after.at - before.at) / 1000),
    cpuUs: use('server') + use('runner') + use('database'),
    machineUs: ((after.machine - before.machine) * 1000) / done,
    parts: `runner ${use('runner').toFixed(0)}, server ${use('server').toFixed(0)}, database ${use('database').toFixed(0)} µs`,
    p50Ms: latenessQuantile(lateness, 0.5),
    p99Ms: latenessQuantile(lateness, 0.99),
    bytesWritten: (after.written - before.written) / done,
    besidesMs,
    failed: after.failed - before.failed,
    missed: after.missed - before.missed,
  }
}

/** What makes a measurement worthless, for the end of a row; nothing when all is well. */
export const troubleOf = ({ failed, missed }: Load): string =>
  failed + missed === 0 ? '' : ` (${failed} not passed, ${missed} missed)`

export const isClean = ({ failed, missed }: Load): boolean => failed + missed === 0

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
    machine: cpuOfMachine(),
    server: cpuOf(server),
    runner: cpuOf(runner),
    database: cpuOfTree(postmaster),
    written: await bytesWritten(pool),
  }
}

/** Of the newest results, as many as were measured. */
async function meanBesides(pool: Installation['pool'], before: number, after: number): Promise<number> {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select avg(duration_ms - response_time_ms)::float8 as ms
     from (select duration_ms, response_time_ms from check_results order by id desc limit $1) r`,
    [after - before],
  )
  return rows[0]?.ms ?? 0
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
