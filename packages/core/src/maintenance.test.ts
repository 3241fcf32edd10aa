import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isInMaintenance, occurrencesBetween, problemOfWindow, type WindowRule } from './maintenance.ts'

const at = (text: string) => Date.parse(text)
const iso = (ms: number) => new Date(ms).toISOString().replace(':00.000Z', 'Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR

function aWindow(startsAt: string, endsAt: string, rest: Partial<WindowRule> = {}): WindowRule {
  const once = { repeatUnit: null, repeatInterval: null, repeatEndsAtMs: null, timezone: null }
  return { startsAtMs: at(startsAt), endsAtMs: at(endsAt), ...once, ...rest }
}

function starts(window: WindowRule, from: string, to: string): string[] {
  return occurrencesBetween(window, at(from), at(to)).map(({ startsAtMs }) => iso(startsAtMs))
}

test('a window that does not recur is open once, its end not included', () => {
  const window = aWindow('2026-03-01T22:00Z', '2026-03-02T02:00Z')
  const open = (text: string) => isInMaintenance(window, at(text))
  assert.deepEqual(
    ['2026-03-01T21:59:59.999Z', '2026-03-01T22:00Z', '2026-03-02T01:59:59.999Z', '2026-03-02T02:00Z'].map(open),
    [false, true, true, false],
  )
  assert.equal(open('2026-03-02T22:30Z'), false)
  assert.deepEqual(starts(window, '2026-01-01', '2027-01-01'), ['2026-03-01T22:00Z'])
})

test('intervals are counted from the first occurrence', () => {
  const every = (repeatUnit: WindowRule['repeatUnit'], repeatInterval: number | null) =>
    starts(
      aWindow('2026-01-05T10:00Z', '2026-01-05T11:00Z', { repeatUnit, repeatInterval }),
      '2026-01-01',
      '2026-03-10',
    )
  assert.deepEqual(every('DAY', 30), ['2026-01-05T10:00Z', '2026-02-04T10:00Z', '2026-03-06T10:00Z'])
  assert.deepEqual(every('WEEK', 4), ['2026-01-05T10:00Z', '2026-02-02T10:00Z', '2026-03-02T10:00Z'])
  assert.deepEqual(every('MONTH', 1), ['2026-01-05T10:00Z', '2026-02-05T10:00Z', '2026-03-05T10:00Z'])
  assert.deepEqual(every('WEEK', null).length, 10)
})

test('the end of the month is the last day of shorter months, and does not wander', () => {
  const window = aWindow('2026-01-31T10:00Z', '2026-01-31T11:00Z', { repeatUnit: 'MONTH', repeatInterval: 1 })
  assert.deepEqual(starts(window, '2026-01-01', '2026-07-01'), [
    '2026-01-31T10:00Z',
    '2026-02-28T10:00Z',
    '2026-03-31T10:00Z',
    '2026-04-30T10:00Z',
    '2026-05-31T10:00Z',
    '2026-06-30T10:00Z',
  ])
  assert.deepEqual(starts(window, '2028-02-01', '2028-03-01'), ['2028-02-29T10:00Z'])
})

test('on the last day an occurrence may still begin, and it lasts its full length', () => {
  const daily = { repeatUnit: 'DAY', repeatInterval: 1 } as const
  const window = aWindow('2026-03-01T22:00Z', '2026-03-02T02:00Z', { ...daily, repeatEndsAtMs: at('2026-03-03') })
  assert.deepEqual(starts(window, '2026-01-01', '2027-01-01'), [
    '2026-03-01T22:00Z',
    '2026-03-02T22:00Z',
    '2026-03-03T22:00Z',
  ])
  assert.equal(isInMaintenance(window, at('2026-03-04T01:59Z')), true)
  assert.equal(isInMaintenance(window, at('2026-03-04T22:30Z')), false)
})

test('the last day is one of the time zone, unless a plain date names it', () => {
  const newYork = { repeatUnit: 'DAY', repeatInterval: 1, timezone: 'America/New_York' } as const
  const count = (repeatEndsAt: string) =>
    starts(
      aWindow('2026-01-10T12:00-05:00', '2026-01-10T13:00-05:00', { ...newYork, repeatEndsAtMs: at(repeatEndsAt) }),
      '2026-01-01',
      '2027-01-01',
    ).length
  assert.equal(count('2026-01-12'), 3)
  assert.equal(count('2026-01-12T23:00:00-05:00'), 3)
})

test('the wall clock’s time is kept when clocks change', () => {
  const berlin = { repeatUnit: 'DAY', repeatInterval: 1, timezone: 'Europe/Berlin' } as const
  const window = aWindow('2026-03-27T22:00+01:00', '2026-03-27T23:00+01:00', berlin)
  assert.deepEqual(starts(window, '2026-03-27', '2026-03-31'), [
    '2026-03-27T21:00Z',
    '2026-03-28T21:00Z',
    '2026-03-29T20:00Z',
    '2026-03-30T20:00Z',
  ])
  // 02:30 is not there on the 29th of March, and there twice on the 25th of October.
  const night = aWindow('2026-03-28T02:30+01:00', '2026-03-28T03:30+01:00', berlin)
  assert.deepEqual(starts(night, '2026-03-29', '2026-03-30'), ['2026-03-29T01:30Z'])
  assert.deepEqual(starts(night, '2026-10-25', '2026-10-26'), ['2026-10-25T00:30Z'])
})

test('says what is wrong with a window', () => {
  const wrong = (startsAt: string, endsAt: string, rest: Partial<WindowRule> = {}) =>
    problemOfWindow(aWindow(startsAt, endsAt, rest))?.field ?? null
  assert.equal(wrong('2026-01-01', '2026-01-02'), null)
  assert.equal(wrong('2026-01-01', '2026-01-01'), 'endsAtMs')
  assert.equal(wrong('2026-01-01', '2026-01-02', { timezone: 'Europe/Atlantis' }), 'timezone')
  const weekly = { repeatUnit: 'WEEK' } as const
  assert.equal(wrong('2026-01-01', '2026-01-08', weekly), null)
  assert.equal(wrong('2026-01-01', '2026-01-08T00:01Z', weekly), 'endsAtMs')
  assert.equal(wrong('2026-01-01', '2026-01-08T00:01Z', { ...weekly, repeatInterval: 2 }), null)
  assert.equal(wrong('2026-01-01', '2026-01-29', { repeatUnit: 'MONTH' }), null)
  assert.equal(wrong('2026-01-01', '2026-01-31', { repeatUnit: 'MONTH' }), 'endsAtMs')
  assert.equal(wrong('2026-01-02', '2026-01-03', { ...weekly, repeatEndsAtMs: at('2026-01-01') }), 'repeatEndsAtMs')
  assert.equal(wrong('2026-01-02', '2026-01-03', { repeatEndsAtMs: at('2026-01-01') }), null)
  // A whole day, every day: the night in which an hour is lost does not make it overlap.
  const everyDay = { repeatUnit: 'DAY', timezone: 'Europe/Berlin' } as const
  assert.equal(wrong('2026-03-01T00:00+01:00', '2026-03-02T00:00+01:00', everyDay), null)
})

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia']
const windows = fc
  .record({
    startsAtMs: fc
      .integer({ min: at('2000-01-01') / 60_000, max: at('2030-01-01') / 60_000 })
      .map((minute) => minute * 60_000),
    lengthMs: fc.integer({ min: 1, max: 40 * DAY }),
    repeatUnit: fc.constantFrom('DAY', 'WEEK', 'MONTH', null),
    repeatInterval: fc.option(fc.integer({ min: 1, max: 40 })),
    repeatForMs: fc.option(fc.integer({ min: 0, max: 900 * DAY })),
    timezone: fc.option(fc.constantFrom(...zones)),
  })
  .map(
    ({ lengthMs, repeatForMs, ...rest }): WindowRule => ({
      ...rest,
      endsAtMs: rest.startsAtMs + lengthMs,
      repeatEndsAtMs: repeatForMs === null ? null : rest.startsAtMs + repeatForMs,
    }),
  )
  .filter((window) => problemOfWindow(window) === null)

const stretches = fc.tuple(fc.integer({ min: 0, max: 2000 * DAY }), fc.integer({ min: 1, max: 200 * DAY }))

test('a stretch of time finds the occurrences that walking from the first one finds', () => {
  fc.assert(
    fc.property(windows, stretches, (window, [after, lengthMs]) => {
      const from = window.startsAtMs + after - 100 * DAY
      const to = from + lengthMs
      const walked = occurrencesBetween(window, window.startsAtMs, to).filter(({ endsAtMs }) => endsAtMs > from)
      assert.deepEqual(occurrencesBetween(window, from, to), walked)
    }),
    { numRuns: 200 },
  )
})

test('occurrences are equally long, in order, and apart but for the hour of a clock change or a skipped day', () => {
  fc.assert(
    fc.property(windows, (window) => {
      const found = occurrencesBetween(window, window.startsAtMs, window.startsAtMs + 500 * DAY)
      assert.equal(found[0]?.startsAtMs, window.startsAtMs)
      for (const [index, { startsAtMs, endsAtMs }] of found.entries()) {
        assert.equal(endsAtMs - startsAtMs, window.endsAtMs - window.startsAtMs)
        const before = found[index - 1]
        assert.ok(before === undefined || startsAtMs >= before.startsAtMs)
        assert.ok(
          before === undefined || startsAtMs >= before.endsAtMs - (window.timezone === 'Pacific/Apia' ? DAY : HOUR),
        )
      }
    }),
    { numRuns: 200 },
  )
})

test('an instant is in maintenance when an occurrence holds it', () => {
  fc.assert(
    fc.property(windows, fc.integer({ min: -DAY, max: 400 * DAY }), (window, after) => {
      const instant = window.startsAtMs + after
      const found = occurrencesBetween(window, window.startsAtMs, window.startsAtMs + 401 * DAY)
      const isHeld = found.some(({ startsAtMs, endsAtMs }) => startsAtMs <= instant && instant < endsAtMs)
      assert.equal(isInMaintenance(window, instant), isHeld)
    }),
    { numRuns: 300 },
  )
})

test('every occurrence begins at the same time of day there, unless the clock skips it', () => {
  fc.assert(
    fc.property(windows, (window) => {
      const clock = new Intl.DateTimeFormat('en-GB', {
        timeZone: window.timezone ?? 'UTC',
        hour: '2-digit',
        minute: '2-digit',
      })
      const time = clock.format(window.startsAtMs)
      for (const { startsAtMs } of occurrencesBetween(window, window.startsAtMs, window.startsAtMs + 300 * DAY)) {
        if (clock.format(startsAtMs) === time) continue
        const shownNearby = [-2 * HOUR, -HOUR, -HOUR / 2].some((shift) => clock.format(startsAtMs + shift) === time)
        assert.ok(!shownNearby, new Date(startsAtMs).toISOString())
      }
    }),
    { numRuns: 200 },
  )
})
