import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertSettings, Verdict } from '@vedette/schema'
import fc from 'fast-check'
import { type AlertState, decideAlert } from './alert-decision.ts'
import { type PastRun, replayAlerts } from './alert-replay.ts'
import { judgeRun } from './run-outcome.ts'

const MINUTE_MS = 60_000
const afterRuns = (failedRunThreshold: 1 | 2 | 3 | 4 | 5): AlertSettings => ({
  escalationType: 'RUN_BASED',
  runBasedEscalation: { failedRunThreshold },
})
/** A run a minute. */
const past = (...verdicts: Verdict[]): PastRun[] =>
  verdicts.map((verdict, index) => ({ atMs: index * MINUTE_MS, verdicts: [verdict] }))
const told = (runs: readonly PastRun[], settings: AlertSettings, untilMs = 0) =>
  replayAlerts(runs, settings, untilMs).map(
    ({ atMs, alertType, reminder }) => `${atMs / MINUTE_MS} ${alertType} ${reminder}`,
  )

test('other settings tell of the same past at other times', () => {
  const runs = past('passed', 'failed', 'failed', 'error', 'failed', 'passed')
  assert.deepEqual(told(runs, afterRuns(1)), ['1 ALERT_FAILURE 0', '5 ALERT_RECOVERY 0'])
  assert.deepEqual(told(runs, afterRuns(3)), ['4 ALERT_FAILURE_REMAIN 0', '5 ALERT_RECOVERY 0'])
  assert.deepEqual(told(runs, afterRuns(5)), [])
})

test('reminders are replayed by the clock, to the end of the window', () => {
  const settings: AlertSettings = { ...afterRuns(1), reminders: { amount: 3, interval: 5 } }
  assert.deepEqual(told(past('failed'), settings, 12 * MINUTE_MS), [
    '0 ALERT_FAILURE 0',
    '5 ALERT_FAILURE_REMAIN 1',
    '10 ALERT_FAILURE_REMAIN 2',
  ])
})

test('over any history a replay tells what was told as it happened', () => {
  const verdicts = fc.array(fc.constantFrom<Verdict>('passed', 'degraded', 'failed', 'error'), {
    minLength: 1,
    maxLength: 4,
  })
  const runs = fc
    .array(fc.record({ verdicts, afterMs: fc.integer({ min: 1, max: 9 * MINUTE_MS }) }), { maxLength: 60 })
    .map((steps) => {
      let atMs = 1_700_000_000_000
      return steps.map(({ verdicts, afterMs }): PastRun => {
        atMs += afterMs
        return { atMs, verdicts }
      })
    })
  const settings = fc.oneof(
    fc.constantFrom(1 as const, 2 as const, 3 as const, 5 as const).map(afterRuns),
    fc.constantFrom(5 as const, 10 as const).map(
      (minutesFailingThreshold): AlertSettings => ({
        escalationType: 'TIME_BASED',
        timeBasedEscalation: { minutesFailingThreshold },
        parallelRunFailureThreshold: { enabled: true, percentage: 50 },
      }),
    ),
  )
  fc.assert(
    fc.property(runs, settings, (runs, settings) => {
      let state: AlertState = {
        state: 'passing',
        sinceMs: 0,
        runCount: 0,
        notifiedFailure: false,
        notifiedDegraded: false,
        heldSinceMs: null,
      }
      const live: string[] = []
      for (const { atMs, verdicts } of runs) {
        const { alerting } = judgeRun(verdicts, settings.parallelRunFailureThreshold)
        if (alerting === null) continue
        const { next, due, alertType } = decideAlert(state, alerting, settings, atMs)
        state = next
        if (due) live.push(`${atMs} ${alertType}`)
      }
      const replayed = replayAlerts(runs, settings, Number.POSITIVE_INFINITY)
      assert.deepEqual(
        replayed.map(({ atMs, alertType }) => `${atMs} ${alertType}`),
        live,
      )
    }),
    { numRuns: 1000 },
  )
})
