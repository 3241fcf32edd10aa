import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiCheck, routes } from '@vedette/schema'
import { sql } from 'kysely'
import { certificateHost } from '../checks/certificate-host.ts'
import { alertsOf, makeCheck, makeDue } from '../testing/checks.ts'
import { type FakeRunner, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const DAY_MS = 86_400_000

const hosts: [url: string, host: string | null][] = [
  ['https://shop.test/a', 'shop.test'],
  ['https://SHOP.test:8443/', 'shop.test'],
  ['https://shop.test/{{PATH}}', 'shop.test'],
  ['https://{{HOST}}/', null],
  ['https://{{REGION}}.shop.test/', null],
  ['{{BASE}}/orders', null],
]
for (const [url, host] of hosts)
  test(`for ${url} the certificate of ${host ?? 'nobody'} is watched`, () =>
    assert.equal(certificateHost({ request: { url } }), host))

const named: [sslConfig: object, host: string][] = [
  [{ hostname: 'Shop.test' }, 'shop.test'],
  [{ hostname: 'shop.test', serverName: null }, 'shop.test'],
  [{ hostname: '192.0.2.1', port: 8443, serverName: 'shop.test' }, 'shop.test'],
  [{ hostname: '2001:db8::1' }, '2001:db8::1'],
]
for (const [sslConfig, host] of named)
  test(`for an SSL check with ${JSON.stringify(sslConfig)} the certificate of ${host} is watched`, () =>
    assert.equal(certificateHost({ request: { sslConfig } }), host))

async function see(server: TestServer, runner: FakeRunner, check: ApiCheck, fingerprint256: string, days: number) {
  await makeDue(server, check)
  const certificate = { fingerprint256, expiresAtMs: Date.now() + days * DAY_MS + 60_000 }
  await runner.report(await runner.leaseOne(), 'passed', { certificate })
}

const daysLeft = async (server: TestServer, check: ApiCheck) =>
  (await server.call(routes.getCheckStatus, { params: { checkId: check.id } })).sslDaysRemaining

/** Midnight passes, and an hour besides. */
async function nextDay(server: TestServer): Promise<void> {
  await sql`update certificate_alerts set alerted_on = alerted_on - 1`.execute(server.db)
  await sql`update check_certificates set seen_at = seen_at - interval '1 day'`.execute(server.db)
}

async function told(server: TestServer): Promise<[channel: string, title: string, days: string, domain: string][]> {
  const { rows } = await sql<{ name: string; message: Record<string, string> }>`
    select c.config->>'name' as name, n.message from notifications n join alert_channels c on c.id = n.channel_id
    order by n.created_at, c.id`.execute(server.db)
  return rows.map(({ name, message }) => [
    name,
    message.ALERT_TITLE ?? '',
    message.SSL_DAYS_REMAINING ?? '',
    message.SSL_CHECK_DOMAIN ?? '',
  ])
}

test('channels are told of a certificate within their threshold, once a day each', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const channel = async (name: string, wishes: { sslExpiry: boolean; sslExpiryThreshold?: number }) => {
    const config = { name, webhookType: null, url: 'http://hook.test/', method: 'POST' as const }
    const body = { type: 'WEBHOOK' as const, config, ...wishes }
    const { id } = await server.call(routes.createAlertChannel, { body })
    return { alertChannelId: id, activated: true }
  }
  const alertChannelSubscriptions = [
    await channel('early', { sslExpiry: true, sslExpiryThreshold: 14 }),
    await channel('late', { sslExpiry: true, sslExpiryThreshold: 5 }),
    await channel('deaf', { sslExpiry: false }),
  ]
  const request = { method: 'GET', url: 'https://shop.test/' } as const
  const check = await makeCheck(server, { request, alertChannelSubscriptions })
  assert.equal(await daysLeft(server, check), null)

  await see(server, runner, check, 'AA', 20)
  assert.equal(await daysLeft(server, check), 20)
  assert.deepEqual(await alertsOf(server, check), [], 'nobody wants to hear it yet')

  await nextDay(server)
  await see(server, runner, check, 'AA', 10)
  await see(server, runner, check, 'AA', 10)
  const tenDays = ['early', 'The certificate of shop.test expires in 10 days', '10', 'shop.test']
  assert.deepEqual(await alertsOf(server, check), ['ALERT_SSL'])
  assert.deepEqual(await told(server), [tenDays])

  await nextDay(server)
  await see(server, runner, check, 'AA', 4)
  const fourDays = ['early', 'late'].map((name) => [
    name,
    'The certificate of shop.test expires in 4 days',
    '4',
    'shop.test',
  ])
  assert.deepEqual(await told(server), [tenDays, ...fourDays])

  // Two servers behind one name take turns: each certificate is told of once.
  await see(server, runner, check, 'BB', 3)
  await see(server, runner, check, 'AA', 4)
  await see(server, runner, check, 'BB', 3)
  assert.equal((await told(server)).length, 5)

  await see(server, runner, check, 'CC', 90)
  assert.equal(await daysLeft(server, check), 90)
  assert.equal((await told(server)).length, 5)
})

test('a muted check tells nobody, and another host is another matter', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { request: { method: 'GET', url: 'https://shop.test/' }, muted: true })
  await see(server, runner, check, 'AA', 0)
  assert.equal(await daysLeft(server, check), 0)
  assert.deepEqual(await alertsOf(server, check), [])
  const body = { request: { method: 'GET' as const, url: 'https://other.test/' } }
  await server.call(routes.updateApiCheck, { params: { id: check.id }, body })
  assert.equal(await daysLeft(server, check), null)
})

test('what did not change is written once an hour', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { request: { method: 'GET', url: 'https://shop.test/' } })
  const seenAt = async () =>
    (await server.db.selectFrom('check_certificates').select('seen_at').executeTakeFirstOrThrow()).seen_at
  await see(server, runner, check, 'AA', 60)
  const first = await seenAt()
  await see(server, runner, check, 'AA', 60)
  assert.deepEqual(await seenAt(), first)
  await nextDay(server)
  await see(server, runner, check, 'AA', 60)
  assert.ok((await seenAt()) >= first)
})
