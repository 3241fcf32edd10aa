/** What each service is told, judged by services on loopback that keep to the published rules. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { egressPolicy } from '@vedette/core'
import {
  ALERT_TYPES,
  type AlertMessage,
  type AlertType,
  type ChannelConfig,
  type ChannelType,
  WEBHOOK_PRESETS,
} from '@vedette/schema'
import fc from 'fast-check'
import { aMessage, noGateways } from '../alerting.fixture.ts'
import {
  OPSGENIE_KEY,
  PAGERDUTY_KEY,
  type Provider,
  SLACK_PATH,
  startChat,
  startOpsgenie,
  startPagerduty,
  startSlack,
  startTwilio,
  TWILIO,
} from '../providers.fixture.ts'
import { startReceiver } from '../receiver.fixture.ts'
import { type DeliveryContext, DeliveryError, type Witnessed } from './channel.ts'
import { escapedWithin } from './escaped-within.ts'
import { channels } from './index.ts'
import { opsgenieEndpoint } from './opsgenie.ts'
import { twilioGateway } from './twilio-gateway.ts'

interface Told {
  provider: Provider
  /** Tells the service. */
  tell(message: AlertMessage, more?: Partial<DeliveryContext>): Promise<{ outcome: string }>
  /** What must never be seen of the configuration. */
  secret: string
}

type Start = (t: TestContext) => Promise<Told>

const aContext = (more: Partial<DeliveryContext> = {}): DeliveryContext => ({
  deliveryId: '0a0c0e10-0000-8000-8000-000000000003',
  now: new Date('2026-01-10T08:00:01.500Z'),
  egress: egressPolicy('channel'),
  signal: AbortSignal.timeout(20_000),
  settings: noGateways,
  mailer: null,
  ...more,
})

function telling<T extends ChannelType>(
  type: T,
  config: ChannelConfig<T>,
  settings: Partial<DeliveryContext['settings']> = {},
): Told['tell'] {
  const context = aContext({ settings: { ...noGateways, ...settings } })
  return (message, more) => channels[type].deliver(message, config, { ...context, ...more })
}

const phone = ({ url }: Provider) => twilioGateway({ url, ...TWILIO })
const opsgenieConfig = { name: 'Ops', apiKey: OPSGENIE_KEY, region: 'EU', priority: 'P2' } as const

const services: Record<string, Start> = {
  Slack: async (t) => {
    const provider = await startSlack(t)
    const tell = telling('SLACK', { url: `${provider.url}${SLACK_PATH}`, channel: '#ops' })
    return { provider, tell, secret: 'slackCanary' }
  },
  PagerDuty: async (t) => {
    const provider = await startPagerduty(t)
    const tell = telling('PAGERDUTY', { serviceKey: PAGERDUTY_KEY }, { pagerdutyUrl: provider.url })
    return { provider, tell, secret: PAGERDUTY_KEY }
  },
  Opsgenie: async (t) => {
    const provider = await startOpsgenie(t)
    const tell = telling('OPSGENIE', opsgenieConfig, { opsgenieUrl: provider.url })
    return { provider, tell, secret: OPSGENIE_KEY }
  },
  'a text message': async (t) => {
    const provider = await startTwilio(t)
    const tell = telling('SMS', { number: '+351210000000' }, { phone: phone(provider) })
    return { provider, tell, secret: TWILIO.token }
  },
  'a telephone call': async (t) => {
    const provider = await startTwilio(t)
    const tell = telling('CALL', { number: '+351210000000' }, { phone: phone(provider) })
    return { provider, tell, secret: TWILIO.token }
  },
}

async function refusal(told: Promise<unknown>): Promise<DeliveryError> {
  const error: unknown = await told.then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof DeliveryError, `not a DeliveryError: ${error}`)
  return error
}

/** Texts with everything that could break out of where they stand. */
const nasty = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom('&', '<', '>', '"', "'", '```', '|', '\\', '\n', '{{', '😀', '<!channel>', 'é', '\u0007'),
        {
          maxLength: 40,
        },
      )
      .map((pieces) => pieces.join('')),
    fc
      .tuple(fc.constantFrom('&', '😀', 'x', '<'), fc.integer({ min: 1, max: 5000 }))
      .map(([c, times]) => c.repeat(times)),
  )
  .map((text) => text.replaceAll('\0', '').toWellFormed())
const named = nasty.map((text) => `n${text}`)
const messages: fc.Arbitrary<AlertMessage> = fc
  .record({
    ALERT_TYPE: fc.constantFrom<AlertType>(...ALERT_TYPES),
    ALERT_TITLE: named,
    CHECK_NAME: named,
    CHECK_ERROR_MESSAGE: nasty.map((text) => text.slice(0, 4096).toWellFormed()),
    GROUP_NAME: nasty.map((text) => text.slice(0, 255).toWellFormed()),
    RUN_LOCATION: named.map((text) => text.slice(0, 255).toWellFormed()),
    TAGS: fc.array(named, { maxLength: 30 }),
    SSL_CHECK_DOMAIN: fc.constantFrom('', 'shop.test'),
    ACKNOWLEDGE_LINK: fc.constantFrom('', `https://vedette.test/acknowledge/${'x_-8'.repeat(16)}`),
    HELD_CHECKS: nasty,
    RESULT_LINK: fc.constantFrom('https://vedette.test/results/2', 'http://127.0.0.1:3000/a?b=1&c=<2>|3'),
  })
  .map(aMessage)

for (const [name, start] of Object.entries(services)) {
  test(`${name}: whatever an alert says, the service finds nothing wrong with it`, async (t) => {
    const { provider, tell } = await start(t)
    for (const ALERT_TYPE of ALERT_TYPES) assert.match((await tell(aMessage({ ALERT_TYPE }))).outcome, /^HTTP 20[0-2]/)
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        await tell(message).catch(() => {})
        assert.deepEqual(provider.complaints, [])
      }),
      { numRuns: 60 },
    )
  })

  test(`${name}: a wish for patience is heard, trouble of the service is tried again, a refusal is final`, async (t) => {
    const { provider, tell } = await start(t)
    provider.failWith({ status: 429, headers: { 'retry-after': '30' } }, { status: 503 }, { status: 400, body: 'no' })
    const patience = await refusal(tell(aMessage()))
    assert.deepEqual([patience.retry, patience.retryAfterMs, patience.message], [true, 30_000, 'HTTP 429'])
    assert.equal((await refusal(tell(aMessage()))).retry, true)
    const refused = await refusal(tell(aMessage()))
    assert.deepEqual([refused.retry, refused.message], [false, 'HTTP 400: no'])
    await tell(aMessage())
  })

  test(`${name}: a service that does not answer in time is tried again`, async (t) => {
    const { provider, tell } = await start(t)
    provider.failWith('silence')
    const deadline = new AbortController()
    const refused = refusal(tell(aMessage(), { signal: deadline.signal }))
    await provider.hasReceived(1)
    deadline.abort()
    const error = await refused
    assert.deepEqual([error.retry, error.message], [true, 'No answer: No answer in time'])
  })

  test(`${name}: the policy for addresses holds`, async (t) => {
    const { provider, tell } = await start(t)
    const egress = egressPolicy('channel', { allow: [], deny: ['127.0.0.0/8'] })
    const error = await refusal(tell(aMessage(), { egress }))
    assert.equal(error.retry, false)
    assert.match(error.message, /address not allowed/)
    assert.equal(provider.received.length, 0)
  })

  test(`${name}: no secret is in what is shown of the exchange, nor in what the service echoes`, async (t) => {
    const { provider, tell, secret } = await start(t)
    const seen: Witnessed[] = []
    const witness = (witnessed: Witnessed) => seen.push(witnessed)
    await tell(aMessage(), { witness })
    const [request] = provider.received
    const sent = `${request?.path}\n${JSON.stringify(request?.headers)}\n${request?.body}`
    assert.ok(sent.includes(secret) || sent.includes(Buffer.from(`${TWILIO.account}:${secret}`).toString('base64')))
    provider.failWith({ status: 500, headers: { location: sent.replaceAll(/\s/g, ' ') }, body: sent })
    const error = await refusal(tell(aMessage(), { witness }))
    assert.equal(seen.length, 2)
    const shown = `${JSON.stringify(seen)}${error.message}`
    assert.ok(!shown.includes(secret), shown)
    assert.ok(!shown.includes(Buffer.from(`${TWILIO.account}:${secret}`).toString('base64')), shown)
    const [first] = seen
    assert.equal(first?.request.method, 'POST')
    assert.ok(first?.request.url.startsWith(provider.url))
    assert.ok(first.answer !== null && first.answer.status < 300 && first.answer.body !== '')
  })
}

test('Slack: a hook or channel that is gone is final', async (t) => {
  const provider = await startSlack(t)
  const gone = await refusal(telling('SLACK', { url: `${provider.url}${SLACK_PATH}`, channel: '#gone' })(aMessage()))
  assert.deepEqual([gone.retry, gone.message], [false, 'HTTP 404: channel_not_found'])
  const none = await refusal(telling('SLACK', { url: `${provider.url}/services/T/B/x` })(aMessage()))
  assert.deepEqual([none.retry, none.message], [false, 'HTTP 404: no_service'])
})

test('Slack: the message names its kind by its colour, and its channel only when there is one', async (t) => {
  const provider = await startSlack(t)
  const url = `${provider.url}${SLACK_PATH}`
  for (const ALERT_TYPE of ['ALERT_FAILURE', 'ALERT_DEGRADED', 'ALERT_RECOVERY'] as const)
    await telling('SLACK', { url, channel: '' })(aMessage({ ALERT_TYPE }))
  const sent = provider.received.map(({ body }) => JSON.parse(body))
  assert.equal(new Set(sent.map(({ attachments }) => attachments[0].color)).size, 3)
  assert.ok(sent.every((message) => !('channel' in message)))
  const [first] = sent
  assert.equal(first.text, 'Orders API has failed')
  assert.equal(first.attachments[0].blocks[0].text.text, '```expected "500" to equal 201```')
})

test('PagerDuty: what a failure opens a recovery resolves, and a certificate is trouble of its own', async (t) => {
  const provider = await startPagerduty(t)
  const tell = telling('PAGERDUTY', { serviceKey: PAGERDUTY_KEY }, { pagerdutyUrl: provider.url })
  const types = ['ALERT_FAILURE', 'ALERT_FAILURE_DEGRADED', 'ALERT_RECOVERY', 'ALERT_SSL'] as const
  for (const ALERT_TYPE of types) await tell(aMessage({ ALERT_TYPE }))
  const events = provider.received.map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    events.map(({ event_action, payload }) => [event_action, payload?.severity]),
    [
      ['trigger', 'critical'],
      ['trigger', 'warning'],
      ['resolve', undefined],
      ['trigger', 'warning'],
    ],
  )
  const [failed, degraded, recovered, certificate] = events.map(({ dedup_key }) => dedup_key)
  assert.deepEqual([degraded, recovered], [failed, failed])
  assert.notEqual(certificate, failed)
  assert.equal(events[0].payload.custom_details.Error, 'expected "500" to equal 201')
})

test('PagerDuty: a wrong key is final and does not come back', async (t) => {
  const provider = await startPagerduty(t)
  const serviceKey = 'wrongKeyCanary000000000000000001'
  const error = await refusal(telling('PAGERDUTY', { serviceKey }, { pagerdutyUrl: provider.url })(aMessage()))
  assert.equal(error.retry, false)
  assert.match(error.message, /Invalid routing key \*\*\*/)
})

test('Opsgenie: what a failure opens a recovery closes by its alias', async (t) => {
  const provider = await startOpsgenie(t)
  const tell = telling('OPSGENIE', opsgenieConfig, { opsgenieUrl: provider.url })
  for (const ALERT_TYPE of ['ALERT_FAILURE', 'ALERT_RECOVERY'] as const) await tell(aMessage({ ALERT_TYPE }))
  const [opened, closed] = provider.received
  const { alias, priority, tags, entity } = JSON.parse(opened?.body ?? '')
  assert.deepEqual([priority, tags, entity], ['P2', ['team:orders', 'production'], 'Orders API'])
  assert.equal(closed?.path, `/v2/alerts/${alias}/close?identifierType=alias`)
})

test('Opsgenie: the region picks the endpoint, unless the server was given one', () => {
  const at = (region: 'EU' | 'US', opsgenieUrl?: string) => opsgenieEndpoint(region, { ...noGateways, opsgenieUrl })
  assert.deepEqual([at('EU'), at('US')], ['https://api.eu.opsgenie.com', 'https://api.opsgenie.com'])
  assert.equal(at('EU', 'http://127.0.0.1:9'), 'http://127.0.0.1:9')
})

test('a text message has the title and the whole link within 320 characters', async (t) => {
  const provider = await startTwilio(t)
  const tell = telling('SMS', { number: '+351210000000' }, { phone: phone(provider) })
  await tell(aMessage())
  await tell(aMessage({ ALERT_TITLE: 'x'.repeat(1000) }))
  const forms = provider.received.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
  assert.deepEqual(forms[0], {
    To: '+351210000000',
    From: TWILIO.from,
    Body: 'Orders API has failed https://vedette.test/results/2',
  })
  assert.equal(forms[1]?.Body?.length, 320)
  assert.match(forms[1]?.Body ?? '', /^x+… https:\/\/vedette\.test\/results\/2$/)
})

test('a call says what happened, where and why', async (t) => {
  const provider = await startTwilio(t)
  await telling('CALL', { number: '+351210000000' }, { phone: phone(provider) })(aMessage())
  const twiml = new URLSearchParams(provider.received[0]?.body).get('Twiml')
  const said = 'Orders API has failed. Seen from Ireland. expected &quot;500&quot; to equal 201.'
  assert.equal(twiml, `<?xml version="1.0" encoding="UTF-8"?><Response><Say loop="2">${said}</Say></Response>`)
})

test('without a gateway nobody is called or written to, and it is said at once', async () => {
  for (const type of ['SMS', 'CALL'] as const) {
    const error = await refusal(telling(type, { number: '+351210000000' })(aMessage()))
    assert.equal(error.retry, false)
    assert.match(error.message, /^Not sent: no telephone gateway is set up/)
  }
})

for (const { type, label, queryParameters } of WEBHOOK_PRESETS) {
  test(`a webhook made for ${label} needs no template: whatever an alert says, the service takes it`, async (t) => {
    const provider = await startChat(t, type)
    const config = {
      name: label,
      webhookType: type,
      url: `${provider.url}/hook`,
      queryParameters: queryParameters.map((key) => ({ key, value: '-100200', locked: false })),
    }
    const tell = telling('WEBHOOK', config)
    for (const ALERT_TYPE of ALERT_TYPES) {
      await tell(aMessage({ ALERT_TYPE }))
      await tell(aMessage({ ALERT_TYPE, CHECK_ERROR_MESSAGE: '' }))
    }
    await fc.assert(
      fc.asyncProperty(messages, async (message) => {
        await tell(message).catch(() => {})
        assert.deepEqual(provider.complaints, [])
      }),
      { numRuns: 60 },
    )
  })
}

test('a template of the user’s own goes before the one of the service', async (t) => {
  const receiver = await startReceiver(t)
  const config = { name: 'n', webhookType: 'WEBHOOK_NTFY', url: receiver.url, template: '{{ALERT_TYPE}}' }
  await telling('WEBHOOK', config)(aMessage())
  const [request] = receiver.received
  assert.deepEqual([request?.body, request?.headers['content-type']], ['ALERT_FAILURE', 'application/json'])
})

test('what is cut to a limit is within it, with its escapes and characters whole', () => {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  const escaped = (character: string) => escapes[character] ?? character
  fc.assert(
    fc.property(nasty, fc.integer({ min: 1, max: 200 }), (text, limit) => {
      const cut = escapedWithin(text, limit, escaped)
      const whole = [...text].map(escaped).join('')
      assert.ok(cut.length <= limit && cut.isWellFormed())
      if (whole.length <= limit) assert.equal(cut, whole)
      else assert.ok(cut.endsWith('…') && whole.startsWith(cut.slice(0, -1)) && !/&[a-z]*…$/.test(cut))
    }),
  )
})
