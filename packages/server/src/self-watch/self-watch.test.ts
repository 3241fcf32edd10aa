import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { startReceiver } from '../alerting/receiver.fixture.ts'
import { selfCheckMaker } from '../http/checks/self-check.ts'
import { alertsOf, makeCheck, makeDue } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { lookAtSelf } from './self-watch.ts'

const looker = (server: TestServer, deadManUrl: string | null = null) => {
  const { recording, secrets } = server
  const makeCheck = selfCheckMaker({ clock: recording.clock, secrets })
  return () => lookAtSelf({ recording, makeCheck, deadManUrl, log: recording.log })
}

const makeChannel = (server: TestServer) =>
  server.call(routes.createAlertChannel, {
    body: { type: 'WEBHOOK', config: { url: 'http://127.0.0.1:9/', method: 'POST', name: 'Ops' } },
  })

const health = async (server: TestServer) => (await server.call(routes.getHealth)).status
const operations = async (server: TestServer) => (await server.call(routes.getOperations)).selfWatch

/** As if nothing had happened to the check for so long, and somebody had looked all the time. */
async function agoBy(server: TestServer, checkId: string, hours: number): Promise<void> {
  const past = sql`now() - ${hours} * interval '1 hour'`
  await sql`update checks set active_since = ${past}, updated_at = null where id = ${checkId}`.execute(server.db)
  await sql`update check_states set updated_at = null
    where check_no = (select no from checks where id = ${checkId})`.execute(server.db)
  await sql`update self_watch set watch = jsonb_set(watch, '{sinceMs}', '0')`.execute(server.db)
}

test('a check that does not run is found, told to everybody by a check of its own, and its recovery too', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const look = looker(server)
  await look()
  assert.equal((await operations(server)).checkId, null, 'nothing to watch, nobody to tell')

  const shop = await makeCheck(server, { name: 'Shop', frequency: 10 })
  const channel = await makeChannel(server)
  await look()
  const { checkId, troubles } = await operations(server)
  assert.ok(checkId !== null)
  assert.deepEqual([troubles, await health(server)], [[], 'ok'])
  const own = await server.call(routes.getCheck, { params: { id: checkId } })
  assert.equal(own.name, 'Vedette itself')
  assert.deepEqual(own.alertChannelSubscriptions, [{ alertChannelId: channel.id, activated: true }])

  await agoBy(server, shop.id, 1)
  await look()
  assert.deepEqual(await alertsOf(server, own), [], 'one look may be mistaken')
  await look()
  assert.deepEqual(await alertsOf(server, own), ['ALERT_FAILURE'])
  const [told] = await server.call(routes.listAlertNotifications)
  assert.equal(told?.checkId, checkId)
  assert.deepEqual(
    (await operations(server)).troubles.map(({ kind, words }) => [kind, words]),
    [['idle-checks', 'An active check does not run: “Shop” for 60 min.']],
  )
  assert.equal(await health(server), 'degraded')

  await makeDue(server, shop)
  await runner.report(await runner.leaseOne(), 'passed')
  await look()
  await look()
  assert.deepEqual(await alertsOf(server, own), ['ALERT_FAILURE', 'ALERT_RECOVERY'])
  assert.deepEqual([(await operations(server)).troubles, await health(server)], [[], 'ok'])
})

test('a check that is new, was changed, has just been activated or is in maintenance is not idle', async (t) => {
  const server = await startTestServer(t)
  const look = looker(server)
  const params = async () => ({ id: (await makeCheck(server, { frequency: 10 })).id })
  const [fresh, changed, activated, paused] = [await params(), await params(), await params(), await params()]
  await look()
  for (const { id } of [changed, activated, paused]) await agoBy(server, id, 1)
  await server.call(routes.updateApiCheck, { params: changed, body: { frequency: 5 } })
  await server.call(routes.updateApiCheck, { params: activated, body: { activated: false } })
  await sql`update checks set updated_at = null where id = ${activated.id}`.execute(server.db)
  await look()
  await server.call(routes.updateApiCheck, { params: activated, body: { activated: true } })
  await sql`update checks set updated_at = null where id = ${activated.id}`.execute(server.db)
  await sql`update checks set paused_from = now() - interval '1 minute', paused_until = now() + interval '1 hour'
    where id = ${paused.id}`.execute(server.db)
  await look()
  await look()
  assert.deepEqual((await operations(server)).troubles, [])
  await agoBy(server, fresh.id, 1)
  await look()
  await look()
  assert.equal((await operations(server)).troubles.length, 1, 'the same, once its time has passed')
})

test('whoever deletes the check is not given another, and whoever chose channels is left to it', async (t) => {
  const server = await startTestServer(t)
  const look = looker(server)
  await makeCheck(server)
  const channel = await makeChannel(server)
  await look()
  const { checkId } = await operations(server)
  assert.ok(checkId !== null)
  const silent = [{ alertChannelId: channel.id, activated: false }]
  await server.call(routes.updateHeartbeatCheck, {
    params: { id: checkId },
    body: { alertChannelSubscriptions: silent },
  })
  await makeChannel(server)
  await look()
  const own = await server.call(routes.getCheck, { params: { id: checkId } })
  assert.deepEqual(own.alertChannelSubscriptions, silent)
  await server.call(routes.deleteCheck, { params: { id: checkId } })
  await look()
  assert.equal((await operations(server)).checkId, null)
  assert.equal((await server.call(routes.listChecks)).length, 1)
})

test('messages that nobody sends and channels that refuse them are told apart', async (t) => {
  const server = await startTestServer(t)
  const look = looker(server)
  const runner = await signInRunner(server)
  const channel = await makeChannel(server)
  const check = await makeCheck(server, {
    alertChannelSubscriptions: [{ alertChannelId: channel.id, activated: true }],
  })
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  const words = async () => {
    await look()
    await look()
    return (await operations(server)).troubles.map((trouble) => trouble.words)
  }
  assert.deepEqual(await words(), [])
  await sql`update notifications set created_at = now() - interval '90 seconds'`.execute(server.db)
  assert.deepEqual(await words(), ['A notification waits to be sent, the oldest for 90 s.'])
  await sql`update notifications set tries = 1, created_at = now() - interval '5 minutes' where check_id = ${check.id}`.execute(
    server.db,
  )
  const refused = `Alert channel ${channel.id} (WEBHOOK) does not take what it is sent: 1 waiting, the oldest for 5 min.`
  assert.deepEqual(await words(), [refused])
})

test('a runner whose clock is off is named', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const look = looker(server)
  const clockMs = Date.now() - 60_000
  const body = { runnerId: runner.id, trouble: null, clockMs }
  await server.call(routes.runnerHeartbeat, { body, key: runner.key })
  await look()
  await look()
  const [trouble] = (await operations(server)).troubles
  assert.match(trouble?.words ?? '', /^The clock of runner “test runner” is (60|59)\.\d s behind\.$/)
})

test('the place outside is told while all is well, and hears nothing while it is not', async (t) => {
  const server = await startTestServer(t, { env: { DEAD_MAN_URL: 'http://127.0.0.1:9/' } })
  let status = 200
  const place = await startReceiver(t, (_, response) => response.writeHead(status).end())
  const look = looker(server, `${place.url}/ping/secret-token`)
  assert.deepEqual((await operations(server)).deadMan, { lastTakenAt: null, error: null })
  await look()
  assert.equal(place.received.length, 1)
  const { deadMan } = await operations(server)
  assert.ok(deadMan !== null && deadMan.lastTakenAt !== null && deadMan.error === null)

  status = 500
  await look()
  assert.deepEqual((await operations(server)).deadMan, { ...deadMan, error: 'It answered with status 500.' })
  assert.ok(server.log.some((line) => line.includes('status 500')))
  assert.ok(!server.log.some((line) => line.includes('secret-token')))

  status = 200
  const check = await makeCheck(server)
  await agoBy(server, check.id, 2)
  await look()
  assert.equal(place.received.length, 3, 'nothing is believed yet')
  await look()
  await look()
  assert.equal(place.received.length, 3)
})
