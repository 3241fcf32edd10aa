import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aChannel, aCheck, aGroup, aLink, anAlert, aWorld } from './alerting.fixture.ts'
import { enqueueAlerts } from './outbox.ts'

test('an alert waits for every channel that wants it, and says why others are not told', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  const another = await aCheck(world)
  const wanting = await aChannel(world, [check], {})
  const recoveriesOnly = await aChannel(world, [check], { sendFailure: false })
  const silenced = await aChannel(world, [{ ...check, activated: false }], {})
  await aChannel(world, [another], {})

  const alert = anAlert(world, check)
  assert.equal(await world.db.transaction().execute((tx) => enqueueAlerts(tx, [alert], aLink)), 1)

  const notifications = await world.db.selectFrom('notifications').selectAll().execute()
  assert.deepEqual(
    notifications.map(({ channel_id, check_id, result_id, status, tries }) => ({
      channel_id,
      check_id,
      result_id,
      status,
      tries,
    })),
    [{ channel_id: wanting, check_id: check.id, result_id: alert.resultId, status: 'IN_PROGRESS', tries: 0 }],
  )
  const [message] = notifications.map((row) => row.message)
  assert.equal(message?.ALERT_TITLE, 'Orders API has failed')
  assert.equal(message?.API_CHECK_RESPONSE_STATUS_TEXT, 'Internal Server Error')
  assert.equal(message?.RESULT_LINK, aLink(alert))

  const stored = await world.db.selectFrom('check_alerts').selectAll().executeTakeFirstOrThrow()
  assert.equal(stored.id, notifications[0]?.check_alert_id)
  assert.equal(stored.alert_type, 'ALERT_FAILURE')
  assert.equal(stored.started_at.toISOString(), '2026-01-10T08:00:00.100Z')
  assert.deepEqual(stored.reason, {
    decided: { rule: 'threshold-reached' },
    withheld: [
      { channelId: recoveriesOnly, because: 'failures-not-wanted' },
      { channelId: silenced, because: 'subscription-off' },
    ],
  })
})

test('a channel of the group hears of its checks once, unless the check itself says otherwise', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  const stranger = await aCheck(world)
  const group = await aGroup(world, [check])
  const [byGroup, byBoth, silencedByCheck, onByCheck, offByGroup] = [
    await aChannel(world, [], {}),
    await aChannel(world, [check], {}),
    await aChannel(world, [{ ...check, activated: false }], {}),
    await aChannel(world, [check], {}),
    await aChannel(world, [], {}),
  ]
  const ofGroup = new Map([byGroup, byBoth, silencedByCheck, onByCheck, offByGroup].map((id) => [id, true]))
  ofGroup.set(onByCheck, false).set(offByGroup, false)
  await world.db
    .insertInto('subscriptions')
    .values([...ofGroup].map(([channel_id, activated]) => ({ channel_id, group_id: group, activated })))
    .execute()

  assert.equal(await enqueueAlerts(world.db, [anAlert(world, check), anAlert(world, stranger)], aLink), 3)
  const { message } = await world.db.selectFrom('notifications').select('message').executeTakeFirstOrThrow()
  assert.equal(message.GROUP_NAME, 'Shop')
  const told = await world.db
    .selectFrom('notifications')
    .select(['channel_id', 'check_no'])
    .orderBy('channel_id')
    .execute()
  assert.deepEqual(
    told.map(({ channel_id, check_no }) => [channel_id, check_no]),
    [byGroup, byBoth, onByCheck].map((id) => [id, check.no]),
  )
  const [alert] = await world.db.selectFrom('check_alerts').select('reason').orderBy('id').execute()
  assert.deepEqual(Reflect.get(Object(alert?.reason), 'withheld'), [
    { channelId: silencedByCheck, because: 'subscription-off' },
    { channelId: offByGroup, because: 'subscription-off' },
  ])
})

test('whatever is subscribed where, a channel is told once, and the check has the last word', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  const group = await aGroup(world, [check])
  const channels = [await aChannel(world, [], {}), await aChannel(world, [], {}), await aChannel(world, [], {})]
  const setting = fc.option(fc.boolean())
  const settings = fc.array(fc.record({ ofCheck: setting, ofGroup: setting }), { minLength: 3, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(settings, async (wanted) => {
      await world.db.deleteFrom('subscriptions').execute()
      const rows = wanted.flatMap(({ ofCheck, ofGroup }, index) => {
        const channel_id = channels[index] ?? 0
        return [
          ...(ofCheck === null ? [] : [{ channel_id, check_no: check.no, group_id: null, activated: ofCheck }]),
          ...(ofGroup === null ? [] : [{ channel_id, check_no: null, group_id: group, activated: ofGroup }]),
        ]
      })
      if (rows.length > 0) await world.db.insertInto('subscriptions').values(rows).execute()
      const expected = wanted.filter(({ ofCheck, ofGroup }) => ofCheck ?? ofGroup ?? false).length
      assert.equal(await enqueueAlerts(world.db, [anAlert(world, check)], aLink), expected)
    }),
    { numRuns: 50 },
  )
})

test('many alerts at once find their own channels and keep their own ids', async (t) => {
  const world = await aWorld(t)
  const checks = await Promise.all(Array.from({ length: 20 }, () => aCheck(world)))
  const channel = await aChannel(world, checks, {})
  const second = await aChannel(world, checks.slice(0, 10), {})
  const alerts = checks.map((check) => anAlert(world, check))
  assert.equal(await world.db.transaction().execute((tx) => enqueueAlerts(tx, alerts, aLink)), 30)
  const rows = await world.db
    .selectFrom('notifications as n')
    .innerJoin('check_alerts as a', 'a.id', 'n.check_alert_id')
    .select([
      'n.channel_id',
      'n.check_no',
      'n.result_id',
      'a.check_no as alert_check_no',
      'a.result_id as alert_result_id',
    ])
    .execute()
  assert.equal(rows.length, 30)
  for (const row of rows) {
    assert.equal(row.check_no, row.alert_check_no)
    assert.equal(row.result_id, row.alert_result_id)
  }
  assert.equal(rows.filter(({ channel_id }) => channel_id === channel).length, 20)
  assert.equal(rows.filter(({ channel_id }) => channel_id === second).length, 10)
})

test('a muted check tells nobody', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world, { muted: true })
  await aChannel(world, [check], {})
  assert.equal(await enqueueAlerts(world.db, [anAlert(world, check)], aLink), 0)
})

test('an alert without subscribers is stored all the same', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  assert.equal(await enqueueAlerts(world.db, [anAlert(world, check)], aLink), 0)
  assert.equal((await world.db.selectFrom('check_alerts').selectAll().execute()).length, 1)
  assert.equal(await enqueueAlerts(world.db, [], aLink), 0)
})

test('an alert for the same result waits once however often it is put in', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  await aChannel(world, [check], {})
  const alert = anAlert(world, check)
  assert.equal(await enqueueAlerts(world.db, [alert], aLink), 1)
  assert.equal(await enqueueAlerts(world.db, [alert], aLink), 0)
  assert.equal(await enqueueAlerts(world.db, [{ ...alert, alertType: 'ALERT_RECOVERY' }], aLink), 1)
})

test('when the transaction is rolled back nothing waits', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  await aChannel(world, [check], {})
  const failing = world.db.transaction().execute(async (tx) => {
    await enqueueAlerts(tx, [anAlert(world, check)], aLink)
    throw new Error('the result could not be stored')
  })
  await assert.rejects(failing)
  assert.deepEqual(await world.db.selectFrom('notifications').select('id').execute(), [])
  assert.deepEqual(await world.db.selectFrom('check_alerts').select('id').execute(), [])
})

test('texts from the target never break the transaction', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  await aChannel(world, [check], {})
  for (const error of ['a\0b', '\ud800', '\\u0000', "'; drop table checks; --", 'x'.repeat(100_000)]) {
    assert.equal(await enqueueAlerts(world.db, [anAlert(world, check, { error })], aLink), 1)
  }
})
