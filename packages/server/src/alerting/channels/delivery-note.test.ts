/** How digests, and messages that come late or in place of another, look on every channel. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeDigest, deliveryNote, egressPolicy } from '@vedette/core'
import { WEBHOOK_PRESETS } from '@vedette/schema'
import { aMessage, noGateways } from '../alerting.fixture.ts'
import type { DeliveryContext } from './channel.ts'
import { layOutEmail } from './email-message.ts'
import { opsgenieAlert } from './opsgenie.ts'
import { pagerdutyEvent } from './pagerduty.ts'
import { textMessage, words } from './phone.ts'
import { slackMessage } from './slack.ts'
import { layOut } from './webhook-message.ts'

const LATE = 'Delivered 14 minutes late: the mail server could not be reached before.'
const late = aMessage({
  DELIVERY_NOTE: deliveryNote({ type: 'EMAIL', ageMs: 840_000, triesBefore: 4, fallbackFor: '' }),
})
const digest = composeDigest(
  [
    { title: 'Shop has recovered', type: 'ALERT_RECOVERY' as const },
    { title: 'Orders <API> & "more" has failed', type: 'ALERT_FAILURE' as const },
  ].map(({ title, type }, index) => ({
    ALERT_TITLE: title,
    ALERT_TYPE: type,
    CHECK_ID: `0a0c0e10-0000-4000-8000-00000000000${index}`,
    CHECK_TYPE: 'API',
    CHECK_RESULT_ID: '0a0c0e10-0000-4000-8000-000000000009',
    FALLBACK_FOR: '',
  })),
  {
    deliveryId: '0a0c0e10-0000-8000-8000-00000000000a',
    link: 'https://vedette.test/alerts',
    startedAt: new Date('2026-01-10T08:00:00Z'),
  },
)
const context: DeliveryContext = {
  deliveryId: '0a0c0e10-0000-8000-8000-00000000000a',
  now: new Date('2026-01-10T08:00:00Z'),
  egress: egressPolicy('channel', { allow: [], deny: [] }),
  mailer: null,
  signal: new AbortController().signal,
  settings: noGateways,
}
const hook = { name: 'ops', url: 'https://hooks.test/' }
const bodyOf = (message: typeof late, config: Partial<Parameters<typeof layOut>[1]> = {}) =>
  layOut(message, { ...hook, ...config }, context).body ?? ''

const isJson = (template: string) => /^\{\s*"/.test(template)

test('a late message says so on every channel', () => {
  const { text, html, subject } = layOutEmail(late)
  assert.equal(subject, 'Orders API has failed')
  assert.ok(text.includes(`Orders API has failed\n\n${LATE}\n`))
  assert.ok(html.includes(LATE))
  const opsgenie = opsgenieAlert(late, 'P1')
  const said = [
    slackMessage(late, { channel: null }),
    pagerdutyEvent(late, { serviceKey: 'key' }),
    opsgenie,
    textMessage(late),
    words(late),
  ].map((one) => JSON.stringify(one))
  for (const one of said) assert.ok(one.includes(LATE), one)
  assert.equal(JSON.parse(bodyOf(late)).delivery_note, LATE)
  assert.equal(
    bodyOf(late, { template: '{"note": "{{DELIVERY_NOTE}}"}' }),
    JSON.stringify({ note: LATE }).replace(':', ': '),
  )
  for (const { type, template } of WEBHOOK_PRESETS) {
    const body = bodyOf(late, { webhookType: type })
    assert.ok(decodeURIComponent(body).includes(LATE), type)
    if (isJson(template)) JSON.parse(body)
  }
})

test('a message in time says nothing of it', () => {
  const message = aMessage()
  assert.ok(!('delivery_note' in JSON.parse(bodyOf(message))))
  assert.ok(!layOutEmail(message).html.includes('Delivered'))
  assert.ok(!textMessage(message).includes('Delivered'))
  assert.ok(!JSON.stringify(slackMessage(message, { channel: null })).includes('context'))
})

test('a digest lists its checks where there is room, and is short where there is none', () => {
  const { subject, text, html } = layOutEmail(digest)
  assert.equal(subject, '2 checks: 1 failing, 1 recovered')
  assert.equal(
    text,
    [subject, '', 'Orders <API> & "more" has failed', 'Shop has recovered', '', 'https://vedette.test/alerts'].join(
      '\n',
    ),
  )
  assert.match(html, /<li[^>]*>Orders &lt;API&gt; &amp; .*more.* has failed<\/li>/)
  assert.ok(!html.includes('<table'))

  const slack = JSON.stringify(slackMessage(digest, { channel: null }))
  assert.ok(slack.includes('• Orders &lt;API&gt; &amp; \\"more\\" has failed\\n• Shop has recovered'), slack)
  assert.ok(slack.includes('<https://vedette.test/alerts|Open all alerts>'))
  assert.ok(!slack.includes('"fields"'))

  assert.equal(textMessage(digest), '2 checks: 1 failing, 1 recovered https://vedette.test/alerts')
  assert.equal(words(digest), '2 checks: 1 failing, 1 recovered.')

  const body = JSON.parse(bodyOf(digest))
  assert.deepEqual(body.digest, { checks: 2, list: digest.DIGEST_LIST })
  assert.equal(
    bodyOf(digest, { template: '{{#each DIGEST_LIST}}{{this}};{{/each}}', headers: [plainText] }).split(';').length,
    3,
  )
  for (const { type, template } of WEBHOOK_PRESETS) {
    const shown = bodyOf(digest, { webhookType: type })
    assert.ok(decodeURIComponent(shown).includes('Shop has recovered'), type)
    if (isJson(template)) JSON.parse(shown)
  }
})

const plainText = { key: 'content-type', value: 'text/plain', locked: false }
