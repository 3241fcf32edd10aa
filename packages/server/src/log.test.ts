import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, type LogFields, redact } from './log.ts'

function logged(fields: LogFields, message = 'It happened'): string {
  const lines: string[] = []
  createLog('debug', (line) => lines.push(line)).warn(message, fields)
  assert.equal(lines.length, 1)
  assert.equal(lines[0]?.split('\n').length, 2, 'one line an event')
  return lines[0] ?? ''
}

test('writes a line of JSON an event, at its level and above', () => {
  const lines: string[] = []
  const log = createLog('warn', (line) => lines.push(line))
  log.debug('a')
  log.info('b')
  log.warn('c', { count: 3 })
  log.error('d', { error: new Error('broken', { cause: new Error('the cause') }) })
  const [warning, error] = lines.map((line) => JSON.parse(line))
  assert.equal(lines.length, 2)
  assert.deepEqual([warning.level, warning.message, warning.count], ['warn', 'c', 3])
  assert.equal(error.error.message, 'broken')
  assert.equal(error.error.cause.message, 'the cause')
})

test('never tells a field whose name says that it is a secret', () => {
  const names = [
    'authorization',
    'Cookie',
    'set-cookie',
    'password',
    'webhookSecret',
    'apiKey',
    'api-key',
    'rawKey',
    'token',
  ]
  for (const name of [...names, 'DATABASE_URL', 'setUpToken'])
    assert.doesNotMatch(logged({ headers: { [name]: 'canary' } }), /canary/, name)
})

const shapes = [
  'Bearer canary.canary',
  'basic Y2FuYXJ5OmNhbmFyeQ==canary',
  'cu_0123456789abcdef0123456789abcdef',
  'sk_0123456789abcdef0123456789abcdef',
  'pl_0123456789abcdef0123456789abcdef',
  'vs_0123456789abcdef0123456789abcdef',
  'su_0123456789abcdef0123456789abcdef',
  'da_0123456789abcdef0123456789abcdef',
  'postgres://user:canary@host/db',
  'https://user:canary@host/path',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.canarycanary',
  '-----BEGIN PRIVATE KEY-----canary-----END PRIVATE KEY-----',
]
for (const secret of shapes)
  test(`cuts ${secret.slice(0, 14)}… out of whatever it stands in`, () => {
    assert.ok(!redact(`it says ${secret}, really`).includes(secret))
    const line = logged({ error: new Error(`cannot use ${secret}`), list: [{ deep: secret }] }, `Said ${secret}`)
    assert.ok(!line.includes(secret), line)
    assert.doesNotMatch(line, /canary/)
  })

test('leaves alone what is no secret', () => {
  const text = 'GET http://shop.test:8080/a?b=c answered 200 for 0190b3f0-0000-7000-8000-000000000000'
  assert.equal(redact(text), text)
})

test('a value that cannot be written as JSON does not keep the event from being written', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  assert.match(logged({ circle }), /It happened/)
  assert.match(logged({ big: 10n }), /"10"/)
})
