import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckKind } from '@vedette/schema'
import fc from 'fast-check'
import { someSettings as settings } from '../testing/settings.ts'
import {
  FIRST_RUN_DELAY_MS,
  lanesOf,
  nextInRotation,
  nextSlotOf,
  type Pause,
  type Scheduled,
  slotsBetween,
} from './lanes.ts'

const MINUTE_MS = 60_000
const NOW_MS = Date.UTC(2026, 5, 1, 12)

const scheduled: fc.Arbitrary<Scheduled> = fc
  .record({
    no: fc.integer({ min: 1, max: 1_000_000 }),
    createdAt: fc.date({ min: new Date(NOW_MS - 1e10), max: new Date(NOW_MS), noInvalidDate: true }),
    rhythm: fc.oneof(
      fc.constantFrom(10, 20, 30).map((frequencyOffset) => ({ frequency: 0, frequencyOffset })),
      fc
        .constantFrom(1, 2, 5, 10, 15, 30, 60)
        .chain((frequency) =>
          fc.integer({ min: 1, max: frequency * 10 }).map((frequencyOffset) => ({ frequency, frequencyOffset })),
        ),
      fc
        .constantFrom(120, 180, 360, 720, 1440)
        .chain((frequency) =>
          fc.integer({ min: 1, max: frequency / 60 }).map((frequencyOffset) => ({ frequency, frequencyOffset })),
        ),
    ),
  })
  .map(({ no, createdAt, rhythm }) => ({ no, createdAt, settings: settings(rhythm) }))

const periodOf = ({ settings: { frequency, frequencyOffset } }: Scheduled) =>
  frequency === 0 ? frequencyOffset * 1000 : frequency * MINUTE_MS

const instant = fc.integer({ min: NOW_MS - 1e9, max: NOW_MS + 1e9 })
const pause = fc.option(
  fc.tuple(instant, fc.nat(1e9)).map(([fromMs, lengthMs]): Pause => ({ fromMs, untilMs: fromMs + lengthMs })),
)

test('the next slot comes later than asked, within one period, and at the same place of every period', () => {
  fc.assert(
    fc.property(scheduled, instant, (check, atMs) => {
      const slot = nextSlotOf(check, atMs)
      const period = periodOf(check)
      assert.ok(slot > atMs && slot <= atMs + period)
      assert.equal(nextSlotOf(check, slot), slot + period)
    }),
  )
})

test('of the slots between two instants none is lost and none counted twice', () => {
  fc.assert(
    fc.property(scheduled, pause, instant, instant, instant, (planned, skipped, a, b, c) => {
      const check = { ...planned, pause: skipped }
      const [from = 0, middle = 0, to = 0] = [a, b, c].sort((x, y) => x - y)
      const whole = slotsBetween(check, from, to)
      assert.equal(slotsBetween(check, from, middle) + slotsBetween(check, middle, to), whole)
      const [start, end] = skipped === null ? [0, 0] : [Math.max(from, skipped.fromMs), Math.min(to, skipped.untilMs)]
      assert.ok(Math.abs(whole - (to - from - Math.max(0, end - start)) / periodOf(check)) <= 2)
    }),
  )
})

test('a check that runs several times a minute has a slot exactly at its first run', () => {
  fc.assert(
    fc.property(scheduled, (check) => {
      fc.pre(check.settings.frequency === 0)
      const first = check.createdAt.getTime() + FIRST_RUN_DELAY_MS
      assert.equal(nextSlotOf(check, first - 1), first)
    }),
  )
})

test('checks with the same offset stay within the time that the offset leaves open, and apart from each other', () => {
  const checks = Array.from({ length: 60 }, (_, index) => ({
    no: index + 1,
    createdAt: new Date(NOW_MS),
    settings: settings({ frequency: 1, frequencyOffset: 3 }),
  }))
  const phases = checks.map((check) => nextSlotOf(check, NOW_MS) % MINUTE_MS).sort((a, b) => a - b)
  assert.ok(phases.every((phase) => phase >= 18_000 && phase < 24_000))
  const gaps = phases.slice(1).map((phase, index) => phase - (phases[index] ?? 0))
  assert.ok(Math.min(...gaps) > 20, 'no two at once')
  assert.ok(Math.max(...gaps) < 300, 'no crowd and no desert')
})

test('has no lane when it is switched off or has no location, one that goes round, or one for each location', () => {
  const lanes = (activated: boolean, runParallel: boolean, locations: number[], kind: CheckKind = 'API') =>
    lanesOf({ kind, effective: { activated, settings: settings({ runParallel }) } }, locations)
  assert.deepEqual(lanes(false, false, [1, 2]), [])
  assert.deepEqual(lanes(true, false, []), [])
  assert.deepEqual(lanes(true, false, [7, 2]), [{ locationNo: 7, parallel: false }])
  assert.deepEqual(lanes(true, true, [7, 2]), [
    { locationNo: 7, parallel: true },
    { locationNo: 2, parallel: true },
  ])
  assert.deepEqual(lanes(true, false, [7, 2], 'HEARTBEAT'), [], 'nobody runs it')
})

test('the rotation visits every location that is served, in order, and no other while there is one', () => {
  const locations = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(
      locations,
      fc.nat(11),
      fc.array(fc.boolean(), { minLength: 41, maxLength: 41 }),
      (all, start, served) => {
        const isServed = (no: number) => served[no] === true
        const expected = all.filter(isServed)
        const visited: number[] = []
        let rotation = start % all.length
        for (let turn = 0; turn < all.length; turn += 1) {
          const next = nextInRotation(all, rotation, isServed)
          assert.ok(next !== null && all[next.rotation] === next.locationNo)
          rotation = next.rotation
          visited.push(next.locationNo)
        }
        if (expected.length === 0) assert.deepEqual(new Set(visited), new Set(all))
        else {
          assert.deepEqual(new Set(visited), new Set(expected))
          const first = expected.indexOf(visited[0] ?? 0)
          const round = expected.map((_, index) => expected[(first + index) % expected.length])
          assert.deepEqual(visited.slice(0, expected.length), round)
        }
      },
    ),
  )
})

test('there is no rotation without a location', () => {
  assert.equal(
    nextInRotation([], 0, () => true),
    null,
  )
})
