import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from './settings.ts'

const env = { SERVER_URL: 'https://vedette.example', API_KEY: 'pl_1' }

test('has defaults for everything but the server and the key', () => {
  const settings = readSettings(env)
  assert.deepEqual(
    [settings.concurrency, settings.egress.preset, settings.logLevel],
    [500, 'check-private-location', 'INFO'],
  )
})

test('reads lists', () => {
  const given = {
    ...env,
    EGRESS_ALLOW: '127.0.0.0/8, ::1',
    EGRESS_DENY: '10.0.0.0/8',
    CONTROL_TARGETS: '1.1.1.1:443 [::1]:53',
  }
  const { egress, controlTargets } = readSettings(given)
  assert.deepEqual([egress.allow.length, egress.deny.length], [2, 1])
  assert.deepEqual(controlTargets, [
    { host: '1.1.1.1', port: 443 },
    { host: '::1', port: 53 },
  ])
})

test('names the variable that is wrong', () => {
  const wrong = {
    SERVER_URL: 'vedette',
    API_KEY: ' ',
    JOB_CONCURRENCY: '0',
    EGRESS_ALLOW: '10/8',
    EGRESS_DENY: 'x',
    EGRESS_POLICY: 'none',
    CONTROL_TARGETS: '1.1.1.1',
    CONTROL_NAMES: '1.1.1.1',
    LOG_LEVEL: 'loud',
  }
  for (const [name, value] of Object.entries(wrong)) {
    assert.throws(() => readSettings({ ...env, [name]: value }), new RegExp(`^Error: ${name}`))
  }
})
