/** What the final verdicts of a run’s locations mean together. Runs in error say nothing about the target. */
import type { AlertSettings, SessionStatus, TargetState, Verdict } from '@vedette/schema'

export interface RunOutcome {
  /** For status and uptime: failing when any location failed. Null when every location was in error. */
  status: TargetState | null
  /**
   * For alerts: a share of failed locations below the threshold does not count as failing. Null also when some failed
   * and the ones in error leave open whether they were enough: no alert and no recovery may rest on our own trouble.
   */
  alerting: TargetState | null
}

export function judgeRun(
  verdicts: readonly Verdict[],
  threshold: AlertSettings['parallelRunFailureThreshold'],
): RunOutcome {
  const judged = verdicts.filter((verdict) => verdict !== 'error')
  if (judged.length === 0) return { status: null, alerting: null }
  const failed = judged.filter((verdict) => verdict === 'failed').length
  const withoutFailures: TargetState = judged.includes('degraded') ? 'degraded' : 'passing'
  const status = failed > 0 ? 'failing' : withoutFailures
  const thresholdApplies = threshold?.enabled === true && verdicts.length >= 2
  if (!thresholdApplies || failed === 0) return { status, alerting: status }
  const isEnough = (locations: number) => locations * 100 >= threshold.percentage * verdicts.length
  if (isEnough(failed)) return { status, alerting: 'failing' }
  const inError = verdicts.length - judged.length
  return { status, alerting: isEnough(failed + inError) ? null : withoutFailures }
}

/** The status of a session from the final verdicts so far. */
export function judgeSession(finals: readonly Verdict[], locations: number, anyTaken: boolean): SessionStatus {
  const bad = finals.some((verdict) => verdict === 'failed' || verdict === 'error')
  const degraded = finals.includes('degraded')
  if (finals.length >= locations) return bad ? 'FAILED' : degraded ? 'DEGRADED' : 'PASSED'
  if (bad) return 'PROGRESS_FAILED'
  if (degraded) return 'PROGRESS_DEGRADED'
  return anyTaken || finals.length > 0 ? 'PROGRESS' : 'STARTED'
}
