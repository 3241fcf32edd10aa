/** The analytics of one check: rows of metrics, for a window, its intervals or its results. */
import { aggregate } from '@vedette/core'
import {
  type Analytics,
  type AnalyticsRow,
  type AnalyticsSeries,
  type CheckKind,
  type HeartbeatState,
  type Metric,
  metricsOf,
  VERDICTS,
  type Verdict,
} from '@vedette/schema'
import { AppError } from '../../app-error.ts'
import type { StoredCheck } from '../../checks/check.ts'
import type { Db } from '../../db/database.ts'
import { type Group, measure } from '../../results/measure.ts'
import type { MeasuredPage } from '../../results/measured-pages.ts'
import { hasMeasuredPages, timesOf } from '../../results/measures.ts'
import { finalResults, type MeasuredResult } from '../../results/roll-up-store.ts'
import type { Tally } from '../../results/tally.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import type { TimeWindow } from '../instants.ts'
import { pageOf } from '../page.ts'
import { readRange, type WindowQuery } from './window.ts'

export interface AnalyticsQuery extends WindowQuery {
  metrics: readonly string[]
  aggregationInterval?: number | undefined
  filterByStatus?: readonly ('success' | 'failure')[] | undefined
  heartbeatStates?: readonly HeartbeatState[] | undefined
  groupBy?: 'runLocation' | 'statusCode' | 'pageIndex' | undefined
  limit?: number | undefined
  page?: number | undefined
}

export interface AnalyticsParts {
  db: Db
  view: LocationView
  retentionDays: number
  nowMs: number
}

/** @throws AppError `invalid`. */
export async function analyzeCheck(
  parts: AnalyticsParts,
  check: StoredCheck,
  query: AnalyticsQuery,
): Promise<Analytics> {
  const window = readRange(query, parts.nowMs)
  const named = metricsNamed(check.kind, query.metrics)
  const isRaw = named.some(({ measure, aggregation }) => measure !== null && aggregation === null)
  const metrics = isRaw ? named : withUsual(check.kind, named)
  const series = isRaw
    ? await seriesOfResults(parts, check, query, window, metrics)
    : await seriesOfTallies(parts, check, query, window, metrics)
  return {
    checkId: check.id,
    name: check.name,
    checkType: check.kind,
    activated: check.activated,
    muted: check.muted,
    frequency: check.settings.frequency,
    from: new Date(window.fromMs).toISOString(),
    to: new Date(window.toMs).toISOString(),
    tags: check.tags,
    series,
    metadata: Object.fromEntries(metrics.map((metric) => [metric.name, describe(metric)])),
    pagination: { page: query.page ?? 1, limit: query.limit ?? 10 },
  }
}

function describe({ unit, label, aggregation }: Metric): Analytics['metadata'][string] {
  return aggregation === null ? { unit, label } : { unit, label, aggregation }
}

function metricsNamed(kind: CheckKind, names: readonly string[]): Metric[] {
  const known = new Map(metricsOf(kind).map((metric) => [metric.name, metric]))
  const metrics = [...new Set(names)].flatMap((name) => known.get(name) ?? [])
  const measured = metrics.filter(({ measure }) => measure !== null)
  if (new Set(measured.map(({ aggregation }) => aggregation === null)).size > 1) {
    throw new AppError('invalid', '"metrics" must be all aggregated or all without an aggregation', {
      source: 'query',
      keys: ['metrics'],
    })
  }
  return metrics
}

/** Figures of browser checks always have the average time of a run. */
function withUsual(kind: CheckKind, metrics: readonly Metric[]): Metric[] {
  const usual = kind === 'BROWSER' ? metricsNamed(kind, ['responseTime_avg']) : []
  return [...metrics, ...usual.filter(({ name }) => !metrics.some((metric) => metric.name === name))]
}

function verdictsOf(filter: AnalyticsQuery['filterByStatus']): readonly Verdict[] {
  if (filter === undefined || filter.length === 0) return VERDICTS
  return VERDICTS.filter((verdict) =>
    verdict === 'failed' ? filter.includes('failure') : verdict !== 'error' && filter.includes('success'),
  )
}

/** What the results of a series have in common. */
type SeriesName = Omit<AnalyticsSeries, 'data'>

function seriesName(
  { groupBy }: AnalyticsQuery,
  view: LocationView,
  { locationNo, statusCode, page }: Omit<Group, 'checkNo' | 'atMs'>,
): SeriesName {
  if (groupBy === 'runLocation') return { runLocation: view.get(locationNo)?.slug ?? '' }
  if (groupBy === 'statusCode') return { statusCode: statusCode ?? 0 }
  return groupBy === 'pageIndex' && page !== null ? { pageIndex: page.index } : {}
}

/** Of which page the vitals in a row are. */
function pageNamed(kind: CheckKind, page: Group['page'] | undefined): AnalyticsRow {
  return hasMeasuredPages(kind) ? { pageUrl: page?.url ?? null, pageIndex: page?.index ?? null } : {}
}

function pagesWanted(kind: CheckKind, { groupBy }: AnalyticsQuery): 'first' | 'each' | undefined {
  if (!hasMeasuredPages(kind)) return undefined
  return groupBy === 'pageIndex' ? 'each' : 'first'
}

async function seriesOfTallies(
  { db, view, retentionDays, nowMs }: AnalyticsParts,
  check: StoredCheck,
  query: AnalyticsQuery,
  window: TimeWindow,
  metrics: readonly Metric[],
): Promise<AnalyticsSeries[]> {
  const intervalMs = query.aggregationInterval === undefined ? null : Math.round(query.aggregationInterval * 60_000)
  const windows =
    intervalMs === null ? (pageOf(query).offset === 0 ? [window] : []) : intervalsOf(query, window, intervalMs)
  const startOf = (atMs: number) => (intervalMs === null ? 0 : Math.floor(atMs / intervalMs) * intervalMs)
  const verdicts = verdictsOf(query.filterByStatus)
  const measured = new Set(metrics.map((metric) => metric.measure))
  const known = new Map<string, SeriesName>()
  const pages = new Map<string, Group>()
  const tallies = await measure(
    db,
    {
      checks: [check],
      windows,
      wants: (index) => measured.has(index),
      heartbeatStates: query.heartbeatStates,
      accepts: (verdict) => verdicts.includes(verdict),
      pages: pagesWanted(check.kind, query),
      groupOf: (group) => {
        const name = seriesName(query, view, group)
        const series = JSON.stringify(name)
        known.set(series, name)
        const key = `${startOf(group.atMs)} ${series}`
        // A page may have moved since: its newest address is told.
        if (group.page !== null && group.atMs >= (pages.get(key)?.atMs ?? 0)) pages.set(key, group)
        return key
      },
    },
    { retentionDays, nowMs },
  )
  const found = new Set([...tallies.keys()].map((key) => key.slice(key.indexOf(' ') + 1)))
  const names: [string, SeriesName][] =
    query.groupBy === undefined ? [['{}', {}]] : [...known].filter(([series]) => found.has(series))
  return names.sort(byName).map(([series, name]) => ({
    ...name,
    data: windows.toReversed().map(({ fromMs }) => {
      const startMs = startOf(fromMs)
      const key = `${startMs} ${series}`
      const row = { ...pageNamed(check.kind, pages.get(key)?.page), ...rowOf(metrics, tallies.get(key)) }
      return intervalMs === null ? row : { startedAt: new Date(startMs).toISOString(), ...row }
    }),
  }))
}

const byName = (
  [a, { pageIndex: one = 0 }]: [string, SeriesName],
  [b, { pageIndex: other = 0 }]: [string, SeriesName],
) => (one === other ? (a < b ? -1 : 1) : one - other)

/** The intervals of the page asked for, oldest first, cut at the ends of the window. */
function intervalsOf(query: AnalyticsQuery, { fromMs, toMs }: TimeWindow, intervalMs: number): TimeWindow[] {
  const { limit, offset } = pageOf(query)
  const newest = Math.floor((toMs - 1) / intervalMs) - offset
  const oldest = Math.max(newest - limit + 1, Math.floor(fromMs / intervalMs))
  return Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, index) => ({
    fromMs: Math.max(fromMs, (oldest + index) * intervalMs),
    toMs: Math.min(toMs, (oldest + index + 1) * intervalMs),
  }))
}

function rowOf(metrics: readonly Metric[], tally: Tally | undefined): AnalyticsRow {
  return Object.fromEntries(metrics.map((metric) => [metric.name, rounded(figureOf(metric, tally))]))
}

function figureOf({ name, measure: index, aggregation }: Metric, tally: Tally | undefined): number | null {
  if (tally === undefined) return null
  if (name === 'availability') return tally.availability()
  if (name === 'retries') return tally.retries
  const spread = index === null ? undefined : tally.spread(index)
  return spread === undefined || aggregation === null ? null : aggregate(spread, aggregation)
}

/** A thousandth of a millisecond is more than was measured. */
export function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000
}

async function seriesOfResults(
  { db, view }: AnalyticsParts,
  check: StoredCheck,
  query: AnalyticsQuery,
  window: TimeWindow,
  metrics: readonly Metric[],
): Promise<AnalyticsSeries[]> {
  const results = await finalResults(db, check, window, verdictsOf(query.filterByStatus), pageOf(query))
  const series = new Map<string, AnalyticsSeries>(query.groupBy === undefined ? [['{}', { data: [] }]] : [])
  for (const result of results) {
    const startedAt = new Date(result.startedAtMs).toISOString()
    for (const page of query.groupBy === 'pageIndex' ? result.pages : [result.pages[0] ?? null]) {
      const name = seriesName(query, view, { ...result, page })
      const key = JSON.stringify(name)
      const one = series.get(key) ?? { ...name, data: [] }
      one.data.push({ startedAt, ...pageNamed(check.kind, page), ...resultRow(check.kind, metrics, result, page) })
      series.set(key, one)
    }
  }
  return [...series].sort(byName).map(([, one]) => one)
}

/** Trouble of our own says nothing about the target. */
function resultRow(
  kind: CheckKind,
  metrics: readonly Metric[],
  result: MeasuredResult,
  page: MeasuredPage | null,
): AnalyticsRow {
  const times = timesOf(kind, result.columns, page)
  const isOurs = result.verdict === 'error'
  const value = ({ name, measure: index }: Metric) => {
    if (name === 'retries') return result.attempt - 1
    if (isOurs) return null
    if (name === 'availability') return result.verdict === 'failed' ? 0 : 100
    return index === null ? null : (times[index] ?? null)
  }
  return Object.fromEntries(metrics.map((metric) => [metric.name, rounded(value(metric))]))
}
