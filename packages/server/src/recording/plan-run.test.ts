import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ALERT_SETTINGS, type RetryStrategy, type RunReport } from '@vedette/schema'
import fc from 'fast-check'
import { nextSlotOf } from '../scheduling/lanes.ts'
import { someSettings } from '../testing/settings.ts'
import { planRun } from './plan-run.ts'
import type { RunInHand } from './store.ts'

const NOW_MS = Date.UTC(2026, 5, 1, 12)
const SECOND_MS = 1000

function aRun(given: Partial<RunInHand> = {}, retryStrategy: RetryStrategy | null = null): RunInHand {
  return {
    scheduleId: 1,
    resultId: '019750e1-0000-7000-8000-000000000001',
    checkNo: 1,
    checkId: 'c',
    accountId: 'a',
    kind: 'API',
    checkName: 'Shop',
    muted: false,
    activated: true,
    tags: [],
    settings: someSettings({ frequency: 5, retryStrategy }),
    pause: null,
    createdAt: new Date(NOW_MS),
    accountAlertSettings: DEFAULT_ALERT_SETTINGS,
    locationNo: 1,
    rotation: 0,
    parallel: false,
    sessionId: null,
    demand: null,
    checkRunId: NOW_MS,
    attempt: 1,
    firstStartedAtMs: null,
    errors: 0,
    opinionOn: null,
    contradicted: [],
    keptId: null,
    keptFingerprint: null,
    alertState: {
      state: 'passing',
      sinceMs: 0,
      runCount: 0,
      notifiedFailure: false,
      notifiedDegraded: false,
      heldSinceMs: null,
    },
    judgedUntilMs: null,
    ...given,
  }
}

function aReport(verdict: RunReport['verdict'], given: Partial<RunReport> = {}): RunReport {
  return {
    leaseId: '1.1.019750e1-0000-7000-8000-000000000001',
    verdict,
    startedAtMs: NOW_MS,
    durationMs: 100,
    latenessMs: 0,
    responseTimeMs: 100,
    overMaxResponseTime: false,
    networkError: false,
    statusCode: 200,
    phases: null,
    error: null,
    fingerprint: null,
    detail: null,
    ...given,
  }
}

const everywhere = () => true

/** Fails again and again; the delays before the further attempts, in seconds. */
function delaysOf(strategy: RetryStrategy): number[] {
  const delays: number[] = []
  let run = aRun({}, strategy)
  let nowMs = NOW_MS
  for (;;) {
    const { final, move } = planRun(run, aReport('failed', { startedAtMs: nowMs }), [1], everywhere, nowMs, 0)
    if (final) return delays
    delays.push(((move.dueAtMs ?? 0) - nowMs) / SECOND_MS)
    nowMs = move.dueAtMs ?? 0
    run = aRun({ attempt: move.attempt, firstStartedAtMs: move.firstStartedAtMs, errors: move.errors }, strategy)
  }
}

const strategies: [string, RetryStrategy, number[]][] = [
  ['fixed', { type: 'FIXED', baseBackoffSeconds: 10, maxRetries: 3 }, [10, 10, 10]],
  ['linear', { type: 'LINEAR', baseBackoffSeconds: 10, maxRetries: 3 }, [10, 20, 30]],
  ['exponential', { type: 'EXPONENTIAL', baseBackoffSeconds: 5, maxRetries: 3 }, [5, 25, 125]],
  ['single', { type: 'SINGLE_RETRY', baseBackoffSeconds: 7 }, [7]],
  ['at once', { type: 'FIXED', baseBackoffSeconds: 0, maxRetries: 2 }, [0, 0]],
  ['too long', { type: 'LINEAR', baseBackoffSeconds: 100, maxRetries: 10, maxDurationSeconds: 600 }, [100, 200, 300]],
]
for (const [name, strategy, delays] of strategies)
  test(`a ${name} strategy plans its attempts after ${delays.join(', ')} s`, () => {
    assert.deepEqual(delaysOf(strategy), delays)
  })

test('with sameRegion false a retry goes to another location that is served, by chance', () => {
  const strategy: RetryStrategy = { type: 'FIXED', baseBackoffSeconds: 0, sameRegion: false }
  const run = aRun({}, strategy)
  const isServed = (no: number) => no !== 4
  const goesTo = (random: number) =>
    planRun(run, aReport('failed'), [1, 2, 3, 4], isServed, NOW_MS, random).move.locationNo
  assert.deepEqual([0, 0.49, 0.5, 0.99].map(goesTo), [2, 2, 3, 3])
  assert.equal(planRun(run, aReport('failed'), [1], everywhere, NOW_MS, 0).move.locationNo, 1)
  const parallel = aRun({ parallel: true }, strategy)
  assert.equal(planRun(parallel, aReport('failed'), [1, 2, 3], everywhere, NOW_MS, 0).move.locationNo, 1)
})

test('after a retry elsewhere the rotation goes on from where it was', () => {
  const strategy: RetryStrategy = { type: 'FIXED', baseBackoffSeconds: 0, sameRegion: false, maxRetries: 1 }
  const { move } = planRun(aRun({ rotation: 0 }, strategy), aReport('failed'), [1, 2, 3], everywhere, NOW_MS, 0.99)
  assert.equal(move.locationNo, 3)
  const retried = aRun({ rotation: move.rotation, locationNo: 3, attempt: 2, firstStartedAtMs: NOW_MS }, strategy)
  const { final, move: next } = planRun(retried, aReport('passed'), [1, 2, 3], everywhere, NOW_MS, 0)
  assert.deepEqual([final, next.locationNo, next.rotation], [true, 2, 1])
})

test('trouble of our own is tried once more at once even without a strategy, then it is final', () => {
  const first = planRun(aRun(), aReport('error'), [1], everywhere, NOW_MS, 0)
  assert.deepEqual([first.final, first.move.dueAtMs, first.move.attempt, first.move.errors], [false, NOW_MS, 2, 1])
  const second = planRun(aRun({ attempt: 2, errors: 1 }), aReport('error'), [1], everywhere, NOW_MS, 0)
  assert.equal(second.final, true)
  const failed = planRun(aRun({ attempt: 2, errors: 1 }), aReport('failed'), [1], everywhere, NOW_MS, 0)
  assert.equal(failed.final, true)
})

test('a run on demand that has ended goes nowhere', () => {
  const { final, move } = planRun(aRun({ sessionId: 's' }), aReport('passed'), [1], everywhere, NOW_MS, 0)
  assert.deepEqual([final, move.dueAtMs], [true, null])
})

test('a run that has ended leaves nothing of itself to the next one, which is at the first slot that is still to come', () => {
  const ended = fc.record({
    checkRunId: fc.integer({ min: NOW_MS - 1e7, max: NOW_MS }),
    tookMs: fc.integer({ min: 0, max: 2e6 }),
    attempt: fc.integer({ min: 1, max: 11 }),
    verdict: fc.constantFrom('passed' as const, 'degraded' as const),
  })
  fc.assert(
    fc.property(ended, ({ checkRunId, tookMs, attempt, verdict }) => {
      const run = aRun({ checkRunId, attempt, errors: attempt > 1 ? 1 : 0, firstStartedAtMs: checkRunId })
      const { final, move } = planRun(run, aReport(verdict), [1], everywhere, checkRunId + tookMs, 0)
      assert.equal(final, true)
      assert.deepEqual([move.attempt, move.checkRunId, move.firstStartedAtMs, move.errors], [1, null, null, 0])
      assert.equal(move.dueAtMs, nextSlotOf({ ...run, no: 1 }, checkRunId + tookMs))
    }),
  )
})

test('the detail of a passing run is what the next one is compared with; that of a failing one is not', () => {
  const detail = {
    assertions: [],
    request: { method: 'GET', url: '', data: '', headers: {}, params: {} },
    response: { status: 200, statusText: 'OK', headers: {}, body: '', timings: null, timingPhases: null },
    requestError: null,
    jobLog: null,
    jobAssets: null,
    pcapDataUrl: null,
  }
  const run = aRun({ keptId: 'k', keptFingerprint: 'old' })
  const kept = (report: RunReport) => {
    const { move } = planRun(run, report, [1], everywhere, NOW_MS, 0)
    return [move.keptId, move.keptFingerprint]
  }
  assert.deepEqual(kept(aReport('passed', { detail: { kind: 'API', content: detail }, fingerprint: 'new' })), [
    run.resultId,
    'new',
  ])
  assert.deepEqual(kept(aReport('passed', { fingerprint: 'old' })), ['k', 'old'])
  assert.deepEqual(kept(aReport('failed', { detail: { kind: 'API', content: detail }, fingerprint: 'bad' })), [
    'k',
    'old',
  ])
})

test('a run that is wanted without retries ends with its first attempt, whatever the check would do', () => {
  const strategy = { type: 'FIXED', maxRetries: 3, baseBackoffSeconds: 1 } as const
  const run = aRun({ sessionId: 's', demand: { withoutRetries: true } }, strategy)
  assert.equal(planRun(run, aReport('failed'), [1], () => true, NOW_MS, 0).final, true)
  assert.equal(planRun({ ...run, demand: null }, aReport('failed'), [1], () => true, NOW_MS, 0).final, false)
})
