import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type QueryOf, routes, type Verdict } from '@vedette/schema'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer } from '../../testing/test-server.ts'

test('results are found by time, place, outcome and kind, newest first, page by page', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, {
    locations: ['us-east-1', 'eu-west-1'],
    retryStrategy: { type: 'FIXED', baseBackoffSeconds: 0, maxRetries: 1 },
  })
  const verdicts: Verdict[] = ['passed', 'failed', 'failed', 'degraded', 'passed']
  const dueTimes: number[] = []
  for (const [index, verdict] of verdicts.entries()) {
    await makeDue(server, check, index < 2 ? 60_000 : 0)
    const run = await runner.leaseOne()
    dueTimes.push(Date.now())
    await runner.report(run, verdict, { startedAtMs: Date.now(), durationMs: 0 })
  }
  const params = { checkId: check.id }
  const find = async (query: QueryOf<typeof routes.listCheckResults>) => {
    const { entries, length } = await server.call(routes.listCheckResults, { params, query })
    assert.equal(length, entries.length)
    return entries.map(({ hasFailures, isDegraded, runLocation, resultType }) =>
      [hasFailures ? 'failed' : isDegraded ? 'degraded' : 'passed', runLocation, resultType].join(' '),
    )
  }
  const attempt = 'failed eu-west-1 ATTEMPT'
  const finals = [
    'passed eu-west-1 FINAL',
    'degraded us-east-1 FINAL',
    'failed eu-west-1 FINAL',
    'passed us-east-1 FINAL',
  ]
  assert.deepEqual(await find({}), finals)
  assert.deepEqual(await find({ resultType: 'ATTEMPT' }), [attempt])
  assert.deepEqual(await find({ resultType: 'ALL' }), [...finals.slice(0, 3), attempt, finals[3]])
  assert.deepEqual(await find({ hasFailures: true }), [finals[2]])
  assert.deepEqual(await find({ hasFailures: false, location: 'us-east-1' }), [finals[1], finals[3]])
  assert.deepEqual(await find({ checkType: 'BROWSER' }), [])
  assert.deepEqual(await find({ checkType: 'API', limit: 1 }), [finals[0]])

  const between = dueTimes[3] ?? 0
  for (const instant of [String(between), String(between / 1000), new Date(between).toISOString()]) {
    assert.deepEqual(await find({ from: instant }), finals.slice(0, 2), instant)
    assert.deepEqual(await find({ to: instant }), finals.slice(2), instant)
  }
  assert.deepEqual(await find({ from: String(between), to: String(between + 1) }), [finals[1]])

  const seen: string[] = []
  for (let nextId: string | null = ''; nextId !== null; ) {
    const query = { limit: 2, resultType: 'ALL' as const, ...(nextId === '' ? {} : { nextId }) }
    const page: { nextId: string | null; entries: { id: string }[] } = await server.call(routes.listCheckResults, {
      params,
      query,
    })
    seen.push(...page.entries.map(({ id }) => id))
    nextId = page.nextId
  }
  assert.equal(seen.length, 5)
  assert.deepEqual(seen, [...new Set(seen)].sort().reverse())

  for (const id of seen) {
    const one = await server.call(routes.getCheckResult, { params: { checkId: check.id, checkResultId: id } })
    assert.equal(one.id, id)
  }
})

test('a private location is found by its slug', async (t) => {
  const server = await startTestServer(t)
  const { keys } = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const runner = await signInRunner(server, keys[0]?.rawKey)
  const check = await makeCheck(server, { locations: [], privateLocations: ['cellar'] })
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'passed')
  const { entries } = await server.call(routes.listCheckResults, {
    params: { checkId: check.id },
    query: { location: 'cellar' },
  })
  assert.deepEqual(
    entries.map(({ runLocation }) => runLocation),
    ['cellar'],
  )
})

test('the older list knows pages and their number, and looks at six hours at most', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  for (const verdict of ['passed', 'failed', 'passed'] as const) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict, { startedAtMs: Date.now() })
  }
  const path = `/v1/check-results/${check.id}`
  const { entries } = await server.call(routes.listCheckResults, { params: { checkId: check.id } })
  const { body, headers } = await server.send('GET', `${path}?limit=2&page=2`)
  assert.deepEqual(body, entries.slice(2))
  assert.equal(headers.get('content-range'), '2-2/3')
  const failing = await server.send('GET', `${path}?hasFailures=true`)
  assert.deepEqual(failing.body, [entries[1]])
  const now = Math.floor(Date.now() / 1000)
  assert.deepEqual((await server.send('GET', `${path}?to=${now - 3600}`)).body, [])
  const wide = await server.send('GET', `${path}?from=${now - 7 * 3600}&to=${now}`)
  assert.equal(wide.status, 400)
})
