/**
 * Reminds people of trouble that goes on. Who has locked the state of a check sends its reminder and moves its due time in
 * one transaction, so any number of servers remind once, and a restart changes nothing.
 */
import { advanceReminder } from '@vedette/core'
import type { NewDecision } from '../alerting/decision-store.ts'
import type { DueAlert } from '../alerting/due-alert.ts'
import * as store from '../alerting/reminder-store.ts'
import { alertSettingsOf } from '../checks/check.ts'
import { Dependencies } from './dependencies.ts'
import { childOf, toAlert } from './judge-checks.ts'
import type { RecordingParts } from './record-reports.ts'
import { lockChecks } from './store.ts'

const BATCH = 500

/** Returns how many reminders were due and not withheld. */
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
      const withheld: NewDecision[] = []
      const dependencies = new Dependencies(tx, nowMs)
      for (const inHand of await store.remindersOf(tx, checkNos)) {
        const { checkNo, reminder, activated, pause, alertId, acknowledgedBy } = inHand
        const check = checks.get(checkNo)
        if (check === undefined) continue
        const { state } = check.alertState
        const settings = alertSettingsOf(check.settings, check.accountAlertSettings)
        const holder = acknowledgedBy === null ? await dependencies.holderOf(childOf(check)) : null
        const withheldBy = acknowledgedBy !== null ? 'acknowledged' : holder !== null ? 'parent-failing' : null
        const facts = { nowMs, state, muted: check.muted, activated, pause, withheldBy, settings } as const
        const step = advanceReminder(reminder, facts)
        if (step.kind === 'end') ended.push(checkNo)
        if (step.kind !== 'send' && step.kind !== 'withhold') continue
        const { locationNo, resultId, responseTimeMs, error, statusCode, startedAt } = inHand
        const result = { id: resultId, locationNo, responseTimeMs, error, statusCode, startedAtMs: startedAt.getTime() }
        const sequence = step.next.sent
        moved.push({ checkNo, ...step.next })
        const decision: NewDecision = {
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
        }
        if (step.kind === 'withhold') {
          const inputs = {
            ...decision.inputs,
            ...(acknowledgedBy !== null && { acknowledgedBy }),
            ...(holder && { parent: holder }),
          }
          withheld.push({ ...decision, rule: step.because, inputs, due: false })
          continue
        }
        alerts.push({
          ...toAlert(check, result, view, step.alertType, null, String(check.alertState.sinceMs)),
          reminds: { alertId, sequence },
          decision,
        })
      }
      await store.endReminders(tx, ended)
      await store.moveReminders(tx, moved)
      if (alerts.length + withheld.length > 0) await parts.enqueueAlerts(tx, alerts, withheld)
      return { found: checkNos.length, sent: alerts.length }
    })
    reminded += sent
    if (found < BATCH) return reminded
  }
}
