import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertSettings, routes, type Verdict } from '@vedette/schema'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer } from '../../testing/test-server.ts'

const afterRuns = (failedRunThreshold: 1 | 2 | 3): AlertSettings => ({
  escalationType: 'RUN_BASED',
  runBasedEscalation: { failedRunThreshold },
})
/** The same at every run of the test, and with every move in it. */
const HISTORY = 'pffpdpdfdppfffdffpffepdfpddpfp'.split('').map((letter) => {
  const verdicts: Record<string, Verdict> = { p: 'passed', f: 'failed', d: 'degraded' }
  return verdicts[letter] ?? 'error'
})

test('the settings in force, replayed over a history, give the alerts that there were', async (t) => {
  const server = await startTestServer(t)
  await server.setAlertSettings(afterRuns(2))
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  for (const verdict of HISTORY) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict)
  }
  const decisions = await server.call(routes.listAlertDecisions, { params: { id: check.id }, query: { limit: 100 } })
  const due = decisions.filter((decision) => decision.due).toReversed()
  assert.ok(due.length > 5)
  const body = { alertSettings: afterRuns(1) }
  const { live, draft, comparison } = await server.call(routes.replayAlerts, { params: { id: check.id }, body })
  assert.deepEqual(
    live.alerts,
    due.map(({ at, alertType, from, to }) => ({ at, alertType, from, to, reminder: 0 })),
  )
  assert.equal(comparison.count, draft.count - live.count)
  assert.ok(draft.count > live.count)
  assert.ok((comparison.firstAlertLaterByMs ?? 0) < 0)
})

test('a heartbeat is replayed from its pings', async (t) => {
  const server = await startTestServer(t)
  const heartbeat = { period: 1, periodUnit: 'hours', grace: 10, graceUnit: 'minutes' } as const
  const check = await server.call(routes.createHeartbeatCheck, { body: { name: 'Backup', heartbeat } })
  for (const what of ['', '/fail', '/fail', ''])
    await server.send('POST', `/ping/${check.heartbeat.pingToken}${what}`, { key: null })
  const body = { alertSettings: afterRuns(2) }
  const { live, draft, runs } = await server.call(routes.replayAlerts, { params: { id: check.id }, body })
  assert.equal(runs, 4)
  assert.deepEqual(
    live.alerts.map(({ alertType }) => alertType),
    ['ALERT_FAILURE', 'ALERT_RECOVERY'],
  )
  assert.deepEqual(
    draft.alerts.map(({ alertType }) => alertType),
    ['ALERT_FAILURE_REMAIN', 'ALERT_RECOVERY'],
  )
})

test('a window that is too wide or settings that do not exist are refused', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const path = `/v1/checks/${check.id}/alert-replay`
  const nowS = Math.floor(Date.now() / 1000)
  const good = { alertSettings: afterRuns(1) }
  const wide = await server.send('POST', `${path}?from=${nowS - 32 * 86_400}&to=${nowS}`, { body: good })
  assert.equal(wide.status, 400)
  const wrong = await server.send('POST', path, { body: { alertSettings: { escalationType: 'NEVER' } } })
  assert.equal(wrong.status, 400)
  assert.equal((await server.send('POST', path, { body: good })).status, 200)
})
