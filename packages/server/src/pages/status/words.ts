/** What states are called on a status page. */
import type { ServiceState } from './state.ts'

export const OVERALL: Record<ServiceState, string> = {
  CRITICAL: 'Critical outage',
  MAJOR: 'Major outage',
  MEDIUM: 'Partial outage',
  MINOR: 'Minor trouble',
  MAINTENANCE: 'Maintenance is under way',
  WORKING: 'All services are working',
}

export const OF_SERVICE: Record<ServiceState, string> = {
  ...OVERALL,
  MAINTENANCE: 'Under maintenance',
  WORKING: 'Working',
}

/** The class that colours a state. */
export const TONE: Record<ServiceState, 'good' | 'some' | 'bad' | 'planned'> = {
  CRITICAL: 'bad',
  MAJOR: 'bad',
  MEDIUM: 'some',
  MINOR: 'some',
  MAINTENANCE: 'planned',
  WORKING: 'good',
}
