import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isNotWorkedOff, ownTroubles, type SelfLook, type SelfWatch, watchSelf } from './self-watch.ts'

const EVERY_MS = 30_000

const allWell: Omit<SelfLook, 'atMs'> = {
  idle: { count: 0, longest: [] },
  unable: { count: 0, some: [] },
  untried: { count: 0, oldestMs: null },
  failingChannels: [],
  queues: { 'overdue runs': 0, 'waiting notifications': 0, 'mails to subscribers': 0, 'hours to roll up': 0 },
  clocks: [{ whose: 'this server', aheadMs: 3 }],
  runs: { done: 500, missed: 0 },
}

/** What is told after each of these looks, one every half minute. */
function told(...looks: Partial<SelfLook>[]): string[][] {
  let watch: SelfWatch | null = null
  return looks.map((look, index) => {
    watch = watchSelf(watch, { ...allWell, atMs: 1_000_000 + index * EVERY_MS, ...look })
    return ownTroubles(watch).map(({ words }) => words)
  })
}

const idle = { idle: { count: 3, longest: [{ name: 'Shop', forMs: 900_000 }] } }
const IDLE = '3 active checks do not run: “Shop” for 15 min and 2 more.'

test('while all is well nothing is told', () => {
  assert.deepEqual(told({}, {}, {}), [[], [], []])
})

test('trouble is told when two looks in a row have found it, and is over when two in a row have not', () => {
  assert.deepEqual(told(idle, {}, idle, idle, {}, idle, {}, {}), [[], [], [], [IDLE], [IDLE], [IDLE], [IDLE], []])
})

test('each kind of trouble says what is the matter', () => {
  const look: Partial<SelfLook> = {
    ...idle,
    untried: { count: 2, oldestMs: 61_000 },
    failingChannels: [{ id: 7, type: 'EMAIL', waiting: 4, oldestMs: 600_000 }],
    clocks: [{ whose: 'runner “cellar”', aheadMs: -2500 }],
    unable: { count: 2, some: [{ name: 'Cart', reason: 'No runner can execute this: there is no browser there.' }] },
    runs: { done: 90, missed: 10 },
  }
  assert.deepEqual(told(look, look)[1], [
    IDLE,
    '2 notifications wait to be sent, the oldest for 61 s.',
    'Of 100 runs that fell due lately 10 were missed.',
    'Alert channel 7 (EMAIL) does not take what it is sent: 4 waiting, the oldest for 10 min.',
    'The clock of runner “cellar” is 2.5 s behind.',
    '2 active checks cannot be run. “Cart”: No runner can execute this: there is no browser there. And 1 more.',
  ])
})

test('what is within its bounds is no trouble', () => {
  const look: Partial<SelfLook> = {
    untried: { count: 200, oldestMs: 60_000 },
    failingChannels: [{ id: 7, type: 'EMAIL', waiting: 4, oldestMs: 60_000 }],
    clocks: [{ whose: 'this server', aheadMs: 2000 }],
    runs: { done: 10, missed: 9 },
  }
  assert.deepEqual(told(look, look), [[], []])
})

test('a queue that does not shrink is told of, and one that is worked off is not', () => {
  const growing = Array.from({ length: 12 }, (_, index) => ({
    queues: { ...allWell.queues, 'overdue runs': 100 + index * 50 },
  }))
  const said = told(...growing).flat()
  assert.deepEqual(said, [
    'The queue of overdue runs is not worked off: 600 by now.',
    'The queue of overdue runs is not worked off: 650 by now.',
  ])
})

test('who has not looked for long has forgotten what was', () => {
  const late = { ...idle, atMs: 1_000_000 + 10 * EVERY_MS + 120_001 }
  assert.deepEqual(told(idle, idle, late), [[], [IDLE], []])
})

test('no queue that was shorter at some look than at the one before is told of', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { minLength: 2, maxLength: 10 }), (lengths) => {
      const shrank = lengths.some((length, index) => index > 0 && length < (lengths[index - 1] ?? 0))
      if (shrank) assert.equal(isNotWorkedOff('overdue runs', lengths), false)
    }),
  )
})

test('every queue that gains on whoever works it off is found some time', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 210, maxLength: 210 }), (gains) => {
      const lengths = gains.map((_, index) => gains.slice(0, index + 1).reduce((sum, gain) => sum + gain, 0))
      assert.ok(
        lengths.some((_, index) => isNotWorkedOff('overdue runs', lengths.slice(Math.max(0, index - 9), index + 1))),
      )
    }),
    { numRuns: 50 },
  )
})
