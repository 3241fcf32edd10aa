import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUICK_RANGES } from '@vedette/schema'
import { partsOf, quickRange } from './quick-range.ts'

// A Wednesday.
const NOW = Date.parse('2026-03-04T10:30:00.000Z')
const show = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
  [fromMs, toMs].map((at) => new Date(at).toISOString().slice(0, 16))

test('quick ranges begin and end where their names say', () => {
  assert.deepEqual(Object.fromEntries(QUICK_RANGES.map((name) => [name, show(quickRange(name, NOW))])), {
    last24Hours: ['2026-03-03T10:30', '2026-03-04T10:30'],
    last24Hrs: ['2026-03-03T10:30', '2026-03-04T10:30'],
    last7Days: ['2026-02-25T10:30', '2026-03-04T10:30'],
    last30Days: ['2026-02-02T10:30', '2026-03-04T10:30'],
    thisWeek: ['2026-03-02T00:00', '2026-03-04T10:30'],
    thisMonth: ['2026-03-01T00:00', '2026-03-04T10:30'],
    lastWeek: ['2026-02-23T00:00', '2026-03-02T00:00'],
    lastMonth: ['2026-02-01T00:00', '2026-03-01T00:00'],
  })
})

test('a Monday begins its week, the first of January its month', () => {
  const monday = Date.parse('2026-03-02T00:00:00.000Z')
  assert.deepEqual(show(quickRange('thisWeek', monday)), ['2026-03-02T00:00', '2026-03-02T00:00'])
  const newYear = Date.parse('2026-01-01T00:00:00.000Z')
  assert.deepEqual(show(quickRange('lastMonth', newYear)), ['2025-12-01T00:00', '2026-01-01T00:00'])
})

test('a window is cut at the beginnings of days, weeks and months', () => {
  const window = { fromMs: Date.parse('2026-01-30T06:00:00Z'), toMs: Date.parse('2026-02-02T12:00:00Z') }
  const starts = (granularity: 'day' | 'week' | 'month') => partsOf(granularity, window).map((part) => show(part)[0])
  assert.deepEqual(starts('day'), ['2026-01-30T06:00', '2026-01-31T00:00', '2026-02-01T00:00', '2026-02-02T00:00'])
  assert.deepEqual(starts('week'), ['2026-01-30T06:00', '2026-02-02T00:00'])
  assert.deepEqual(starts('month'), ['2026-01-30T06:00', '2026-02-01T00:00'])
  assert.equal(partsOf('day', window).at(-1)?.toMs, window.toMs)
})
