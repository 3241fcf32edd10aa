import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATA_CENTERS } from '@vedette/schema'
import { ConfigError, readConfig } from './config.ts'

test('needs no variable at all', () => {
  const config = readConfig({})
  assert.deepEqual(
    [config.port, config.host, config.publicUrl, config.retentionDays, config.logLevel, config.clientCompat],
    [3000, '127.0.0.1', 'http://127.0.0.1:3000', 30, 'info', false],
  )
  assert.deepEqual(config.builtInLocations, DATA_CENTERS)
  assert.deepEqual([config.dataDir, config.databaseUrl, config.initialApiKey], [undefined, undefined, undefined])
})

test('takes an empty variable for an absent one', () => {
  const names = ['PORT', 'HOST', 'PUBLIC_URL', 'DATABASE_URL', 'INITIAL_API_KEY', 'LOCATIONS', 'LOG_LEVEL']
  assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, ' ']))), readConfig({}))
})

const wrong: [string, string][] = [
  ['PORT', 'x'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['PUBLIC_URL', 'vedette.test'],
  ['PUBLIC_URL', 'ftp://vedette.test'],
  ['DATABASE_URL', 'mysql://u:canary@host/db'],
  ['INITIAL_API_KEY', 'short'],
  ['INITIAL_ACCOUNT_ID', '7'],
  ['LOCATIONS', 'us-east-1, moon-1'],
  ['CLIENT_COMPAT', 'yes'],
  ['TRUSTED_HOPS', '11'],
  ['RATE_LIMIT', '-1'],
  ['RETENTION_DAYS', '0'],
  ['LOG_LEVEL', 'loud'],
  ['SELF_WATCH', 'yes'],
  ['DEAD_MAN_URL', 'canary.example.com'],
  ['EGRESS_ALLOW', '10.0.0.0/8, intranet'],
  ['EGRESS_DENY', '10.0.0.0/99'],
  ['CONTROL_TARGETS', '192.0.2.1'],
  ['PAGERDUTY_URL', 'events.pagerduty.com'],
  ['OPSGENIE_URL', 'ftp://opsgenie.test'],
  ['PHONE_GATEWAY_URL', 'api.twilio.com'],
  ['SECRET_KEY', 'canary'],
  ['SECRET_KEY', `canary${'0'.repeat(57)}`],
  ['SECRET_KEY_PREVIOUS', Buffer.alloc(31).toString('base64')],
  ['SMTP_URL', 'http://u:canary@mail.test'],
  ['SMTP_URL', 'smtp://u:canary/x@mail.test'],
  ['MAIL_FROM', 'vedette'],
  ['STATIC_IPS', '203.0.113.7'],
  ['STATIC_IPS', '{"moon-1": ["203.0.113.7"]}'],
  ['STATIC_IPS', '{"us-east-1": "203.0.113.7"}'],
  ['STATIC_IPS', '{"us-east-1": ["203.0.113"]}'],
]
for (const [variable, value] of wrong)
  test(`${variable}=${value} is refused by name`, () => {
    const isIt = (error: unknown) =>
      error instanceof ConfigError && error.message.startsWith(`${variable} `) && !error.message.includes('canary')
    assert.throws(() => readConfig({ [variable]: value }), isIt)
  })

test('roll-ups may not go before the results that they are made of', () => {
  assert.throws(() => readConfig({ RETENTION_DAYS: '365', AGGREGATE_RETENTION_MONTHS: '11' }), {
    message:
      'AGGREGATE_RETENTION_MONTHS must be 12 or more, so that roll-ups are kept as long as results are with RETENTION_DAYS=365.',
  })
  assert.throws(() => readConfig({ RETENTION_DAYS: '1000' }), ConfigError)
  assert.equal(readConfig({ AGGREGATE_RETENTION_MONTHS: '1' }).aggregateRetentionMonths, 1)
  assert.equal(readConfig({ RETENTION_DAYS: '365', AGGREGATE_RETENTION_MONTHS: '12' }).retentionDays, 365)
})

test('understands lists, and none for no built-in location', () => {
  assert.deepEqual(readConfig({ LOCATIONS: 'eu-west-1,us-east-1' }).builtInLocations, ['eu-west-1', 'us-east-1'])
  assert.deepEqual(readConfig({ LOCATIONS: 'none' }).builtInLocations, [])
  assert.deepEqual(readConfig({ EGRESS_ALLOW: '10.0.0.0/8, fd00::/8' }).egressAllow, ['10.0.0.0/8', 'fd00::/8'])
})

test('makes an address that people can open of the one that it listens on', () => {
  assert.equal(readConfig({ HOST: '0.0.0.0', PORT: '80' }).publicUrl, 'http://localhost:80')
  assert.equal(readConfig({ HOST: '::1' }).publicUrl, 'http://[::1]:3000')
  assert.equal(readConfig({ PUBLIC_URL: 'https://vedette.test/' }).publicUrl, 'https://vedette.test')
})

test('takes a key of 32 bytes in hex, base64 and base64url', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index))
  for (const encoding of ['hex', 'base64', 'base64url'] as const)
    assert.deepEqual(readConfig({ SECRET_KEY: key.toString(encoding) }).secretKey, key)
  assert.equal(readConfig({}).secretKey, undefined)
})

test('tells the addresses of a location apart by their family', () => {
  const STATIC_IPS = '{"us-east-1": ["203.0.113.7", "2001:db8::/56"], "eu-west-1": ["198.51.100.9", "2001:db8:1::2"]}'
  assert.deepEqual(readConfig({ STATIC_IPS }).staticIps, {
    v4: { 'us-east-1': ['203.0.113.7'], 'eu-west-1': ['198.51.100.9'] },
    v6: { 'us-east-1': ['2001:db8::/56'], 'eu-west-1': ['2001:db8:1::2/128'] },
  })
})

test('mail needs a server and a sender', () => {
  const SMTP_URL = 'smtp://u:canary@mail.test'
  const MAIL_FROM = 'Vedette <vedette@example.org>'
  assert.deepEqual(readConfig({ SMTP_URL, MAIL_FROM }).mail, {
    smtp: { host: 'mail.test', port: 587, secure: false, requireTls: false, auth: { user: 'u', pass: 'canary' } },
    from: { name: 'Vedette', address: 'vedette@example.org' },
  })
  assert.equal(readConfig({ MAIL_FROM }).mail, null)
  assert.throws(() => readConfig({ SMTP_URL }), { message: /^MAIL_FROM must be set beside SMTP_URL/ })
})

test('a telephone gateway is there as a whole or not at all', () => {
  const whole = {
    PHONE_GATEWAY_URL: 'http://127.0.0.1:8080/',
    PHONE_GATEWAY_ACCOUNT: 'AC1',
    PHONE_GATEWAY_TOKEN: 'canary',
    PHONE_GATEWAY_FROM: '+351210000009',
  }
  assert.equal(readConfig({}).phoneGateway, null)
  assert.deepEqual(readConfig(whole).phoneGateway, {
    url: 'http://127.0.0.1:8080',
    account: 'AC1',
    token: 'canary',
    from: '+351210000009',
  })
  assert.equal(readConfig({ ...whole, PHONE_GATEWAY_URL: '' }).phoneGateway?.url, 'https://api.twilio.com')
  const wrongly: [string, string][] = [
    ['PHONE_GATEWAY_ACCOUNT', ''],
    ['PHONE_GATEWAY_ACCOUNT', 'a:b'],
    ['PHONE_GATEWAY_TOKEN', ''],
    ['PHONE_GATEWAY_FROM', ''],
    ['PHONE_GATEWAY_FROM', '0049 30 1'],
  ]
  for (const [variable, value] of wrongly) {
    const isIt = (error: unknown) =>
      error instanceof ConfigError && error.message.startsWith(`${variable} `) && !error.message.includes('canary')
    assert.throws(() => readConfig({ ...whole, [variable]: value }), isIt)
  }
})
