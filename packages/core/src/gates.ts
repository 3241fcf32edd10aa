/** What holds a message back. The first gate that objects says why; if none does, the message goes out. */
import type { AlertType, WithheldReason } from '@vedette/schema'

export interface ChannelWishes {
  sendFailure: boolean
  sendRecovery: boolean
  sendDegraded: boolean
  sslExpiry: boolean
  /** Days. */
  sslExpiryThreshold: number
}

export interface Passage {
  alertType: AlertType
  muted: boolean
  /** Whether the subscription of the channel to the check is switched on. */
  activated: boolean
  channel: ChannelWishes
  /** Of the certificate, for `ALERT_SSL`. */
  daysRemaining?: number
}

export type Gate = (passage: Passage) => WithheldReason | null

const quiet: Gate = ({ alertType }) => (alertType === 'NO_ALERT' ? 'nothing-to-tell' : null)
const checkMuted: Gate = ({ muted }) => (muted ? 'check-muted' : null)
const subscriptionOff: Gate = ({ activated }) => (activated ? null : 'subscription-off')
const notWanted: Gate = ({ alertType, channel }) => {
  const wish = WISHES[alertType]
  return wish === null || channel[wish.flag] ? null : wish.otherwise
}
const certificateNotNearExpiry: Gate = ({ alertType, channel, daysRemaining }) => {
  if (alertType !== 'ALERT_SSL' || daysRemaining === undefined) return null
  return daysRemaining <= channel.sslExpiryThreshold ? null : 'certificate-not-near-expiry'
}

interface Wish {
  flag: Exclude<keyof ChannelWishes, 'sslExpiryThreshold'>
  otherwise: WithheldReason
}
const failures: Wish = { flag: 'sendFailure', otherwise: 'failures-not-wanted' }
const degradations: Wish = { flag: 'sendDegraded', otherwise: 'degradations-not-wanted' }
const recoveries: Wish = { flag: 'sendRecovery', otherwise: 'recoveries-not-wanted' }
const certificates: Wish = { flag: 'sslExpiry', otherwise: 'certificates-not-wanted' }

const WISHES: { [T in AlertType]: Wish | null } = {
  NO_ALERT: null,
  ALERT_FAILURE: failures,
  ALERT_FAILURE_REMAIN: failures,
  ALERT_DEGRADED_FAILURE: failures,
  ALERT_DEGRADED: degradations,
  ALERT_DEGRADED_REMAIN: degradations,
  ALERT_FAILURE_DEGRADED: degradations,
  ALERT_RECOVERY: recoveries,
  ALERT_DEGRADED_RECOVERY: recoveries,
  ALERT_SSL: certificates,
}

export const gates: readonly Gate[] = [quiet, checkMuted, subscriptionOff, notWanted, certificateNotNearExpiry]

/** Why a message is not sent to a channel, or null. */
export function withheldBecause(passage: Passage): WithheldReason | null {
  for (const gate of gates) {
    const reason = gate(passage)
    if (reason !== null) return reason
  }
  return null
}
