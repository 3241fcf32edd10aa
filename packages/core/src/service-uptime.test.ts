import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type TroubleSpan, troubleSpan } from './incident-progress.ts'
import { averageUptime, joinTrouble, serviceUptime, UPTIME_DAYS, uptimeByDay, uptimeWithin } from './service-uptime.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const at = (text: string) => Date.parse(text)
const now = at('2026-03-10T06:00Z')

/** Minutes before now; the end may be missing or before the beginning. */
const span = fc.record({
  startsAgo: fc.integer({ min: -3000, max: 100 * 1440 }),
  endsAgo: fc.option(fc.integer({ min: -3000, max: 100 * 1440 })),
})
const spans = fc.array(span, { maxLength: 8 }).map((some) =>
  some.map(({ startsAgo, endsAgo }): TroubleSpan => {
    const fromMs = now - startsAgo * MINUTE
    return { fromMs, untilMs: endsAgo === null ? null : now - endsAgo * MINUTE }
  }),
)

/** Looks at every minute by itself. */
function minutesOfTrouble(given: readonly TroubleSpan[], fromMs: number, untilMs: number): number {
  let minutes = 0
  for (let minute = fromMs; minute < untilMs; minute += MINUTE) {
    if (given.some((one) => one.fromMs <= minute && minute < Math.min(one.untilMs ?? now, now))) minutes += 1
  }
  return minutes
}

test('uptime is what looking at every minute of the 90 days would find', () => {
  fc.assert(
    fc.property(spans, (given) => {
      const total = UPTIME_DAYS * 1440
      const trouble = minutesOfTrouble(given, now - UPTIME_DAYS * DAY, now)
      assert.equal(serviceUptime(joinTrouble(given, now), now), (total - trouble) / total)
    }),
    { numRuns: 20 },
  )
})

test('each day is what looking at its minutes would find, today as far as it has passed', () => {
  fc.assert(
    fc.property(spans, (given) => {
      const days = uptimeByDay(joinTrouble(given, now), now)
      assert.equal(days.length, UPTIME_DAYS)
      assert.deepEqual([days.at(-1)?.fromMs, days.at(-1)?.untilMs], [at('2026-03-10T00:00Z'), now])
      for (const [index, { fromMs, untilMs, troubleMs, uptime }] of days.entries()) {
        if (index > 0) assert.equal(fromMs, days[index - 1]?.untilMs)
        assert.equal(troubleMs, minutesOfTrouble(given, fromMs, untilMs) * MINUTE)
        assert.equal(uptime, (untilMs - fromMs - troubleMs) / (untilMs - fromMs))
      }
    }),
    { numRuns: 20 },
  )
})

test('what is joined is in order, apart, past, and does not depend on the order in which it came', () => {
  fc.assert(
    fc.property(spans, (given) => {
      const joined = joinTrouble(given, now)
      assert.deepEqual(joinTrouble(given.toReversed(), now), joined)
      for (const [index, { fromMs, untilMs }] of joined.entries()) {
        assert.ok(fromMs < untilMs && untilMs <= now)
        assert.ok(index === 0 || (joined[index - 1]?.untilMs ?? now) < fromMs)
      }
    }),
  )
})

test('incidents that overlap count once, and one that goes on counts until now', () => {
  const trouble = joinTrouble(
    [
      { fromMs: at('2026-03-09T00:00Z'), untilMs: at('2026-03-09T06:00Z') },
      { fromMs: at('2026-03-09T03:00Z'), untilMs: at('2026-03-09T12:00Z') },
      { fromMs: at('2026-03-10T03:00Z'), untilMs: null },
    ],
    now,
  )
  assert.deepEqual(
    uptimeByDay(trouble, now)
      .slice(-3)
      .map(({ uptime }) => uptime),
    [1, 0.5, 0.5],
  )
  assert.equal(serviceUptime(trouble, now), (90 * 24 - 15) / (90 * 24))
})

test('a moment without length, such as midnight, has no trouble', () => {
  const midnight = at('2026-03-10T00:00Z')
  const trouble = joinTrouble([{ fromMs: midnight - DAY, untilMs: null }], midnight)
  assert.deepEqual(uptimeByDay(trouble, midnight).at(-1), {
    ...{ fromMs: midnight, untilMs: midnight },
    ...{ troubleMs: 0, uptime: 1 },
  })
  assert.equal(uptimeWithin(trouble, { fromMs: midnight - DAY, untilMs: midnight }), 0)
})

test('a card is the average of its services, and nothing without any', () => {
  assert.equal(averageUptime([1, 0.5]), 0.75)
  assert.equal(averageUptime([]), null)
})

test('trouble that was opened again lasts until it was resolved for the last time', () => {
  const step = (status: 'INVESTIGATING' | 'RESOLVED', atMs: number) => ({ status, atMs })
  const steps = [step('INVESTIGATING', 1), step('RESOLVED', 2), step('INVESTIGATING', 3), step('RESOLVED', 4)]
  assert.deepEqual(troubleSpan(steps), { fromMs: 1, untilMs: 4 })
  assert.deepEqual(troubleSpan(steps.slice(0, 3)), { fromMs: 1, untilMs: null })
  assert.equal(troubleSpan([step('RESOLVED', 1)]), null)
})
