import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHANNEL_TYPES } from '@vedette/schema'
import { type DeliveryFacts, deliveryNote, duration } from './delivery-note.ts'

const note = (rest: Partial<DeliveryFacts>) =>
  deliveryNote({ type: 'EMAIL', ageMs: 1000, triesBefore: 0, fallbackFor: '', ...rest })

test('a message in time says nothing of its way', () => {
  assert.equal(note({}), '')
  assert.equal(note({ ageMs: 60_000, triesBefore: 3 }), '')
})

test('a late message says how late it is, and why', () => {
  assert.equal(
    note({ ageMs: 14 * 60_000, triesBefore: 3 }),
    'Delivered 14 minutes late: the mail server could not be reached before.',
  )
  assert.equal(note({ ageMs: 90 * 60_000 }), 'Delivered 90 minutes late: it could not be sent before.')
  const notes = CHANNEL_TYPES.map((type) => note({ type, ageMs: 61_000, triesBefore: 1 }))
  for (const one of notes) assert.match(one, /^Delivered 1 minute late: .+ before\.$/)
})

test('a message in place of another names the channel that could not be reached', () => {
  assert.equal(note({ fallbackFor: 'ops' }), 'ops could not be reached, so this comes here.')
  assert.equal(
    note({ fallbackFor: 'ops', ageMs: 125_000 }),
    'ops could not be reached, so this comes here. Delivered 2 minutes late.',
  )
})

test('durations are told in whole units', () => {
  assert.deepEqual([1, 61_000, 119 * 60_000, 121 * 60_000, 47 * 3_600_000, 50 * 3_600_000].map(duration), [
    '1 minute',
    '1 minute',
    '119 minutes',
    '2 hours',
    '47 hours',
    '2 days',
  ])
})
