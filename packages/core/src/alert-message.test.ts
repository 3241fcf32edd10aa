import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertType } from '@vedette/schema'
import { type AlertFacts, composeAlert } from './alert-message.ts'

const someFacts = (facts: Partial<AlertFacts> = {}): AlertFacts => ({
  alertType: 'ALERT_FAILURE',
  episodeId: '6d0b6c1e-7f0e-8d43-9c39-0f6a5d8f7a03',
  checkId: '6d0b6c1e-7f0e-4d43-9c39-0f6a5d8f7a01',
  checkName: 'Orders API',
  checkKind: 'API',
  checkDescription: '',
  tags: ['team:orders'],
  resultId: '6d0b6c1e-7f0e-4d43-9c39-0f6a5d8f7a02',
  startedAt: new Date('2026-01-10T08:00:00.100Z'),
  responseTimeMs: 240.4,
  error: 'expected 500 to equal 201',
  statusCode: 500,
  location: 'eu-west-1',
  locationName: 'Ireland',
  ...facts,
})
const compose = (facts: Partial<AlertFacts>) => composeAlert(someFacts(facts), { link: 'https://vedette.test/r/1' })

test('the title says in plain words what has happened', () => {
  const rows: readonly [AlertType, string][] = [
    ['ALERT_FAILURE', 'Orders API has failed'],
    ['ALERT_FAILURE_REMAIN', 'Orders API is still failing'],
    ['ALERT_FAILURE_DEGRADED', 'Orders API no longer fails but is degraded'],
    ['ALERT_RECOVERY', 'Orders API has recovered'],
    ['ALERT_DEGRADED', 'Orders API is degraded'],
    ['ALERT_DEGRADED_REMAIN', 'Orders API is still degraded'],
    ['ALERT_DEGRADED_FAILURE', 'Orders API was degraded and has now failed'],
    ['ALERT_DEGRADED_RECOVERY', 'Orders API is no longer degraded'],
    ['NO_ALERT', 'Orders API is passing'],
  ]
  for (const [alertType, title] of rows) assert.equal(compose({ alertType }).ALERT_TITLE, title)
  const ssl = (daysRemaining: number) =>
    compose({ alertType: 'ALERT_SSL', certificate: { domain: 'example.org', daysRemaining } }).ALERT_TITLE
  assert.equal(ssl(14), 'The certificate of example.org expires in 14 days')
  assert.equal(ssl(1), 'The certificate of example.org expires in 1 day')
  assert.equal(ssl(-1), 'The certificate of example.org has expired')
})

test('a message carries the facts under the names of the template language', () => {
  const message = compose({ reminder: 2 })
  assert.equal(message.RESPONSE_TIME, 240)
  assert.equal(message.API_CHECK_RESPONSE_STATUS_CODE, '500')
  assert.equal(message.REGION, 'eu-west-1')
  assert.equal(message.RUN_LOCATION, 'Ireland')
  assert.equal(message.STARTED_AT, '2026-01-10T08:00:00.100Z')
  assert.equal(message.IS_REMINDER, true)
  assert.equal(message.REMINDER_SEQUENCE, 2)
  assert.equal(compose({ error: null, statusCode: null }).API_CHECK_RESPONSE_STATUS_CODE, '')
})

test('texts from outside are made fit to be stored and sent', () => {
  const message = compose({ checkName: 'a\0b\ud800', error: `${'x'.repeat(5000)}`, tags: ['\0'] })
  assert.equal(message.CHECK_NAME, 'ab\ufffd')
  assert.equal(message.CHECK_ERROR_MESSAGE.length, 4096)
  assert.deepEqual(message.TAGS, [''])
})
