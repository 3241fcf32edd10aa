import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALERT_TYPES, type AlertType } from '@vedette/schema'
import { type ChannelWishes, type Passage, withheldBecause } from './gates.ts'

const nothing: ChannelWishes = {
  sendFailure: false,
  sendRecovery: false,
  sendDegraded: false,
  sslExpiry: false,
  sslExpiryThreshold: 30,
}

const aPassage = (alertType: AlertType, wishes: Partial<ChannelWishes>, more: Partial<Passage> = {}): Passage => ({
  alertType,
  muted: false,
  activated: true,
  channel: { ...nothing, ...wishes },
  ...more,
})

const passing = (wishes: Partial<ChannelWishes>) =>
  ALERT_TYPES.filter((alertType) => withheldBecause(aPassage(alertType, wishes)) === null)

test('each wish of a channel lets its kinds of alert through, and no others', () => {
  assert.deepEqual(passing({}), [])
  assert.deepEqual(passing({ sendFailure: true }), ['ALERT_FAILURE', 'ALERT_FAILURE_REMAIN', 'ALERT_DEGRADED_FAILURE'])
  assert.deepEqual(passing({ sendDegraded: true }), [
    'ALERT_FAILURE_DEGRADED',
    'ALERT_DEGRADED',
    'ALERT_DEGRADED_REMAIN',
  ])
  assert.deepEqual(passing({ sendRecovery: true }), ['ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY'])
  assert.deepEqual(passing({ sslExpiry: true }), ['ALERT_SSL'])
})

test('a message that is held back says why', () => {
  const all = { sendFailure: true, sendRecovery: true, sendDegraded: true, sslExpiry: true, sslExpiryThreshold: 14 }
  assert.equal(withheldBecause(aPassage('NO_ALERT', all)), 'nothing-to-tell')
  assert.equal(withheldBecause(aPassage('ALERT_FAILURE', all, { muted: true })), 'check-muted')
  assert.equal(withheldBecause(aPassage('ALERT_FAILURE', all, { activated: false })), 'subscription-off')
  assert.equal(withheldBecause(aPassage('ALERT_FAILURE', {})), 'failures-not-wanted')
  assert.equal(withheldBecause(aPassage('ALERT_DEGRADED', {})), 'degradations-not-wanted')
  assert.equal(withheldBecause(aPassage('ALERT_RECOVERY', {})), 'recoveries-not-wanted')
  assert.equal(withheldBecause(aPassage('ALERT_SSL', {})), 'certificates-not-wanted')
  assert.equal(withheldBecause(aPassage('ALERT_SSL', all, { daysRemaining: 15 })), 'certificate-not-near-expiry')
  assert.equal(withheldBecause(aPassage('ALERT_SSL', all, { daysRemaining: 14 })), null)
})
