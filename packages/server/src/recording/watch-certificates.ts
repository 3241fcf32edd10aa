/**
 * Certificates that expire soon, as the runs of checks see them: no connection is made for it. Part of the transaction
 * that records the runs; written once an hour, told once a day.
 */
import { wholeDaysUntil } from '@vedette/core'
import type { NewDecision } from '../alerting/decision-store.ts'
import type { DueAlert } from '../alerting/due-alert.ts'
import type { Db } from '../db/database.ts'
import { takeAlertsOfDay, type WatchedCertificate, watchCertificates } from './certificates-store.ts'

/** The highest that a channel may ask for, in days: with more left there is nobody to tell. */
const HIGHEST_THRESHOLD = 30

export interface SeenOfCheck extends WatchedCertificate {
  alert: DueAlert
}

/** The alerts that are due. Which of the channels are told is for each one's threshold to say. */
export async function certificateAlerts(tx: Db, seen: readonly SeenOfCheck[], nowMs: number): Promise<DueAlert[]> {
  // Of several runs of a check the last counts.
  const byCheck = new Map(seen.map((one) => [one.checkNo, one]))
  if (byCheck.size === 0) return []
  const written = await watchCertificates(tx, [...byCheck.values()], nowMs)
  const expiring = [...byCheck.values()].filter(
    ({ checkNo, expiresAtMs }) => written.has(checkNo) && wholeDaysUntil(expiresAtMs, nowMs) <= HIGHEST_THRESHOLD,
  )
  if (expiring.length === 0) return []
  const due = await takeAlertsOfDay(tx, expiring, new Date(nowMs).toISOString().slice(0, 10))
  return expiring
    .filter(({ checkNo }) => due.has(checkNo))
    .map(({ alert, host, fingerprint, expiresAtMs }) => {
      const certificate = { domain: host, daysRemaining: wholeDaysUntil(expiresAtMs, nowMs) }
      const decision: NewDecision = {
        checkNo: alert.checkNo,
        atMs: nowMs,
        checkRunId: null,
        resultId: alert.resultId,
        from: null,
        to: null,
        alertType: 'ALERT_SSL',
        rule: 'certificate-expires',
        inputs: { certificate },
        due: true,
        muted: false,
      }
      return {
        ...alert,
        certificate,
        decision,
        alertType: 'ALERT_SSL',
        reason: { rule: 'certificate-expires', fingerprint, ...certificate },
      }
    })
}
