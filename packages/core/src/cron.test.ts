import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cron } from 'croner'
import fc from 'fast-check'
import { nextOccurrence, problemOfSchedule } from './cron.ts'

const BERLIN = 'Europe/Berlin'

function following(cron: string, timezone: string, after: string, count: number): string[] {
  const times: string[] = []
  let atMs = Date.parse(after)
  for (let no = 0; no < count; no += 1) {
    atMs = nextOccurrence({ cron, timezone }, atMs) ?? Number.NaN
    times.push(new Date(atMs).toISOString().slice(0, 16))
  }
  return times
}

const examples: [string, string, string, string[]][] = [
  ['0 3 * * *', 'UTC', '2026-01-10T03:00:00Z', ['2026-01-11T03:00', '2026-01-12T03:00']],
  ['*/20 * * * *', 'UTC', '2026-01-10T03:05:00Z', ['2026-01-10T03:20', '2026-01-10T03:40', '2026-01-10T04:00']],
  [
    '30 9-17/4 * * mon-fri',
    'UTC',
    '2026-01-09T10:00:00Z',
    ['2026-01-09T13:30', '2026-01-09T17:30', '2026-01-12T09:30'],
  ],
  ['0 0 29 2 *', 'UTC', '2026-01-10T00:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ['0 0 13 * 5', 'UTC', '2026-02-07T00:00:00Z', ['2026-02-13T00:00', '2026-02-20T00:00']],
  ['0 0 * * 7', 'UTC', '2026-01-10T00:00:00Z', ['2026-01-11T00:00', '2026-01-18T00:00']],
  ['@monthly', 'UTC', '2026-01-10T00:00:00Z', ['2026-02-01T00:00']],
  ['5/15 0 1 JAN,jul *', 'UTC', '2026-06-10T00:00:00Z', ['2026-07-01T00:05', '2026-07-01T00:20']],
]
for (const [cron, zone, after, expected] of examples)
  test(`"${cron}" comes at ${expected[0]}`, () => {
    assert.deepEqual(following(cron, zone, after, expected.length), expected)
  })

test('the wall clock rules: three at night is another instant in summer', () => {
  assert.deepEqual(following('0 3 * * *', BERLIN, '2026-03-27T12:00:00Z', 3), [
    '2026-03-28T02:00',
    '2026-03-29T01:00',
    '2026-03-30T01:00',
  ])
})

test('a time that the clock skips comes as much later as the clock skips', () => {
  assert.deepEqual(following('30 2 * * *', BERLIN, '2026-03-28T12:00:00Z', 2), ['2026-03-29T01:30', '2026-03-30T00:30'])
})

test('of a time that the clock shows twice the first counts, and both where it is about every hour', () => {
  assert.deepEqual(following('30 2 * * *', BERLIN, '2026-10-24T12:00:00Z', 2), ['2026-10-25T00:30', '2026-10-26T01:30'])
  assert.deepEqual(following('30 * * * *', BERLIN, '2026-10-24T23:45:00Z', 3), [
    '2026-10-25T00:30',
    '2026-10-25T01:30',
    '2026-10-25T02:30',
  ])
})

const wallOf = (zone: string, atMs: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    atMs,
  )

test('for every schedule, zone and instant: later than it, none between, and the clock shows the time', () => {
  const schedules = fc.record({
    minute: fc.constantFrom('*', '0', '30', '*/7', '10-20', '59'),
    hour: fc.constantFrom('*', '0', '2', '*/6', '1,2,3', '23'),
    zone: fc.constantFrom('UTC', BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Santiago'),
    // Around changes of the clock, and anywhere.
    at: fc.oneof(
      fc.integer({ min: Date.UTC(2026, 2, 28), max: Date.UTC(2026, 3, 6) }),
      fc.integer({ min: Date.UTC(2026, 9, 24), max: Date.UTC(2026, 10, 3) }),
      fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) }),
    ),
  })
  fc.assert(
    fc.property(schedules, fc.nat(86_400_000), ({ minute, hour, zone, at }, less) => {
      const schedule = { cron: `${minute} ${hour} * * *`, timezone: zone }
      const next = nextOccurrence(schedule, at) ?? Number.NaN
      assert.ok(next > at && next <= at + 25 * 3_600_000)
      assert.equal(next % 60_000, 0)
      // Asked from earlier, the same one or one before it is found; asked from in between, the same one.
      const earlier = nextOccurrence(schedule, at - less) ?? Number.NaN
      assert.ok(earlier <= next)
      assert.ok(earlier === next || earlier <= at)
      assert.equal(nextOccurrence(schedule, next - 1), next)
      if (minute === '30' && hour === '23') assert.equal(wallOf(zone, next), '23:30')
    }),
    { numRuns: 60 },
  )
})

/** Stars, numbers, names, ranges and lists of a field. A step on a star is left out where readers of cron disagree. */
const fieldOf = (
  min: number,
  max: number,
  { names = [], steps = true }: { names?: string[]; steps?: boolean } = {},
) => {
  const one = fc.oneof(fc.integer({ min, max }).map(String), ...(names.length === 0 ? [] : [fc.constantFrom(...names)]))
  const number = fc.integer({ min, max })
  const range = fc.tuple(number, number).map((ends) => ends.toSorted((a, b) => a - b).join('-'))
  const step = fc.integer({ min: 1, max: Math.max(1, max - min) })
  const stepped = fc.tuple(steps ? fc.oneof(fc.constant('*'), range) : range, step).map((parts) => parts.join('/'))
  const some = fc.oneof(one, range, stepped)
  return fc.oneof(
    fc.constant('*'),
    some,
    fc.array(some, { minLength: 2, maxLength: 3 }).map((parts) => parts.join(',')),
  )
}

test('finds what another implementation finds, where the clock is steady', () => {
  const fields = fc.tuple(
    fieldOf(0, 59),
    fieldOf(0, 23),
    fieldOf(1, 31, { steps: false }),
    fieldOf(1, 12, { names: ['jan', 'MAR', 'dec'] }),
    fieldOf(0, 6, { names: ['sun', 'Wed', 'SAT'], steps: false }),
  )
  const zones = fc.constantFrom('UTC', 'Asia/Kolkata', 'America/Bogota')
  const from = fc.date({ min: new Date('2021-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(fields, zones, from, (parts, timezone, after) => {
      const cron = parts.join(' ')
      fc.pre(problemOfSchedule({ cron, timezone }) === null)
      const next = nextOccurrence({ cron, timezone }, after.getTime())
      assert.equal(next, new Cron(cron, { timezone }).nextRun(after)?.getTime() ?? null)
    }),
    { numRuns: Math.ceil(Number(process.env.FUZZ_RUNS ?? 5000) / 10) },
  )
})

test('what cannot be read is refused with the field that is wrong', () => {
  const reasonOf = (cron: string, timezone = 'UTC') => problemOfSchedule({ cron, timezone })?.reason
  assert.equal(reasonOf('0 3 * * *'), undefined)
  for (const wrong of ['0 3 * *', 'constructor', '__proto__', '@never'])
    assert.match(reasonOf(wrong) ?? '', /five fields/, wrong)
  for (const wrong of [
    '60 3 * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 * 13 *',
    '0 0 * * 8',
    'a * * * *',
    '*/0 * * * *',
    '5-1 * * * *',
    '1,, * * * *',
    '1-2-3 * * * *',
  ])
    assert.match(reasonOf(wrong) ?? '', /cannot be read/, wrong)
  assert.match(reasonOf('0 0 31 2 *') ?? '', /no month has/)
  assert.match(reasonOf('0 3 * * *', 'Mars/Olympus') ?? '', /time zone/)
})
