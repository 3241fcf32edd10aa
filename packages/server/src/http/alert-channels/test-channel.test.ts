/** A sample message through a channel, at once. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type AlertChannelWrite, type ChannelTest, routes } from '@vedette/schema'
import { sql } from 'kysely'
import {
  OPSGENIE_KEY,
  PAGERDUTY_KEY,
  SLACK_PATH,
  startOpsgenie,
  startPagerduty,
  startSlack,
  startTwilio,
  TWILIO,
} from '../../alerting/providers.fixture.ts'
import { startReceiver } from '../../alerting/receiver.fixture.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

async function aServer(t: TestContext) {
  const [slack, pagerduty, opsgenie, twilio] = [
    await startSlack(t),
    await startPagerduty(t),
    await startOpsgenie(t),
    await startTwilio(t),
  ]
  const env = {
    PAGERDUTY_URL: pagerduty.url,
    OPSGENIE_URL: opsgenie.url,
    PHONE_GATEWAY_URL: twilio.url,
    PHONE_GATEWAY_ACCOUNT: TWILIO.account,
    PHONE_GATEWAY_TOKEN: TWILIO.token,
    PHONE_GATEWAY_FROM: TWILIO.from,
  }
  return { server: await startTestServer(t, { env }), slack, pagerduty, opsgenie, twilio }
}

async function tryOut(
  server: TestServer,
  channel: AlertChannelWrite,
  body: { alertType?: 'ALERT_RECOVERY' | 'ALERT_SSL' } = {},
): Promise<ChannelTest> {
  const { id } = await server.call(routes.createAlertChannel, { body: channel })
  return server.call(routes.testAlertChannel, { params: { id }, body })
}

const SECRETS = ['slackCanary', PAGERDUTY_KEY, OPSGENIE_KEY, TWILIO.token, 'canary']

test('each service takes the sample, and the exchange is told without its secrets', async (t) => {
  const { server, slack, pagerduty, opsgenie, twilio } = await aServer(t)
  const hook = await startReceiver(t)
  const locked = (key: string, value: string) => ({ key, value, locked: true })
  const rows: [AlertChannelWrite, url: string, provider: { received: { body: string }[] }][] = [
    [
      { type: 'SLACK', config: { url: `${slack.url}${SLACK_PATH}` } },
      `${slack.url}${SLACK_PATH.replace(/[^/]*$/, '***')}`,
      slack,
    ],
    [{ type: 'PAGERDUTY', config: { serviceKey: PAGERDUTY_KEY } }, `${pagerduty.url}/v2/enqueue`, pagerduty],
    [
      { type: 'OPSGENIE', config: { name: 'Ops', apiKey: OPSGENIE_KEY, region: 'US', priority: 'P3' } },
      `${opsgenie.url}/v2/alerts`,
      opsgenie,
    ],
    [
      { type: 'SMS', config: { number: '+351210000000' } },
      `${twilio.url}/2010-04-01/Accounts/${TWILIO.account}/Messages.json`,
      twilio,
    ],
    [
      {
        type: 'WEBHOOK',
        config: {
          name: 'Pager',
          url: `${hook.url.replace('://', '://alice:canary-1@')}/bot123456:canary2canary2canary/x?token=canary-3`,
          webhookSecret: 'canary-4',
          headers: [locked('X-Plain', 'canary-{{CHECK_NAME}}'), locked('X-Short', 'can')],
          queryParameters: [locked('q', 'canary-6')],
        },
      },
      `${hook.url}/***/x?token=***&q=***`,
      hook,
    ],
  ]
  for (const [channel, url, provider] of rows) {
    const test = await tryOut(server, channel)
    const what = JSON.stringify(test)
    assert.deepEqual([test.accepted, test.retried, test.request?.url], [true, false, url], what)
    assert.ok(test.answer !== null && test.duration >= 0)
    const [received] = provider.received
    const length = test.request?.headers.find(({ name }) => name === 'content-length')?.value
    if (channel.type !== 'PAGERDUTY')
      assert.deepEqual([received?.body, length], [test.request?.body, String(Buffer.byteLength(received?.body ?? ''))])
    for (const secret of SECRETS) assert.ok(!what.includes(secret), what)
    assert.ok(!test.request?.headers.some(({ value }) => value === 'can'))
  }
  assert.match(hook.received[0]?.path ?? '', /canary2.*canary-3.*canary-6/)
  assert.ok(!server.log.join('').includes('anary'), server.log.join(''))
})

test('what is refused is told as it was said, with what a notification would do', async (t) => {
  const { server, slack } = await aServer(t)
  const channel: AlertChannelWrite = { type: 'SLACK', config: { url: `${slack.url}${SLACK_PATH}`, channel: '#gone' } }
  const gone = await tryOut(server, channel)
  assert.deepEqual(
    [gone.accepted, gone.retried, gone.outcome, gone.answer?.status, gone.answer?.body],
    [false, false, 'HTTP 404: channel_not_found', 404, 'channel_not_found'],
  )
  slack.failWith({ status: 429, headers: { 'retry-after': '7' } })
  const later = await tryOut(server, channel)
  assert.deepEqual([later.accepted, later.retried, later.answer?.status], [false, true, 429])
  assert.deepEqual(later.answer?.headers.find(({ name }) => name === 'retry-after')?.value, '7')
  const silent = await tryOut(server, { type: 'WEBHOOK', config: { name: 'n', url: 'http://127.0.0.1:1/' } })
  assert.deepEqual([silent.accepted, silent.retried, silent.answer], [false, true, null])
  assert.match(silent.outcome, /^No answer: the connection was refused/)
  assert.equal(silent.request?.url, 'http://127.0.0.1:1/')
})

test('a channel that cannot deliver says so, and nothing is sent', async (t) => {
  const server = await startTestServer(t)
  const test = await tryOut(server, { type: 'SMS', config: { number: '+351210000000' } })
  assert.deepEqual([test.accepted, test.retried, test.request, test.answer], [false, false, null, null])
  assert.match(test.outcome, /no telephone gateway is set up/)
})

test('the sample tells what was asked for, and its recovery closes what its failure has opened', async (t) => {
  const { server, pagerduty } = await aServer(t)
  const body = { type: 'PAGERDUTY' as const, config: { serviceKey: PAGERDUTY_KEY } }
  const { id } = await server.call(routes.createAlertChannel, { body })
  const ask = (alertType?: string) =>
    server.send('POST', `/v1/alert-channels/${id}/test`, alertType === undefined ? {} : { body: { alertType } })
  for (const alertType of [undefined, 'ALERT_RECOVERY', 'ALERT_SSL']) assert.equal((await ask(alertType)).status, 200)
  const [failed, recovered, certificate] = pagerduty.received.map((request) => JSON.parse(request.body))
  assert.equal(failed.payload.summary, 'Test: Sample check has failed')
  assert.deepEqual([recovered.event_action, recovered.dedup_key], ['resolve', failed.dedup_key])
  assert.equal(certificate.payload.summary, 'Test: The certificate of sample.example expires in 14 days')
  for (const wrong of ['NO_ALERT', 'ALERT_X']) {
    const { status, body } = await ask(wrong)
    assert.deepEqual([status, Reflect.get(Object(body), 'validation')?.keys], [400, ['alertType']])
  }
})

test('only who may write may send one, only of their own account, and the audit log alone remembers', async (t) => {
  const { server, pagerduty } = await aServer(t)
  const body = { type: 'PAGERDUTY' as const, config: { serviceKey: PAGERDUTY_KEY } }
  const { id } = await server.call(routes.createAlertChannel, { body })
  const path = `/v1/alert-channels/${id}/test`
  assert.equal((await server.send('POST', path, { key: await server.keyFor('READ_RUN') })).status, 403)
  const strangers = await server.addAccount()
  assert.equal((await server.send('POST', path, { key: await server.keyFor('OWNER', strangers) })).status, 404)
  assert.equal(pagerduty.received.length, 0)
  assert.equal((await server.send('POST', path, { key: await server.keyFor('READ_WRITE') })).status, 200)
  for (const table of ['notifications', 'check_alerts'] as const) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(server.db)
    assert.equal(rows[0]?.n, 0, table)
  }
  const entries = await server.db
    .selectFrom('audit_log')
    .select(['subject', 'after'])
    .where('operation', '=', 'POST /v1/alert-channels/{id}/test')
    .execute()
  assert.deepEqual(entries, [{ subject: String(id), after: { alertType: 'ALERT_FAILURE' } }])
})
