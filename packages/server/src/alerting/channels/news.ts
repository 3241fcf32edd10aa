/** What kind of news an alert is: the services that are told know fewer kinds than we do. */
import type { AlertType } from '@vedette/schema'

export type News = 'failure' | 'degraded' | 'recovery' | 'certificate'

const kinds: Readonly<Record<AlertType, News>> = {
  NO_ALERT: 'recovery',
  ALERT_FAILURE: 'failure',
  ALERT_FAILURE_REMAIN: 'failure',
  ALERT_FAILURE_DEGRADED: 'degraded',
  ALERT_RECOVERY: 'recovery',
  ALERT_DEGRADED: 'degraded',
  ALERT_DEGRADED_REMAIN: 'degraded',
  ALERT_DEGRADED_FAILURE: 'failure',
  ALERT_DEGRADED_RECOVERY: 'recovery',
  ALERT_SSL: 'certificate',
}

export const newsOf = (alertType: AlertType): News => kinds[alertType]

/**
 * Names the trouble of a check to services that keep track of it: what opens it, changes it and closes it says the same.
 * A certificate is trouble of its own: a recovery of the check does not renew it.
 */
export function troubleOf({ CHECK_ID, ALERT_TYPE }: { CHECK_ID: string; ALERT_TYPE: AlertType }): string {
  return newsOf(ALERT_TYPE) === 'certificate' ? `vedette-${CHECK_ID}-certificate` : `vedette-${CHECK_ID}`
}
