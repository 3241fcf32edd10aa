import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHANNEL_TYPES } from '@vedette/schema'
import fc from 'fast-check'
import {
  FALLBACK_AFTER_MS,
  type FailedTry,
  isFallbackDue,
  LONGEST_RETRY_AFTER_MS,
  nextTryAfter,
  RETRY_TIMES,
} from './delivery-retry.ts'

const failed = (rest: Partial<FailedTry>): FailedTry => ({
  deliveryId: '0a0c0e10-0000-8000-8000-000000000001',
  tries: 1,
  retry: true,
  retryAfterMs: null,
  ...rest,
})
const anyTry = fc.record({
  deliveryId: fc.uuid(),
  tries: fc.integer({ min: 1, max: 8 }),
  retry: fc.boolean(),
  retryAfterMs: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
})
const anyType = fc.constantFrom(...CHANNEL_TYPES)

test('a webhook is tried five more times, twenty seconds apart', () => {
  const delays = [1, 2, 3, 4, 5, 6].map((tries) => nextTryAfter(RETRY_TIMES.WEBHOOK, failed({ tries })))
  assert.deepEqual(delays, [20_000, 20_000, 20_000, 20_000, 20_000, null])
})

test('mail and services are tried after 5 s, 30 s, 2 min, 10 min and 30 min, a fifth more or less', () => {
  const planned = [5000, 30_000, 120_000, 600_000, 1_800_000]
  for (const type of CHANNEL_TYPES.filter((one) => one !== 'WEBHOOK')) {
    fc.assert(
      fc.property(fc.uuid(), (deliveryId) => {
        for (const [index, ms] of planned.entries()) {
          const delay = nextTryAfter(RETRY_TIMES[type], failed({ deliveryId, tries: index + 1 })) ?? assert.fail()
          assert.ok(delay >= ms * 0.8 && delay <= ms * 1.2, `${delay} for ${ms}`)
        }
        assert.equal(nextTryAfter(RETRY_TIMES[type], failed({ deliveryId, tries: 6 })), null)
      }),
    )
  }
})

test('messages that failed together do not come back together', () => {
  const ids = Array.from({ length: 200 }, (_, index) => `0a0c0e10-0000-8000-8000-${String(index).padStart(12, '0')}`)
  const delays = ids.map((deliveryId) => nextTryAfter(RETRY_TIMES.EMAIL, failed({ deliveryId, tries: 3 })) ?? 0)
  const [earliest, latest] = [Math.min(...delays), Math.max(...delays)]
  assert.ok(earliest < 120_000 * 0.85 && latest > 120_000 * 1.15, `${earliest} to ${latest}`)
  assert.ok(new Set(delays.map((ms) => Math.floor(ms / 1000))).size > 30)
})

test('who asks for patience gets it, at most five minutes and never less than planned', () => {
  assert.equal(nextTryAfter(RETRY_TIMES.WEBHOOK, failed({ retryAfterMs: 60_000 })), 60_000)
  assert.equal(nextTryAfter(RETRY_TIMES.WEBHOOK, failed({ retryAfterMs: 3_600_000 })), 300_000)
  fc.assert(
    fc.property(anyType, anyTry, (type, one) => {
      const plain = nextTryAfter(RETRY_TIMES[type], { ...one, retryAfterMs: null })
      const asked = nextTryAfter(RETRY_TIMES[type], one)
      const longest = Math.max(plain ?? 0, LONGEST_RETRY_AFTER_MS)
      assert.equal(asked === null, plain === null)
      if (asked !== null) assert.ok(asked >= (plain ?? 0) && asked <= longest)
      // The same try is always followed by the same wait.
      assert.equal(nextTryAfter(RETRY_TIMES[type], one), asked)
    }),
  )
})

test('what is refused for good is not tried again, whatever was asked for', () => {
  fc.assert(
    fc.property(anyType, anyTry, (type, one) => {
      assert.equal(nextTryAfter(RETRY_TIMES[type], { ...one, retry: false }), null)
    }),
  )
})

test('a fallback is told when nothing more is tried, or when the next try would come after two minutes', () => {
  assert.ok(isFallbackDue(0, null))
  assert.ok(!isFallbackDue(0, 5000))
  assert.ok(!isFallbackDue(35_000, 85_000))
  assert.ok(isFallbackDue(35_000, 85_001))
  assert.ok(isFallbackDue(FALLBACK_AFTER_MS + 1, 1))
})
