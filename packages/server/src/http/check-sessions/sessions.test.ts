import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

async function namesOf(server: TestServer, target: unknown): Promise<string[] | number> {
  const { status, body } = await server.send('POST', '/v1/check-sessions/trigger', {
    ...(target === undefined ? {} : { body: { target } }),
  })
  if (status !== 201) return status
  const sessions: unknown = Reflect.get(Object(body), 'sessions')
  return Array.isArray(sessions) ? sessions.map((session) => String(Reflect.get(Object(session), 'name'))) : []
}

test('runs the checks that match, and those that are switched off never', async (t) => {
  const server = await startTestServer(t)
  const shop = await makeCheck(server, { name: 'Shop', tags: ['shop', 'live'] })
  await makeCheck(server, { name: 'Blog', tags: ['blog', 'live'] })
  await makeCheck(server, { name: 'Old', tags: ['shop'], activated: false })
  assert.deepEqual(await namesOf(server, undefined), ['Shop', 'Blog'])
  assert.deepEqual(await namesOf(server, {}), ['Shop', 'Blog'])
  assert.deepEqual(await namesOf(server, { checkId: shop.id }), ['Shop'])
  assert.deepEqual(await namesOf(server, { checkId: [shop.id] }), ['Shop'])
  assert.deepEqual(await namesOf(server, { matchTags: ['shop', 'blog'] }), ['Shop', 'Blog'])
  assert.deepEqual(await namesOf(server, { matchTags: [['live', '!blog']] }), ['Shop'])
  assert.deepEqual(await namesOf(server, { matchTags: ['shop'], checkId: [shop.id] }), ['Shop'])
  assert.equal(await namesOf(server, { matchTags: ['nothing'] }), 404)
})

test('a check without a location is left out, and refused when it is the only one', async (t) => {
  const server = await startTestServer(t)
  const nowhere = await makeCheck(server, { name: 'Nowhere', locations: [] })
  assert.equal(await namesOf(server, { checkId: nowhere.id }), 404)
  await makeCheck(server, { name: 'Somewhere' })
  assert.deepEqual(await namesOf(server, {}), ['Somewhere'])
})

test('a session is in all locations of a parallel check that are served, else in the next of the rotation', async (t) => {
  const server = await startTestServer(t)
  await signInRunner(server)
  await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const everywhere = await makeCheck(server, {
    runParallel: true,
    locations: ['us-east-1', 'eu-west-1'],
    privateLocations: ['cellar'],
  })
  const inTurn = await makeCheck(server, { locations: ['ap-south-1', 'eu-west-1'] })
  const locations = async (checkId: string) => {
    const { sessions } = await server.call(routes.triggerSessions, { body: { target: { checkId } } })
    return sessions[0]?.runLocations
  }
  assert.deepEqual(await locations(everywhere.id), ['us-east-1', 'eu-west-1'])
  assert.deepEqual(await locations(inTurn.id), ['ap-south-1'])
})

test('runs that are asked for at the same moment are told apart', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const body = { target: { checkId: check.id } }
  await Promise.all(Array.from({ length: 12 }, () => server.call(routes.triggerSessions, { body })))
  for (const run of await runner.lease()) await runner.report(run, 'passed')
  const { entries } = await server.call(routes.listCheckResults, {
    params: { checkId: check.id },
    query: { limit: 100 },
  })
  assert.equal(entries.length, 12)
  assert.equal(new Set(entries.map(({ checkRunId }) => checkRunId)).size, 12)
  assert.equal(new Set(entries.map(({ sequenceId }) => sequenceId)).size, 12)
})

test('whoever waits for a session that goes on is told to ask again', async (t) => {
  const server = await startTestServer(t)
  await makeCheck(server)
  const { sessions } = await server.call(routes.triggerSessions, { body: {} })
  const path = `/v1/check-sessions/${sessions[0]?.checkSessionId}/completion?maxWaitSeconds=1`
  const askedAt = performance.now()
  const { status, body, headers } = await server.send('GET', path)
  assert.ok(performance.now() - askedAt >= 990)
  assert.deepEqual([status, headers.get('retry-after')], [408, '1'])
  assert.equal(Reflect.get(Object(body), 'error'), 'Request Time-out')
})

test('a cancelled session has ended; version 1, which knows no cancelling, says that its time was up', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const { sessions } = await server.call(routes.triggerSessionsV2, { body: { target: { checkId: check.id } } })
  const params = { checkSessionId: sessions[0]?.checkSessionId ?? '' }
  const run = await runner.leaseOne()
  await server.call(routes.cancelSession, { params })
  const { accepted, dropped } = await runner.report(run, 'failed')
  assert.deepEqual([accepted, dropped], [0, [run.leaseId]])
  assert.equal((await server.call(routes.getSessionV2, { params })).status, 'CANCELLED')
  const { status, stoppedAt, results } = await server.call(routes.awaitSession, { params })
  assert.deepEqual([status, results], ['TIMED_OUT', []])
  assert.notEqual(stoppedAt, null)
})
