/** How an incident stands, from what was told of it. */
import type { IncidentStatus } from '@vedette/schema'

export interface IncidentStep {
  status: IncidentStatus
  /** When it happened, as the public is told. */
  atMs: number
}

/** A stretch of time, its end not included. */
export interface TroubleSpan {
  fromMs: number
  /** Null while it goes on. */
  untilMs: number | null
}

/**
 * When the trouble was: from the first update to the one that resolved it for the last time. `steps` are in the order of
 * their time. Null when it was told only after it was over: nobody knows how long it took.
 */
export function troubleSpan(steps: readonly IncidentStep[]): TroubleSpan | null {
  const first = steps.find((step) => step.status !== 'RESOLVED')
  if (first === undefined) return null
  const lastOpen = steps.findLastIndex((step) => step.status !== 'RESOLVED')
  return { fromMs: first.atMs, untilMs: steps[lastOpen + 1]?.atMs ?? null }
}

/** How long the trouble has lasted: until now, if it goes on. */
export function troubleMs(steps: readonly IncidentStep[], nowMs: number): number {
  const span = troubleSpan(steps)
  // An update may be announced for a time to come.
  return span === null ? 0 : Math.max(0, (span.untilMs ?? nowMs) - span.fromMs)
}
