/** What the severity of an incident and the state of an update are called, on pages and in mails. */
import type { IncidentStatus, StatusPageIncident } from '@vedette/schema'

export const OF_SEVERITY: Record<StatusPageIncident['severity'], string> = {
  CRITICAL: 'Critical',
  MAJOR: 'Major',
  MEDIUM: 'Medium',
  MINOR: 'Minor',
}

export const OF_STATUS: Record<IncidentStatus, string> = {
  INVESTIGATING: 'Investigating',
  IDENTIFIED: 'Identified',
  MONITORING: 'Monitoring',
  RESOLVED: 'Resolved',
}
