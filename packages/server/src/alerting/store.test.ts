import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aChannel, aCheck, aLink, anAlert, aWorld } from './alerting.fixture.ts'
import { enqueueAlerts } from './outbox.ts'
import {
  leaseNotifications,
  listNotifications,
  msUntilNextDue,
  type NotificationQuery,
  recordDelivered,
  recordFailedTry,
} from './store.ts'

const anyTime: NotificationQuery = {
  fromMs: 0,
  toMs: Date.now() + 3_600_000,
  channelId: null,
  hasFailures: null,
  limit: 10,
  offset: 0,
}
const wish = {
  leaseMs: 30_000,
  limit: 100,
  perChannel: 4,
  room: new Map<number, number>(),
  pace: { perMinute: 0, minuteMs: 60_000 },
  supersedeAfterMs: 600_000,
}

test('the log shows what was told to whom, newest first, to the account alone and without secrets', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  const headers = [{ key: 'X-Token', value: 'canary', locked: true }]
  const channel = await aChannel(world, [check], {
    config: { url: 'https://a.test/x', webhookSecret: 'canary', headers },
  })
  const failure = anAlert(world, check)
  const recovery = anAlert(world, check, { alertType: 'ALERT_RECOVERY' })
  await enqueueAlerts(world.db, [failure], aLink)
  await enqueueAlerts(world.db, [recovery], aLink)

  const { rows, total } = await listNotifications(world.db, world.accountId, anyTime)
  assert.equal(total, 2)
  assert.deepEqual(
    rows.map(({ checkResultId }) => checkResultId),
    [recovery.resultId, failure.resultId],
  )
  const { id, checkAlertId, ...row } = rows[1] ?? assert.fail()
  assert.ok(checkAlertId !== null)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.match(checkAlertId, /^\d+$/)
  assert.deepEqual(row, {
    alertType: 'ALERT_FAILURE',
    type: 'WEBHOOK',
    status: 'IN_PROGRESS',
    alertConfig: {
      name: 'ops',
      url: 'https://a.test/x',
      method: 'POST',
      headers: [{ key: 'X-Token', value: '***', locked: true }],
      webhookSecret: '***',
    },
    notificationResult: null,
    timestamp: null,
    checkType: 'API',
    checkId: check.id,
    alertChannelId: channel,
    checkResultId: failure.resultId,
    digestId: null,
    digestOf: null,
    fallbackOf: null,
  })
  const elsewhere = await listNotifications(world.db, '00000000-0000-4000-8000-000000000000', anyTime)
  assert.deepEqual(elsewhere, { rows: [], total: 0 })
})

test('the log can be narrowed by time, channel and failure, and paged', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  const first = await aChannel(world, [check], {})
  const second = await aChannel(world, [check], {})
  await enqueueAlerts(world.db, [anAlert(world, check)], aLink)
  const [one] = await leaseNotifications(world.db, { ...wish, room: new Map([[second, 0]]) })
  assert.equal(one?.channelId, first)
  await recordFailedTry(world.db, { ...one, outcome: 'HTTP 500', used: one.channel.config, retryInMs: null })

  const count = async (query: Partial<NotificationQuery>) =>
    (await listNotifications(world.db, world.accountId, { ...anyTime, ...query })).total
  assert.equal(await count({}), 2)
  assert.equal(await count({ channelId: first }), 1)
  assert.equal(await count({ channelId: 999 }), 0)
  assert.equal(await count({ hasFailures: true }), 1)
  assert.equal(await count({ hasFailures: false }), 1)
  assert.equal(await count({ hasFailures: true, channelId: second }), 0)
  assert.equal(await count({ toMs: Date.now() - 60_000 }), 0)
  const page = await listNotifications(world.db, world.accountId, { ...anyTime, limit: 1, offset: 1 })
  assert.deepEqual([page.rows.length, page.total], [1, 2])
})

test('a lease keeps others away until it ends, and a channel gets no more than its room', async (t) => {
  const world = await aWorld(t)
  const checks = await Promise.all(Array.from({ length: 6 }, () => aCheck(world)))
  const channel = await aChannel(world, checks, {})
  assert.equal(await msUntilNextDue(world.db), null)
  await enqueueAlerts(
    world.db,
    checks.map((check) => anAlert(world, check)),
    aLink,
  )
  assert.ok(((await msUntilNextDue(world.db)) ?? 1) <= 0)
  const none = await leaseNotifications(world.db, { ...wish, room: new Map([[channel, 0]]) })
  const four = await leaseNotifications(world.db, wish)
  const rest = await leaseNotifications(world.db, wish)
  assert.deepEqual([none.length, four.length, rest.length], [0, 4, 2])
  const ms = (await msUntilNextDue(world.db)) ?? 0
  assert.ok(ms > 25_000 && ms <= 30_000)
})

test('a try is recorded by the holder of the lease only, a delivery by anyone', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  await aChannel(world, [check], {})
  await enqueueAlerts(world.db, [anAlert(world, check)], aLink)
  const [lost] = await leaseNotifications(world.db, { ...wish, leaseMs: 0 })
  const [held] = await leaseNotifications(world.db, wish)
  assert.ok(lost && held)
  const row = () => world.db.selectFrom('notifications').selectAll().executeTakeFirstOrThrow()
  await recordFailedTry(world.db, { ...lost, outcome: 'late', used: lost.channel.config, retryInMs: null })
  assert.equal((await row()).outcome, null)
  await recordDelivered(world.db, { ...lost, outcome: 'HTTP 200', used: lost.channel.config })
  await recordFailedTry(world.db, { ...held, outcome: 'HTTP 500', used: held.channel.config, retryInMs: null })
  assert.deepEqual([(await row()).status, (await row()).outcome, (await row()).tries], ['SUCCESS', 'HTTP 200', 1])
})
