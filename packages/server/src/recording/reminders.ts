/**
 * Reminds people of trouble that goes on. Who has locked the state of a check sends its reminder and moves its due time in
 * one transaction, so any number of servers remind once, and a restart changes nothing.
 */
import { advanceReminder } from '@vedette/core'
import type { DueAlert } from '../alerting/due-alert.ts'
import * as store from '../alerting/reminder-store.ts'
import { alertSettingsOf } from '../checks/check.ts'
import { toAlert } from './judge-checks.ts'
import type { RecordingParts } from './record-reports.ts'
import { lockChecks } from './store.ts'

const BATCH = 500

/** Returns how many reminders were due. */
export async function sendReminders(parts: RecordingParts): Promise<number> {
  const view = await parts.locations()
  let reminded = 0
  for (;;) {
    const { found, sent } = await parts.db.transaction().execute(async (tx) => {
      const nowMs = parts.clock.nowMs()
      const checkNos = await store.lockReminded(tx, nowMs, BATCH)
      if (checkNos.length === 0) return { found: 0, sent: 0 }
      const checks = new Map((await lockChecks(tx, checkNos)).map((check) => [check.no, check]))
      const alerts: DueAlert[] = []
      const moved: Parameters<typeof store.moveReminders>[1][number][] = []
      const ended: number[] = []
      for (const inHand of await store.remindersOf(tx, checkNos)) {
        const { checkNo, reminder, activated, pause, alertId } = inHand
        const check = checks.get(checkNo)
        if (check === undefined) continue
        const { state } = check.alertState
        const settings = alertSettingsOf(check.settings, check.accountAlertSettings)
        const step = advanceReminder(reminder, { nowMs, state, muted: check.muted, activated, pause, settings })
        if (step.kind === 'end') ended.push(checkNo)
        if (step.kind !== 'send') continue
        const { locationNo, resultId, responseTimeMs, error, statusCode, startedAt } = inHand
        const result = { id: resultId, locationNo, responseTimeMs, error, statusCode, startedAtMs: startedAt.getTime() }
        const sequence = step.next.sent
        moved.push({ checkNo, ...step.next })
        alerts.push({
          ...toAlert(check, result, view, step.alertType, null, String(check.alertState.sinceMs)),
          reminds: { alertId, sequence },
          decision: {
            checkNo,
            atMs: nowMs,
            checkRunId: null,
            resultId,
            from: state,
            to: state,
            alertType: step.alertType,
            rule: 'reminder',
            inputs: { reminder: { sequence, amount: settings.reminders?.amount ?? 0 } },
            due: true,
            muted: false,
          },
        })
      }
      await store.endReminders(tx, ended)
      await store.moveReminders(tx, moved)
      if (alerts.length > 0) await parts.enqueueAlerts(tx, alerts)
      return { found: checkNos.length, sent: alerts.length }
    })
    reminded += sent
    if (found < BATCH) return reminded
  }
}
