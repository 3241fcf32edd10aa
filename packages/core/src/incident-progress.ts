/** How an incident stands, from what was told of it. */
import type { IncidentStatus } from '@vedette/schema'

export interface IncidentStep {
  status: IncidentStatus
  /** When it happened, as the public is told. */
  atMs: number
}

/**
 * How long the trouble has lasted: from the first update to the one that resolved it for the last time, or until now.
 * `steps` are in the order of their time.
 */
export function troubleMs(steps: readonly IncidentStep[], nowMs: number): number {
  const first = steps.find((step) => step.status !== 'RESOLVED')
  // Told only when it was over: nobody knows how long it took.
  if (first === undefined) return 0
  const lastOpen = steps.findLastIndex((step) => step.status !== 'RESOLVED')
  const end = steps[lastOpen + 1]?.atMs ?? nowMs
  // An update may be announced for a time to come.
  return Math.max(0, end - first.atMs)
}
