/**
 * From an alert to the notifications that wait for delivery. It happens in the transaction that stores the result: a
 * notification is there exactly when its result is.
 */
import { STATUS_CODES } from 'node:http'
import { composeAlert, type Reminder, storable, withheldBecause } from '@vedette/core'
import type { WithheldReason } from '@vedette/schema'
import type { Db } from '../db/database.ts'
import { insertDecisions, type NewDecision } from './decision-store.ts'
import { deliveryId, episodeId } from './delivery-id.ts'
import type { DueAlert } from './due-alert.ts'
import { findHeldChecks } from './held-store.ts'
import { beginReminders, endReminders, type RenewedReminder, renewReminders } from './reminder-store.ts'
import * as store from './store.ts'

interface Judged {
  alert: DueAlert
  passages: { subscriber: store.Subscriber; withheld: WithheldReason | null }[]
}

/**
 * Stores alerts with the notifications that follow from them, and what was decided, in a handful of statements however
 * many they are. Returns how many notifications wait for delivery now. Of a muted check the decision alone is stored.
 *
 * @param link where the result of an alert is shown in the web application
 * @param undue decisions by which nobody is told
 */
export async function enqueueAlerts(
  tx: Db,
  alerts: readonly DueAlert[],
  link: (alert: DueAlert) => string,
  undue: readonly NewDecision[] = [],
): Promise<number> {
  const withoutChannels = undue.map((decision) => ({ ...decision, alertId: null, channels: [] }))
  if (alerts.length === 0) {
    await insertDecisions(tx, withoutChannels)
    return 0
  }
  const subscribers = await store.findSubscribers(tx, [...new Set(alerts.map(({ checkNo }) => checkNo))])
  const judged = alerts.map((alert): Judged => {
    const passages = subscribers
      .filter(({ checkNo }) => checkNo === alert.checkNo)
      .map((subscriber) => {
        const muted = subscriber.muted || alert.decision?.muted === true
        return { subscriber, withheld: withheldBecause({ ...passageOf(alert), ...subscriber, muted }) }
      })
    return { alert, passages }
  })
  const ids = await storeAlerts(tx, judged)
  await insertDecisions(tx, [
    ...judged.flatMap(({ alert, passages }, index) => {
      const channels = passages.map(({ subscriber, withheld }) => ({
        channelId: subscriber.channel.id,
        because: withheld,
      }))
      return alert.decision === undefined ? [] : [{ ...alert.decision, alertId: ids[index] ?? null, channels }]
    }),
    ...withoutChannels,
  ])
  await followReminders(tx, judged, ids)
  const held = await heldBecauseOf(tx, judged)
  const notifications = judged.flatMap(({ alert, passages }, index) => {
    const alertId = ids[index] ?? null
    const open = passages.filter(({ withheld }) => withheld === null)
    const [first] = open
    if (alertId === null || first === undefined) return []
    const groupName = first.subscriber.groupName ?? ''
    const statusText = alert.statusCode === null ? undefined : STATUS_CODES[alert.statusCode]
    const facts = {
      ...alert,
      episodeId: episodeId(alert.checkId, alert.episode),
      groupName,
      reminder: alert.reminds?.sequence ?? 0,
      heldChecks: held.get(alert.checkNo) ?? [],
      ...(statusText && { statusText }),
    }
    const message = composeAlert(facts, { link: link(alert) })
    return open.map(({ subscriber: { channel } }) => ({
      id: deliveryId(alert.resultId, channel.id, alert.alertType, message.REMINDER_SEQUENCE),
      alertId,
      alert,
      channel,
      message,
    }))
  })
  return store.insertNotifications(tx, notifications)
}

/** What else is in trouble is told with what is to blame for it. Of alerts that nobody hears, nothing is looked up. */
async function heldBecauseOf(tx: Db, judged: readonly Judged[]): Promise<Map<number, string[]>> {
  const heard = judged.filter(
    ({ alert, passages }) => alert.alertType !== 'ALERT_SSL' && passages.some(({ withheld }) => withheld === null),
  )
  return heard.length === 0 ? new Map() : findHeldChecks(tx, [...new Set(heard.map(({ alert }) => alert.checkNo))])
}

/** The ids of the alerts, in the order given; null where there is none: who mutes a check wants to see none of it. */
async function storeAlerts(tx: Db, judged: readonly Judged[]): Promise<(number | null)[]> {
  const isStored = ({ alert, passages }: Judged) =>
    alert.reminds === undefined &&
    alert.decision?.muted !== true &&
    // That a certificate grows old is no news unless somebody wants to hear it.
    (alert.alertType !== 'ALERT_SSL' || passages.some(({ withheld }) => withheld === null))
  const stored = judged.filter(isStored)
  const ids =
    stored.length === 0
      ? []
      : await store.insertAlerts(
          tx,
          stored.map(({ alert, passages }) => ({
            ...alert,
            error: alert.error === null ? null : storable(alert.error),
            reason: { decided: alert.reason, withheld: withheldByChannel(passages) },
          })),
        )
  const idOf = new Map(stored.map((one, index) => [one, ids[index] ?? null]))
  return judged.map((one) => one.alert.reminds?.alertId ?? idOf.get(one) ?? null)
}

/** Of several alerts of a check the last one says how its reminders go on. */
async function followReminders(tx: Db, judged: readonly Judged[], ids: readonly (number | null)[]): Promise<void> {
  const begun = new Map<number, Reminder & { checkNo: number; alertId: number }>()
  const renewed = new Map<number, RenewedReminder>()
  const ended = new Set<number>()
  for (const [index, { alert }] of judged.entries()) {
    const { checkNo, reminders: plan } = alert
    const alertId = ids[index] ?? null
    if (plan === undefined || alertId === null) continue
    if (plan.kind === 'begin') {
      ended.delete(checkNo)
      begun.set(checkNo, { ...plan.reminder, checkNo, alertId })
    } else if (plan.kind === 'go-on') {
      const first = begun.get(checkNo)
      if (first !== undefined) {
        first.alertId = alertId
        continue
      }
      const { firstAlertId, ifFirst } = renewed.get(checkNo) ?? { firstAlertId: alertId, ifFirst: plan.ifFirst }
      renewed.set(checkNo, { checkNo, alertId, firstAlertId, ifFirst, sinceMs: Number(alert.episode) })
    } else if (plan.kind === 'end') {
      begun.delete(checkNo)
      renewed.delete(checkNo)
      ended.add(checkNo)
    }
  }
  await endReminders(tx, [...ended])
  await renewReminders(tx, [...renewed.values()])
  await beginReminders(tx, [...begun.values()])
}

function passageOf({ alertType, certificate }: DueAlert) {
  return { alertType, ...(certificate && { daysRemaining: certificate.daysRemaining }) }
}

/** Who was not told, and why: kept with the alert, so that a message which did not come can be explained. */
function withheldByChannel(
  passages: readonly { subscriber: store.Subscriber; withheld: WithheldReason | null }[],
): { channelId: number; because: WithheldReason }[] {
  return passages.flatMap(({ subscriber, withheld }) =>
    withheld === null ? [] : [{ channelId: subscriber.channel.id, because: withheld }],
  )
}
