import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { type HeartbeatCheckCreate, routes } from '@vedette/schema'
import { followMaintenance } from '../scheduling/maintenance.ts'
import { alertsOf } from '../testing/checks.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { watchHeartbeats } from './heartbeats.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const hourly = { period: 1, periodUnit: 'hours', grace: 10, graceUnit: 'minutes' } as const

/** A server whose time stands still and goes on when it is told to, without a moment in which nobody is there. */
async function startWorld(t: TestContext) {
  const server = await startTestServer(t)
  let nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const startMs = nowMs
  server.recording.clock.nowMs = () => nowMs
  const look = (starting = false) => watchHeartbeats(server.recording, { starting })
  const world = {
    server,
    look,
    nowMs: () => nowMs,
    /** Minutes since the beginning. */
    at: (ms: number) => (ms - startMs) / MINUTE_MS,
    async pass(minutes: number) {
      nowMs += minutes * MINUTE_MS
      await server.db
        .updateTable('heartbeat_watch')
        .set({ seen_at: new Date(nowMs) })
        .execute()
      await look()
    },
    /** Nobody is there for a while, then a server starts. */
    async beAway(minutes: number) {
      nowMs += minutes * MINUTE_MS
      return look(true)
    },
    async eventsOf(checkId: string) {
      const [answer] = await server.call(routes.listHeartbeatEvents, { params: { checkId } })
      return (answer?.events ?? []).toReversed()
    },
    /** “FAILING 130”: what happened at which minute. */
    async story(checkId: string) {
      const events = await world.eventsOf(checkId)
      return events.map(({ state, timestamp }) => `${state} ${world.at(Date.parse(timestamp))}`)
    },
  }
  await look(true)
  return world
}

async function aHeartbeat(server: TestServer, rest: Partial<HeartbeatCheckCreate> = {}) {
  const check = await server.call(routes.createHeartbeatCheck, {
    body: { name: 'Backup', heartbeat: hourly, ...rest },
  })
  const token = check.heartbeat.pingToken ?? ''
  const ping = (what = '', text?: string) =>
    server.send('POST', `/ping/${token}${what}`, {
      key: null,
      ...(text === undefined ? {} : { text, headers: { 'content-type': 'text/plain' } }),
    })
  return { id: check.id, token, ping }
}

const statusOf = (server: TestServer, checkId: string) => server.call(routes.getCheckStatus, { params: { checkId } })
const overviewOf = async (server: TestServer, checkId: string) =>
  (await server.call(routes.overviewChecks, { query: { checkId } }))[0]

async function toldOf(server: TestServer): Promise<string[]> {
  const rows = await server.db.selectFrom('notifications').select('message').orderBy('created_at').execute()
  return rows.map(({ message }) => `${message.ALERT_TITLE}: ${message.CHECK_ERROR_MESSAGE.replace(/ \d{4}-.*/, '')}`)
}

test('each missed period and grace is a failure, the first one alerts, and the next ping recovers', async (t) => {
  const world = await startWorld(t)
  const { server } = world
  await server.call(routes.createAlertChannel, {
    body: { type: 'WEBHOOK', config: { name: 'ops', url: 'http://ops.test/' } },
  })
  const { id, ping } = await aHeartbeat(server)
  await world.pass(200)
  assert.deepEqual(await world.story(id), [])
  assert.equal((await overviewOf(server, id))?.state, 'unknown')
  await ping()
  assert.deepEqual(
    [(await overviewOf(server, id))?.state, (await statusOf(server, id)).hasFailures],
    ['passing', false],
  )
  await world.pass(71)
  const failing = await overviewOf(server, id)
  assert.deepEqual([failing?.state, world.at(Date.parse(failing?.since ?? ''))], ['failing', 270])
  assert.equal(world.at(Date.parse(failing?.lastRunAt ?? '')), 200)
  assert.equal(world.at(Date.parse(failing?.nextRunAt ?? '')), 330)
  await world.pass(80)
  await ping()
  assert.deepEqual(await world.story(id), ['RECEIVED 200', 'FAILING 270', 'FAILING 340', 'EARLY 351'])
  assert.deepEqual(await alertsOf(server, { id }), ['ALERT_FAILURE', 'ALERT_RECOVERY'])
  assert.deepEqual(await toldOf(server), ['Backup has failed: No ping came until', 'Backup has recovered: '])
  const [alert] = await server.call(routes.listAlertsOfCheck, { params: { checkId: id } })
  assert.deepEqual([alert?.alertType, alert?.runLocation, alert?.checkType], ['ALERT_RECOVERY', null, 'HEARTBEAT'])
  const { hasFailures, hasErrors, lastRunLocation, longestRun } = await statusOf(server, id)
  assert.deepEqual([hasFailures, hasErrors, lastRunLocation, longestRun], [false, false, null, null])
  const link = await server.db.selectFrom('notifications').select('message').executeTakeFirstOrThrow()
  assert.equal(link.message.RESULT_LINK, `http://vedette.test/accounts/${server.accountId}/checks/${id}`)
})

test('the threshold counts missed periods in a row; a muted heartbeat fails in silence', async (t) => {
  const world = await startWorld(t)
  const alertSettings = { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 2 } } as const
  const patient = await aHeartbeat(world.server, { useGlobalAlertSettings: false, alertSettings })
  const muted = await aHeartbeat(world.server, { name: 'Muted', muted: true })
  await Promise.all([patient.ping(), muted.ping()])
  await world.pass(71)
  assert.deepEqual(await alertsOf(world.server, patient), [])
  await world.pass(70)
  assert.deepEqual(await alertsOf(world.server, patient), ['ALERT_FAILURE_REMAIN'])
  assert.deepEqual(await alertsOf(world.server, muted), [])
  assert.equal((await statusOf(world.server, muted.id)).hasFailures, true)
})

test('servers that look at once find each missed ping once, with pings coming in between', async (t) => {
  const world = await startWorld(t)
  const heartbeats = await Promise.all(
    Array.from({ length: 12 }, (_, no) => aHeartbeat(world.server, { name: `Job ${no}` })),
  )
  await Promise.all(heartbeats.map(({ ping }) => ping()))
  for (let round = 1; round <= 4; round += 1) {
    const startMs = world.nowMs()
    world.server.recording.clock.nowMs = () => startMs + 70 * MINUTE_MS
    const pinged = heartbeats.filter((_, no) => no % 4 === round % 4)
    const changed = heartbeats.filter((_, no) => no % 4 === (round + 1) % 4)
    await Promise.all([
      world.look(true),
      ...pinged.map(({ ping }) => ping()),
      world.look(),
      ...changed.map(({ id }) =>
        world.server.call(routes.updateHeartbeatCheck, { params: { id }, body: { name: `Changed ${round}` } }),
      ),
      world.look(),
      world.look(),
    ])
    await world.look()
  }
  for (const { id } of heartbeats) {
    const rows = await world.server.db
      .selectFrom('heartbeat_events as e')
      .innerJoin('checks as c', 'c.no', 'e.check_no')
      .select(['e.at', 'e.state'])
      .where('c.id', '=', id)
      .execute()
    const missed = rows.filter(({ state }) => state === 'FAILING').map(({ at }) => at.getTime())
    assert.equal(new Set(missed).size, missed.length)
    const alerts = await alertsOf(world.server, { id })
    assert.ok(alerts.every((type, index) => type === (index % 2 === 0 ? 'ALERT_FAILURE' : 'ALERT_RECOVERY')))
  }
  assert.deepEqual(world.server.log, [])
})

test('what fell due while no server was there is not held against the job; what was overdue has a grace more', async (t) => {
  const world = await startWorld(t)
  const due = await aHeartbeat(world.server)
  const overdue = await aHeartbeat(world.server, { name: 'Overdue' })
  await overdue.ping()
  await world.pass(20)
  await due.ping()
  await world.pass(45)
  const { outage, missed } = await world.beAway(30)
  assert.deepEqual([world.at(outage?.fromMs ?? 0), world.at(outage?.untilMs ?? 0), missed], [65, 95, 0])
  assert.deepEqual(await world.story(overdue.id), ['RECEIVED 0'])
  await world.pass(11)
  assert.deepEqual(await world.story(overdue.id), ['RECEIVED 0', 'FAILING 105'])
  assert.deepEqual(await world.story(due.id), ['RECEIVED 20'])
  await world.pass(45)
  assert.deepEqual(await world.story(due.id), ['RECEIVED 20', 'FAILING 150'])
  assert.deepEqual(await alertsOf(world.server, due), ['ALERT_FAILURE'])
})

test('a server that starts at once after another has missed nothing', async (t) => {
  const world = await startWorld(t)
  const { id, ping } = await aHeartbeat(world.server)
  await ping()
  await world.pass(69.9)
  const { outage } = await world.beAway(0.02)
  assert.equal(outage, null)
  await world.pass(0.1)
  assert.deepEqual(await world.story(id), ['RECEIVED 0', 'FAILING 70'])
})

test('maintenance holds the timer and lets it start anew at its end; failures told in it are not recorded', async (t) => {
  const world = await startWorld(t)
  const { id, ping } = await aHeartbeat(world.server, { tags: ['jobs'] })
  await ping()
  const iso = (minute: number) => new Date(world.nowMs() + minute * MINUTE_MS).toISOString()
  await world.server.call(routes.createMaintenanceWindow, {
    body: { name: 'Move', startsAt: iso(60), endsAt: iso(180), tags: ['jobs'] },
  })
  await world.pass(50)
  await followMaintenance(world.server.db, world.nowMs())
  await world.pass(60)
  const timer = await world.server.call(routes.getHeartbeatTimer, { params: { checkId: id } })
  assert.equal(world.at(Date.parse(timer.deadlineAt ?? '')), 250)
  assert.equal((await ping('/fail')).status, 200)
  await ping()
  await world.pass(139)
  assert.deepEqual(await world.story(id), ['RECEIVED 0', 'RECEIVED 110'])
  await world.pass(2)
  assert.deepEqual(await world.story(id), ['RECEIVED 0', 'RECEIVED 110', 'FAILING 250'])
})

test('a heartbeat that is off is not watched; on again, or with another rhythm, it waits from then on', async (t) => {
  const world = await startWorld(t)
  const { id, ping } = await aHeartbeat(world.server)
  const change = (body: object) => world.server.call(routes.updateHeartbeatCheck, { params: { id }, body })
  await ping()
  await change({ activated: false })
  await world.pass(100)
  assert.deepEqual(await world.story(id), ['RECEIVED 0'])
  await change({ activated: true })
  await world.pass(69)
  await change({ heartbeat: { ...hourly, period: 2 } })
  await world.pass(129)
  assert.deepEqual(await world.story(id), ['RECEIVED 0'])
  await world.pass(2)
  assert.deepEqual(await world.story(id), ['RECEIVED 0', 'FAILING 299'])
})

test('a job says that it begins, ends or fails; its output is kept with what came of it', async (t) => {
  const world = await startWorld(t)
  const { id, ping } = await aHeartbeat(world.server)
  await ping('/start')
  await world.pass(5)
  await ping('', '\u001b[32mcopied\u001b[0m 3 files\u0000\r\n')
  await world.pass(1)
  await ping('/3', 'disk full')
  await world.pass(1)
  await ping('/0')
  await world.pass(1)
  await ping('/fail', 'x'.repeat(20_000))
  await world.pass(1)
  await ping('/start')
  await world.pass(71)
  const events = await world.eventsOf(id)
  assert.deepEqual(
    events.map(({ state, exitCode, duration, error }) => [
      state,
      exitCode,
      duration,
      error?.replaceAll(/\d{4}-\S+/g, '…'),
    ]),
    [
      ['EARLY', null, 5 * MINUTE_MS, undefined],
      ['FAILING', 3, null, 'The job ended with exit code 3.'],
      ['EARLY', 0, null, undefined],
      ['FAILING', null, null, 'The job said that it failed.'],
      ['FAILING', null, null, 'The job that began at … did not say until … how it ended.'],
    ],
  )
  assert.deepEqual(
    events.map(({ body }) => body?.slice(0, 20) ?? null),
    ['copied 3 files', 'disk full', null, 'x'.repeat(20), null],
  )
  assert.equal(events[3]?.body?.length, 10 * 1024)
  assert.deepEqual(await alertsOf(world.server, { id }), ['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_FAILURE'])
  assert.equal((await statusOf(world.server, id)).longestRun, 5 * MINUTE_MS)
})

test('with a schedule pings are expected by the wall clock of its time zone', async (t) => {
  const world = await startWorld(t)
  const schedule = { cron: '0 3 * * *', timezone: 'Asia/Kolkata' }
  const { id, ping } = await aHeartbeat(world.server, { heartbeat: { ...hourly, schedule } })
  await ping()
  const timer = await world.server.call(routes.getHeartbeatTimer, { params: { checkId: id } })
  assert.match(timer.dueAt ?? '', /T21:30:00.000Z$/)
  assert.equal(Date.parse(timer.deadlineAt ?? '') - Date.parse(timer.dueAt ?? ''), 10 * MINUTE_MS)
  assert.equal((await overviewOf(world.server, id))?.target, '0 3 * * * Asia/Kolkata')
  const kept = await world.server.call(routes.updateHeartbeatCheck, { params: { id }, body: { heartbeat: hourly } })
  assert.deepEqual(kept.heartbeat.schedule, schedule)
  const without = { ...hourly, schedule: null }
  const plain = await world.server.call(routes.updateHeartbeatCheck, { params: { id }, body: { heartbeat: without } })
  assert.equal(plain.heartbeat.schedule, undefined)
  const refused = await world.server.send('PUT', `/v1/checks/heartbeat/${id}`, {
    body: { heartbeat: { ...hourly, schedule: { cron: '0 25 * * *', timezone: 'UTC' } } },
  })
  assert.deepEqual(Object(refused.body).validation, { source: 'payload', keys: ['heartbeat.schedule.cron'] })
})

test('the rhythm that fits the pings is suggested once there are enough of them', async (t) => {
  const world = await startWorld(t)
  const { id, ping } = await aHeartbeat(world.server)
  const suggestion = async () =>
    (await world.server.call(routes.getHeartbeatSuggestion, { params: { checkId: id } })).suggestion
  await ping()
  assert.equal(await suggestion(), null)
  for (let no = 0; no < 7; no += 1) {
    await world.pass(5)
    await ping()
  }
  const found = await suggestion()
  assert.deepEqual([found?.changes, found?.heartbeat.period, found?.heartbeat.periodUnit], ['period', 5, 'minutes'])
  await world.server.call(routes.updateHeartbeatCheck, {
    params: { id },
    body: { heartbeat: found?.heartbeat ?? hourly },
  })
  assert.equal(await suggestion(), null)
})
