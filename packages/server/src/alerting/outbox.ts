/**
 * From an alert to the notifications that wait for delivery. It happens in the transaction that stores the result: a
 * notification is there exactly when its result is.
 */
import { STATUS_CODES } from 'node:http'
import { composeAlert, storable, type WithheldReason, withheldBecause } from '@vedette/core'
import type { Db } from '../db/database.ts'
import { deliveryId, episodeId } from './delivery-id.ts'
import type { DueAlert } from './due-alert.ts'
import * as store from './store.ts'

/**
 * Stores alerts with the notifications that follow from them, in three statements however many they are. Returns how
 * many notifications wait for delivery now.
 *
 * @param link where the result of an alert is shown in the web application
 */
export async function enqueueAlerts(
  tx: Db,
  alerts: readonly DueAlert[],
  link: (alert: DueAlert) => string,
): Promise<number> {
  if (alerts.length === 0) return 0
  const subscribers = await store.findSubscribers(tx, [...new Set(alerts.map(({ checkNo }) => checkNo))])
  const judged = alerts.flatMap((alert) => {
    const passages = subscribers
      .filter(({ checkNo }) => checkNo === alert.checkNo)
      .map((subscriber) => ({ subscriber, withheld: withheldBecause({ ...passageOf(alert), ...subscriber }) }))
    // That a certificate grows old is no news unless somebody wants to hear it.
    const isTold = alert.alertType !== 'ALERT_SSL' || passages.some(({ withheld }) => withheld === null)
    return isTold ? [{ alert, passages }] : []
  })
  const ids = await store.insertAlerts(
    tx,
    judged.map(({ alert, passages }) => ({
      ...alert,
      error: alert.error === null ? null : storable(alert.error),
      reason: { decided: alert.reason, withheld: withheldByChannel(passages) },
    })),
  )
  const notifications = judged.flatMap(({ alert, passages }, index) => {
    const alertId = ids[index]
    const open = passages.filter(({ withheld }) => withheld === null)
    const [first] = open
    if (alertId === undefined || first === undefined) return []
    const groupName = first.subscriber.groupName ?? ''
    const statusText = alert.statusCode === null ? undefined : STATUS_CODES[alert.statusCode]
    const told = { ...alert, episodeId: episodeId(alert.checkId, alert.episode), groupName }
    const message = composeAlert({ ...told, ...(statusText && { statusText }) }, { link: link(alert) })
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
