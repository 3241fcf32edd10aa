import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextOccurrence } from './cron.ts'
import type { Rhythm } from './heartbeat.ts'
import { suggestRhythm } from './heartbeat-suggestion.ts'

const MINUTE_MS = 60_000
const start = Date.UTC(2026, 0, 10, 3, 0)
const daily: Rhythm = { period: 1, periodUnit: 'days', grace: 30, graceUnit: 'minutes' }

const every = (minutes: number, count: number, lateMinutes: readonly number[] = [0]) =>
  Array.from(
    { length: count },
    (_, no) => start + (no * minutes + (lateMinutes[no % lateMinutes.length] ?? 0)) * MINUTE_MS,
  )

/** Pings at each time of a schedule, so many minutes later. */
function by(cron: string, timezone: string, count: number, lateMinutes = 0): number[] {
  const pings: number[] = []
  let at = start
  for (let no = 0; no < count; no += 1) {
    at = nextOccurrence({ cron, timezone }, at) ?? 0
    pings.push(at + lateMinutes * MINUTE_MS)
  }
  return pings
}

test('pings that come as they were set, too few of them, or without any rhythm ask for nothing', () => {
  assert.equal(suggestRhythm(daily, every(24 * 60, 10, [0, 5, 2])), null)
  assert.equal(suggestRhythm(daily, every(60, 4)), null)
  assert.equal(
    suggestRhythm(
      daily,
      [0, 1, 50, 52, 900, 3000, 3001, 9000].map((m) => start + m * MINUTE_MS),
    ),
    null,
  )
})

test('a job that pings every hour is no daily one', () => {
  const found = suggestRhythm(daily, every(60, 12, [0, 1, 0, 2]))
  assert.deepEqual(
    [found?.changes, found?.rhythm.period, found?.rhythm.periodUnit, found?.fits.asSuggested],
    ['period', 1, 'hours', 100],
  )
})

test('a job that comes less often than it was set is found too, also when it missed a ping', () => {
  const pings = every(15, 14).filter((_, no) => no !== 6)
  const found = suggestRhythm({ ...daily, period: 5, periodUnit: 'minutes', grace: 1 }, pings)
  assert.deepEqual([found?.rhythm.period, found?.rhythm.periodUnit], [15, 'minutes'])
})

test('a job that wanders needs more grace', () => {
  const hourly: Rhythm = { period: 1, periodUnit: 'hours', grace: 1, graceUnit: 'minutes' }
  const found = suggestRhythm(hourly, every(60, 20, [0, 8, 0, 9]))
  assert.equal(found?.changes, 'grace')
  assert.equal(found?.rhythm.graceUnit, 'minutes')
  assert.ok((found?.rhythm.grace ?? 0) >= 9)
})

test('a schedule that was meant in another time zone is told by it', () => {
  const nightly: Rhythm = { ...daily, schedule: { cron: '0 3 * * *', timezone: 'UTC' } }
  const found = suggestRhythm(nightly, by('0 3 * * *', 'America/New_York', 10, 2))
  assert.deepEqual([found?.changes, found?.rhythm.schedule?.timezone], ['timezone', 'America/New_York'])
})

test('a long job needs the grace of a long job', () => {
  const nightly: Rhythm = { ...daily, schedule: { cron: '5 3 * * *', timezone: 'UTC' } }
  const found = suggestRhythm(nightly, by('5 3 * * *', 'UTC', 10, 97))
  assert.equal(found?.changes, 'grace')
  assert.equal(found?.rhythm.schedule?.timezone, 'UTC')
})

test('whatever is suggested fits better than what was set', () => {
  const rhythms = fc.record({
    period: fc.integer({ min: 30, max: 600 }),
    periodUnit: fc.constantFrom('seconds' as const, 'minutes' as const),
    grace: fc.integer({ min: 0, max: 120 }),
    graceUnit: fc.constantFrom('seconds' as const, 'minutes' as const),
    schedule: fc.option(
      fc.constantFrom({ cron: '0 * * * *', timezone: 'UTC' }, { cron: '30 4 * * *', timezone: 'Asia/Kolkata' }),
    ),
  })
  const pings = fc.record({
    everyS: fc.integer({ min: 30, max: 90_000 }),
    wander: fc.array(fc.nat(900), { minLength: 6, maxLength: 20 }),
  })
  fc.assert(
    fc.property(rhythms, pings, (rhythm, { everyS, wander }) => {
      const times = wander.map((lateS, no) => start + (no * everyS + lateS) * 1000).toSorted((a, b) => a - b)
      const found = suggestRhythm(rhythm, times)
      if (found === null) return
      assert.ok(found.fits.asSuggested > found.fits.asSet)
      assert.ok(found.rhythm.period > 0 && found.rhythm.grace >= 0)
      // Taken on, it is suggested no more.
      assert.equal(suggestRhythm(found.rhythm, times), null)
    }),
    { numRuns: 60 },
  )
})
