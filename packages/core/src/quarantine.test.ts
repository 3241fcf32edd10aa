import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunReport } from '@vedette/schema'
import fc from 'fast-check'
import {
  BEATS_BEFORE_QUARANTINE,
  BEATS_BEFORE_RELEASE,
  blamingNobody,
  NO_QUARANTINE,
  nextQuarantine,
  type Quarantine,
} from './quarantine.ts'

const GONE = 'its network is gone'
const after = (beats: readonly boolean[], from: Quarantine = NO_QUARANTINE): Quarantine =>
  beats.reduce((state, cutOff, at) => nextQuarantine(state, cutOff ? GONE : null, at), from)

test('one word is chance: it takes two in a row to be doubted and three to be believed again', () => {
  assert.equal(after([true]).since, null)
  assert.equal(after([true, false, true]).since, null)
  assert.deepEqual(after([true, true]).since, { atMs: 1, reason: GONE })
  assert.deepEqual(after([true, true, false, false]).since, { atMs: 1, reason: GONE })
  assert.notEqual(after([true, true, false, false, true, false, false]).since, null)
  assert.equal(after([true, true, false, false, false]).since, null)
})

test('the reason is the newest one, since the first', () => {
  const other = nextQuarantine(after([true, true]), 'its name server is gone', 9)
  assert.deepEqual(other.since, { atMs: 1, reason: 'its name server is gone' })
})

test('whatever was before, enough words in a row decide', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean()), (before) => {
      const state = after(before)
      assert.notEqual(after(Array(BEATS_BEFORE_QUARANTINE).fill(true), state).since, null)
      assert.equal(after(Array(BEATS_BEFORE_RELEASE).fill(false), state).since, null)
    }),
  )
})

test('what a runner in quarantine found blames nobody, and what passed has passed', () => {
  const report = (verdict: RunReport['verdict'], error: string | null): RunReport => ({
    leaseId: 'l',
    verdict,
    startedAtMs: 0,
    durationMs: 1,
    latenessMs: 0,
    responseTimeMs: 1,
    overMaxResponseTime: true,
    networkError: true,
    statusCode: null,
    phases: null,
    error,
    fingerprint: null,
    detail: null,
  })
  const failed = blamingNobody(report('failed', 'connect ETIMEDOUT'), GONE)
  assert.deepEqual([failed.verdict, failed.overMaxResponseTime], ['error', false])
  assert.equal(failed.error, `this runner is in quarantine: ${GONE} (what it saw: connect ETIMEDOUT)`)
  assert.equal(blamingNobody(report('degraded', null), GONE).verdict, 'error')
  for (const verdict of ['passed', 'error'] as const)
    assert.deepEqual(blamingNobody(report(verdict, null), GONE), report(verdict, null))
})
