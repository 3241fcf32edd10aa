import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const daily = { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } as const

async function aHeartbeat(server: TestServer, activated = true) {
  const check = await server.call(routes.createHeartbeatCheck, {
    body: { name: 'Backup', heartbeat: daily, activated },
  })
  return { id: check.id, path: `/ping/${check.heartbeat.pingToken}`, token: check.heartbeat.pingToken ?? '' }
}

async function statesOf(server: TestServer, checkId: string): Promise<string[]> {
  const [answer] = await server.call(routes.listHeartbeatEvents, { params: { checkId } })
  return answer?.events.map(({ state }) => state) ?? []
}

test('a ping needs no key, comes by GET or POST with any body, at the newer and the older address', async (t) => {
  const server = await startTestServer(t)
  const { id, path, token } = await aHeartbeat(server)
  assert.equal((await server.send('GET', path, { key: null })).status, 200)
  for (const [type, text] of [
    ['text/plain', 'backup done'],
    ['application/json', '{ not json'],
    ['application/x-www-form-urlencoded', 'a=b'],
  ] as const) {
    const { status } = await server.send('POST', path, { key: null, text, headers: { 'content-type': type } })
    assert.equal(status, 200, type)
  }
  assert.equal((await server.send('POST', `/heartbeats/ping/${token}`, { key: null })).status, 200)
  assert.deepEqual(await statesOf(server, id), ['EARLY', 'EARLY', 'EARLY', 'EARLY', 'RECEIVED'])
})

test('unknown tokens, other methods and things that are no token are refused', async (t) => {
  const server = await startTestServer(t)
  const { id, path } = await aHeartbeat(server)
  assert.equal((await server.send('GET', `/ping/${randomUUID()}`, { key: null })).status, 404)
  assert.equal((await server.send('GET', '/ping/me', { key: null })).status, 400)
  assert.equal((await fetch(new URL(path, server.url), { method: 'HEAD' })).status, 405)
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    assert.equal((await server.send(method, path, { key: null })).status, 405, method)
  }
  assert.deepEqual(await statesOf(server, id), [])
})

test('link previews and pings of a switched-off heartbeat are answered and not counted', async (t) => {
  const server = await startTestServer(t)
  const on = await aHeartbeat(server)
  const off = await aHeartbeat(server, false)
  const preview = { 'user-agent': 'Slackbot-LinkExpanding 1.0' }
  assert.equal((await server.send('GET', on.path, { key: null, headers: preview })).status, 200)
  assert.equal((await server.send('GET', off.path, { key: null })).status, 200)
  assert.deepEqual([await statesOf(server, on.id), await statesOf(server, off.id)], [[], []])
})

test('a ping says where it came from, and what it was among those expected', async (t) => {
  const server = await startTestServer(t)
  const { id, path } = await aHeartbeat(server)
  assert.equal(await server.call(routes.getHeartbeatAvailability, { params: { checkId: id } }), null)
  await server.send('GET', path, { key: null, headers: { origin: 'https://jobs.test', 'user-agent': 'curl/8' } })
  await server.send('GET', path, { key: null, headers: { 'user-agent': 'curl/8' } })
  const [answer] = await server.call(routes.listHeartbeatEvents, { params: { checkId: id } })
  assert.deepEqual(
    answer?.events.map(({ source, userAgent }) => [source, userAgent]),
    [
      ['HTTP GET from curl/8', 'curl/8'],
      ['https://jobs.test', 'curl/8'],
    ],
  )
  const everything = {
    successRatio: { previousPeriod: null, currentPeriod: 100 },
    totalEntitiesCurrentPeriod: 2,
  }
  assert.deepEqual(answer?.stats.last24Hours, everything)
  assert.deepEqual(await server.call(routes.getHeartbeatAvailability, { params: { checkId: id } }), everything)
  const later = { startTime: '2020-01-01T00:00:00Z', endTime: '2020-01-02T00:00:00Z' }
  const [old] = await server.call(routes.listHeartbeatEvents, { params: { checkId: id }, query: later })
  assert.deepEqual(old?.events, [])
  const wrong = await server.send('GET', `/v1/checks/heartbeats/${id}/events?startTime=2&endTime=1`)
  assert.deepEqual(Object(wrong.body).validation, { source: 'query', keys: ['startTime', 'endTime'] })
})

test('the timer starts anew when the rhythm changes or the heartbeat is switched on, and not otherwise', async (t) => {
  const server = await startTestServer(t)
  const { id, path } = await aHeartbeat(server)
  await server.send('GET', path, { key: null })
  const startedAt = async () =>
    (await server.db.selectFrom('heartbeats').select('timer_started_at').executeTakeFirstOrThrow()).timer_started_at
  const change = (body: object) => server.call(routes.updateHeartbeatCheck, { params: { id }, body })
  const first = await startedAt()
  await change({ name: 'Renamed' })
  assert.deepEqual(await startedAt(), first)
  await change({ heartbeat: { ...daily, grace: 2 } })
  const second = await startedAt()
  assert.ok((second?.getTime() ?? 0) > (first?.getTime() ?? 0))
  await change({ activated: false })
  await change({ activated: true })
  assert.ok(((await startedAt())?.getTime() ?? 0) > (second?.getTime() ?? 0))
})
