import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { coverOf, ROLL_UP_MS } from './time-cover.ts'

const HOUR = ROLL_UP_MS.hour
const DAY = ROLL_UP_MS.day
const NOW = Date.UTC(2026, 0, 20, 12)
const at = (hour: number, minute = 0, day = 19) => Date.UTC(2026, 0, day, hour, minute)
const show = (pieces: ReturnType<typeof coverOf>) =>
  pieces.map(
    ({ level, fromMs, toMs }) => `${level} ${new Date(fromMs).toISOString().slice(8, 16)} ${(toMs - fromMs) / 60_000}`,
  )

test('a window is covered without gap or overlap by pieces that are whole and rolled up', () => {
  const instant = fc.integer({ min: NOW - 60 * DAY, max: NOW })
  fc.assert(
    fc.property(instant, instant, fc.integer({ min: 1, max: 30 }), (a, b, hours) => {
      const stored = { rolledUpToMs: NOW - hours * HOUR, rawFromMs: Math.floor(NOW / DAY) * DAY - 30 * DAY }
      const [fromMs, toMs] = a < b ? [a, b] : [b, a]
      const pieces = coverOf(fromMs, toMs, stored)
      let reached = pieces[0]?.fromMs ?? toMs
      assert.ok(reached <= fromMs && fromMs - reached < HOUR)
      if (fromMs >= stored.rawFromMs) assert.equal(reached, fromMs)
      for (const piece of pieces) {
        assert.equal(piece.fromMs, reached)
        assert.ok(piece.toMs > piece.fromMs)
        reached = piece.toMs
        if (piece.level === 'raw') assert.ok(piece.fromMs >= stored.rawFromMs)
        if (piece.level === 'raw') continue
        assert.ok(piece.toMs <= stored.rolledUpToMs)
        assert.equal(piece.fromMs % ROLL_UP_MS[piece.level], 0)
        assert.equal(piece.toMs % ROLL_UP_MS[piece.level], 0)
      }
      assert.ok(reached >= toMs && reached - toMs < HOUR)
      if (toMs >= stored.rawFromMs) assert.equal(reached, toMs)
    }),
  )
})

test('the largest pieces that fit are taken', () => {
  const stored = { rolledUpToMs: at(11, 0, 20), rawFromMs: at(0, 0, 1) }
  assert.deepEqual(show(coverOf(at(22, 7, 17), at(11, 30, 20), stored)), [
    'raw 17T22:07 53',
    'hour 17T23:00 60',
    'day 18T00:00 2880',
    'hour 20T00:00 660',
    'raw 20T11:00 30',
  ])
  assert.deepEqual(show(coverOf(at(10, 1), at(10, 4), stored)), ['raw 19T10:01 3'])
  assert.deepEqual(coverOf(at(10), at(10), stored), [])
})

test('what is older than single results is answered in whole hours', () => {
  const stored = { rolledUpToMs: at(11, 0, 20), rawFromMs: at(0, 0, 19) }
  assert.deepEqual(show(coverOf(at(10, 20, 18), at(11, 10, 18), stored)), ['hour 18T10:00 120'])
})
