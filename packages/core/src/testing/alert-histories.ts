/** Histories for tests: runs with several locations and attempts, between which somebody turns every knob. */
import type { AlertSettings, RetryStrategy, Verdict } from '@vedette/schema'
import fc from 'fast-check'
import {
  MINUTE_MS,
  type NaiveAttempt,
  type NaiveConfig,
  type NaiveHappening,
  type NaiveHistory,
  type NaiveSubscription,
  type NaiveWindow,
} from './naive-alerts.ts'

const START_MS = Date.parse('2026-03-02T08:00:00.000Z')

export const alertSettings: fc.Arbitrary<AlertSettings> = fc.record(
  {
    // Thresholds in runs are what most checks have.
    escalationType: fc.constantFrom('RUN_BASED', 'RUN_BASED', 'TIME_BASED'),
    runBasedEscalation: fc.record({ failedRunThreshold: fc.constantFrom(1, 1, 2, 3, 4, 5) }),
    timeBasedEscalation: fc.record({ minutesFailingThreshold: fc.constantFrom(5, 5, 10, 15, 30) }),
    reminders: fc.record({
      amount: fc.constantFrom(0, 1, 2, 3, 5, 100_000),
      interval: fc.constantFrom(1, 2, 5, 10, 15, 30),
    }),
    parallelRunFailureThreshold: fc.record({
      enabled: fc.boolean(),
      percentage: fc.constantFrom(10, 30, 50, 60, 70, 100),
    }),
  },
  { requiredKeys: ['escalationType'] },
)

const retries: fc.Arbitrary<RetryStrategy | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        type: fc.constantFrom('FIXED', 'LINEAR', 'EXPONENTIAL', 'SINGLE_RETRY'),
        baseBackoffSeconds: fc.constantFrom(0, 1, 5, 60),
        maxRetries: fc.integer({ min: 1, max: 4 }),
        maxDurationSeconds: fc.constantFrom(0, 10, 60, 600),
        onlyOn: fc.constant<'NETWORK_ERROR'[]>(['NETWORK_ERROR']),
      },
      { requiredKeys: ['type'] },
    ),
  },
)

const rarely = fc.integer({ min: 0, max: 7 }).map((n) => n === 7)
const mostly = fc.integer({ min: 0, max: 7 }).map((n) => n !== 7)

export const subscriptions: fc.Arbitrary<NaiveSubscription[]> = fc
  .array(
    fc.record({
      channelId: fc.integer({ min: 1, max: 4 }),
      activated: mostly,
      sendFailure: mostly,
      sendRecovery: mostly,
      sendDegraded: fc.boolean(),
    }),
    { maxLength: 3 },
  )
  .map((all) => all.filter((one, at) => all.findIndex(({ channelId }) => channelId === one.channelId) === at))

const config: fc.Arbitrary<NaiveConfig> = fc.record({
  account: alertSettings,
  check: fc.record({ useGlobalAlertSettings: fc.boolean(), alertSettings, muted: rarely, activated: mostly }),
  group: fc.option(
    fc.record({
      version: fc.constantFrom(1 as const, 2 as const),
      useGlobalAlertSettings: fc.constantFrom(null, true, false),
      alertSettings,
      muted: rarely,
      activated: mostly,
    }),
  ),
  retries,
  subscriptions,
})

const attempt: fc.Arbitrary<NaiveAttempt> = fc.record({
  verdict: fc.constantFrom<Verdict>('passed', 'degraded', 'failed', 'failed', 'error'),
  networkError: fc.boolean(),
})
/** Most of a run’s locations see the same. */
const locations = fc
  .tuple(
    attempt,
    fc.array(fc.option(fc.array(attempt, { minLength: 1, maxLength: 6 })), { minLength: 1, maxLength: 4 }),
  )
  .map(([usual, seen]) => seen.map((attempts) => attempts ?? [usual]))

type Step = { afterMinutes: number } & (
  | { kind: 'run'; onDemand: boolean; locations: NaiveAttempt[][] }
  | { kind: 'tweaked'; change: (before: NaiveConfig) => NaiveConfig }
)

const mute = fc.boolean().map((muted) => (before: NaiveConfig) => ({ ...before, check: { ...before.check, muted } }))
const activate = mostly.map((activated) => (before: NaiveConfig) => ({
  ...before,
  check: { ...before.check, activated },
  group: before.group && { ...before.group, activated: true },
}))
const replaced = config.map((next) => (before: NaiveConfig) => ({
  ...next,
  check: { ...next.check, muted: before.check.muted },
}))
const subscribed = subscriptions.map((next) => (before: NaiveConfig) => ({ ...before, subscriptions: next }))
const change = fc.oneof(mute, activate, replaced, subscribed)

const afterMinutes = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.integer({ min: 7, max: 45 }) },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('run' as const), afterMinutes, onDemand: rarely, locations }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tweaked' as const), afterMinutes, change }) },
)

const window: fc.Arbitrary<NaiveWindow> = fc
  .record({
    startMinute: fc.integer({ min: -3000, max: 150 }),
    lengthMinutes: fc.integer({ min: 1, max: 40 }),
    repeatUnit: fc.constantFrom(null, 'DAY' as const),
    repeatInterval: fc.integer({ min: 1, max: 2 }),
  })
  .map(({ startMinute, lengthMinutes, ...repeat }) => ({
    startsAtMs: START_MS + startMinute * MINUTE_MS,
    endsAtMs: START_MS + (startMinute + lengthMinutes) * MINUTE_MS,
    ...repeat,
  }))

export const histories: fc.Arbitrary<NaiveHistory> = fc
  .record({ config, steps: fc.array(step, { maxLength: 40 }), windows: fc.array(window, { maxLength: 2 }) })
  .map(({ config: first, steps, windows }) => {
    const happenings: NaiveHappening[] = [{ kind: 'configured', atMs: START_MS, config: first }]
    let atMs = START_MS
    let config = first
    for (const { afterMinutes, ...step } of steps) {
      atMs += afterMinutes * MINUTE_MS
      if (step.kind === 'tweaked') {
        config = step.change(config)
        happenings.push({ kind: 'configured', atMs, config })
      } else happenings.push({ ...step, atMs })
    }
    return { happenings, windows, untilMs: atMs + 30 * MINUTE_MS }
  })
