import assert from 'node:assert/strict'
import { test } from 'node:test'
import { egressPolicy } from '@vedette/core'
import { ALERT_TYPES, type AlertMessage } from '@vedette/schema'
import fc from 'fast-check'
import { aMailer, startMailServer } from '../../mail/mail-server.fixture.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { aMessage, noGateways } from '../alerting.fixture.ts'
import { DeliveryError } from './channel.ts'
import { email } from './email.ts'
import { layOutEmail } from './email-message.ts'

const DELIVERY_ID = '0a0c0e10-0000-8000-8000-000000000003'
const address = 'ops@example.org'

const deliver = (mailer: Mailer | null, message: AlertMessage, deliveryId = DELIVERY_ID) =>
  email.deliver(
    message,
    { address },
    {
      deliveryId,
      mailer,
      now: new Date(),
      egress: egressPolicy('channel'),
      settings: noGateways,
      signal: AbortSignal.timeout(60_000),
    },
  )

test('a message tells what an alert knows, as text and as HTML', async (t) => {
  const server = await startMailServer(t)
  const message = aMessage({
    CHECK_NAME: 'Bücher & Co. 日本',
    ALERT_TITLE: 'Bücher & Co. 日本 has failed',
    GROUP_NAME: 'Shop',
    CHECK_ERROR_MESSAGE: 'expected <b>500</b>\nto equal 201',
  })
  const { outcome } = await deliver(aMailer(t, server.port), message)
  assert.equal(outcome, '250 2.0.0 Ok: queued as 1')
  const [{ envelope, mail, header } = assert.fail()] = server.received
  assert.deepEqual(envelope.to, [address])
  assert.equal(mail.subject, 'Bücher & Co. 日本 has failed')
  assert.equal(
    mail.text,
    `Bücher & Co. 日本 has failed

Check: Bücher & Co. 日本
Type: API
Group: Shop
Location: Ireland (eu-west-1)
Response time: 240 ms
Response status: 500 Internal Server Error
Error: expected <b>500</b>
  to equal 201
Tags: team:orders, production
Started: 2026-01-10T08:00:00.100Z

https://vedette.test/results/2
`,
  )
  const html = mail.html ?? ''
  for (const part of ['Bücher &amp; Co. 日本', 'Ireland (eu-west-1)', '240 ms', 'team:orders, production', 'Shop'])
    assert.ok(html.includes(part), part)
  assert.ok(html.includes('expected &lt;b&gt;500&lt;/b&gt;<br>to equal 201'))
  assert.ok(html.includes('href="https://vedette.test/results/2"'))
  assert.equal(header('x-service-delivery-id'), DELIVERY_ID)
  assert.equal(header('auto-submitted'), 'auto-generated')
})

test('the messages of one trouble are one conversation, and a repeat is the same message', async (t) => {
  const server = await startMailServer(t)
  const mailer = aMailer(t, server.port)
  const EPISODE_ID = '0a0c0e10-0000-8000-8000-000000000009'
  await deliver(mailer, aMessage({ ALERT_TYPE: 'ALERT_FAILURE', EPISODE_ID }), 'first')
  await deliver(mailer, aMessage({ ALERT_TYPE: 'ALERT_FAILURE', EPISODE_ID }), 'first')
  await deliver(
    mailer,
    aMessage({ ALERT_TYPE: 'ALERT_FAILURE_REMAIN', EPISODE_ID, IS_REMINDER: true, REMINDER_SEQUENCE: 2 }),
    'reminder',
  )
  await deliver(mailer, aMessage({ ALERT_TYPE: 'ALERT_RECOVERY', EPISODE_ID }), 'recovery')
  await deliver(mailer, aMessage({ EPISODE_ID: 'another' }), 'next')
  const mails = server.received.map(({ mail }) => mail)
  assert.deepEqual(
    mails.map(({ messageId }) => messageId),
    ['first', 'first', 'reminder', 'recovery', 'next'].map((id) => `<${id}@example.org>`),
  )
  const threads = [EPISODE_ID, EPISODE_ID, EPISODE_ID, EPISODE_ID, 'another'].map((id) => `<${id}@example.org>`)
  assert.deepEqual(
    mails.map(({ references }) => references),
    threads,
  )
  assert.deepEqual(
    mails.map(({ inReplyTo }) => inReplyTo),
    threads,
  )
  assert.match(mails[2]?.text ?? '', /Reminder: 2/)
})

test('a name with line breaks adds no header and no recipient', async (t) => {
  const server = await startMailServer(t)
  const name = 'Orders\r\nBcc: eve@example.org\r\nX-Evil: 1\r\n\r\n<script>alert(1)</script>'
  const message = aMessage({ CHECK_NAME: name, ALERT_TITLE: `${name} has failed` })
  await deliver(aMailer(t, server.port), message)
  const [{ envelope, mail, header } = assert.fail()] = server.received
  assert.deepEqual(envelope.to, [address])
  assert.deepEqual([mail.bcc, header('x-evil')], [undefined, undefined])
  assert.match(mail.subject ?? '', /^Orders Bcc: eve@example\.org X-Evil: 1 /)
  assert.ok(!(mail.html ?? '').includes('<script'))
})

test('what an alert has nothing to say of is left out', () => {
  const { text } = layOutEmail(
    aMessage({
      CHECK_TYPE: 'HEARTBEAT',
      REGION: '',
      RUN_LOCATION: '',
      RESPONSE_TIME: 0,
      API_CHECK_RESPONSE_STATUS_CODE: '',
      API_CHECK_RESPONSE_STATUS_TEXT: '',
      TAGS: [],
      CHECK_ERROR_MESSAGE: '',
    }),
  )
  assert.doesNotMatch(text, /Location|Response|Tags|Error|Group|Reminder|Certificate/)
  const ofCertificate = layOutEmail(
    aMessage({ ALERT_TYPE: 'ALERT_SSL', SSL_CHECK_DOMAIN: 'example.org', SSL_DAYS_REMAINING: '7' }),
  )
  assert.match(ofCertificate.text, /Certificate of: example\.org\nDays remaining: 7/)
})

test('whatever the texts are, the subject is short and the HTML holds no markup but ours', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 })
  const hostile = fc.oneof(text, fc.constantFrom('<img src=x>', '"><a href=//x>', '&lt;', "' onload=x", '\0\ud800'))
  const plain = layOutEmail(aMessage())
  const tagsIn = (html: string) => html.match(/<[a-z!/][^>]*>/gi)?.filter((tag) => tag !== '<br>') ?? []
  fc.assert(
    fc.property(hostile, hostile, fc.constantFrom(...ALERT_TYPES), (name, error, ALERT_TYPE) => {
      const facts = {
        ALERT_TITLE: `${name} has failed`,
        CHECK_NAME: `x${name}`,
        CHECK_ERROR_MESSAGE: `x${error}`,
        ALERT_TYPE,
      }
      const { subject, html } = layOutEmail(aMessage(facts))
      assert.ok(subject.length <= 250)
      assert.equal(tagsIn(html).length, tagsIn(plain.html).length)
    }),
  )
})

test('without a mail server it is said at once that there is none', async () => {
  await assert.rejects(
    deliver(null, aMessage()),
    (error) =>
      error instanceof DeliveryError &&
      !error.retry &&
      error.message === 'Not sent: no mail server is configured (SMTP_URL).',
  )
})
