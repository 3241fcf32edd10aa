/** What alert settings would have made of a check’s past: the rules that decide as it happens, run once more. */
import type { AlertSettings, AlertType, TargetState, Verdict } from '@vedette/schema'
import { type AlertState, decideAlert, WELL } from './alert-decision.ts'
import { advanceReminder, type Reminder, remindersAfter } from './reminders.ts'
import { judgeRun } from './run-outcome.ts'

/** A run that has ended in all its locations. */
export interface PastRun {
  /** Its end. */
  atMs: number
  verdicts: readonly Verdict[]
}

export interface ReplayedAlert {
  atMs: number
  alertType: AlertType
  from: TargetState
  to: TargetState
  /** 0 for the alert itself, then 1, 2, … for its reminders. */
  reminder: number
}

const UNDISTURBED = { muted: false, activated: true, pause: null, withheldBy: null } as const

/**
 * Begins with a check that nobody was told anything of. Nothing is muted, acknowledged or held, and there is no maintenance.
 *
 * @param runs in the order of their ends
 * @param untilMs reminders are followed up to then
 */
export function replayAlerts(runs: readonly PastRun[], settings: AlertSettings, untilMs: number): ReplayedAlert[] {
  const alerts: ReplayedAlert[] = []
  let state: AlertState = { ...WELL, runCount: 0, sinceMs: runs[0]?.atMs ?? 0 }
  let reminder: Reminder | null = null
  const remindUntil = (toMs: number) => {
    while (reminder !== null && reminder.dueAtMs < toMs) {
      const nowMs: number = reminder.dueAtMs
      const to = state.state
      const step = advanceReminder(reminder, { ...UNDISTURBED, nowMs, state: to, settings })
      if (step.kind === 'send')
        alerts.push({ atMs: nowMs, alertType: step.alertType, from: to, to, reminder: step.next.sent })
      reminder = step.kind === 'send' ? step.next : null
    }
  }
  for (const { atMs, verdicts } of runs) {
    remindUntil(atMs)
    const { alerting } = judgeRun(verdicts, settings.parallelRunFailureThreshold)
    if (alerting === null) continue
    const decision = decideAlert(state, alerting, settings, atMs)
    const plan = remindersAfter(state, decision, settings, atMs)
    if (plan.kind === 'begin') reminder = plan.reminder
    if (plan.kind === 'end') reminder = null
    if (decision.due) {
      const { from, to } = decision.reason
      alerts.push({ atMs, alertType: decision.alertType, from, to, reminder: 0 })
    }
    state = decision.next
  }
  remindUntil(untilMs)
  return alerts
}
