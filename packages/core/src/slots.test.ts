import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FREQUENCIES } from '@vedette/schema'
import fc from 'fast-check'
import {
  chooseOffset,
  missedSlots,
  nextSlot,
  problemOfOffset,
  type Schedule,
  slotInterval,
  spreadRange,
} from './slots.ts'

const at = (text: string) => Date.parse(text)
const iso = (ms: number) => new Date(ms).toISOString()

const rules = fc
  .tuple(fc.constantFrom(...FREQUENCIES), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat())
  .map(([frequency, random, spread]): Schedule => {
    const rule = { frequency, frequencyOffset: chooseOffset(frequency, random) }
    return { ...rule, spreadMs: spread % spreadRange(rule) }
  })
const instants = fc.integer({ min: 0, max: at('2100-01-01') })

test('places slots by frequency and offset', () => {
  const after = at('2026-01-01T00:00:00Z')
  const next = (frequency: number, frequencyOffset: number) => iso(nextSlot({ frequency, frequencyOffset }, after))
  assert.equal(next(1, 1), '2026-01-01T00:00:06.000Z')
  assert.equal(next(5, 50), '2026-01-01T00:05:00.000Z')
  assert.equal(next(10, 33), '2026-01-01T00:03:18.000Z')
  assert.equal(next(0, 20), '2026-01-01T00:00:20.000Z')
  assert.equal(next(720, 3), '2026-01-01T03:00:00.000Z')
  assert.equal(next(720, 12), '2026-01-01T12:00:00.000Z')
  assert.equal(next(1440, 24), '2026-01-02T00:00:00.000Z')
})

test('spreads checks with the same offset', () => {
  const after = at('2026-01-01T00:00:00Z')
  assert.equal(iso(nextSlot({ frequency: 5, frequencyOffset: 2, spreadMs: 1234 }, after)), '2026-01-01T00:00:13.234Z')
  assert.equal(
    iso(nextSlot({ frequency: 0, frequencyOffset: 30, spreadMs: 29_999 }, after)),
    '2026-01-01T00:00:29.999Z',
  )
})

test('a slot is strictly after the instant asked for, and no further than one interval', () => {
  fc.assert(
    fc.property(rules, instants, (rule, after) => {
      const slot = nextSlot(rule, after)
      assert.ok(slot > after && slot <= after + slotInterval(rule))
    }),
  )
})

test('slots follow each other one interval apart, without end and without repeats', () => {
  fc.assert(
    fc.property(rules, instants, (rule, after) => {
      const slot = nextSlot(rule, after)
      assert.equal(nextSlot(rule, slot), slot + slotInterval(rule))
      assert.equal(nextSlot(rule, slot - 1), slot)
    }),
  )
})

test('the same slot comes out whenever one asks before it', () => {
  fc.assert(
    fc.property(rules, instants, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (rule, after, part) => {
      const slot = nextSlot(rule, after)
      const between = after + Math.floor((slot - after) * part)
      assert.equal(nextSlot(rule, between), slot)
    }),
  )
})

test('missed slots are counted as walking from slot to slot would', () => {
  fc.assert(
    fc.property(rules, instants, fc.double({ min: 0, max: 50, noNaN: true }), (rule, from, intervals) => {
      const to = from + Math.floor(intervals * slotInterval(rule))
      let count = 0
      for (let slot = nextSlot(rule, from); slot < to; slot = nextSlot(rule, slot)) count += 1
      assert.equal(missedSlots(rule, from, to), count)
    }),
  )
})

test('a chosen offset is always a valid one, and every valid one can be chosen', () => {
  for (const frequency of FREQUENCIES) {
    const chosen = new Set(Array.from({ length: 10_000 }, (_, index) => chooseOffset(frequency, index / 10_000)))
    for (const offset of chosen) assert.equal(problemOfOffset(frequency, offset), null)
    const valid = Array.from({ length: 2000 }, (_, index) => index).filter(
      (offset) => problemOfOffset(frequency, offset) === null,
    )
    assert.equal(chosen.size, frequency === 0 ? 1 : valid.length)
  }
})

test('refuses offsets out of bounds', () => {
  assert.equal(problemOfOffset(0, 15), 'must be 10, 20 or 30 when "frequency" is 0')
  assert.equal(problemOfOffset(5, 51), 'must be between 1 and 50 when "frequency" is 5')
  assert.equal(problemOfOffset(5, 0), 'must be between 1 and 50 when "frequency" is 5')
  assert.equal(problemOfOffset(720, 13), 'must be between 1 and 12 when "frequency" is 720')
  assert.equal(problemOfOffset(720, 12), null)
})
