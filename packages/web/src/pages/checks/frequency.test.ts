import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FREQUENCIES } from '@vedette/schema'
import { frequencyOptions, frequencyWords, fromOption, SECONDS, toOption } from './frequency.ts'

test('every frequency that the API knows can be chosen and comes back as it was', () => {
  const all = [
    ...SECONDS.map((seconds) => [0, seconds] as const),
    ...FREQUENCIES.slice(1).map((one) => [one, 7] as const),
  ]
  assert.deepEqual(
    frequencyOptions.map(({ value }) => value),
    all.map(([frequency, offset]) => toOption(frequency, offset)),
  )
  for (const [frequency, offset] of all) {
    const written = fromOption(toOption(frequency, offset))
    assert.equal(written.frequency, frequency)
    assert.equal(written.frequencyOffset, frequency === 0 ? offset : undefined)
  }
})

test('a frequency reads as people say it', () => {
  assert.equal(frequencyWords(0, 10), 'every 10 s')
  assert.equal(frequencyWords(5, 3), 'every 5 min')
  assert.equal(frequencyWords(120, 1), 'every 2 h')
  assert.equal(frequencyWords(1440, 1), 'once a day')
})
