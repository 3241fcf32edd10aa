import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiCheck, routes, type Verdict } from '@vedette/schema'
import { sql } from 'kysely'
import { followMaintenance } from '../scheduling/maintenance.ts'
import { alertsOf, makeCheck, makeDue } from '../testing/checks.ts'
import { type FakeRunner, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const webhook = (name: string) => ({ type: 'WEBHOOK' as const, config: { name, url: `http://${name}.test/` } })

async function end(server: TestServer, runner: FakeRunner, check: ApiCheck, ...verdicts: Verdict[]): Promise<void> {
  for (const verdict of verdicts) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict)
  }
}

/** Oldest first. */
async function decisionsOf(server: TestServer, check: ApiCheck) {
  return (await server.call(routes.listAlertDecisions, { params: { id: check.id } })).toReversed()
}

test('every decision about an alert can be read afterwards, but not that all was well', async (t) => {
  const server = await startTestServer(t)
  await server.setAlertSettings({ runBasedEscalation: { failedRunThreshold: 2 } })
  const runner = await signInRunner(server)
  const wanting = await server.call(routes.createAlertChannel, { body: webhook('pager') })
  const unwilling = await server.call(routes.createAlertChannel, { body: { ...webhook('phone'), sendRecovery: false } })
  const check = await makeCheck(server)
  await end(server, runner, check, 'passed', 'passed', 'failed', 'failed', 'failed', 'passed', 'passed')
  const decisions = await decisionsOf(server, check)
  assert.deepEqual(
    decisions.map(({ words }) => words),
    [
      'Not told: 1 of 2 runs that the threshold asks for.',
      'Told: 2 of 2 runs that the threshold asks for.',
      'Not told: it is still failing, which was decided upon before.',
      'Told on 1 of 2 channels: it is no longer failing.',
    ],
  )
  const [quiet, failure, , recovery] = decisions
  assert.deepEqual([quiet?.from, quiet?.to, quiet?.alertType], ['passing', 'failing', 'ALERT_FAILURE'])
  assert.deepEqual(quiet?.inputs, { runCount: 1, minutes: 0, threshold: { unit: 'runs', amount: 2 } })
  assert.deepEqual([quiet?.due, quiet?.alertId, quiet?.channels], [false, null, []])
  assert.equal(failure?.due, true)
  assert.deepEqual(recovery?.channels, [
    { channelId: wanting.id, type: 'WEBHOOK', because: null, digestId: null, words: 'Told' },
    {
      channelId: unwilling.id,
      type: 'WEBHOOK',
      because: 'recoveries-not-wanted',
      digestId: null,
      words: 'Not told: it does not want recoveries',
    },
  ])
  const alerts = await server.call(routes.listAlertsOfCheck, { params: { checkId: check.id } })
  assert.deepEqual(
    [recovery?.alertId, failure?.alertId],
    alerts.map(({ id }) => id),
  )
})

test('a muted check tells nobody, says so, and stores no alert', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  await server.call(routes.createAlertChannel, { body: webhook('pager') })
  const check = await makeCheck(server, { muted: true })
  await end(server, runner, check, 'failed')
  const [decision, ...more] = await decisionsOf(server, check)
  assert.deepEqual([decision?.due, decision?.muted, decision?.alertId, more], [true, true, null, []])
  assert.deepEqual(
    decision?.channels.map(({ because }) => because),
    ['check-muted'],
  )
  assert.deepEqual(await server.call(routes.listAlertsOfCheck, { params: { checkId: check.id } }), [])
})

test('a run in error is explained as trouble of our own', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  // An error is tried once more before the run ends.
  await end(server, runner, check, 'error', 'error')
  const [decision, ...more] = await decisionsOf(server, check)
  assert.deepEqual([decision?.rule, decision?.to, more], ['in-error', null, []])
})

test('what is old news when it is recorded is explained as such', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  const scheduled = await runner.leaseOne()
  await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const demanded = await runner.leaseOne()
  await runner.report(demanded, 'passed')
  await runner.report(scheduled, 'failed', { startedAtMs: Date.now() - 9000, durationMs: 40 })
  assert.deepEqual(
    (await decisionsOf(server, check)).map(({ rule }) => rule),
    ['old-news'],
  )
})

test('too few failed locations are explained', async (t) => {
  const server = await startTestServer(t)
  await server.setAlertSettings({ parallelRunFailureThreshold: { enabled: true, percentage: 100 } })
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { locations: ['us-east-1', 'eu-west-1'], runParallel: true })
  await makeDue(server, check)
  const [first, second] = await runner.lease()
  assert.ok(first && second)
  await runner.report(first, 'passed')
  await runner.report(second, 'failed')
  const [decision, ...more] = await decisionsOf(server, check)
  assert.deepEqual([decision?.rule, more], ['too-few-locations-failed', []])
  assert.deepEqual(decision?.inputs.locations, { failed: 1, inError: 0, total: 2 })
})

test('maintenance is noted once, with its end, and not written to again while nothing changes', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: ['shop'] })
  const at = (shiftMs: number) => new Date(Date.now() + shiftMs).toISOString()
  const body = { name: 'Release', startsAt: at(-60_000), endsAt: at(3_600_000), tags: ['shop'] }
  const window = await server.call(routes.createMaintenanceWindow, { body })
  for (let look = 0; look < 3; look += 1) await followMaintenance(server.db, Date.now())
  const [decision, ...more] = await decisionsOf(server, check)
  assert.deepEqual([decision?.rule, decision?.inputs, more], ['in-maintenance', { until: window.endsAt }, []])
  assert.equal(decision?.at, window.startsAt)
  const { rows } = await sql<{ xmax: string }>`select xmax::text from alert_decisions`.execute(server.db)
  assert.deepEqual(rows, [{ xmax: '0' }])
  const endsAt = at(7_200_000)
  await server.call(routes.updateMaintenanceWindow, { params: { id: window.id }, body: { ...body, endsAt } })
  await followMaintenance(server.db, Date.now())
  const [longer, ...others] = await decisionsOf(server, check)
  assert.deepEqual([longer?.inputs, others], [{ until: endsAt }, []])
})

test('what is run in maintenance and fails is told to nobody; that it is well again is, and so is trouble that stays', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  await server.call(routes.createAlertChannel, { body: webhook('pager') })
  const [shop, stock] = [await makeCheck(server, { tags: ['a'] }), await makeCheck(server, { tags: ['a'] })]
  const atOnce = async (check: ApiCheck, verdict: Verdict) => {
    await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
    await runner.report(await runner.leaseOne(), verdict)
  }
  await end(server, runner, stock, 'failed')
  const at = (shiftMs: number) => new Date(Date.now() + shiftMs).toISOString()
  const body = { name: 'Release', startsAt: at(-60_000), endsAt: at(3_600_000), tags: ['a'] }
  const { id } = await server.call(routes.createMaintenanceWindow, { body })
  await followMaintenance(server.db, Date.now())
  await atOnce(shop, 'failed')
  await atOnce(stock, 'passed')
  assert.deepEqual(
    [await alertsOf(server, shop), await alertsOf(server, stock)],
    [[], ['ALERT_FAILURE', 'ALERT_RECOVERY']],
  )
  const { hasFailures } = await server.call(routes.getCheckStatus, { params: { checkId: shop.id } })
  assert.equal(hasFailures, true, 'whoever asked sees what came of it')
  const last = (await decisionsOf(server, shop)).at(-1)
  assert.equal(last?.words, 'Not told: it ran in maintenance, where trouble is expected.')
  await server.call(routes.deleteMaintenanceWindow, { params: { id } })
  await followMaintenance(server.db, Date.now())
  await end(server, runner, shop, 'failed')
  assert.deepEqual(await alertsOf(server, shop), ['ALERT_FAILURE'])
})

test('decisions are listed page by page and window by window', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await end(server, runner, check, 'failed', 'failed', 'failed')
  const count = async (query: string) => {
    const { status, body, headers } = await server.send('GET', `/v1/checks/${check.id}/alert-decisions?${query}`)
    return Array.isArray(body) ? `${body.length} ${headers.get('content-range')}` : status
  }
  const nowS = Math.floor(Date.now() / 1000)
  assert.equal(await count(''), '3 0-2/3')
  assert.equal(await count('limit=2&page=2'), '1 2-2/3')
  assert.equal(await count(`to=${nowS - 3600}`), '0 */0')
  assert.equal(await count(`from=${nowS - 32 * 86_400}&to=${nowS}`), 400)
})
