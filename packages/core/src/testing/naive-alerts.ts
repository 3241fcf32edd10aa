/**
 * What people should be told of, worked out once more: slowly and plainly. Whatever happened is a list, and every question is
 * answered by looking through all of it. Nothing is carried from one moment to the next but what was answered before, and
 * nothing of the rules that it is held against is used.
 *
 * Things happen at whole minutes, one a minute at most. Who reminds looks a few seconds after each of them.
 */
import type { AlertSettings, AlertType, RetryStrategy, TargetState, Verdict, WithheldReason } from '@vedette/schema'

export const MINUTE_MS = 60_000
export const LOOKS_AFTER_MS = 10_000

export interface NaiveSubscription {
  channelId: number
  activated: boolean
  sendFailure: boolean
  sendRecovery: boolean
  sendDegraded: boolean
}

/** How a check is configured at a time: what itself, its group and its account say. */
export interface NaiveConfig {
  account: AlertSettings
  check: { useGlobalAlertSettings: boolean; alertSettings: AlertSettings; muted: boolean; activated: boolean }
  group: {
    version: 1 | 2
    useGlobalAlertSettings: boolean | null
    alertSettings: AlertSettings
    muted: boolean
    activated: boolean
  } | null
  retries: RetryStrategy | null
  subscriptions: readonly NaiveSubscription[]
}

export interface NaiveWindow {
  startsAtMs: number
  endsAtMs: number
  repeatUnit: 'DAY' | null
  repeatInterval: number
}

export interface NaiveAttempt {
  verdict: Verdict
  networkError: boolean
}

export type NaiveHappening =
  | { kind: 'configured'; atMs: number; config: NaiveConfig }
  /** What would be seen in each location: at the first attempt, the second, …; at all further ones as at the last. */
  | { kind: 'run'; atMs: number; onDemand: boolean; locations: readonly (readonly NaiveAttempt[])[] }

export interface NaiveHistory {
  /** In the order of time; the first says how the check is configured. */
  happenings: readonly NaiveHappening[]
  windows: readonly NaiveWindow[]
  untilMs: number
}

export interface NaiveTold {
  channelId: number
  because: WithheldReason | null
}

export interface NaiveDecision {
  atMs: number
  rule: string
  alertType: AlertType
  due: boolean
  muted: boolean
  /** When the trouble began that it is about; null where there is none. */
  troubleSinceMs: number | null
  /** Runs in a row that ended like this one, and whole minutes since the trouble, or the quiet, began; null where nothing is learnt. */
  inARow: number | null
  minutes: number | null
  incident: 'opens' | 'closes' | null
  /** Of every subscription, where something was due. */
  told: NaiveTold[]
  /** 0 for what a run led to. */
  reminder: number
}

interface JudgedRun {
  atMs: number
  to: TargetState
  due: boolean
  muted: boolean
}

/** How long an attempt takes. */
export const ATTEMPT_MS = 1000

export function naiveAlerts(history: NaiveHistory): NaiveDecision[] {
  const decisions = naiveDecisions(history)
  return [...decisions, ...naiveReminders(history, decisions)].sort((a, b) => a.atMs - b.atMs)
}

/** Decisions that follow from runs. */
function naiveDecisions(history: NaiveHistory): NaiveDecision[] {
  const decisions: NaiveDecision[] = []
  const judged: JudgedRun[] = []
  for (const happening of history.happenings) {
    if (happening.kind !== 'run' || !takesPlace(history, happening)) continue
    const { atMs } = happening
    const config = configAt(history, atMs)
    const settings = settingsOf(config)
    const muted = isMuted(config)
    const verdicts = happening.locations.map((attempts) => finalVerdict(attempts, config.retries))
    const outcome = outcomeOf(verdicts, settings)
    const none = { alertType: 'NO_ALERT', due: false, troubleSinceMs: null, incident: null } as const
    if (outcome === 'unknown') {
      const isAllInError = verdicts.every((verdict) => verdict === 'error')
      const rule = isAllInError ? 'in-error' : 'in-error-leaves-open'
      decisions.push({ ...none, atMs, muted, rule, inARow: null, minutes: null, told: [], reminder: 0 })
      continue
    }
    if (outcome !== 'passing' && isMaintenance(history, atMs)) {
      const rule = 'ran-in-maintenance'
      decisions.push({ ...none, atMs, muted, rule, inARow: null, minutes: null, told: [], reminder: 0 })
      continue
    }
    const since = lastActivation(history, atMs)
    const before = judged.filter((run) => run.atMs > since)
    const { rule, due } = naiveRule(before, { atMs, to: outcome }, settings, verdicts)
    const from = before.at(-1)?.to ?? 'passing'
    const alertType = ALERTS[`${from} → ${outcome}`] ?? 'NO_ALERT'
    const episode = troubleUpTo(before)
    const troubleSinceMs = episode[0]?.atMs ?? (outcome === 'passing' ? null : atMs)
    decisions.push({
      atMs,
      rule,
      alertType,
      due,
      muted,
      troubleSinceMs,
      inARow: before.length - before.findLastIndex(({ to }) => to !== outcome),
      minutes: minutesSinceTurn(before, { atMs, to: outcome }, Math.max(since, history.happenings[0]?.atMs ?? 0)),
      incident:
        outcome === 'passing'
          ? from === 'passing'
            ? null
            : 'closes'
          : due && !muted && IS_FAILURE.includes(alertType)
            ? 'opens'
            : null,
      told: due ? config.subscriptions.map((subscription) => whetherTold(subscription, alertType, muted)) : [],
      reminder: 0,
    })
    judged.push({ atMs, to: outcome, due, muted })
  }
  return decisions
}

const ALERTS: Record<string, AlertType> = {
  'passing → passing': 'NO_ALERT',
  'passing → degraded': 'ALERT_DEGRADED',
  'passing → failing': 'ALERT_FAILURE',
  'degraded → degraded': 'ALERT_DEGRADED_REMAIN',
  'degraded → passing': 'ALERT_DEGRADED_RECOVERY',
  'degraded → failing': 'ALERT_DEGRADED_FAILURE',
  'failing → failing': 'ALERT_FAILURE_REMAIN',
  'failing → degraded': 'ALERT_FAILURE_DEGRADED',
  'failing → passing': 'ALERT_RECOVERY',
}
const IS_FAILURE: readonly AlertType[] = ['ALERT_FAILURE', 'ALERT_FAILURE_REMAIN', 'ALERT_DEGRADED_FAILURE']
const IS_DEGRADATION: readonly AlertType[] = ['ALERT_DEGRADED', 'ALERT_DEGRADED_REMAIN', 'ALERT_FAILURE_DEGRADED']
const IS_RECOVERY: readonly AlertType[] = ['ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY']

/** The table of moves, with its conditions. */
function naiveRule(
  before: readonly JudgedRun[],
  now: { atMs: number; to: TargetState },
  settings: AlertSettings,
  verdicts: readonly Verdict[],
): { rule: string; due: boolean } {
  const from = before.at(-1)?.to ?? 'passing'
  const episode = troubleUpTo(before)
  if (now.to === 'passing' && from === 'passing') {
    return { rule: verdicts.includes('failed') ? 'too-few-locations-failed' : 'all-is-well', due: false }
  }
  if (now.to === 'passing') {
    const wasDue = episode.some(({ due, to }) => due && (from === 'failing' || to === 'degraded'))
    return wasDue ? { rule: 'recovered', due: true } : { rule: 'nothing-was-told', due: false }
  }
  if (from !== 'passing' && from !== now.to) return { rule: 'state-changed', due: true }
  if (episode.some(({ due, to }) => due && to === now.to)) return { rule: 'told-before', due: false }
  const otherState = before.findLastIndex(({ to }) => to !== now.to)
  const inARow = before.length - otherState
  const beganAtMs = episode[0]?.atMs ?? now.atMs
  const reached =
    settings.escalationType === 'RUN_BASED'
      ? inARow >= (settings.runBasedEscalation?.failedRunThreshold ?? 1)
      : now.atMs - beganAtMs >= (settings.timeBasedEscalation?.minutesFailingThreshold ?? 5) * MINUTE_MS
  return reached ? { rule: 'threshold-reached', due: true } : { rule: 'threshold-not-reached', due: false }
}

/** The trouble that lasts after these runs, from its first run on; empty when all is well. */
function troubleUpTo(runs: readonly JudgedRun[]): readonly JudgedRun[] {
  return runs.slice(runs.findLastIndex(({ to }) => to === 'passing') + 1)
}

/** Of trouble since it began, of quiet since it came back, or since there is anything to watch. */
function minutesSinceTurn(
  before: readonly JudgedRun[],
  now: { atMs: number; to: TargetState },
  watchedSinceMs: number,
) {
  const isWell = now.to === 'passing'
  const turn = before.findLastIndex(({ to }) => (to === 'passing') !== isWell)
  const beganAtMs = isWell && turn === -1 ? watchedSinceMs : (before[turn + 1]?.atMs ?? now.atMs)
  return Math.floor((now.atMs - beganAtMs) / MINUTE_MS)
}

function whetherTold(subscription: NaiveSubscription, alertType: AlertType, muted: boolean): NaiveTold {
  const { channelId, activated, sendFailure, sendRecovery, sendDegraded } = subscription
  if (muted) return { channelId, because: 'check-muted' }
  if (!activated) return { channelId, because: 'subscription-off' }
  if (IS_FAILURE.includes(alertType) && !sendFailure) return { channelId, because: 'failures-not-wanted' }
  if (IS_DEGRADATION.includes(alertType) && !sendDegraded) return { channelId, because: 'degradations-not-wanted' }
  if (IS_RECOVERY.includes(alertType) && !sendRecovery) return { channelId, because: 'recoveries-not-wanted' }
  return { channelId, because: null }
}

/** A share of failures below the threshold counts as none; trouble of our own says nothing. */
function outcomeOf(verdicts: readonly Verdict[], settings: AlertSettings): TargetState | 'unknown' {
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
  const [failed, inError, all] = [count('failed'), count('error'), verdicts.length]
  if (inError === all) return 'unknown'
  const share = settings.parallelRunFailureThreshold
  const needed = share?.enabled && all >= 2 ? Math.max(1, Math.ceil((share.percentage * all) / 100)) : 1
  if (failed >= needed) return 'failing'
  // Had the ones in error failed, it might have been enough.
  if (failed > 0 && failed + inError >= needed) return 'unknown'
  return count('degraded') > 0 ? 'degraded' : 'passing'
}

/** The verdict of the last attempt that is made. */
function finalVerdict(attempts: readonly NaiveAttempt[], strategy: RetryStrategy | null): Verdict {
  const seen: NaiveAttempt[] = []
  let elapsedMs = 0
  for (;;) {
    const attempt = attempts[Math.min(seen.length, attempts.length - 1)] ?? { verdict: 'passed', networkError: false }
    seen.push(attempt)
    elapsedMs += ATTEMPT_MS
    if (attempt.verdict === 'passed' || attempt.verdict === 'degraded') return attempt.verdict
    // Our own trouble at the first attempt is no retry of the strategy.
    if (attempt.verdict === 'error' && seen.length === 1) continue
    if (strategy === null) return attempt.verdict
    if (strategy.onlyOn !== undefined && attempt.verdict === 'failed' && !attempt.networkError) return attempt.verdict
    const forFree = seen.some(({ verdict }) => verdict === 'error') ? 1 : 0
    const nth = seen.length - forFree
    if (nth > (strategy.type === 'SINGLE_RETRY' ? 1 : (strategy.maxRetries ?? 2))) return attempt.verdict
    const base = strategy.baseBackoffSeconds ?? 60
    const delayS = strategy.type === 'LINEAR' ? base * nth : strategy.type === 'EXPONENTIAL' ? base ** nth : base
    const startsAfterMs = elapsedMs + delayS * 1000
    if (strategy.type !== 'SINGLE_RETRY' && startsAfterMs > (strategy.maxDurationSeconds ?? 600) * 1000)
      return attempt.verdict
    elapsedMs = startsAfterMs
  }
}

/**
 * After the first notification of a trouble, while it lasts, one each interval and so many in all; none after somebody
 * muted or deactivated the check. Maintenance puts them off.
 */
function naiveReminders(history: NaiveHistory, decisions: readonly NaiveDecision[]): NaiveDecision[] {
  const reminders: NaiveDecision[] = []
  for (const first of decisions) {
    if (first.troubleSinceMs === null || !isNotification(first) || first.rule === 'recovered') continue
    const sameTrouble = decisions.filter(({ troubleSinceMs }) => troubleSinceMs === first.troubleSinceMs)
    if (sameTrouble.some((other) => other.atMs < first.atMs && isNotification(other))) continue
    const endsAtMs = Math.min(
      history.untilMs,
      ...sameTrouble.filter(({ alertType }) => IS_RECOVERY.includes(alertType)).map(({ atMs }) => atMs),
    )
    const settings = settingsOf(configAt(history, first.atMs))
    if ((settings.reminders?.amount ?? 0) === 0) continue
    let dueAtMs = first.atMs + (settings.reminders?.interval ?? 5) * MINUTE_MS
    let sent = 0
    for (let lookMs = first.atMs + LOOKS_AFTER_MS; lookMs < endsAtMs; lookMs += MINUTE_MS) {
      const config = configAt(history, lookMs)
      if (isMuted(config) || !isActivated(config)) break
      if (lookMs < dueAtMs) continue
      const { amount = 0, interval = 5 } = settingsOf(config).reminders ?? {}
      if (sent >= amount) break
      if (isMaintenance(history, lookMs)) continue
      sent += 1
      const newest = sameTrouble.findLast(({ atMs }) => atMs < lookMs) ?? first
      const isFailing = IS_FAILURE.includes(newest.alertType)
      const alertType = isFailing ? 'ALERT_FAILURE_REMAIN' : 'ALERT_DEGRADED_REMAIN'
      reminders.push({
        atMs: lookMs,
        rule: 'reminder',
        alertType,
        due: true,
        muted: false,
        troubleSinceMs: first.troubleSinceMs,
        inARow: null,
        minutes: null,
        incident: null,
        told: config.subscriptions.map((subscription) => whetherTold(subscription, alertType, false)),
        reminder: sent,
      })
      // The rhythm is kept unless it was put off by half of it or more.
      dueAtMs = (lookMs - dueAtMs < (interval * MINUTE_MS) / 2 ? dueAtMs : lookMs) + interval * MINUTE_MS
    }
  }
  return reminders
}

const isNotification = ({ due, muted }: NaiveDecision) => due && !muted

/** Nothing runs that is switched off; what a check would do by itself waits for the end of maintenance. */
function takesPlace(history: NaiveHistory, run: { atMs: number; onDemand: boolean }): boolean {
  return isActivated(configAt(history, run.atMs)) && (run.onDemand || !isMaintenance(history, run.atMs))
}

function isMaintenance({ windows }: NaiveHistory, atMs: number): boolean {
  return windows.some(({ startsAtMs, endsAtMs, repeatUnit, repeatInterval }) => {
    const lengthMs = endsAtMs - startsAtMs
    if (repeatUnit === null) return startsAtMs <= atMs && atMs < endsAtMs
    const starts: number[] = []
    for (let at = startsAtMs; at <= atMs; at += repeatInterval * 1440 * MINUTE_MS) starts.push(at)
    return starts.some((at) => at <= atMs && atMs < at + lengthMs)
  })
}

function configAt({ happenings }: NaiveHistory, atMs: number): NaiveConfig {
  const found = happenings.findLast((happening) => happening.kind === 'configured' && happening.atMs <= atMs)
  if (found?.kind !== 'configured') throw new Error('A history begins with a configuration.')
  return found.config
}

/** When the check was last switched on again; before all time if it never was. */
function lastActivation({ happenings }: NaiveHistory, atMs: number): number {
  const configs = happenings.flatMap((happening) =>
    happening.kind === 'configured' && happening.atMs <= atMs ? [happening] : [],
  )
  const index = configs.findLastIndex(({ config }, at) => {
    const earlier = configs[at - 1]
    return earlier !== undefined && isActivated(config) && !isActivated(earlier.config)
  })
  return configs[index]?.atMs ?? Number.NEGATIVE_INFINITY
}

const isMuted = ({ check, group }: NaiveConfig) => check.muted || group?.muted === true
const isActivated = ({ check, group }: NaiveConfig) => check.activated && (group === null || group.activated)

/** A group with an opinion wins; one of version 1 always has one. */
function settingsOf({ account, check, group }: NaiveConfig): AlertSettings {
  if (group !== null) {
    const opinion = group.version === 1 ? (group.useGlobalAlertSettings ?? true) : group.useGlobalAlertSettings
    if (opinion === true) return account
    if (opinion === false) return group.alertSettings
  }
  return check.useGlobalAlertSettings ? account : check.alertSettings
}
