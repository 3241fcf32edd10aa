import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const webhook = (name: string) => ({ type: 'WEBHOOK' as const, config: { name, url: `http://${name}.test/` } })

/** How many came, and what the header says of it; the status alone when it was refused. */
const counter = (server: TestServer, path: string) => async (query: string) => {
  const { status, body, headers } = await server.send('GET', `${path}?${query}`)
  return status === 200 && Array.isArray(body) ? `${body.length} ${headers.get('content-range')}` : status
}

test('the log of notifications shows the last hours, and other ones on demand, within a day', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const pager = await server.call(routes.createAlertChannel, { body: webhook('pager') })
  const phone = await server.call(routes.createAlertChannel, { body: webhook('phone') })
  const check = await makeCheck(server)
  for (const verdict of ['failed', 'passed'] as const) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict)
  }
  const nowS = Math.floor(Date.now() / 1000)
  const hour = 3600
  const [old] = await server.db.selectFrom('notifications').select('id').where('channel_id', '=', pager.id).execute()
  await server.db
    .updateTable('notifications')
    .set({ created_at: new Date((nowS - 7 * hour) * 1000), status: 'FAILURE' })
    .where('id', '=', old?.id ?? '')
    .execute()
  const count = counter(server, '/v1/alert-notifications')
  assert.equal(await count(''), '3 0-2/3')
  assert.equal(await count(`from=${nowS - 10 * hour}`), '1 0-0/1')
  assert.equal(await count(`from=${nowS - 10 * hour}&to=${nowS + 10}`), '4 0-3/4')
  assert.equal(await count(`to=${nowS - 6 * hour}`), '1 0-0/1')
  assert.equal(await count(`from=${nowS - 25 * hour}&to=${nowS}`), 400)
  assert.equal(await count(`from=${nowS}&to=${nowS - 1}`), 400)
  assert.equal(await count(`alertChannelId=${phone.id}`), '2 0-1/2')
  assert.equal(await count(`from=${nowS - 10 * hour}&to=${nowS + 10}&hasFailures=true`), '1 0-0/1')
  assert.equal(await count(`from=${nowS - 10 * hour}&to=${nowS + 10}&hasFailures=false`), '3 0-2/3')
  assert.equal(await count('limit=2&page=2'), '1 2-2/3')
})

test('an alert says what happened to which check, whoever was told', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { name: 'Orders' })
  const other = await makeCheck(server)
  for (const verdict of ['failed', 'failed', 'passed'] as const) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict)
  }
  const [recovery, failure, ...more] = await server.call(routes.listCheckAlerts)
  assert.deepEqual([recovery?.alertType, failure?.alertType, more], ['ALERT_RECOVERY', 'ALERT_FAILURE', []])
  const { id, responseTime, created_at, startedAt, ...rest } = failure ?? assert.fail()
  assert.match(id, /^\d+$/)
  assert.ok(responseTime >= 0)
  assert.ok(Date.parse(created_at) >= Date.parse(startedAt) - 1000)
  assert.deepEqual(rest, {
    name: 'Orders',
    checkId: check.id,
    alertType: 'ALERT_FAILURE',
    checkType: 'API',
    runLocation: 'us-east-1',
    error: rest.error,
    statusCode: rest.statusCode,
  })
  assert.ok(rest.error)
  const ofCheck = (id: string) => server.call(routes.listAlertsOfCheck, { params: { checkId: id } })
  assert.deepEqual(await ofCheck(check.id), [recovery, failure])
  assert.deepEqual(await ofCheck(other.id), [])
  const unknown = await server.send('GET', '/v1/check-alerts/00000000-0000-4000-8000-000000000000')
  assert.equal(unknown.status, 404)
})

test('alerts are listed for six hours at most, page by page', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  for (const verdict of ['failed', 'passed', 'failed'] as const) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict)
  }
  const nowS = Math.floor(Date.now() / 1000)
  const hour = 3600
  const [first] = await server.db.selectFrom('check_alerts').select('id').orderBy('id').limit(1).execute()
  await server.db
    .updateTable('check_alerts')
    .set({ created_at: new Date((nowS - 7 * hour) * 1000) })
    .where('id', '=', first?.id ?? 0)
    .execute()
  for (const path of ['/v1/check-alerts', `/v1/check-alerts/${check.id}`]) {
    const count = counter(server, path)
    assert.equal(await count(''), '2 0-1/2')
    assert.equal(await count('limit=1&page=2'), '1 1-1/2')
    assert.equal(await count('page=3'), '0 */2')
    assert.equal(await count(`from=${nowS - 10 * hour}`), '1 0-0/1')
    assert.equal(await count(`to=${nowS - 6 * hour}`), '1 0-0/1')
    assert.equal(await count(`from=${nowS - 7 * hour}&to=${nowS - 1 * hour}`), '1 0-0/1')
    assert.equal(await count(`from=${nowS - 7 * hour}&to=${nowS - 1 * hour + 1}`), 400)
    assert.equal(await count(`from=${nowS}&to=${nowS}`), 400)
    assert.equal(await count('from=yesterday'), 400)
  }
})
