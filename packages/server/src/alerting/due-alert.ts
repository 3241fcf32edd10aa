/** An alert that the rules want told, with all the facts that a message may carry. */
import type { ReminderPlan } from '@vedette/core'
import type { AlertType, CheckKind } from '@vedette/schema'
import type { NewDecision } from './decision-store.ts'

export interface DueAlert {
  accountId: string
  checkNo: number
  checkId: string
  checkName: string
  checkKind: CheckKind
  checkDescription: string
  tags: readonly string[]
  alertType: AlertType
  /** What tells the trouble apart from others of the check: when it began, or the certificate that it is about. */
  episode: string
  /** The decision’s rule and inputs, stored with the alert. */
  reason: unknown
  /** Null where no run found it: nobody runs a heartbeat. */
  locationNo: number | null
  /** Region or slug, empty without a location. */
  location: string
  locationName: string
  resultId: string
  responseTimeMs: number
  error: string | null
  statusCode: number | null
  startedAt: Date
  /** Of `ALERT_SSL`. */
  certificate?: { domain: string; daysRemaining: number }
  /** What is noted of how it came to this. */
  decision?: NewDecision
  /** What it means for reminders; nothing unless told. */
  reminders?: ReminderPlan
  /** The alert of which this is a reminder. */
  reminds?: { alertId: number; sequence: number }
}
