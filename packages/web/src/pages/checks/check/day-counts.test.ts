import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayWords, lastDays } from './day-counts.ts'

const NOW = Date.parse('2026-03-02T00:30:00.000Z')

test('the last days end today by UTC, and those without errors count none', () => {
  const days = lastDays(
    [
      { day: '2026-02-28', count: 3 },
      { day: '2026-03-02', count: 1 },
    ],
    4,
    NOW,
  )
  assert.deepEqual(days, [
    { day: '2026-02-27', count: 0 },
    { day: '2026-02-28', count: 3 },
    { day: '2026-03-01', count: 0 },
    { day: '2026-03-02', count: 1 },
  ])
})

test('what the bars show can be read', () => {
  const days = lastDays(
    [
      { day: '2026-02-28', count: 3 },
      { day: '2026-03-02', count: 1 },
    ],
    4,
    NOW,
  )
  assert.equal(dayWords(days, 'en'), '4 times in the last 4 days: Feb 28: 3, Mar 2: 1')
  assert.equal(dayWords(lastDays([{ day: '2026-03-02', count: 1 }], 4, NOW), 'en'), 'Once in the last 4 days: Mar 2: 1')
  assert.equal(dayWords(lastDays([], 14, NOW), 'en'), 'Not in the last 14 days')
})
