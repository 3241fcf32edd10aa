import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rate } from '@vedette/schema'
import fc from 'fast-check'
import { type Bucket, draw } from './token-bucket.ts'

const five: Rate = { requests: 5, seconds: 10 }

/** Which of the calls at these times are allowed. */
function allowed(rate: Rate, times: readonly number[]): number[] {
  let bucket: Bucket | undefined
  return times.filter((nowMs) => {
    const drawn = draw(bucket, rate, nowMs)
    bucket = drawn.bucket
    return drawn.isAllowed
  })
}

test('the whole allowance may be used at once, then calls go on at the even pace', () => {
  assert.deepEqual(allowed(five, [0, 0, 0, 0, 0, 0, 1999, 2000, 2001, 4000]), [0, 0, 0, 0, 0, 2000, 4000])
})

test('a bucket says how much is left, when to come back and when it is full', () => {
  const first = draw(undefined, five, 1000)
  assert.deepEqual([first.remaining, first.fullAtMs, first.waitMs], [4, 3000, 0])
  const last = draw({ tokens: 1, atMs: 1000 }, five, 1000)
  assert.deepEqual([last.isAllowed, last.remaining, last.fullAtMs, last.waitMs], [true, 0, 11_000, 2000])
  const refused = draw(last.bucket, five, 1500)
  assert.deepEqual([refused.isAllowed, refused.waitMs], [false, 1500])
})

const rates = fc.record({ requests: fc.integer({ min: 1, max: 1000 }), seconds: fc.integer({ min: 1, max: 86_400 }) })

test('no stretch of time lets more through than a full bucket and what flowed in', () => {
  fc.assert(
    fc.property(rates, fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 200 }), (rate, times) => {
      const passed = allowed(
        rate,
        times.toSorted((a, b) => a - b),
      )
      for (const [i, from] of passed.entries())
        for (const [j, to] of passed.entries()) {
          if (j < i) continue
          const flowedIn = ((to - from) * rate.requests) / (rate.seconds * 1000)
          assert.ok(j - i + 1 <= rate.requests + flowedIn + 1e-6)
        }
    }),
  )
})

test('whoever waits as long as told is let in, even when the clock has gone back', () => {
  fc.assert(
    fc.property(
      rates,
      fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 50 }),
      (rate, times) => {
        let bucket: Bucket | undefined
        for (const nowMs of times) {
          const drawn = draw(bucket, rate, nowMs)
          bucket = drawn.bucket
          assert.ok(drawn.remaining >= 0 && drawn.remaining < rate.requests)
          assert.ok(draw(bucket, rate, Math.ceil(nowMs + drawn.waitMs) + 1).isAllowed)
        }
      },
    ),
  )
})
