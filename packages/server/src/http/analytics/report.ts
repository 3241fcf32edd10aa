/** Figures of many checks at once. */
import { aggregate, partsOf } from '@vedette/core'
import type { CheckAnalytics, ReportEntry, ReportGranularity } from '@vedette/schema'
import { AppError } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import { measure } from '../../results/measure.ts'
import type { KnownCheck } from '../../results/roll-up-store.ts'
import type { Tally } from '../../results/tally.ts'
import type { TimeWindow } from '../instants.ts'
import { rounded } from './analyze.ts'
import type { ReportedCheck } from './store.ts'

/** So many checks in one statement: the answers of one hold up nobody else. */
const CHECKS_AT_ONCE = 100
const PARTS_AT_MOST = 400

interface Keeping {
  retentionDays: number
  nowMs: number
}

/** A tally for each check and window that has results. The windows are in order and do not overlap. */
async function tallyChecks(
  db: Db,
  checks: readonly KnownCheck[],
  windows: readonly TimeWindow[],
  keeping: Keeping,
): Promise<(no: number, window: number) => Tally | undefined> {
  const tallies = new Map<string, Tally>()
  const windowAt = (atMs: number) =>
    Math.max(
      0,
      windows.findLastIndex(({ fromMs }) => fromMs <= atMs),
    )
  for (let from = 0; from < checks.length; from += CHECKS_AT_ONCE) {
    const question = {
      checks: checks.slice(from, from + CHECKS_AT_ONCE),
      windows,
      wants: (index: number) => index === 0,
      groupOf: ({ checkNo, atMs }: { checkNo: number; atMs: number }) => `${checkNo}/${windowAt(atMs)}`,
    }
    for (const [key, tally] of await measure(db, question, keeping)) tallies.set(key, tally)
  }
  return (no, window) => tallies.get(`${no}/${window}`)
}

export async function analyzeChecks(
  db: Db,
  checks: readonly ReportedCheck[],
  window: TimeWindow,
  keeping: Keeping,
): Promise<CheckAnalytics[]> {
  const tallyOf = await tallyChecks(db, checks, [window], keeping)
  return checks.map(({ no, id, kind }) => {
    const tally = tallyOf(no, 0)
    const main = tally?.spread(0)
    const figure = (aggregation: 'avg' | 'p50' | 'p95' | 'p99') =>
      main === undefined ? null : rounded(aggregate(main, aggregation))
    const availability = rounded(tally?.availability() ?? null)
    if (kind === 'HEARTBEAT') return { checkId: id, checkType: kind, availability }
    return {
      checkId: id,
      checkType: kind,
      availability,
      responseTime_avg: figure('avg'),
      responseTime_p50: figure('p50'),
      responseTime_p95: figure('p95'),
      responseTime_p99: figure('p99'),
    }
  })
}

/** @throws AppError `invalid` when the granularity makes too many parts. */
export async function reportChecks(
  db: Db,
  checks: readonly ReportedCheck[],
  window: TimeWindow,
  granularity: ReportGranularity | undefined,
  keeping: Keeping,
): Promise<ReportEntry[]> {
  if (granularity !== undefined && window.toMs - window.fromMs > PARTS_AT_MOST * 86_400_000)
    throw new AppError('invalid', `"from" must be at most ${PARTS_AT_MOST} days before "to"`, {
      source: 'query',
      keys: ['from', 'to'],
    })
  const parts = granularity === undefined ? [window] : partsOf(granularity, window)
  const tallyOf = await tallyChecks(db, checks, parts, keeping)
  return checks.map(({ no, id, kind, name, activated, tags }) => ({
    name,
    checkId: id,
    checkType: kind,
    deactivated: !activated,
    tags,
    ...(granularity === undefined
      ? { aggregate: figures(tallyOf(no, 0)) }
      : {
          aggregates: parts.map(({ fromMs }, index) => ({
            startsAt: new Date(fromMs).toISOString(),
            ...figures(tallyOf(no, index)),
          })),
        }),
  }))
}

/** Zeros where there is no data. */
function figures(tally: Tally | undefined) {
  const main = tally?.spread(0)
  const figure = (aggregation: 'avg' | 'p95' | 'p99') =>
    main === undefined ? 0 : (rounded(aggregate(main, aggregation)) ?? 0)
  return {
    successRatio: rounded(tally?.availability() ?? null) ?? 0,
    avg: figure('avg'),
    p95: figure('p95'),
    p99: figure('p99'),
  }
}
