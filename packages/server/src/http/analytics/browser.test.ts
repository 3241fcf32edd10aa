import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aggregate } from '@vedette/core'
import { scriptRun, scriptRuns, seenPage } from '@vedette/core/testing/script-runs'
import {
  type BrowserCheck,
  MEASURES,
  METRIC_AGGREGATIONS,
  type MetricAggregation,
  metricsOf,
  routes,
  type ScriptRun,
  type Verdict,
  WEB_VITALS,
} from '@vedette/schema'
import fc from 'fast-check'
import { makePartitions } from '../../db/partitions.ts'
import { type Group, measure } from '../../results/measure.ts'
import { rollUpResults } from '../../results/roll-up.ts'
import type { Tally } from '../../results/tally.ts'
import { makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { addResults, type GivenResult } from '../../testing/results.ts'
import { scriptReport } from '../../testing/script-reports.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const LOCATIONS = ['us-east-1', 'eu-west-1'] as const
const MEASURED = Object.keys(MEASURES.BROWSER)

function aCheck(server: TestServer): Promise<BrowserCheck> {
  const body = { name: 'Checkout', script: '// look', locations: [...LOCATIONS], retryStrategy: null }
  return server.call(routes.createBrowserCheck, { body })
}

interface Ran {
  run: ScriptRun
  verdict: Verdict
  location: string
  final: boolean
  atMs: number
  responseTimeMs: number
}

const resultOf = ({ run, ...rest }: Ran): GivenResult => ({
  ...rest,
  phases: scriptReport('BROWSER', run).phases ?? null,
  answer: { kind: 'BROWSER', content: run },
})

const ran = fc.record({
  run: scriptRuns,
  verdict: fc.constantFrom<Verdict>('passed', 'passed', 'passed', 'degraded', 'failed', 'error'),
  location: fc.constantFrom(...LOCATIONS),
  final: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  responseTimeMs: fc.integer({ min: 100, max: 60_000 }),
})

/** What a run measured, with the vitals of one of its pages. */
function measuredIn({ run, responseTimeMs }: Ran, page: number): (number | null)[] {
  const { consoleErrors, networkErrors, userScriptErrors, documentErrors } = run.traceSummary
  const vitals = WEB_VITALS.map((name) => run.pages[page]?.webVitals[name]?.value ?? null)
  return [responseTimeMs, ...vitals, consoleErrors, networkErrors, userScriptErrors, documentErrors]
}

/** By the book, from the values themselves. */
function naive(values: readonly number[], aggregation: MetricAggregation): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const sum = values.reduce((total, value) => total + value, 0)
  const mean = sum / values.length
  const at = (share: number) => {
    const place = share * (sorted.length - 1)
    const [below = 0, above = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
    return below + (place - Math.floor(place)) * (above - below)
  }
  const figures: Record<MetricAggregation, number> = {
    avg: mean,
    max: at(1),
    min: at(0),
    median: at(0.5),
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    sum,
    stddev: Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length),
  }
  return figures[aggregation]
}

const GROUPS = [undefined, 'runLocation', 'pageIndex'] as const
const STATUSES = [undefined, 'success', 'failure'] as const

/** Which runs belong to which series, each with the page that counts. */
function naiveSeries(runs: readonly Ran[], groupBy: (typeof GROUPS)[number], status: (typeof STATUSES)[number]) {
  const series = new Map<string | number, { ran: Ran; page: number }[]>()
  if (groupBy === undefined) series.set('', [])
  for (const ran of runs) {
    if (status === 'failure' && ran.verdict !== 'failed') continue
    if (status === 'success' && (ran.verdict === 'failed' || ran.verdict === 'error')) continue
    const pages = groupBy === 'pageIndex' ? ran.run.pages.map((_, index) => index) : [0]
    for (const page of pages) {
      const name = groupBy === undefined ? '' : groupBy === 'pageIndex' ? page : ran.location
      series.set(name, [...(series.get(name) ?? []), { ran, page }])
    }
  }
  return series
}

function isNear(given: unknown, expected: number | null, what: string): void {
  if (expected === null) {
    assert.equal(given, null, what)
    return
  }
  // Columns are of single precision, answers have three decimals.
  const isClose = typeof given === 'number' && Math.abs(given - expected) <= 0.002 + 1e-6 * Math.abs(expected)
  assert.ok(isClose, `${what}: ${given}, not ${expected}`)
}

test('the figures of generated runs are those that are computed by the book', async (t) => {
  const server = await startTestServer(t)
  const names = metricsOf('BROWSER').flatMap(({ name, aggregation }) => (aggregation === null ? [] : [name]))
  const nowMs = Date.now()
  await fc.assert(
    fc.asyncProperty(
      fc.array(ran, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...GROUPS),
      fc.constantFrom(...STATUSES),
      async (some, groupBy, status) => {
        const runs = some.map((one, index): Ran => ({ ...one, atMs: nowMs - (some.length - index) * MINUTE }))
        const check = await aCheck(server)
        await addResults(server, check, runs.map(resultOf))
        const { series } = await server.call(routes.analyzeBrowserCheck, {
          params: { id: check.id },
          query: {
            metrics: names,
            ...(groupBy === undefined ? {} : { groupBy }),
            ...(status === undefined ? {} : { filterByStatus: [status] }),
          },
        })
        const expected = naiveSeries(runs, groupBy, status)
        assert.deepEqual(
          series.map((one) => (groupBy === undefined ? '' : one[groupBy])),
          [...expected.keys()].sort((a, b) => (a < b ? -1 : 1)),
        )
        for (const one of series) {
          const name = groupBy === undefined ? '' : (one[groupBy] ?? '')
          const members = expected.get(name) ?? []
          const [row = {}] = one.data
          const finals = members.filter(({ ran }) => ran.final)
          const judged = finals.filter(({ ran }) => ran.verdict !== 'error')
          const failed = judged.filter(({ ran }) => ran.verdict === 'failed').length
          const availability = judged.length === 0 ? null : (100 * (judged.length - failed)) / judged.length
          isNear(row.availability, availability, 'availability')
          if (members.length > 0) assert.equal(row.retries, members.length - finals.length)
          for (const [index, measured] of MEASURED.entries()) {
            const values = judged.flatMap(({ ran, page }) => measuredIn(ran, page)[index] ?? [])
            for (const aggregation of METRIC_AGGREGATIONS)
              isNear(
                row[`${measured}_${aggregation}`],
                naive(values, aggregation),
                `${name} ${measured}_${aggregation}`,
              )
          }
        }
      },
    ),
    { numRuns: 25 },
  )
})

const visit = (urls: readonly string[], responseTimeMs: number, minutesAgo: number, more: Partial<Ran> = {}): Ran => ({
  run: scriptRun({
    pages: urls.map((url, index) => seenPage(url, [responseTimeMs / 10, 300, 900, 0.1 * index, null])),
  }),
  verdict: 'passed',
  location: 'us-east-1',
  final: true,
  atMs: Date.now() - minutesAgo * MINUTE,
  responseTimeMs,
  ...more,
})

async function aVisitedShop(server: TestServer) {
  const check = await aCheck(server)
  const [home, basket] = ['http://shop.test/', 'http://shop.test/basket']
  await addResults(
    server,
    check,
    [
      visit([home, `${basket}?id=7#top`], 1000, 50),
      visit([home], 2000, 40, { verdict: 'failed' }),
      visit([], 3000, 30, { verdict: 'failed' }),
      visit(['http://shop.test/new', basket], 4000, 20, { location: 'eu-west-1' }),
      visit([home], 9000, 10, { verdict: 'error' }),
    ].map(resultOf),
  )
  const ask = (query: object) =>
    server.call(routes.analyzeBrowserCheck, { params: { id: check.id }, query: { metrics: ['TTFB_avg'], ...query } })
  return { check, ask }
}

test('the vitals of a run are those of its first page; rows name it, and have the average time of a run', async (t) => {
  const server = await startTestServer(t)
  const { ask } = await aVisitedShop(server)
  const { series, metadata } = await ask({})
  assert.deepEqual(series, [
    { data: [{ pageUrl: 'http://shop.test/', pageIndex: 0, TTFB_avg: 233.333, responseTime_avg: 2500 }] },
  ])
  assert.deepEqual(metadata, {
    TTFB_avg: { unit: 'milliseconds', label: 'Time To First Byte', aggregation: 'avg' },
    responseTime_avg: { unit: 'milliseconds', label: 'Response time for the full script', aggregation: 'avg' },
  })
  const raw = await ask({ metrics: ['TTFB', 'CLS', 'consoleErrors', 'availability'], limit: 3 })
  assert.deepEqual(
    raw.series[0]?.data.map(({ startedAt, ...row }) => row),
    [
      { pageUrl: 'http://shop.test/', pageIndex: 0, TTFB: null, CLS: null, consoleErrors: null, availability: null },
      { pageUrl: 'http://shop.test/new', pageIndex: 0, TTFB: 400, CLS: 0, consoleErrors: 0, availability: 100 },
      { pageUrl: null, pageIndex: null, TTFB: null, CLS: null, consoleErrors: 0, availability: 0 },
    ],
  )
})

test('by page, a run counts once for each page that it came to', async (t) => {
  const server = await startTestServer(t)
  const { ask } = await aVisitedShop(server)
  const { series } = await ask({ metrics: ['availability', 'CLS_max'], groupBy: 'pageIndex' })
  const of = (pageUrl: string, pageIndex: number, row: object) => ({
    pageIndex,
    data: [{ pageUrl, pageIndex, ...row }],
  })
  assert.deepEqual(series, [
    of('http://shop.test/', 0, { availability: 66.667, CLS_max: 0, responseTime_avg: 2333.333 }),
    of('http://shop.test/basket', 1, { availability: 100, CLS_max: 0.1, responseTime_avg: 2500 }),
  ])
  const raw = await ask({ metrics: ['TTFB'], groupBy: 'pageIndex', filterByStatus: ['success'], limit: 1 })
  assert.deepEqual(
    raw.series.map(({ pageIndex, data }) => [pageIndex, ...data.map(({ pageUrl, TTFB }) => `${pageUrl} ${TTFB}`)]),
    [
      [0, 'http://shop.test/new 400'],
      [1, 'http://shop.test/basket 400'],
    ],
  )
  const second = await ask({ metrics: ['TTFB'], groupBy: 'pageIndex', filterByStatus: ['success'], limit: 1, page: 2 })
  assert.deepEqual(
    second.series.map(({ data }) => data[0]?.TTFB),
    [100, 100],
  )
})

test('in intervals each row names the page of its time, and nothing where nothing ran', async (t) => {
  const server = await startTestServer(t)
  const { ask } = await aVisitedShop(server)
  const { series } = await ask({
    aggregationInterval: 10,
    limit: 20,
    quickRange: 'last24Hours',
    groupBy: 'runLocation',
  })
  const rows = (place: number) =>
    series[place]?.data.filter(({ responseTime_avg }) => responseTime_avg !== null).map(({ startedAt, ...row }) => row)
  assert.deepEqual(
    series.map(({ runLocation }) => runLocation),
    ['eu-west-1', 'us-east-1'],
  )
  assert.deepEqual(rows(0), [{ pageUrl: 'http://shop.test/new', pageIndex: 0, TTFB_avg: 400, responseTime_avg: 4000 }])
  assert.equal(rows(1)?.length, 3)
  const empty = series[0]?.data.find(({ responseTime_avg }) => responseTime_avg === null)
  assert.deepEqual(
    { ...empty, startedAt: '' },
    {
      startedAt: '',
      pageUrl: null,
      pageIndex: null,
      TTFB_avg: null,
      responseTime_avg: null,
    },
  )
})

test('runs that a runner reports are measured, whatever their pages say of themselves', async (t) => {
  const server = await startTestServer(t)
  const check = await aCheck(server)
  const runner = await signInRunner(server)
  const pages = [
    seenPage('http://shop.test/shop?token=secret', [1e300, 1e-300, 2500, -1, null]),
    ...Array.from({ length: 40 }, () => seenPage('http://shop.test/next')),
  ]
  const trouble = { consoleErrors: 3, networkErrors: 2, userScriptErrors: 1, documentErrors: 0 }
  await makeDue(server, check)
  const answer = await runner.report(
    await runner.leaseOne(),
    'passed',
    scriptReport('BROWSER', scriptRun({ pages, traceSummary: trouble })),
  )
  assert.equal(answer.accepted, 1)
  const metrics = [
    'TTFB_max',
    'FCP_max',
    'LCP_max',
    'CLS_max',
    'TBT_max',
    ...Object.keys(trouble).map((n) => `${n}_sum`),
  ]
  const { body } = await server.send('GET', `/v1/analytics/browser-checks/${check.id}?metrics=${metrics.join(',')}`)
  assert.deepEqual(Reflect.get(Object(body), 'series'), [
    {
      data: [
        {
          pageUrl: 'http://shop.test/shop',
          pageIndex: 0,
          TTFB_max: 1e9,
          FCP_max: 0,
          LCP_max: 2500,
          CLS_max: 0,
          TBT_max: null,
          consoleErrors_sum: 3,
          networkErrors_sum: 2,
          userScriptErrors_sum: 1,
          documentErrors_sum: 0,
          responseTime_avg: 1200,
        },
      ],
    },
  ])
  const stored = await server.db.selectFrom('page_measurements').select('page_index').execute()
  assert.equal(stored.length, 20)
})

/** Two locations, every two minutes for two days and a half. */
async function aBusyShop(server: TestServer, nowMs: number) {
  for (const age of [0, 1, 2, 3]) await makePartitions(server.db, nowMs - age * DAY)
  const check = await aCheck(server)
  const sample = fc.sample(ran, { numRuns: 900, seed: 11 })
  const runs = sample.map((one, index): Ran => ({ ...one, atMs: nowMs - 60 * HOUR + index * 4 * MINUTE }))
  await addResults(server, check, runs.map(resultOf))
  const { no } = await server.db.selectFrom('checks').select('no').where('id', '=', check.id).executeTakeFirstOrThrow()
  return no
}

function tell(tallies: ReadonlyMap<string, Tally>) {
  return [...tallies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, tally]) => ({
      key,
      counts: [tally.results, tally.retries, tally.availability()],
      figures: MEASURED.map((_, index) => {
        const spread = tally.spread(index)
        return METRIC_AGGREGATIONS.map((aggregation) => (spread === undefined ? null : aggregate(spread, aggregation)))
      }),
    }))
}

test('roll-ups and single results give the same answers about pages, within one percent', async (t) => {
  const server = await startTestServer(t)
  const nowMs = Date.now()
  const no = await aBusyShop(server, nowMs)
  while ((await rollUpResults(server.db, nowMs)) > 0);
  const ask = async (readAtMost: number, pages: 'first' | 'each', more: object) =>
    tell(
      await measure(
        server.db,
        {
          checks: [{ no, kind: 'BROWSER' }],
          windows: [{ fromMs: nowMs - 3 * DAY, toMs: nowMs }],
          wants: () => true,
          groupOf: ({ page }) => (pages === 'each' ? String(page?.index) : ''),
          pages,
          readAtMost,
          ...more,
        },
        { retentionDays: 30, nowMs },
      ),
    )
  const questions: ['first' | 'each', object][] = [
    ['first', {}],
    ['first', { groupOf: ({ locationNo }: Group) => String(locationNo) }],
    ['each', {}],
    ['each', { accepts: (verdict: Verdict) => verdict === 'failed' }],
    ['each', { windows: [{ fromMs: nowMs - 50 * HOUR - 12_345, toMs: nowMs - 20 * MINUTE }] }],
  ]
  for (const [pages, more] of questions) {
    const exact = await ask(1e9, pages, more)
    const summed = await ask(0, pages, more)
    assert.ok(exact.length >= (pages === 'each' ? 4 : 1))
    assert.deepEqual(
      summed.map(({ key, counts }) => ({ key, counts })),
      exact.map(({ key, counts }) => ({ key, counts })),
    )
    for (const [place, { key, figures }] of exact.entries())
      for (const [index, aggregations] of figures.entries())
        for (const [at, figure] of aggregations.entries()) {
          const other = summed[place]?.figures[index]?.[at] ?? null
          const what = `${key} ${MEASURED[index]}_${METRIC_AGGREGATIONS[at]}: ${other}, exactly ${figure}`
          if (figure === null) assert.equal(other, null, what)
          else assert.ok(other !== null && Math.abs(other - figure) <= 0.01 * Math.abs(figure) + 1e-6, what)
        }
  }
})

test('what is rolled up names the newest page, and hours add up to days', async (t) => {
  const server = await startTestServer(t)
  const nowMs = Date.now()
  const no = await aBusyShop(server, nowMs)
  while ((await rollUpResults(server.db, nowMs)) > 0);
  const of = (table: 'roll_ups_hour' | 'roll_ups_day') =>
    server.db.selectFrom(table).select(['page', 'url']).where('check_no', '=', no).where('page', '>', 0).execute()
  for (const table of ['roll_ups_hour', 'roll_ups_day'] as const) {
    const rows = await of(table)
    assert.deepEqual([...new Set(rows.map(({ page }) => page))].sort(), [1, 2, 3, 4])
    assert.ok(rows.every(({ url }) => url?.startsWith('http://shop.test/')))
  }
})
