import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isLimitOurs } from './script-limit.ts'

test('a script that had a processor whenever it wanted one is too slow by itself', () => {
  assert.equal(isLimitOurs(10_000, 0), false)
  assert.equal(isLimitOurs(10_000, 300), false)
})

test('a script that mostly waited for a processor is not to blame', () => {
  assert.equal(isLimitOurs(10_000, 9000), true)
  assert.equal(isLimitOurs(10_000, 10_000), true)
})

test('where nobody tells how long it waited, it is to blame', () => {
  assert.equal(isLimitOurs(10_000, null), false)
})

test('a script whose own processes are in each other’s way is to blame for that', () => {
  assert.equal(isLimitOurs(10_000, 7500, { usedMs: 10_000, processors: 1 }), false)
  assert.equal(isLimitOurs(10_000, 7500, { usedMs: 20_000, processors: 2 }), false)
  assert.equal(isLimitOurs(10_000, 7500, { usedMs: 2500, processors: 1 }), true, 'others had the processor')
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0, max: 1 }),
      fc.integer({ min: 1, max: 64 }),
      (limitMs, share, processors) => {
        // Nobody else was there: whenever one of them waited, the others used all processors.
        const waitedMs = limitMs * share
        assert.equal(isLimitOurs(limitMs, waitedMs, { usedMs: waitedMs * processors, processors }), false)
      },
    ),
  )
})

test('who has waited longer is never to blame rather, and only the share of the time counts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat(1e6), fc.nat(1e6), (limitMs, waitedMs, moreMs) => {
      const isOurs = isLimitOurs(limitMs, waitedMs)
      assert.ok(!isOurs || isLimitOurs(limitMs, waitedMs + moreMs))
      assert.equal(isLimitOurs(2 * limitMs, 2 * waitedMs), isOurs)
    }),
  )
})
