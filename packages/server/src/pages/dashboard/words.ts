/** What states are called on a dashboard. */
import type { DashboardIncident } from '@vedette/schema'
import { CHECK_STATES, type CheckState } from './check-state.ts'
import { total } from './state.ts'
import type { PublicIncident } from './store.ts'

export const OF_STATE: Record<CheckState, string> = {
  failing: 'Failing',
  degraded: 'Degraded',
  maintenance: 'Maintenance',
  unknown: 'No result yet',
  passing: 'Passing',
  off: 'Switched off',
}

export const OF_IMPACT: Record<DashboardIncident['impact'], string> = {
  MAJOR: 'Major',
  MINOR: 'Minor',
  MAINTENANCE: 'Maintenance',
}

export const OF_UPDATE: Record<PublicIncident['updates'][number]['status'], string> = {
  INVESTIGATING: 'Investigating',
  IDENTIFIED: 'Identified',
  MONITORING: 'Monitoring',
  RESOLVED: 'Resolved',
  MAINTENANCE: 'Maintenance',
}

/** The worst of the states that there are; passing if some pass and none is in trouble. */
export function overallState(counts: ReadonlyMap<CheckState, number>): CheckState {
  const present = CHECK_STATES.filter((state) => (counts.get(state) ?? 0) > 0)
  const trouble = present.find((state) => state === 'failing' || state === 'degraded')
  return trouble ?? (present.includes('passing') ? 'passing' : (present[0] ?? 'unknown'))
}

/** How it all is, in one sentence. Checks that are switched off are not counted. */
export function overallInWords(counts: ReadonlyMap<CheckState, number>): string {
  const all = total(counts) - (counts.get('off') ?? 0)
  const failing = counts.get('failing') ?? 0
  const degraded = counts.get('degraded') ?? 0
  const passing = counts.get('passing') ?? 0
  if (all === 0) return 'No check is running'
  for (const [count, words] of [
    [failing, 'failing'],
    [degraded, 'degraded'],
  ] as const)
    if (count > 0)
      return all === 1 ? `The check is ${words}` : `${count} of ${all} checks ${count === 1 ? 'is' : 'are'} ${words}`
  if (passing === all) return all === 1 ? 'The check is passing' : `All ${all} checks are passing`
  return passing === 0 ? 'Nothing is known yet' : `${passing} of ${all} checks ${passing === 1 ? 'is' : 'are'} passing`
}
