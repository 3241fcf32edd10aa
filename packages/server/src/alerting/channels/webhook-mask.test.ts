import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scrub, webhookSecrets } from './webhook-mask.ts'

const maskWebhook = webhookSecrets.mask

const masked = (url: string) => maskWebhook({ name: 'ops', url }).url

test('the secret is masked where there is one', () => {
  assert.deepEqual(maskWebhook({ name: 'ops', url: 'https://a.test/', webhookSecret: 'shh' }), {
    name: 'ops',
    url: 'https://a.test/',
    webhookSecret: '***',
  })
  const without = { name: 'ops', url: 'https://a.test/', webhookSecret: null }
  assert.deepEqual(maskWebhook(without), without)
})

test('values that are locked or named like secrets are masked, others stay', () => {
  const names = ['X-Team', 'Authorization', 'X-Api-Key', 'apikey', 'access_token', 'Cookie', 'X-Keyboard', 'author']
  const items = names.map((key) => ({ key, value: 'value', locked: false }))
  const shown = (values: readonly { key: string; value: string }[] | undefined) =>
    values?.filter(({ value }) => value === 'value').map(({ key }) => key)
  const locked = { key: 'X-Locked', value: 'value', locked: true }
  const config = maskWebhook({ name: 'ops', url: '', headers: [...items, locked], queryParameters: [locked] })
  assert.deepEqual(shown(config.headers), ['X-Team', 'X-Keyboard'])
  assert.deepEqual(config.queryParameters, [{ key: 'X-Locked', value: '***', locked: true }])
})

test('of a URL, credentials and what looks like a key are masked', () => {
  const rows = [
    ['https://hooks.example.org/alerts/orders?team=a', 'https://hooks.example.org/alerts/orders?team=a'],
    ['https://alice:secret@example.org/x', 'https://***@example.org/x'],
    ['https://a@b:c@example.org:8443/x', 'https://***@example.org:8443/x'],
    [
      'https://hooks.example.org/services/T00000000/B00000000/8fkq02mXq1kd83nfDk2l',
      'https://hooks.example.org/services/T00000000/B00000000/***',
    ],
    ['https://a.test/x?token=abc&page=2&api_key=1', 'https://a.test/x?token=***&page=2&api_key=***'],
    ['https://a.test/?8fkq02mXq1kd83nfDk2l', 'https://a.test/?***'],
    ['https://a.test/{{CHECK_NAME}}?n={{CHECK_ID}}', 'https://a.test/{{CHECK_NAME}}?n={{CHECK_ID}}'],
    ['{{{BASE}}}/x', '{{{BASE}}}/x'],
    ['https://a.test/#token', 'https://a.test/'],
    ['', ''],
  ] as const
  for (const [url, expected] of rows) {
    assert.equal(masked(url), expected)
    assert.equal(masked(masked(url)), expected)
  }
})

test('secrets are cut out of a text, the longest first', () => {
  assert.equal(scrub('abcdef abcd', ['abcd', 'abcdef']), '*** ***')
})
