/** What the judgement of a run means for the incident that its check opens by itself. */
import type { AlertType } from '@vedette/schema'
import type { AlertDecision } from './alert-decision.ts'

/** `opens`: an incident begins, unless one is open. `closes`: an open one is over. */
export type IncidentTurn = 'opens' | 'closes'

/** Degradations open none: people are not told of what still works. */
const OPENING: ReadonlySet<AlertType> = new Set(['ALERT_FAILURE', 'ALERT_FAILURE_REMAIN', 'ALERT_DEGRADED_FAILURE'])

/**
 * The thresholds of alerts are those of incidents: what nobody is to be told of is no incident, so a muted check opens none.
 * The end counts whether anybody is told of it or not: a check that was muted meanwhile must not leave its incident open.
 */
export function incidentTurn(decision: AlertDecision, muted: boolean): IncidentTurn | null {
  const { from, to } = decision.reason
  if (to === 'passing') return from === 'passing' ? null : 'closes'
  return decision.due && !muted && OPENING.has(decision.alertType) ? 'opens' : null
}
