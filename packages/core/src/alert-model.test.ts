/** The rules, put together as recording does it and step by step, against a model that looks through the whole history. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertSettings, RetryStrategy, Verdict } from '@vedette/schema'
import fc from 'fast-check'
import { type AlertState, decideAlert, isExpected } from './alert-decision.ts'
import { replayAlerts } from './alert-replay.ts'
import { withheldBecause } from './gates.ts'
import { incidentTurn } from './incident-turn.ts'
import { isInMaintenance, occurrencesBetween } from './maintenance.ts'
import { advanceReminder, type Reminder, remindersAfter } from './reminders.ts'
import { planRetry } from './retry-plan.ts'
import { judgeRun } from './run-outcome.ts'
import { type GroupSettings, type OwnSettings, type SettingsInForce, settingsInForce } from './settings-in-force.ts'
import { histories } from './testing/alert-histories.ts'
import {
  ATTEMPT_MS,
  LOOKS_AFTER_MS,
  MINUTE_MS,
  type NaiveAttempt,
  type NaiveConfig,
  type NaiveDecision,
  type NaiveHistory,
  type NaiveWindow,
  naiveAlerts,
} from './testing/naive-alerts.ts'

const RUNS = Math.ceil(Number(process.env.FUZZ_RUNS ?? 15_000) / 5)

test('over any history the rules decide as the whole history would', () => {
  const seen = new Map<string, number>()
  const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  fc.assert(
    fc.property(histories, (history) => {
      const expected = naiveAlerts(history)
      assert.deepEqual(stepByStep(history), expected)
      for (const { rule, alertType, told, reminder } of expected) {
        see(rule)
        see(alertType)
        for (const { because } of told) see(because ?? 'told')
        if (reminder > 1) see('reminded again')
      }
    }),
    { numRuns: RUNS },
  )
  // A property over histories in which nothing happens would say nothing.
  for (const what of MUST_BE_SEEN) assert.ok((seen.get(what) ?? 0) > RUNS / 100, `${what}: ${seen.get(what) ?? 0}`)
})

test('what settings make of the past when it is replayed is what they made of it as it happened', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const [first] = history.happenings
      assert.ok(first?.kind === 'configured')
      const config: NaiveConfig = {
        ...first.config,
        check: { ...first.config.check, muted: false, activated: true },
        group: null,
        retries: null,
      }
      const runs = history.happenings.filter((happening) => happening.kind === 'run')
      const plain: NaiveHistory = {
        happenings: [{ ...first, config }, ...runs],
        windows: [],
        untilMs: history.untilMs,
      }
      const live = naiveAlerts(plain).filter(({ due }) => due)
      const past = runs.map(({ atMs, locations }) => ({
        atMs,
        verdicts: locations.map((attempts) => finalOf(attempts, null)),
      }))
      const { settings } = inForce(config)
      assert.deepEqual(
        replayAlerts(past, settings, history.untilMs - LOOKS_AFTER_MS).map(
          ({ atMs, alertType, reminder }) => `${atMs} ${alertType} ${reminder}`,
        ),
        // A replay need not wait until somebody looks.
        live.map(
          ({ atMs, alertType, reminder }) =>
            `${reminder === 0 ? atMs : atMs - LOOKS_AFTER_MS} ${alertType} ${reminder}`,
        ),
      )
    }),
    { numRuns: RUNS },
  )
})

const MUST_BE_SEEN = [
  'all-is-well',
  'threshold-reached',
  'threshold-not-reached',
  'told-before',
  'state-changed',
  'recovered',
  'nothing-was-told',
  'too-few-locations-failed',
  'in-error',
  'in-error-leaves-open',
  'reminder',
  'reminded again',
  'ALERT_FAILURE',
  'ALERT_FAILURE_REMAIN',
  'ALERT_DEGRADED_FAILURE',
  'ALERT_DEGRADED',
  'ALERT_DEGRADED_REMAIN',
  'ALERT_FAILURE_DEGRADED',
  'ALERT_RECOVERY',
  'ALERT_DEGRADED_RECOVERY',
  'told',
  'check-muted',
  'subscription-off',
  'failures-not-wanted',
  'degradations-not-wanted',
  'recoveries-not-wanted',
]

/** From happening to happening, with the state that the one before has left. */
function stepByStep({ happenings, windows, untilMs }: NaiveHistory): NaiveDecision[] {
  const decisions: NaiveDecision[] = []
  let config: NaiveConfig | null = null
  let state = freshAt(happenings[0]?.atMs ?? untilMs)
  let reminder: Reminder | null = null
  let wasToldOf = false
  const rest = [...happenings]
  for (let minuteMs = happenings[0]?.atMs ?? untilMs; minuteMs < untilMs; minuteMs += MINUTE_MS) {
    const happening = rest[0]?.atMs === minuteMs ? rest.shift() : undefined
    if (happening?.kind === 'configured') {
      const wasActivated: boolean = config === null || inForce(config).activated
      config = happening.config
      if (!wasActivated && inForce(config).activated) {
        state = freshAt(minuteMs)
        reminder = null
      }
    }
    if (config === null) continue
    const { settings, muted, activated } = inForce(config)
    const { subscriptions, retries } = config
    const told = (alertType: NaiveDecision['alertType'], isMuted: boolean) =>
      subscriptions.map(({ channelId, activated, ...wishes }) => {
        const channel = { ...wishes, sslExpiry: false, sslExpiryThreshold: 30 }
        return { channelId, because: withheldBecause({ alertType, muted: isMuted, activated, channel }) }
      })
    if (happening?.kind === 'run' && activated && (happening.onDemand || !isPaused(windows, minuteMs))) {
      const verdicts = happening.locations.map((attempts) => finalOf(attempts, retries))
      const { status, alerting } = judgeRun(verdicts, settings.parallelRunFailureThreshold)
      const expected = alerting !== null && isExpected(alerting, pauseAt(windows, minuteMs), minuteMs)
      if (alerting === null || expected) {
        decisions.push({
          atMs: minuteMs,
          rule: expected ? 'ran-in-maintenance' : status === null ? 'in-error' : 'in-error-leaves-open',
          alertType: 'NO_ALERT',
          due: false,
          muted,
          troubleSinceMs: null,
          inARow: null,
          minutes: null,
          incident: null,
          told: [],
          reminder: 0,
        })
      } else {
        const before: AlertState = state
        const decision = decideAlert(before, alerting, settings, minuteMs)
        state = decision.next
        const { rule, from, to, runCount, minutes } = decision.reason
        const plan = remindersAfter(before, decision, settings, minuteMs)
        if (from === 'passing') wasToldOf = false
        if (!muted) {
          if (plan.kind === 'begin') reminder = plan.reminder
          if (plan.kind === 'go-on' && !wasToldOf) reminder = plan.ifFirst
          if (plan.kind === 'end') reminder = null
          if (decision.due) wasToldOf = true
        }
        decisions.push({
          atMs: minuteMs,
          rule: rule === 'all-is-well' && status !== 'passing' ? 'too-few-locations-failed' : rule,
          alertType: decision.alertType,
          due: decision.due,
          muted,
          troubleSinceMs: from === 'passing' && to === 'passing' ? null : decision.episodeSinceMs,
          inARow: runCount,
          minutes,
          incident: incidentTurn(decision, muted),
          told: decision.due ? told(decision.alertType, muted) : [],
          reminder: 0,
        })
      }
    }
    const nowMs = minuteMs + LOOKS_AFTER_MS
    const pause = pauseAt(windows, nowMs)
    const isLookedAt = state.state === 'passing' || muted || !activated || (reminder?.dueAtMs ?? 0) <= nowMs
    if (reminder === null || !isLookedAt) continue
    const step = advanceReminder(reminder, {
      nowMs,
      state: state.state,
      muted,
      activated,
      pause,
      withheldBy: null,
      settings,
    })
    if (step.kind === 'end') reminder = null
    if (step.kind !== 'send') continue
    reminder = step.next
    decisions.push({
      atMs: nowMs,
      rule: 'reminder',
      alertType: step.alertType,
      due: true,
      muted: false,
      troubleSinceMs: state.sinceMs,
      inARow: null,
      minutes: null,
      incident: null,
      told: told(step.alertType, false),
      reminder: step.next.sent,
    })
  }
  return decisions
}

const freshAt = (sinceMs: number): AlertState => ({
  state: 'passing',
  sinceMs,
  runCount: 0,
  notifiedFailure: false,
  notifiedDegraded: false,
  heldSinceMs: null,
})

function finalOf(attempts: readonly NaiveAttempt[], strategy: RetryStrategy | null): Verdict {
  let nowMs = 0
  let errorsBefore = 0
  for (let attempt = 1; ; attempt += 1) {
    const { verdict, networkError } = attempts[Math.min(attempt, attempts.length) - 1] ?? PASSED
    nowMs += ATTEMPT_MS
    const plan = planRetry(strategy, { attempt, verdict, networkError, startedAtMs: 0, nowMs, errorsBefore })
    if (!plan.again) return verdict
    nowMs += plan.delayMs
    if (verdict === 'error') errorsBefore += 1
  }
}
const PASSED: NaiveAttempt = { verdict: 'passed', networkError: false }

function inForce({ account, check, group }: NaiveConfig): {
  settings: AlertSettings
  muted: boolean
  activated: boolean
} {
  const found: SettingsInForce = settingsInForce({ ...OWN, ...check }, group === null ? null : { ...GROUP, ...group })
  const { useGlobalAlertSettings, alertSettings, muted, activated } = found
  return { settings: useGlobalAlertSettings ? account : (alertSettings ?? account), muted, activated }
}

const PLACES = { tags: [], locations: ['us-east-1'], privateLocations: [], runtimeId: null, doubleCheck: false }
const OWN: OwnSettings = {
  ...PLACES,
  activated: true,
  muted: false,
  runParallel: false,
  retryStrategy: null,
  useGlobalAlertSettings: true,
  alertSettings: null,
  request: null,
  environmentVariables: null,
}
const GROUP: GroupSettings = {
  ...PLACES,
  version: 2,
  activated: true,
  muted: false,
  runParallel: null,
  retryStrategy: 'FALLBACK',
  useGlobalAlertSettings: null,
  alertSettings: null,
  apiCheckDefaults: {},
  environmentVariables: [],
}

const ruleOf = (window: NaiveWindow) => ({ ...window, repeatEndsAtMs: null, timezone: null })
const isPaused = (windows: readonly NaiveWindow[], atMs: number) =>
  windows.some((window) => isInMaintenance(ruleOf(window), atMs))

function pauseAt(windows: readonly NaiveWindow[], atMs: number) {
  const [open] = windows.flatMap((window) => occurrencesBetween(ruleOf(window), atMs, atMs + 1))
  return open === undefined ? null : { fromMs: open.startsAtMs, untilMs: open.endsAtMs }
}
