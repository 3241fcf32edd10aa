import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RetryStrategy } from '@vedette/schema'
import fc from 'fast-check'
import {
  type AttemptEnd,
  DOUBLE_CHECK,
  effectiveRetryStrategy,
  planAttempts,
  planRetry,
  type RetryDecision,
} from './retry-plan.ts'

const failure: AttemptEnd = {
  kind: 'API',
  attempt: 1,
  errorsBefore: 0,
  verdict: 'failed',
  networkError: false,
  startedAtMs: 0,
  nowMs: 1000,
  runParallel: false,
}
const fixed: RetryStrategy = { type: 'FIXED', baseBackoffSeconds: 5, maxRetries: 2, sameRegion: true }
const retry = (delayMs: number, sameLocation = true): RetryDecision => ({
  again: true,
  reason: 'retry',
  delayMs,
  sameLocation,
})
const stop = (reason: Exclude<RetryDecision, { again: true }>['reason']): RetryDecision => ({ again: false, reason })

const delays = (strategy: RetryStrategy) =>
  Array.from({ length: 10 }, (_, index) => planRetry(strategy, { ...failure, nowMs: 0, attempt: index + 1 })).flatMap(
    (decision) => (decision.again ? [decision.delayMs / 1000] : []),
  )

test('spaces retries as the type of the strategy says', () => {
  const base = { baseBackoffSeconds: 5, maxRetries: 3 }
  assert.deepEqual(delays({ type: 'FIXED', ...base }), [5, 5, 5])
  assert.deepEqual(delays({ type: 'LINEAR', ...base }), [5, 10, 15])
  assert.deepEqual(delays({ type: 'EXPONENTIAL', ...base }), [5, 25, 125])
  assert.deepEqual(delays({ type: 'SINGLE_RETRY', ...base }), [5])
  assert.deepEqual(delays({ type: 'EXPONENTIAL', baseBackoffSeconds: 1, maxRetries: 3 }), [1, 1, 1])
  assert.deepEqual(delays({ type: 'EXPONENTIAL', baseBackoffSeconds: 0, maxRetries: 3 }), [0, 0, 0])
  assert.deepEqual(delays({ type: 'FIXED' }), [60, 60])
})

test('starts no attempt after the longest duration, which counts running time', () => {
  const strategy = { ...fixed, maxDurationSeconds: 10 }
  assert.deepEqual(planRetry(strategy, { ...failure, nowMs: 5000 }), retry(5000))
  assert.deepEqual(planRetry(strategy, { ...failure, nowMs: 5001 }), stop('too-late'))
  assert.deepEqual(planRetry({ ...fixed, maxDurationSeconds: 0 }, failure), stop('too-late'))
  assert.equal(planRetry({ type: 'SINGLE_RETRY', baseBackoffSeconds: 3600 }, failure).again, true)
})

test('retries only failures of the target', () => {
  assert.deepEqual(planRetry(fixed, { ...failure, verdict: 'passed' }), stop('not-failed'))
  assert.deepEqual(planRetry(fixed, { ...failure, verdict: 'degraded' }), stop('not-failed'))
  assert.deepEqual(planRetry(null, failure), stop('no-strategy'))
  assert.deepEqual(planRetry(fixed, { ...failure, attempt: 3 }), stop('used-up'))
})

test('retries only network errors where the strategy says so, for kinds that speak HTTP', () => {
  for (const onlyOn of ['NETWORK_ERROR', ['NETWORK_ERROR']] satisfies RetryStrategy['onlyOn'][]) {
    const strategy = { ...fixed, onlyOn }
    assert.deepEqual(planRetry(strategy, failure), stop('not-a-network-error'))
    assert.deepEqual(planRetry(strategy, { ...failure, networkError: true }), retry(5000))
    assert.deepEqual(planRetry(strategy, { ...failure, kind: 'TCP' }), retry(5000))
  }
})

test('retries elsewhere when told so, but never moves a run that happens everywhere at once', () => {
  const elsewhere = { ...fixed, sameRegion: false }
  assert.deepEqual(planRetry(elsewhere, failure), retry(5000, false))
  assert.deepEqual(planRetry(elsewhere, { ...failure, runParallel: true }), retry(5000, true))
})

test('repeats a run that met our own trouble once beyond the strategy, the first time at once', () => {
  const ours = { ...failure, verdict: 'error', networkError: true } as const
  const again = (delayMs: number) => ({ again: true, reason: 'our-trouble', delayMs, sameLocation: false })
  assert.deepEqual(planRetry(null, ours), again(0))
  assert.deepEqual(planRetry(fixed, ours), again(0))
  assert.deepEqual(planRetry(null, { ...ours, attempt: 2, errorsBefore: 1 }), stop('no-strategy'))
  assert.deepEqual(planRetry(fixed, { ...ours, attempt: 2, errorsBefore: 1 }), again(5000))
  assert.deepEqual(planRetry(fixed, { ...failure, attempt: 3, errorsBefore: 1 }), retry(5000))
  assert.deepEqual(planRetry(fixed, { ...failure, attempt: 4, errorsBefore: 1 }), stop('used-up'))
  assert.deepEqual(planRetry(fixed, { ...ours, attempt: 4 }), stop('used-up'))
})

test('doubleCheck counts only where no strategy is given', () => {
  assert.equal(effectiveRetryStrategy({ doubleCheck: true }), DOUBLE_CHECK)
  assert.equal(effectiveRetryStrategy({ doubleCheck: false }), null)
  assert.equal(effectiveRetryStrategy({ doubleCheck: true, retryStrategy: null }), null)
  assert.equal(effectiveRetryStrategy({ doubleCheck: true, retryStrategy: fixed }), fixed)
  assert.deepEqual(planRetry(DOUBLE_CHECK, failure), retry(0, false))
})

test('all attempts that would follow are those that come when each ends like the first', () => {
  const verdicts = ['passed', 'degraded', 'failed', 'error'] as const
  const strategies = fc.option(
    fc.record({
      type: fc.constantFrom('FIXED' as const, 'LINEAR' as const, 'EXPONENTIAL' as const, 'SINGLE_RETRY' as const),
      baseBackoffSeconds: fc.integer({ min: 0, max: 120 }),
      maxRetries: fc.integer({ min: 1, max: 10 }),
      maxDurationSeconds: fc.integer({ min: 0, max: 600 }),
    }),
  )
  fc.assert(
    fc.property(strategies, fc.constantFrom(...verdicts), fc.nat(30_000), (strategy, verdict, tookMs) => {
      const first = { ...failure, verdict, networkError: true, nowMs: tookMs }
      const { attempts, endedBy } = planAttempts(strategy, first)
      assert.ok(attempts.length <= 11)
      let end: AttemptEnd = first
      for (const { attempt, reason, delayMs, sameLocation } of attempts) {
        assert.deepEqual(planRetry(strategy, end), { again: true, reason, delayMs, sameLocation })
        const errorsBefore = (end.errorsBefore ?? 0) + (verdict === 'error' ? 1 : 0)
        end = { ...end, attempt, errorsBefore, nowMs: end.nowMs + delayMs + tookMs }
      }
      assert.deepEqual(planRetry(strategy, end), { again: false, reason: endedBy })
    }),
  )
})
