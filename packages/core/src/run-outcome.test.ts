import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VERDICTS, type Verdict } from '@vedette/schema'
import fc from 'fast-check'
import { judgeRun, judgeSession } from './run-outcome.ts'

const half = { enabled: true, percentage: 50 } as const
const off = { enabled: false, percentage: 50 } as const

test('without a threshold one failed location is a failure', () => {
  for (const threshold of [undefined, off]) {
    assert.deepEqual(judgeRun(['passed'], threshold), { status: 'passing', alerting: 'passing' })
    assert.deepEqual(judgeRun(['failed', 'passed', 'degraded'], threshold), { status: 'failing', alerting: 'failing' })
    assert.deepEqual(judgeRun(['passed', 'degraded'], threshold), { status: 'degraded', alerting: 'degraded' })
  }
})

test('a share of failed locations below the threshold shows in the status and is no failure for alerts', () => {
  assert.deepEqual(judgeRun(['failed', 'passed', 'passed', 'passed'], half), { status: 'failing', alerting: 'passing' })
  assert.deepEqual(judgeRun(['failed', 'degraded', 'passed', 'passed'], half), {
    status: 'failing',
    alerting: 'degraded',
  })
  assert.deepEqual(judgeRun(['failed', 'failed', 'passed', 'passed'], half), { status: 'failing', alerting: 'failing' })
})

test('the threshold does not apply to a run in one location', () => {
  assert.deepEqual(judgeRun(['failed'], { enabled: true, percentage: 100 }), { status: 'failing', alerting: 'failing' })
})

test('trouble of our own says nothing about the target', () => {
  assert.deepEqual(judgeRun(['error'], undefined), { status: null, alerting: null })
  assert.deepEqual(judgeRun(['error', 'error'], half), { status: null, alerting: null })
  assert.deepEqual(judgeRun(['error', 'passed'], undefined), { status: 'passing', alerting: 'passing' })
  assert.deepEqual(judgeRun(['error', 'failed'], undefined), { status: 'failing', alerting: 'failing' })
})

test('where trouble of our own hides whether the threshold is reached, nothing is said', () => {
  // One of four failed: had the locations in error failed too, it would be three.
  assert.deepEqual(judgeRun(['failed', 'error', 'error', 'passed'], half), { status: 'failing', alerting: null })
  assert.deepEqual(judgeRun(['failed', 'failed', 'error', 'error'], half), { status: 'failing', alerting: 'failing' })
  assert.deepEqual(judgeRun(['failed', 'error', 'passed', 'passed', 'passed'], half), {
    status: 'failing',
    alerting: 'passing',
  })
})

const verdicts = fc.array(fc.constantFrom(...VERDICTS), { minLength: 1, maxLength: 22 })
const thresholds = fc.option(
  fc.record({
    enabled: fc.boolean(),
    percentage: fc.constantFrom(10 as const, 30 as const, 50 as const, 70 as const, 100 as const),
  }),
  { nil: undefined },
)

test('an outcome for alerts holds whatever the locations in error would have said', () => {
  const fill = (run: readonly Verdict[], all: Verdict) => run.map((verdict) => (verdict === 'error' ? all : verdict))
  fc.assert(
    fc.property(verdicts, thresholds, (run, threshold) => {
      const { status, alerting } = judgeRun(run, threshold)
      if (threshold?.enabled !== true || run.length < 2) return assert.equal(alerting, status)
      if (alerting === 'failing') assert.equal(judgeRun(fill(run, 'passed'), threshold).alerting, 'failing')
      else if (alerting !== null && status === 'failing') {
        assert.notEqual(judgeRun(fill(run, 'failed'), threshold).alerting, 'failing')
      }
    }),
  )
})

test('a session shows what it knows while locations are still out, and ends when all are in', () => {
  assert.equal(judgeSession([], 2, false), 'STARTED')
  assert.equal(judgeSession([], 2, true), 'PROGRESS')
  assert.equal(judgeSession(['passed'], 2, true), 'PROGRESS')
  assert.equal(judgeSession(['degraded'], 2, true), 'PROGRESS_DEGRADED')
  assert.equal(judgeSession(['degraded', 'failed'], 3, true), 'PROGRESS_FAILED')
  assert.equal(judgeSession(['error'], 2, true), 'PROGRESS_FAILED')
  assert.equal(judgeSession(['passed', 'passed'], 2, true), 'PASSED')
  assert.equal(judgeSession(['degraded', 'passed'], 2, true), 'DEGRADED')
  assert.equal(judgeSession(['degraded', 'failed'], 2, true), 'FAILED')
  assert.equal(judgeSession(['passed', 'error'], 2, true), 'FAILED')
})
