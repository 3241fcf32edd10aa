import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { beyondLimits, nextToTry, type Waiting } from './whose-turn.ts'

const SUPERSEDE_MS = 600_000
const places = { limit: 100, perChannel: 100, room: new Map<number, number>() }
const limits = { perMinute: 3, supersedeAfterMs: SUPERSEDE_MS, ...places }

const plain: Waiting = {
  id: '',
  channelId: 1,
  isPaced: true,
  checkNo: 1,
  dueInMs: -20_000,
  isInHand: false,
  wasHanded: false,
  ageMs: 20_000,
  carries: null,
  isFallback: false,
}
const named = (...messages: Partial<Waiting>[]): Waiting[] =>
  messages.map((message, index) => ({ ...plain, id: String(index), ...message }))

const tried = (waiting: readonly Waiting[], used = 0) => nextToTry(waiting, new Map([[1, used]]), limits).join(' ')
const heldBack = (waiting: readonly Waiting[], used = 0, lastDigestMs?: number) =>
  beyondLimits(waiting, new Map([[1, used]]), new Map(lastDigestMs === undefined ? [] : [[1, lastDigestMs]]), {
    ...limits,
    gatherMs: 10_000,
    minuteMs: 60_000,
  }).join(' ')

test('of each check and channel the first goes first, also when it is in hand or waits for its next try', () => {
  assert.equal(tried(named({}, {}, { checkNo: 2 }, { channelId: 2 })), '0 2 3')
  assert.equal(tried(named({ isInHand: true, wasHanded: true }, {})), '')
  assert.equal(tried(named({ dueInMs: 5000, wasHanded: true }, {})), '')
})

test('a channel gets as many as it takes in a minute, and what was tried before is no further one', () => {
  const four = named({}, { checkNo: 2 }, { checkNo: 3 }, { checkNo: 4 })
  assert.equal(tried(four), '0 1 2')
  assert.equal(tried(four, 2), '0')
  assert.equal(tried(named({ wasHanded: true }, { checkNo: 2 }), 3), '0')
  assert.equal(tried(named({ isPaced: false }, { checkNo: 2, isPaced: false }), 9), '0 1')
})

test('what is beyond the limit is held back once it has waited for others, and a digest is due', () => {
  const four = named({}, { checkNo: 2 }, { checkNo: 3 }, { checkNo: 4 }, { checkNo: 4 })
  assert.equal(heldBack(four), '3 4')
  assert.equal(heldBack(four, 3), '0 1 2 3 4')
  assert.equal(heldBack(four, 0, 30_000), '', 'there was one within the minute')
  assert.equal(heldBack(named({ dueInMs: -9000 }), 3), '', 'others may follow')
})

test('what a digest tells of waits for it, and joins the next one', () => {
  const digest = { checkNo: null, carries: [1, 2] }
  const waiting = named({ ...digest, wasHanded: true, dueInMs: 5000 }, { checkNo: 1 }, { checkNo: 3 })
  assert.equal(tried(waiting), '2')
  assert.equal(heldBack(waiting, 0), '', 'the digest is young')
  assert.equal(heldBack([{ ...plain, ...digest, ageMs: SUPERSEDE_MS + 1 }, ...waiting.slice(1)], 0), '1')
})

test('what waits for a digest takes no turn from what is tried', () => {
  const old = { checkNo: null, carries: [4], ageMs: SUPERSEDE_MS + 1 }
  const waiting = named({ dueInMs: 0 }, old, { checkNo: 4, dueInMs: -1 })
  assert.equal(tried(waiting, 2), '1 0')
  assert.equal(heldBack(waiting, 2), '2')
})

test('a digest in the place of another holds nothing up for ever, nor the digests of the channel itself', () => {
  const foreign = { checkNo: null, carries: [1], isFallback: true, wasHanded: true, dueInMs: 5000 }
  assert.equal(tried(named(foreign, { checkNo: 1 }, { checkNo: null, carries: [2] })), '2')
  assert.equal(tried(named({ ...foreign, ageMs: SUPERSEDE_MS + 1 }, { checkNo: 1 })), '1')
})

const message = fc.record({
  channelId: fc.integer({ min: 1, max: 2 }),
  isPaced: fc.constant(true),
  checkNo: fc.option(fc.integer({ min: 1, max: 5 })),
  dueInMs: fc.integer({ min: -60_000, max: 1000 }),
  isInHand: fc.boolean(),
  wasHanded: fc.boolean(),
  ageMs: fc.nat(1_000_000),
  isFallback: fc.boolean(),
  carried: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
})
const queue = fc.array(message, { maxLength: 40 }).map((messages) =>
  messages.map(({ carried, ...rest }, index) => {
    const carries = rest.checkNo === null ? carried : null
    return { ...rest, carries, wasHanded: rest.wasHanded || rest.isInHand, id: String(index) }
  }),
)

test('whatever waits: nothing overtakes, no limit is passed, and nothing is tried and held back at once', () => {
  fc.assert(
    fc.property(queue, fc.nat(4), fc.nat(4), (waiting, usedByFirst, usedBySecond) => {
      const used = new Map([
        [1, usedByFirst],
        [2, usedBySecond],
      ])
      const chosen = nextToTry(waiting, used, limits)
      const chosenMessages = waiting.filter(({ id }) => chosen.includes(id))
      for (const one of chosenMessages) {
        const before = waiting.slice(0, Number(one.id)).filter(({ channelId }) => channelId === one.channelId)
        assert.ok(one.dueInMs <= 0 && !one.isInHand)
        if (one.checkNo !== null) assert.ok(!before.some(({ checkNo }) => checkNo === one.checkNo))
        const { checkNo } = one
        const carriers = before.filter(({ carries }) => checkNo !== null && carries?.includes(checkNo))
        assert.ok(carriers.every(({ isFallback, ageMs }) => isFallback && ageMs > SUPERSEDE_MS))
      }
      for (const channel of [1, 2]) {
        const fresh = chosenMessages.filter(
          ({ channelId, wasHanded, carries }) => channelId === channel && !wasHanded && carries === null,
        )
        assert.ok(fresh.length <= Math.max(0, limits.perMinute - (used.get(channel) ?? 0)))
      }
      const times = { ...limits, gatherMs: 10_000, minuteMs: 60_000 }
      for (const id of beyondLimits(waiting, used, new Map(), times)) {
        const held = waiting[Number(id)]
        assert.ok(held !== undefined && held.carries === null && !held.wasHanded)
        assert.ok(!chosen.includes(id), 'tried and held back')
      }
    }),
    { numRuns: 20_000 },
  )
})
