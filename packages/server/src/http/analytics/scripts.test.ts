/** Figures of checks that run scripts, wherever figures of checks are told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricsOf, routes, SCRIPT_KINDS, type Verdict } from '@vedette/schema'
import { addResults } from '../../testing/results.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { read } from '../public-pages/visitor.fixture.ts'

const MINUTE = 60_000
const KINDS = [...new Set([...SCRIPT_KINDS, 'PLAYWRIGHT' as const])]
type Kind = (typeof KINDS)[number]

const ran = (minutesAgo: number, verdict: Verdict, responseTimeMs: number, location = 'us-east-1') => ({
  ...{ atMs: Date.now() - minutesAgo * MINUTE, verdict, responseTimeMs, location },
})
/** Four that count, one that was followed by another, and one that was in trouble of our own. */
const RUNS = [
  ran(60, 'passed', 1000),
  ran(50, 'passed', 2000, 'eu-west-1'),
  ran(40, 'degraded', 3000),
  { ...ran(31, 'failed', 500), final: false },
  { ...ran(30, 'failed', 2000), attempt: 2 },
  ran(20, 'error', 240_000),
]
const TIMES = {
  ...{ responseTime_avg: 2000, responseTime_max: 3000, responseTime_min: 1000, responseTime_sum: 8000 },
  ...{ responseTime_median: 2000, responseTime_p50: 2000, responseTime_p90: 2700, responseTime_p95: 2850 },
  ...{ responseTime_p99: 2970, responseTime_stddev: 707.107 },
}

async function aCheck(server: TestServer, kind: Kind) {
  const body = { name: kind, script: '// look', tags: [kind], locations: ['us-east-1' as const, 'eu-west-1' as const] }
  const create = kind === 'BROWSER' ? routes.createBrowserCheck : routes.createMultiStepCheck
  const { id } = await server.call(create, { body })
  // What is asked here of a suite does not depend on its project.
  await server.db.updateTable('checks').set({ kind }).where('id', '=', id).execute()
  await addResults(server, { id }, RUNS)
  return { id }
}

const ANALYZE = {
  MULTI_STEP: routes.analyzeMultiStepCheck,
  BROWSER: routes.analyzeBrowserCheck,
  PLAYWRIGHT: routes.analyzeSuite,
} as const satisfies Record<Kind, unknown>

for (const kind of KINDS)
  test(`${kind}: every figure counts the same runs, and leaves out what was our own trouble`, async (t) => {
    const server = await startTestServer(t)
    const { id } = await aCheck(server, kind)
    const analyze = async (query: Record<string, string>) => {
      const asked = new URLSearchParams(query)
      const { status, body } = await server.send('GET', `${ANALYZE[kind].path.replace('{id}', id)}?${asked}`)
      assert.equal(status, 200, JSON.stringify(body))
      return Object(body).series
    }
    const names = metricsOf(kind).flatMap(({ name, aggregation }) => (aggregation === null ? [] : [name]))
    const [{ data }] = await analyze({ metrics: names.join(',') })
    const told = Object.entries(data[0]).filter(([, value]) => value !== null)
    assert.deepEqual(Object.fromEntries(told), { availability: 75, retries: 1, ...TIMES })
    for (const name of names) assert.ok(name in data[0], name)

    const byPlace = { metrics: 'availability,retries,responseTime_avg', groupBy: 'runLocation' }
    type Series = { runLocation: string; data: Record<string, unknown>[] }
    const places = (await analyze(byPlace)).map(({ runLocation, data: [row] }: Series) => [
      runLocation,
      ...byPlace.metrics.split(',').map((name) => row?.[name]),
    ])
    assert.deepEqual(places, [
      ['eu-west-1', 100, 0, 2000],
      ['us-east-1', 66.667, 1, 2000],
    ])
    const each = await analyze({ metrics: 'responseTime,availability' })
    assert.deepEqual(
      each[0].data.map(({ responseTime, availability }: Record<string, unknown>) => [responseTime, availability]),
      [
        [null, null],
        [2000, 0],
        [3000, 100],
        [2000, 100],
        [1000, 100],
      ],
    )

    const { responseTime_avg, responseTime_p50, responseTime_p95, responseTime_p99 } = TIMES
    const times = { responseTime_avg, responseTime_p50, responseTime_p95, responseTime_p99 }
    const [figures] = await server.call(routes.analyzeChecks, { body: { checkIds: [id] } })
    assert.deepEqual(figures, { checkId: id, checkType: kind, availability: 75, ...times })
    const [reported] = await server.call(routes.report, { query: { filterByTags: [kind] } })
    assert.equal(reported?.checkType, kind)
    assert.deepEqual(reported?.aggregate, { successRatio: 75, avg: 2000, p95: 2850, p99: 2970 })

    const address = `wall-${kind.toLowerCase().replace('_', '-')}`
    const badge = await server.send('GET', `/v1/badges/checks/${id}?responseTime=true`, { key: null })
    assert.match(String(badge.body), /unknown · 2000 ms<\/title>/)
    await server.call(routes.createDashboard, {
      body: { header: 'Wall', customUrl: address },
    })
    const { text } = await read(server, `/dashboard/${address}`)
    assert.ok(text.includes('<small>24 hours</small>75.00 %'), text.match(/24 hours<\/small>[^<]+/g)?.join())
    assert.equal(text.match(/p95<\/small>([^<]+)/)?.[1], '2.85 s')
  })
