import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnalyticsRow, routes, type Verdict } from '@vedette/schema'
import { makeCheck } from '../../testing/checks.ts'
import { addResults } from '../../testing/results.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const MINUTE = 60_000

const passed = (minutesAgo: number, responseTimeMs: number, location = 'us-east-1') => ({
  atMs: Date.now() - minutesAgo * MINUTE,
  verdict: 'passed' as Verdict,
  responseTimeMs,
  phases: [1, 2, 3, responseTimeMs - 7, 1],
  statusCode: 200,
  location,
})

async function aMeasuredCheck(server: TestServer) {
  const check = await makeCheck(server, { tags: ['shop'], locations: ['us-east-1', 'eu-west-1'] })
  await addResults(server, check, [
    passed(50, 100),
    passed(40, 300, 'eu-west-1'),
    { ...passed(30, 200), verdict: 'degraded' },
    { ...passed(21, 50), verdict: 'failed', final: false, statusCode: 503 },
    { ...passed(20, 400), verdict: 'failed', attempt: 2, statusCode: 503 },
    { ...passed(10, 9000), verdict: 'error', phases: null, statusCode: null },
  ])
  return check
}

test('figures of a window count final results only, and leave trouble of our own out', async (t) => {
  const server = await startTestServer(t)
  const check = await aMeasuredCheck(server)
  const answer = await server.call(routes.analyzeApiCheck, {
    params: { id: check.id },
    query: {
      metrics: ['availability', 'retries', 'responseTime_avg', 'responseTime_p50', 'responseTime_max', 'wait_sum'],
    },
  })
  assert.deepEqual(answer.series, [
    {
      data: [
        {
          availability: 75,
          retries: 1,
          responseTime_avg: 250,
          responseTime_p50: 250,
          responseTime_max: 400,
          wait_sum: 4,
        },
      ],
    },
  ])
  assert.deepEqual(answer.metadata.responseTime_p50, {
    unit: 'milliseconds',
    label: 'Response time',
    aggregation: 'p50',
  })
  assert.deepEqual(answer.metadata.availability, { unit: 'percentage', label: 'Availability', aggregation: 'avg' })
  assert.deepEqual(answer.pagination, { page: 1, limit: 10 })
  assert.equal(Date.parse(answer.to) - Date.parse(answer.from), 24 * 60 * MINUTE)
  const { checkId, name, checkType, activated, muted, frequency, tags } = answer
  assert.deepEqual(
    [checkId, name, checkType, activated, muted, frequency, tags],
    [check.id, 'Shop', 'API', true, false, 10, ['shop']],
  )
})

test('results are told apart by outcome, place and status', async (t) => {
  const server = await startTestServer(t)
  const { id } = await aMeasuredCheck(server)
  const ask = async (query: object) =>
    (
      await server.call(routes.analyzeApiCheck, {
        params: { id },
        query: { metrics: ['responseTime_max'], ...query },
      })
    ).series
  const of = (value: number) => [{ responseTime_max: value }]
  assert.deepEqual(await ask({ filterByStatus: ['failure'] }), [{ data: of(400) }])
  assert.deepEqual(await ask({ filterByStatus: ['success'] }), [{ data: of(300) }])
  assert.deepEqual(await ask({ groupBy: 'runLocation' }), [
    { runLocation: 'eu-west-1', data: of(300) },
    { runLocation: 'us-east-1', data: of(400) },
  ])
  assert.deepEqual(await ask({ groupBy: 'statusCode', filterByStatus: ['failure', 'success'] }), [
    { statusCode: 200, data: of(300) },
    { statusCode: 503, data: of(400) },
  ])
})

test('metrics without an aggregation are a row for each result, newest first, page by page', async (t) => {
  const server = await startTestServer(t)
  const { id } = await aMeasuredCheck(server)
  const ask = async (query: object) => {
    const { series, metadata } = await server.call(routes.analyzeApiCheck, {
      params: { id },
      query: { metrics: ['responseTime', 'dns', 'availability', 'retries'], ...query },
    })
    assert.deepEqual(metadata.responseTime, { unit: 'milliseconds', label: 'Response time' })
    return series.map(({ data, ...name }) => ({ ...name, data: data.map(({ startedAt, ...row }) => row) }))
  }
  const row = (responseTime: number | null, availability: number | null, retries = 0): AnalyticsRow => ({
    responseTime,
    dns: responseTime === null ? null : 2,
    availability,
    retries,
  })
  assert.deepEqual(await ask({ limit: 2 }), [{ data: [row(null, null), row(400, 0, 1)] }])
  assert.deepEqual(await ask({ limit: 2, page: 2 }), [{ data: [row(200, 100), row(300, 100)] }])
  assert.deepEqual(await ask({ limit: 2, page: 9 }), [{ data: [] }])
  assert.deepEqual(await ask({ filterByStatus: ['success'], groupBy: 'runLocation' }), [
    { runLocation: 'eu-west-1', data: [row(300, 100)] },
    { runLocation: 'us-east-1', data: [row(200, 100), row(100, 100)] },
  ])
})

test('an interval is a row each, newest first, null where nothing ran', async (t) => {
  const server = await startTestServer(t)
  const { id } = await aMeasuredCheck(server)
  const toMs = Math.ceil(Date.now() / (10 * MINUTE)) * 10 * MINUTE
  const rows: AnalyticsRow[] = []
  for (let page = 1; page <= 3; page += 1) {
    const { series, from } = await server.call(routes.analyzeApiCheck, {
      params: { id },
      query: {
        metrics: ['responseTime_sum'],
        from: String((toMs - 70 * MINUTE) / 1000),
        to: new Date(toMs).toISOString(),
        aggregationInterval: 10,
        limit: 3,
        page,
      },
    })
    assert.equal(from, new Date(toMs - 70 * MINUTE).toISOString())
    assert.equal(series.length, 1)
    rows.push(...(series[0]?.data ?? []))
  }
  assert.deepEqual(
    rows.map((row) => row.startedAt),
    Array.from({ length: 7 }, (_, index) => new Date(toMs - (index + 1) * 10 * MINUTE).toISOString()),
  )
  const values = rows.map((row) => row.responseTime_sum)
  assert.deepEqual(
    values.filter((value) => value !== null),
    [400, 200, 300, 100],
  )
})

test('a kind that has not run, and a window without results, answer nothing in the same shape', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeCheck(server)
  const query = { metrics: ['availability' as const, 'retries' as const, 'dns_p99' as const] }
  const { series } = await server.call(routes.analyzeApiCheck, { params: { id }, query })
  assert.deepEqual(series, [{ data: [{ availability: null, retries: null, dns_p99: null }] }])
  const grouped = await server.call(routes.analyzeApiCheck, {
    params: { id },
    query: { ...query, groupBy: 'runLocation' },
  })
  assert.deepEqual(grouped.series, [])
})

test('a question that makes no sense is refused by name', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeCheck(server)
  const path = `/v1/analytics/api-checks/${id}`
  const refused: [string, string[]][] = [
    ['', ['metrics']],
    ['?metrics=speed', ['metrics.0']],
    ['?metrics=responseTime,responseTime_p95', ['metrics']],
    ['?metrics=availability&groupBy=pageIndex', ['groupBy']],
    ['?metrics=availability&filterByStatus=late', ['filterByStatus.0']],
    ['?metrics=availability&aggregationInterval=0', ['aggregationInterval']],
    ['?metrics=availability&aggregationInterval=43201', ['aggregationInterval']],
    ['?metrics=availability&quickRange=yesterday', ['quickRange']],
    ['?metrics=availability&from=200&to=100', ['from', 'to']],
    ['?metrics=availability&from=soon', ['from']],
    ['?metrics=availability&limit=101', ['limit']],
    ['?metrics=availability&page=0', ['page']],
  ]
  for (const [query, keys] of refused) {
    const { status, body } = await server.send('GET', path + query)
    assert.equal(status, 400, query)
    assert.deepEqual(Reflect.get(Object(body), 'validation'), { source: 'query', keys }, query)
  }
  assert.equal((await server.send('GET', `/v1/analytics/tcp-checks/${id}?metrics=total`)).status, 404)
  for (const range of ['last24Hrs', 'last24Hours', 'lastMonth'])
    assert.equal((await server.send('GET', `${path}?metrics=retries&quickRange=${range}`)).status, 200)
  for (const from of ['1', '1700000000', '1700000000000', '2024-01-01T00:00:00Z'])
    assert.equal((await server.send('GET', `${path}?metrics=responseTime_p99&from=${from}`)).status, 200, from)
})

test('every metric of a kind is described, and can be asked for', async (t) => {
  const server = await startTestServer(t)
  const { id } = await aMeasuredCheck(server)
  const metrics = await server.call(routes.listMetrics, { query: { checkType: 'API' } })
  assert.equal(metrics.length, 2 + 6 * 11)
  assert.deepEqual(
    metrics.find(({ name }) => name === 'firstByte_p90'),
    {
      name: 'firstByte_p90',
      unit: 'milliseconds',
      label: 'Time to first byte',
      type: 'Float',
      aggregated: true,
    },
  )
  const names = metrics.filter(({ aggregated }) => aggregated).map(({ name }) => name)
  const answer = await server.send('GET', `/v1/analytics/api-checks/${id}?metrics=${names.join(',')}`)
  assert.equal(answer.status, 200)
  const row = Object(answer.body).series[0].data[0]
  assert.deepEqual(Object.keys(row).sort(), [...names].sort())
  assert.ok(Object.values(row).every((value) => typeof value === 'number'))
})

test('many checks are measured in one call', async (t) => {
  const server = await startTestServer(t)
  const check = await aMeasuredCheck(server)
  const idle = await makeCheck(server)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const figures = await server.call(routes.analyzeChecks, { body: { checkIds: [idle.id, check.id, unknown] } })
  const none = { availability: null, responseTime_avg: null, responseTime_p50: null }
  assert.deepEqual(figures[1], {
    checkId: idle.id,
    checkType: 'API',
    ...none,
    responseTime_p95: null,
    responseTime_p99: null,
  })
  assert.equal(figures.length, 2)
  const [first] = figures
  assert.deepEqual([first?.checkId, first?.availability, first?.responseTime_avg], [check.id, 75, 250])
  assert.ok(Math.abs((first?.responseTime_p50 ?? 0) - 250) < 2.5)
})

test('a report has all checks, zeros without data, by tag and by whether they run', async (t) => {
  const server = await startTestServer(t)
  const check = await aMeasuredCheck(server)
  const idle = await makeCheck(server, { name: 'Idle', activated: false, tags: ['till'] })
  const names = async (query: object) => (await server.call(routes.report, { query })).map(({ name }) => name)
  const report = await server.call(routes.report)
  assert.deepEqual(report[1], {
    name: 'Idle',
    checkId: idle.id,
    checkType: 'API',
    deactivated: true,
    tags: ['till'],
    aggregate: { successRatio: 0, avg: 0, p95: 0, p99: 0 },
  })
  assert.deepEqual(
    [report[0]?.checkId, report[0]?.aggregate?.successRatio, report[0]?.aggregate?.avg],
    [check.id, 75, 250],
  )
  assert.deepEqual(await names({ deactivated: true }), ['Idle'])
  assert.deepEqual(await names({ deactivated: false }), ['Shop'])
  assert.deepEqual(await names({ filterByTags: ['till', 'shop'] }), ['Shop', 'Idle'])
  assert.deepEqual(await names({ filterByTags: ['nothing'] }), [])
  const [daily] = await server.call(routes.report, { query: { quickRange: 'last7Days', granularity: 'day' } })
  assert.equal(daily?.aggregate, undefined)
  assert.equal(daily?.aggregates?.length, 8)
  const ran = daily?.aggregates?.filter(({ avg }) => avg > 0) ?? []
  assert.ok(ran.length >= 1 && ran.length <= 2)
})

test('heartbeats are measured by their pings and by those that were missing', async (t) => {
  const server = await startTestServer(t)
  const { id } = await server.call(routes.createHeartbeatCheck, {
    body: { name: 'Backup', heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } },
  })
  const { no } = await server.db.selectFrom('checks').select('no').where('id', '=', id).executeTakeFirstOrThrow()
  const states = ['RECEIVED', 'EARLY', 'GRACE', 'FAILING'] as const
  await server.db
    .insertInto('heartbeat_events')
    .values(states.map((state, index) => ({ check_no: no, state, at: new Date(Date.now() - (index + 1) * MINUTE) })))
    .execute()
  const ask = async (query: object = {}) =>
    (await server.call(routes.analyzeHeartbeat, { params: { id }, query })).series
  assert.deepEqual(await ask(), [{ data: [{ availability: 75 }] }])
  assert.deepEqual(await ask({ metrics: 'availability,retries' }), [{ data: [{ availability: 75, retries: 0 }] }])
  assert.deepEqual(await ask({ filterByStatus: ['FAILING', 'GRACE'] }), [{ data: [{ availability: 50 }] }])
  assert.deepEqual(await ask({ quickRange: 'lastMonth' }), [{ data: [{ availability: null }] }])
  const [, newer] = (await ask({ aggregationInterval: 60 }))[0]?.data ?? []
  assert.deepEqual(Object.keys(newer ?? {}), ['startedAt', 'availability'])
  const [figures] = await server.call(routes.analyzeChecks, { body: { checkIds: [id] } })
  assert.deepEqual(figures, { checkId: id, checkType: 'HEARTBEAT', availability: 75 })
  const [reported] = await server.call(routes.report)
  assert.equal(reported?.aggregate?.successRatio, 75)
})

test('the tags of a group find its checks in a report', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shops', tags: ['retail'] } })
  const { id } = await makeCheck(server, { groupId: group.id, tags: ['till'] })
  const found = await server.call(routes.report, { query: { filterByTags: ['retail'] } })
  assert.deepEqual(
    found.map(({ checkId, tags }) => [checkId, tags]),
    [[id, ['till']]],
  )
})
