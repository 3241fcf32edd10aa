/** Where a run goes after one attempt: to another attempt, or to its end and the next slot. Pure. */
import { contradictedAfter, planRetry, secondOpinion } from '@vedette/core'
import type { RunReport } from '@vedette/schema'
import { retryStrategyOf } from '../checks/check.ts'
import { nextInRotation, nextSlotOf } from '../scheduling/lanes.ts'
import type { RunInHand, RunMove } from './store.ts'

export interface RunPlan {
  final: boolean
  move: RunMove
}

/** @param isApart whether two places are served by runners of their own, so that one can confirm what the other saw */
export function planRun(
  run: RunInHand,
  report: RunReport,
  locations: readonly number[],
  isServed: (no: number) => boolean,
  nowMs: number,
  random: number,
  isApart: (no: number, other: number) => boolean = () => false,
): RunPlan {
  const others = locations.filter((no) => no !== run.locationNo && isServed(no))
  const apart = others.filter((no) => isApart(no, run.locationNo))
  // Whoever asked for a run wants to see what happens there.
  const canAsk = apart.length > 0 && run.sessionId === null
  const contradicted = contradictedAfter(run, report.verdict)
  const firstStartedAtMs = run.firstStartedAtMs ?? report.startedAtMs
  const kept = keptAfter(run, report)
  const retry = planRetry(run.demand?.withoutRetries ? null : retryStrategyOf(run.settings), {
    kind: run.kind,
    attempt: run.attempt,
    errorsBefore: run.errors,
    verdict: report.verdict,
    networkError: report.networkError,
    startedAtMs: firstStartedAtMs,
    nowMs,
    runParallel: run.parallel,
    secondOpinion: secondOpinion(run, { state: run.alertState.state, canAsk }),
  })
  if (retry.again) {
    const isAsking = retry.reason === 'second-opinion'
    const choice = isAsking ? apart : others
    const elsewhere =
      retry.reason === 'opinion-in-vain'
        ? run.opinionOn
        : retry.sameLocation
          ? null
          : choice[Math.floor(random * choice.length)]
    return {
      final: false,
      move: {
        checkNo: run.checkNo,
        scheduleId: run.scheduleId,
        dueAtMs: nowMs + retry.delayMs,
        locationNo: elsewhere ?? run.locationNo,
        rotation: run.rotation,
        attempt: run.attempt + 1,
        checkRunId: run.checkRunId,
        firstStartedAtMs,
        errors: run.errors + (report.verdict === 'error' ? 1 : 0),
        opinionOn: isAsking ? run.locationNo : run.opinionOn,
        contradicted,
        ...kept,
        lastCheckRunId: null,
        lastVerdict: null,
      },
    }
  }
  const next = run.parallel ? null : nextInRotation(locations, run.rotation, isServed)
  return {
    final: true,
    move: {
      checkNo: run.checkNo,
      scheduleId: run.scheduleId,
      dueAtMs: run.sessionId === null ? nextSlotOf({ ...run, no: run.checkNo }, Math.max(nowMs, run.checkRunId)) : null,
      locationNo: next?.locationNo ?? run.locationNo,
      rotation: next?.rotation ?? run.rotation,
      attempt: 1,
      checkRunId: null,
      firstStartedAtMs: null,
      errors: 0,
      opinionOn: null,
      contradicted,
      ...kept,
      lastCheckRunId: run.checkRunId,
      lastVerdict: report.verdict,
    },
  }
}

/** Only a passing run's detail is worth comparing with: it is what the next one will probably look like. */
function keptAfter(run: RunInHand, report: RunReport): Pick<RunMove, 'keptId' | 'keptFingerprint'> {
  const isNews = report.verdict === 'passed' && report.detail !== null && report.fingerprint !== null
  return isNews
    ? { keptId: run.resultId, keptFingerprint: report.fingerprint }
    : { keptId: run.keptId, keptFingerprint: run.keptFingerprint }
}
