/**
 * When a runner is no longer believed, and when it is again. It says with every heartbeat whether it is cut off: one
 * such word may be chance, and one good one may be luck, so that it takes several in a row to change either way.
 */
import type { RunReport } from '@vedette/schema'

/** Heartbeats in a row that say so. */
export const BEATS_BEFORE_QUARANTINE = 2
export const BEATS_BEFORE_RELEASE = 3

export interface Quarantine {
  /** Null: the runner is believed. */
  since: { atMs: number; reason: string } | null
  /** Heartbeats in a row that speak against the present state. */
  contrary: number
}

export const NO_QUARANTINE: Quarantine = { since: null, contrary: 0 }

/** @param cutOff why the runner is cut off; null: its controls answer */
export function nextQuarantine({ since, contrary }: Quarantine, cutOff: string | null, nowMs: number): Quarantine {
  const isContrary = (since === null) !== (cutOff === null)
  if (!isContrary) {
    const reason = cutOff ?? since?.reason
    return { since: since === null || reason === undefined ? null : { atMs: since.atMs, reason }, contrary: 0 }
  }
  const needed = since === null ? BEATS_BEFORE_QUARANTINE : BEATS_BEFORE_RELEASE
  if (contrary + 1 < needed) return { since, contrary: contrary + 1 }
  return cutOff === null ? NO_QUARANTINE : { since: { atMs: nowMs, reason: cutOff }, contrary: 0 }
}

/** What a runner in quarantine reports blames nobody. What passed has passed. */
export function blamingNobody(report: RunReport, reason: string): RunReport {
  if (report.verdict !== 'failed' && report.verdict !== 'degraded') return report
  const seen = report.error === null ? '' : ` (what it saw: ${report.error})`
  const error = `this runner is in quarantine: ${reason}${seen}`.slice(0, 2000)
  return { ...report, verdict: 'error', rule: 'our-trouble', overMaxResponseTime: false, error }
}
