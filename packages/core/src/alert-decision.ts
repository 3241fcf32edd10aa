/**
 * What the outcome of a run means for a check and its alert.
 *
 * States: `passing`, `degraded`, `failing`. An episode is the time from leaving `passing` to coming back. Only outcomes
 * of the target move the machine; trouble of our own never gets here. Moves, and when each is told:
 *
 * - passing → degraded, failing: when the threshold is one run
 * - degraded → degraded, failing → failing: when the threshold is reached and nothing was told of this state before
 * - degraded → failing, failing → degraded: always
 * - degraded → passing, failing → passing: when the trouble had been told
 * - after an alert was held because of a check that this one depends on: with the next run in trouble that is not held, or
 *   when nothing holds it any more
 */
import type { AlertRule, AlertSettings, AlertThreshold, AlertType, TargetState } from '@vedette/schema'
import type { Pause } from './heartbeat.ts'

export interface AlertState {
  state: TargetState
  /** Start of the present state’s episode: of the trouble, or of the quiet. Milliseconds since 1970. */
  sinceMs: number
  /** Consecutive runs in the present state. */
  runCount: number
  notifiedFailure: boolean
  notifiedDegraded: boolean
  /** Since when an alert of this episode is held because of another check, nothing having been told since; null: none is. */
  heldSinceMs: number | null
}

export interface AlertDecision {
  next: AlertState
  /** Start of the episode that this is about: of the one that goes on, begins, or ends with it. */
  episodeSinceMs: number
  alertType: AlertType
  /** Whether people are to be told, as far as the check’s settings go. */
  due: boolean
  /** The rule that decided, and what it saw. */
  reason: {
    rule: AlertRule | 'parent-failing'
    from: TargetState
    to: TargetState
    runCount: number
    minutes: number
    threshold: AlertThreshold
  }
}

const MOVES = {
  passing: { passing: 'NO_ALERT', degraded: 'ALERT_DEGRADED', failing: 'ALERT_FAILURE' },
  degraded: {
    passing: 'ALERT_DEGRADED_RECOVERY',
    degraded: 'ALERT_DEGRADED_REMAIN',
    failing: 'ALERT_DEGRADED_FAILURE',
  },
  failing: { passing: 'ALERT_RECOVERY', degraded: 'ALERT_FAILURE_DEGRADED', failing: 'ALERT_FAILURE_REMAIN' },
} as const satisfies Record<TargetState, Record<TargetState, AlertType>>

const DUE: ReadonlySet<AlertRule> = new Set(['threshold-reached', 'state-changed', 'no-longer-held', 'recovered'])

/** @param atMs the end of the run */
export function decideAlert(before: AlertState, to: TargetState, settings: AlertSettings, atMs: number): AlertDecision {
  const from = before.state
  const episodeGoesOn = from !== 'passing' && to !== 'passing'
  const next: AlertState = {
    state: to,
    sinceMs: episodeGoesOn || from === to ? before.sinceMs : atMs,
    runCount: from === to ? before.runCount + 1 : 1,
    notifiedFailure: before.notifiedFailure,
    notifiedDegraded: before.notifiedDegraded,
    heldSinceMs: before.heldSinceMs,
  }
  const rule = ruleFor(before, next, settings, atMs)
  const due = DUE.has(rule)
  if (due || to === 'passing') next.heldSinceMs = null
  if (to === 'passing') {
    next.notifiedFailure = false
    next.notifiedDegraded = false
  } else if (due) {
    if (to === 'failing') next.notifiedFailure = true
    else next.notifiedDegraded = true
  }
  return {
    next,
    episodeSinceMs: to === 'passing' ? before.sinceMs : next.sinceMs,
    alertType: MOVES[from][to],
    due,
    reason: {
      rule,
      from,
      to,
      runCount: next.runCount,
      minutes: Math.floor((atMs - next.sinceMs) / 60_000),
      threshold: thresholdOf(settings),
    },
  }
}

/**
 * Whether nothing follows from a run because it ended in maintenance: trouble is expected there, and begins when it is
 * still there afterwards. That it is over is news as ever.
 */
export function isExpected(to: TargetState, pause: Pause | null, atMs: number): boolean {
  return to !== 'passing' && pause !== null && pause.fromMs <= atMs && atMs < pause.untilMs
}

/** Only trouble that would be told is held; that it is over never is. */
export function canBeHeld({ due, next }: AlertDecision): boolean {
  return due && next.state !== 'passing'
}

/**
 * The decision when a check that this one depends on is to blame: nobody is told, and that is remembered.
 *
 * @param atMs the end of the run
 */
export function holdAlert(before: AlertState, decision: AlertDecision, atMs: number): AlertDecision {
  const { notifiedFailure, notifiedDegraded } = before
  const heldSinceMs = before.heldSinceMs ?? atMs
  return {
    ...decision,
    next: { ...decision.next, notifiedFailure, notifiedDegraded, heldSinceMs },
    due: false,
    reason: { ...decision.reason, rule: 'parent-failing' },
  }
}

/**
 * The decision when nothing holds the alert any more and no run has said so yet: the trouble is told as it was last seen.
 * Null: nothing is held, or it is over.
 */
export function releaseAlert(before: AlertState, settings: AlertSettings, atMs: number): AlertDecision | null {
  const { state, sinceMs, runCount, heldSinceMs } = before
  if (heldSinceMs === null || state === 'passing') return null
  const notified = state === 'failing' ? { notifiedFailure: true } : { notifiedDegraded: true }
  const minutes = Math.max(0, Math.floor((atMs - sinceMs) / 60_000))
  return {
    next: { ...before, ...notified, heldSinceMs: null },
    episodeSinceMs: sinceMs,
    alertType: MOVES[state][state],
    due: true,
    reason: { rule: 'no-longer-held', from: state, to: state, runCount, minutes, threshold: thresholdOf(settings) },
  }
}

export interface FirstAlert {
  alertType: AlertType
  /** How many runs in a row would have to end like this one. */
  runs: number
  /** From the first of them to the one that alerts. */
  afterMs: number
}

/** What a check is of which nobody was told anything. */
export const WELL = { state: 'passing', notifiedFailure: false, notifiedDegraded: false, heldSinceMs: null } as const

/** No threshold is as far away as this, whatever the frequency. */
const MOST_RUNS = 1000

/**
 * When a check that was passing would alert, if from now on every run ended like this. Null: never.
 *
 * @param everyMs from one run to the next
 */
export function firstAlert(to: TargetState, settings: AlertSettings, everyMs: number): FirstAlert | null {
  if (to === 'passing') return null
  let state: AlertState = { ...WELL, sinceMs: 0, runCount: 1 }
  for (let runs = 1; runs <= MOST_RUNS; runs += 1) {
    const afterMs = (runs - 1) * everyMs
    const { next, due, alertType } = decideAlert(state, to, settings, afterMs)
    if (due) return { alertType, runs, afterMs }
    state = next
  }
  return null
}

function ruleFor(before: AlertState, next: AlertState, settings: AlertSettings, atMs: number): AlertRule {
  const from = before.state
  const to = next.state
  if (to === 'passing') {
    if (from === 'passing') return 'all-is-well'
    // Of a failure that was told, the change to degraded may be what is held: then people still wait for its end.
    const told =
      before.notifiedDegraded || (before.notifiedFailure && (from === 'failing' || before.heldSinceMs !== null))
    if (told) return 'recovered'
    return before.heldSinceMs !== null ? 'recovered-while-held' : 'nothing-was-told'
  }
  if (before.heldSinceMs !== null) return 'no-longer-held'
  if (from !== 'passing' && from !== to) return 'state-changed'
  if (to === 'failing' ? before.notifiedFailure : before.notifiedDegraded) return 'told-before'
  return isThresholdReached(next, from === to, settings, atMs) ? 'threshold-reached' : 'threshold-not-reached'
}

function isThresholdReached(next: AlertState, sameState: boolean, settings: AlertSettings, atMs: number): boolean {
  const { unit, amount } = thresholdOf(settings)
  return unit === 'minutes' ? sameState && atMs - next.sinceMs >= amount * 60_000 : next.runCount >= amount
}

function thresholdOf(settings: AlertSettings): AlertThreshold {
  return settings.escalationType === 'TIME_BASED'
    ? { unit: 'minutes', amount: settings.timeBasedEscalation?.minutesFailingThreshold ?? 5 }
    : { unit: 'runs', amount: settings.runBasedEscalation?.failedRunThreshold ?? 1 }
}
