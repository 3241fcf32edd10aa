/**
 * How people are reminded of trouble that goes on: by the clock, not by runs. The first notification of an episode begins
 * it; what is told later in the episode neither restarts the clock nor counts.
 */
import type { AlertSettings, TargetState } from '@vedette/schema'
import type { AlertDecision, AlertState } from './alert-decision.ts'
import type { Pause } from './heartbeat.ts'

const MINUTE_MS = 60_000

/** What waits for its time while a check is in trouble. */
export interface Reminder {
  dueAtMs: number
  /** How many fell due in this episode: they were sent, or withheld. */
  sent: number
}

/** What something that is told means for reminders. */
export type ReminderPlan =
  | { kind: 'none' }
  | { kind: 'begin'; reminder: Reminder }
  /** As they were, but of the newer news. Whoever was muted until now hears of the trouble for the first time. */
  | { kind: 'go-on'; ifFirst: Reminder }
  | { kind: 'end' }

/** @param before the state before the decision; @param toldAtMs when the notification goes out */
export function remindersAfter(
  before: AlertState,
  decision: AlertDecision,
  settings: AlertSettings,
  toldAtMs: number,
): ReminderPlan {
  const { amount, intervalMs } = reminderSettings(settings)
  if (!decision.due || amount === 0) return { kind: 'none' }
  if (decision.next.state === 'passing') return { kind: 'end' }
  const wasTold = before.notifiedFailure || before.notifiedDegraded
  const reminder: Reminder = { dueAtMs: toldAtMs + intervalMs, sent: 0 }
  return wasTold ? { kind: 'go-on', ifFirst: reminder } : { kind: 'begin', reminder }
}

export interface ReminderFacts {
  nowMs: number
  state: TargetState
  muted: boolean
  activated: boolean
  /** The maintenance in which the check is or will be. */
  pause: Pause | null
  /** Why nobody is to be reminded now, although the trouble goes on. */
  withheldBy: 'acknowledged' | 'parent-failing' | null
  settings: AlertSettings
}

export type ReminderStep =
  | { kind: 'end'; because: 'recovered' | 'muted' | 'deactivated' | 'all-sent' }
  | { kind: 'wait'; because: 'not-due' | 'in-maintenance' }
  | { kind: 'send'; alertType: ReminderType; next: Reminder }
  /** The time of this one has come and goes by: those after it keep their times and numbers. */
  | { kind: 'withhold'; because: 'acknowledged' | 'parent-failing'; alertType: ReminderType; next: Reminder }

type ReminderType = 'ALERT_FAILURE_REMAIN' | 'ALERT_DEGRADED_REMAIN'

/** After time in which nobody could send, or in which maintenance held it, one reminder comes, however many fell due. */
export function advanceReminder({ dueAtMs, sent }: Reminder, facts: ReminderFacts): ReminderStep {
  const { nowMs, state, pause } = facts
  const { amount, intervalMs } = reminderSettings(facts.settings)
  if (state === 'passing') return { kind: 'end', because: 'recovered' }
  if (!facts.activated) return { kind: 'end', because: 'deactivated' }
  if (facts.muted) return { kind: 'end', because: 'muted' }
  if (sent >= amount) return { kind: 'end', because: 'all-sent' }
  if (nowMs < dueAtMs) return { kind: 'wait', because: 'not-due' }
  if (pause !== null && pause.fromMs <= nowMs && nowMs < pause.untilMs)
    return { kind: 'wait', because: 'in-maintenance' }
  // Somewhat late keeps the rhythm; two are never closer to each other than half an interval.
  const from = nowMs - dueAtMs < intervalMs / 2 ? dueAtMs : nowMs
  const alertType = state === 'failing' ? 'ALERT_FAILURE_REMAIN' : 'ALERT_DEGRADED_REMAIN'
  const next = { dueAtMs: from + intervalMs, sent: sent + 1 }
  const { withheldBy } = facts
  return withheldBy === null
    ? { kind: 'send', alertType, next }
    : { kind: 'withhold', because: withheldBy, alertType, next }
}

function reminderSettings({ reminders }: AlertSettings): { amount: number; intervalMs: number } {
  return { amount: reminders?.amount ?? 0, intervalMs: (reminders?.interval ?? 5) * MINUTE_MS }
}
