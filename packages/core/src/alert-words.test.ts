import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALERT_TYPES, DECISION_RULES, WITHHELD_REASONS } from '@vedette/schema'
import fc from 'fast-check'
import { type DecisionFacts, wordsOfDecision, wordsOfWithheld } from './alert-words.ts'
import { withheldBecause } from './gates.ts'

const facts = (rest: Partial<DecisionFacts>): DecisionFacts => ({
  rule: 'threshold-not-reached',
  from: 'passing',
  to: 'failing',
  inputs: { runCount: 1, minutes: 0, threshold: { unit: 'runs', amount: 3 } },
  due: false,
  muted: false,
  channels: [],
  ...rest,
})
const open = { because: null }
const held = { because: 'failures-not-wanted' as const }

test('a decision reads as a sentence', () => {
  assert.equal(wordsOfDecision(facts({})), 'Not told: 1 of 3 runs that the threshold asks for.')
  assert.equal(
    wordsOfDecision(facts({ inputs: { runCount: 9, minutes: 4, threshold: { unit: 'minutes', amount: 5 } } })),
    'Not told: 4 of 5 minutes that the threshold asks for.',
  )
  const reached = facts({
    rule: 'threshold-reached',
    inputs: { runCount: 1, minutes: 0, threshold: { unit: 'runs', amount: 1 } },
    due: true,
    channels: [open],
  })
  assert.equal(wordsOfDecision(reached), 'Told: 1 of 1 run that the threshold asks for.')
  assert.equal(
    wordsOfDecision({ ...reached, channels: [open, held] }),
    'Told on 1 of 2 channels: 1 of 1 run that the threshold asks for.',
  )
  assert.equal(
    wordsOfDecision(facts({ rule: 'told-before' })),
    'Not told: it is still failing, which was decided upon before.',
  )
  assert.equal(
    wordsOfDecision(
      facts({ rule: 'reminder', due: true, channels: [open], inputs: { reminder: { sequence: 2, amount: 5 } } }),
    ),
    'Told: it is still failing, reminder 2 of 5.',
  )
})

test('what somebody is on, and what another check is to blame for, is not told for that reason alone', () => {
  const reminder = { sequence: 2, amount: 5 }
  const parent = { checkId: '', name: 'Gateway', isBeingTried: false }
  const cases: [Partial<DecisionFacts>, string][] = [
    [
      { rule: 'acknowledged', inputs: { acknowledgedBy: 'alice', reminder } },
      'alice has acknowledged it, reminder 2 of 5',
    ],
    [{ rule: 'parent-failing', inputs: { parent } }, '“Gateway”, which it depends on, fails'],
    [
      { rule: 'parent-failing', inputs: { parent: { ...parent, isBeingTried: true } } },
      '“Gateway”, which it depends on, is being tried once more after a failure',
    ],
    [
      { rule: 'recovered-while-held', from: 'failing', to: 'passing' },
      'it is no longer failing, which was held because of a check that it depends on',
    ],
  ]
  for (const [given, words] of cases) assert.equal(wordsOfDecision(facts(given)), `Not told: ${words}.`)
})

test('who was not told although it was due learns what was in the way', () => {
  const due = facts({ rule: 'recovered', from: 'failing', to: 'passing', due: true })
  assert.equal(wordsOfDecision(due), 'Due, but no channel is subscribed: it is no longer failing.')
  assert.equal(
    wordsOfDecision({ ...due, channels: [held] }),
    'Due, but no subscribed channel takes it: it is no longer failing.',
  )
  assert.equal(
    wordsOfDecision({ ...due, muted: true, channels: [{ because: 'check-muted' }] }),
    'Not told because the check was muted, although due: it is no longer failing.',
  )
})

test('every rule and every reason has words of its own', () => {
  const rules = DECISION_RULES.map((rule) => wordsOfDecision(facts({ rule })))
  const alike = new Set(['threshold-reached', 'threshold-not-reached'])
  assert.equal(new Set(rules).size, DECISION_RULES.length - alike.size + 1)
  for (const words of rules) assert.doesNotMatch(words, /undefined|null|NaN/)
  assert.equal(new Set([null, ...WITHHELD_REASONS].map(wordsOfWithheld)).size, WITHHELD_REASONS.length + 1)
})

test('a message is either told or names exactly one reason, whatever is wished', () => {
  const passage = fc.record({
    alertType: fc.constantFrom(...ALERT_TYPES),
    muted: fc.boolean(),
    activated: fc.boolean(),
    channel: fc.record({
      sendFailure: fc.boolean(),
      sendRecovery: fc.boolean(),
      sendDegraded: fc.boolean(),
      sslExpiry: fc.boolean(),
      sslExpiryThreshold: fc.integer({ min: 1, max: 30 }),
    }),
    daysRemaining: fc.integer({ min: -5, max: 40 }),
  })
  fc.assert(
    fc.property(passage, (given) => {
      const { alertType, muted, activated, channel, daysRemaining } = given
      const isRecovery = alertType.endsWith('RECOVERY')
      const isDegradation = ['ALERT_DEGRADED', 'ALERT_DEGRADED_REMAIN', 'ALERT_FAILURE_DEGRADED'].includes(alertType)
      const isSsl = alertType === 'ALERT_SSL'
      const isFailure = !isRecovery && !isDegradation && !isSsl && alertType !== 'NO_ALERT'
      // All that stands in the way; the first of them is the one that is named.
      const objections = [
        alertType === 'NO_ALERT' && 'nothing-to-tell',
        muted && 'check-muted',
        !activated && 'subscription-off',
        isFailure && !channel.sendFailure && 'failures-not-wanted',
        isDegradation && !channel.sendDegraded && 'degradations-not-wanted',
        isRecovery && !channel.sendRecovery && 'recoveries-not-wanted',
        isSsl && !channel.sslExpiry && 'certificates-not-wanted',
        isSsl && daysRemaining > channel.sslExpiryThreshold && 'certificate-not-near-expiry',
      ].filter((one) => one !== false)
      assert.equal(withheldBecause(given), objections[0] ?? null)
    }),
    { numRuns: 2000 },
  )
})
