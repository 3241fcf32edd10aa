import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { routes, type Verdict } from '@vedette/schema'
import { dropOldPartitions } from '../db/partitions.ts'
import { followMaintenance } from '../scheduling/maintenance.ts'
import { makeCheck, makeDue } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { startTestServer } from '../testing/test-server.ts'
import { sendReminders } from './reminders.ts'

const MINUTE_MS = 60_000
const webhook = { type: 'WEBHOOK' as const, sendDegraded: true, config: { name: 'pager', url: 'http://pager.test/' } }

/** A failing check of which people are reminded every ten minutes, and a clock that is moved by hand. */
async function aFailingCheck(t: TestContext, amount: 1 | 3 | 100_000 = 3) {
  const server = await startTestServer(t)
  await server.setAlertSettings({ reminders: { amount, interval: 10 } })
  await server.call(routes.createAlertChannel, { body: webhook })
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { tags: ['shop'] })
  let nowMs = Date.now()
  server.recording.clock.nowMs = () => nowMs
  const world = {
    server,
    check,
    async end(verdict: Verdict) {
      await makeDue(server, check)
      await runner.report(await runner.leaseOne(), verdict)
    },
    /** Returns how many people are reminded of by then. */
    async pass(minutes: number) {
      nowMs += minutes * MINUTE_MS
      return sendReminders(server.recording)
    },
    nowMs: () => nowMs,
    async waiting() {
      return (await server.db.selectFrom('alert_reminders').selectAll().execute()).length
    },
    async told() {
      const rows = await server.db.selectFrom('notifications').select('message').orderBy('created_at').execute()
      return rows.map(({ message }) => `${message.ALERT_TYPE} ${message.IS_REMINDER} ${message.REMINDER_SEQUENCE}`)
    },
  }
  await world.end('failed')
  return world
}

test('people are reminded of trouble that goes on, by the clock and as often as they want', async (t) => {
  const { pass, told, waiting, server, check } = await aFailingCheck(t)
  assert.equal(await pass(9), 0)
  assert.equal(await pass(2), 1)
  assert.equal(await pass(1), 0)
  assert.equal(await pass(9), 1)
  assert.equal(await pass(10), 1)
  assert.equal(await pass(10), 0)
  assert.equal(await waiting(), 0)
  assert.deepEqual(await told(), [
    'ALERT_FAILURE false 0',
    'ALERT_FAILURE_REMAIN true 1',
    'ALERT_FAILURE_REMAIN true 2',
    'ALERT_FAILURE_REMAIN true 3',
  ])
  const alerts = await server.call(routes.listAlertsOfCheck, { params: { checkId: check.id } })
  assert.equal(alerts.length, 1)
})

test('two servers that look at the same time send a reminder once', async (t) => {
  const { pass, server, told } = await aFailingCheck(t)
  const early = await pass(1)
  server.recording.clock.nowMs = () => Date.now() + 30 * MINUTE_MS
  const sent = await Promise.all(Array.from({ length: 4 }, () => sendReminders(server.recording)))
  assert.deepEqual([early, sent.reduce((sum, one) => sum + one)], [0, 1])
  assert.equal((await told()).length, 2)
})

test('after a long time without us one reminder comes', async (t) => {
  const { pass } = await aFailingCheck(t)
  assert.equal(await pass(600), 1)
  assert.equal(await pass(1), 0)
  assert.equal(await pass(9), 1)
})

test('recovery ends reminders, and the next trouble begins anew', async (t) => {
  const { pass, end, waiting, told } = await aFailingCheck(t)
  assert.equal(await pass(10), 1)
  await end('passed')
  assert.equal(await waiting(), 0)
  assert.equal(await pass(60), 0)
  await end('failed')
  assert.equal(await pass(10), 1)
  assert.deepEqual((await told()).slice(-2), ['ALERT_FAILURE false 0', 'ALERT_FAILURE_REMAIN true 1'])
})

test('muting and switching off end reminders for good', async (t) => {
  for (const change of [{ muted: true }, { activated: false }]) {
    const { pass, server, check, waiting } = await aFailingCheck(t)
    const update = (body: { muted?: boolean; activated?: boolean }) =>
      server.call(routes.updateApiCheck, { params: { id: check.id }, body })
    await update(change)
    assert.equal(await pass(1), 0)
    assert.equal(await waiting(), 0)
    await update({ muted: false, activated: true })
    assert.equal(await pass(60), 0)
  }
})

test('maintenance holds a reminder until it is over', async (t) => {
  const { pass, server, nowMs, told } = await aFailingCheck(t)
  const at = (minutes: number) => new Date(nowMs() + minutes * MINUTE_MS).toISOString()
  const body = { name: 'Release', startsAt: at(5), endsAt: at(40), tags: ['shop'] }
  await server.call(routes.createMaintenanceWindow, { body })
  await followMaintenance(server.db, nowMs())
  assert.equal(await pass(20), 0)
  assert.equal(await pass(21), 1)
  assert.equal((await told()).at(-1), 'ALERT_FAILURE_REMAIN true 1')
})

test('a reminder is explained as any other decision is', async (t) => {
  const { pass, server, check, nowMs } = await aFailingCheck(t, 100_000)
  await pass(10)
  const query = { to: String(nowMs() + MINUTE_MS), from: String(nowMs() - MINUTE_MS) }
  const [decision] = await server.call(routes.listAlertDecisions, { params: { id: check.id }, query })
  assert.equal(decision?.words, 'Told: it is still failing, reminder 1.')
  assert.deepEqual(
    decision?.channels.map(({ because }) => because),
    [null],
  )
})

test('nobody is reminded of what somebody is on, and the log says so for each reminder', async (t) => {
  const { pass, end, server, check, nowMs, told } = await aFailingCheck(t)
  const ofCheck = { params: { id: check.id } }
  const acknowledge = () => server.call(routes.acknowledgeCheck, { ...ofCheck, body: { note: 'The disk is full.' } })
  await acknowledge()
  const sent = [await pass(10), await pass(10)]
  await server.call(routes.withdrawAcknowledgement, ofCheck)
  sent.push(await pass(5), await pass(5), await pass(60))
  assert.deepEqual(sent, [0, 0, 0, 1, 0])
  assert.deepEqual((await told()).slice(1), ['ALERT_FAILURE_REMAIN true 3'], 'times and numbers stay what they were')
  const query = { to: String(nowMs() + MINUTE_MS), from: String(nowMs() - 120 * MINUTE_MS) }
  const decisions = await server.call(routes.listAlertDecisions, { ...ofCheck, query })
  assert.deepEqual(
    decisions.map(({ rule, due, words }) => [rule, due, words]),
    [
      ['reminder', true, 'Told: it is still failing, reminder 3 of 3.'],
      ['acknowledged', false, 'Not told: administrator has acknowledged it, reminder 2 of 3.'],
      ['acknowledged', false, 'Not told: administrator has acknowledged it, reminder 1 of 3.'],
      ['threshold-reached', true, 'Told: 1 of 1 run that the threshold asks for.'],
    ],
  )
  await end('passed')
  assert.equal((await told()).at(-1), 'ALERT_RECOVERY false 0', 'the end is told all the same')
})

test('who is on a degradation hears that it fails, and the next trouble is nobody’s', async (t) => {
  const { pass, end, server, check, told } = await aFailingCheck(t)
  await end('passed')
  await end('degraded')
  const ofCheck = { params: { id: check.id } }
  const { troubleSince } = await server.call(routes.acknowledgeCheck, { ...ofCheck, body: {} })
  await end('failed')
  assert.equal((await told()).at(-1), 'ALERT_DEGRADED_FAILURE false 0')
  const status = () => server.call(routes.getCheckStatus, { params: { checkId: check.id } })
  assert.equal((await status()).acknowledgement?.troubleSince, troubleSince)
  assert.equal(await pass(10), 0)
  await end('passed')
  assert.equal((await status()).acknowledgement, null)
  await end('failed')
  assert.equal((await status()).acknowledgement, null)
  assert.equal(await pass(10), 1)
})

test('of trouble that outlasts the retention people are still reminded', async (t) => {
  const { pass, server, nowMs } = await aFailingCheck(t, 100_000)
  await pass(60)
  // Results that wait to be rolled up would keep everything.
  const later = nowMs() + 400 * 86_400_000
  const rolled_up_to = new Date(later)
  await server.db
    .insertInto('roll_up_progress')
    .values({ rolled_up_to })
    .onConflict((c) => c.column('is_only').doUpdateSet({ rolled_up_to }))
    .execute()
  await dropOldPartitions(server.db, later, 30)
  assert.equal(await pass(60), 1)
})

test('whoever was muted when the trouble began is reminded from the first news that they get', async (t) => {
  const { server, check, end, pass, told } = await aFailingCheck(t)
  await pass(1)
  await end('passed')
  await pass(1)
  const mute = (muted: boolean) => server.call(routes.updateApiCheck, { params: { id: check.id }, body: { muted } })
  await mute(true)
  await end('failed')
  await mute(false)
  await pass(1)
  await end('failed')
  assert.equal(await pass(10), 0)
  await end('degraded')
  assert.equal(await pass(10), 1)
  // What is muted in between stays ended: they had been told.
  await mute(true)
  assert.equal(await pass(1), 0)
  await mute(false)
  await end('failed')
  assert.equal(await pass(20), 0)
  assert.deepEqual(await told(), [
    'ALERT_FAILURE false 0',
    'ALERT_RECOVERY false 0',
    'ALERT_FAILURE_DEGRADED false 0',
    'ALERT_DEGRADED_REMAIN true 1',
    'ALERT_DEGRADED_FAILURE false 0',
  ])
})
