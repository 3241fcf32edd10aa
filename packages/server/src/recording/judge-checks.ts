/**
 * What the ends of runs mean for their checks: status, alert state, alerts that are due. A run in one location is judged
 * by its final result; a run in several locations once, when every location that can still bring a result has done so.
 *
 * Runs count in the order in which they ended, not in that of their reports: a run of the schedule and one on demand go
 * on beside each other, and a report may have waited for the server. What a check was judged by is never taken back by a
 * run that had ended before it: such a run is stored, and says nothing about how the target is now.
 */
import {
  type AlertState,
  canBeHeld,
  decideAlert,
  type Holder,
  holdAlert,
  incidentTurn,
  isExpected,
  judgeRun,
  remindersAfter,
} from '@vedette/core'
import type { AlertType, DecisionRule, Verdict } from '@vedette/schema'
import type { NewDecision } from '../alerting/decision-store.ts'
import type { DueAlert } from '../alerting/due-alert.ts'
import { alertSettingsOf, parentsOf } from '../checks/check.ts'
import type { Db } from '../db/database.ts'
import type { FinalResult, ResultStore } from '../results/result-store.ts'
import { otherLanes, type ParallelLane } from '../scheduling/lane-store.ts'
import type { LocationView } from '../scheduling/location-view.ts'
import type { CheckTurn } from './automated-incidents.ts'
import { Dependencies } from './dependencies.ts'
import type { CheckInHand, LatestOutcome, StateChange } from './store.ts'
import * as store from './store.ts'

export interface JudgeParts {
  results: Pick<ResultStore, 'finalsOf' | 'find'>
}

/** A run that has ended in one location. */
export interface EndedRun {
  check: CheckInHand
  checkRunId: number
  /** When the outcome was first seen, where that was before this result. */
  seenSinceMs: number | null
  parallel: boolean
  sessionId: string | null
  result: FinalResult & { error: string | null }
}

/** What a check is judged by; where no run found it, it comes from nowhere and need not have taken any time. */
export type JudgedResult = Omit<FinalResult, 'locationNo' | 'responseTimeMs'> & {
  locationNo: number | null
  responseTimeMs: number | null
}

export interface Judged {
  changes: StateChange[]
  alerts: DueAlert[]
  /** For the incidents that checks open by themselves, in the order in which they happened. */
  turns: CheckTurn[]
  /** Decisions by which nobody is told, but those that found all well. */
  undue: NewDecision[]
}

/**
 * @param nowMs no run has ended after this, whatever its runner's clock says
 * @param lanes where the parallel lanes that took part now stand
 * @param isSessionComplete whether every location of a run on demand has ended
 */
export async function judgeEndedRuns(
  tx: Db,
  parts: JudgeParts,
  view: LocationView,
  reported: readonly EndedRun[],
  nowMs: number,
  lanes: readonly ParallelLane[],
  isSessionComplete: (sessionId: string) => boolean,
): Promise<Judged> {
  const judging = new Judging(tx, parts, view, nowMs)
  const ended = parentsFirst(reported.toSorted((a, b) => endOf(a.result) - endOf(b.result)))
  const scheduled = ended.filter(({ parallel, sessionId }) => parallel && sessionId === null)
  const all =
    scheduled.length === 0
      ? []
      : [
          ...lanes,
          ...(await otherLanes(
            tx,
            scheduled.map(({ check }) => check.no),
            lanes.map(({ id }) => id),
          )),
        ]
  for (const run of ended) {
    if (!run.parallel) {
      await judging.judge(run.check, run.checkRunId, [run.result], run.result, run.seenSinceMs)
      continue
    }
    // Of several results of the run in one batch, the last one speaks for it.
    const isSame = (other: EndedRun) => other.check.no === run.check.no && other.checkRunId === run.checkRunId
    if (ended.findLast(isSame) !== run) continue
    const isComplete =
      run.sessionId === null ? !isAwaited(run.check, run.checkRunId, all, view) : isSessionComplete(run.sessionId)
    if (!isComplete) continue
    const finals = await parts.results.finalsOf(tx, run.check.no, run.checkRunId)
    await judging.judge(run.check, run.checkRunId, finals, run.result)
  }
  return judging.outcome()
}

/** Runs that were given up in one location: what the other locations found is judged without it. */
export async function judgeWithoutGivenUp(
  tx: Db,
  parts: JudgeParts,
  view: LocationView,
  runs: readonly { checkNo: number; checkRunId: number }[],
  nowMs: number,
): Promise<Judged> {
  const judging = new Judging(tx, parts, view, nowMs)
  const checks = await store.lockChecks(tx, [...new Set(runs.map(({ checkNo }) => checkNo))])
  const lanes = await otherLanes(
    tx,
    checks.map(({ no }) => no),
    [],
  )
  const distinct = new Map(runs.map((run) => [`${run.checkNo}/${run.checkRunId}`, run]))
  for (const { checkNo, checkRunId } of distinct.values()) {
    const check = checks.find(({ no }) => no === checkNo)
    if (check === undefined || isAwaited(check, checkRunId, lanes, view)) continue
    const finals = await parts.results.finalsOf(tx, checkNo, checkRunId)
    const last = finals.at(-1)
    if (last === undefined || judging.wasJudged(check, checkRunId, finals)) continue
    await judging.judge(check, checkRunId, finals, last)
  }
  return judging.outcome()
}

/** Something that happened to a check and that no run found, such as a ping. Each speaks for itself. */
export interface Happening {
  check: CheckInHand
  result: JudgedResult & { error: string | null }
}

/** In the order given. */
export async function judgeHappenings(
  tx: Db,
  parts: JudgeParts,
  view: LocationView,
  happenings: readonly Happening[],
  nowMs: number,
): Promise<Judged> {
  const judging = new Judging(tx, parts, view, nowMs)
  for (const { check, result } of parentsFirst(happenings))
    await judging.judge(check, result.checkRunId, [result], result)
  return judging.outcome()
}

/** Whether a lane of the check may still bring a result of the run. One where nobody can execute it is not waited for. */
function isAwaited(
  check: CheckInHand,
  checkRunId: number,
  lanes: readonly ParallelLane[],
  view: LocationView,
): boolean {
  const need = view.needOf(check)
  return lanes.some((lane) => {
    if (lane.checkNo !== check.no || (lane.lastCheckRunId ?? 0) >= checkRunId) return false
    return lane.currentRunId <= checkRunId && (lane.inHand || view.canRun(lane.locationNo, need))
  })
}

/**
 * Checks on which others in the batch depend are judged before these, so that what they bring down is held. The runs of
 * each check stay in the order of their ends; there are no cycles, and across checks the order means nothing else.
 */
function parentsFirst<T extends { check: CheckInHand }>(ended: readonly T[]): readonly T[] {
  const dependsOn = new Map(ended.map(({ check }) => [check.id, parentsOf(check.settings)]))
  if ([...dependsOn.values()].every((parents) => parents.length === 0)) return ended
  const depths = new Map<string, number>()
  const depthOf = (id: string): number => {
    const known = depths.get(id)
    if (known !== undefined) return known
    depths.set(id, 0)
    const depth = 1 + Math.max(-1, ...(dependsOn.get(id) ?? []).filter((parent) => dependsOn.has(parent)).map(depthOf))
    depths.set(id, depth)
    return depth
  }
  return ended.toSorted((a, b) => depthOf(a.check.id) - depthOf(b.check.id))
}

/** Goes from run to run; each check starts with the state that the run before has left. */
class Judging {
  readonly #tx: Db
  readonly #parts: JudgeParts
  readonly #view: LocationView
  readonly #nowMs: number
  readonly #changes = new Map<number, StateChange>()
  readonly #alerts: DueAlert[] = []
  readonly #turns: CheckTurn[] = []
  readonly #undue: NewDecision[] = []
  readonly #dependencies: Dependencies

  constructor(tx: Db, parts: JudgeParts, view: LocationView, nowMs: number) {
    this.#tx = tx
    this.#parts = parts
    this.#view = view
    this.#nowMs = nowMs
    this.#dependencies = new Dependencies(tx, nowMs)
  }

  outcome(): Judged {
    return { changes: [...this.#changes.values()], alerts: this.#alerts, turns: this.#turns, undue: this.#undue }
  }

  async judge(
    check: CheckInHand,
    checkRunId: number,
    finals: readonly JudgedResult[],
    last: JudgedResult & { error?: string | null },
    seenSinceMs: number | null = null,
  ): Promise<void> {
    const before = this.#changes.get(check.no) ?? { checkNo: check.no, latest: null, longestMs: null, shortestMs: null }
    const change = withResponseTime(before, last)
    const endedAtMs = this.#endOf(finals)
    const judgedUntilMs = this.#judgedUntil(check)
    this.#changes.set(check.no, change)
    const alertBefore = before.latest?.alertState ?? check.alertState
    const isOldNews = judgedUntilMs !== null && endedAtMs < judgedUntilMs
    const verdicts = finals.map(({ verdict }) => verdict)
    const withoutDecision = (rule: DecisionRule): NewDecision => ({
      checkNo: check.no,
      atMs: endedAtMs,
      checkRunId,
      resultId: last.id,
      from: alertBefore.state,
      to: null,
      alertType: 'NO_ALERT',
      rule,
      inputs: locationsOf(verdicts),
      due: false,
      muted: check.muted,
    })
    if (isOldNews) {
      if (verdicts.some((verdict) => verdict !== 'passed')) this.#undue.push(withoutDecision('old-news'))
      return
    }
    const settings = alertSettingsOf(check.settings, check.accountAlertSettings)
    const outcome = judgeRun(verdicts, settings.parallelRunFailureThreshold)
    let alertState = alertBefore
    if (outcome.alerting === null) {
      this.#undue.push(withoutDecision(outcome.status === null ? 'in-error' : 'in-error-leaves-open'))
    } else if (isExpected(outcome.alerting, check.pause, endedAtMs)) {
      this.#undue.push(withoutDecision('ran-in-maintenance'))
    } else {
      const alone = decideAlert(alertState, outcome.alerting, settings, seenSinceMs ?? endedAtMs)
      const holder = canBeHeld(alone) ? await this.#holderOf(check, alertState) : null
      const decision = holder === null ? alone : holdAlert(alertState, alone, endedAtMs)
      alertState = decision.next
      const turn = incidentTurn(decision, check.muted)
      if (turn !== null)
        this.#turns.push({
          accountId: check.accountId,
          checkNo: check.no,
          turn,
          trigger: check.settings.triggerIncident,
        })
      const { rule, from, to, runCount, minutes, threshold } = decision.reason
      const isShareTooSmall = rule === 'all-is-well' && outcome.status !== 'passing'
      const decided: NewDecision = {
        ...withoutDecision(isShareTooSmall ? 'too-few-locations-failed' : rule),
        from,
        to,
        alertType: decision.alertType,
        inputs: { runCount, minutes, threshold, ...locationsOf(verdicts), ...(holder && { parent: holder }) },
        due: decision.due,
      }
      if (!decision.due) {
        if (rule !== 'all-is-well' || isShareTooSmall) this.#undue.push(decided)
      } else {
        const telling = tellingResult(finals, decision.next.state === 'failing' ? 'failed' : 'degraded') ?? last
        const error =
          telling.id === last.id && last.error !== undefined ? last.error : await this.#errorOf(check, telling)
        const { alertType, reason, episodeSinceMs } = decision
        this.#alerts.push({
          ...toAlert(check, { ...telling, error }, this.#view, alertType, reason, String(episodeSinceMs)),
          decision: decided,
          reminders: remindersAfter(alertBefore, decision, settings, this.#nowMs),
        })
      }
    }
    const latest: LatestOutcome = {
      status: outcome.status ?? before.latest?.status ?? null,
      inError: outcome.status === null,
      locationNo: last.locationNo,
      checkRunId,
      alertState,
      // A run in error saw nothing of the target: what was seen before it and is recorded later is still news.
      judgedUntilMs: outcome.status === null ? judgedUntilMs : endedAtMs,
    }
    this.#changes.set(check.no, { ...change, latest })
  }

  /** Whether the check was judged by the run, or by one that ended later. */
  wasJudged(check: CheckInHand, checkRunId: number, finals: readonly FinalResult[]): boolean {
    const inError = finals.every(({ verdict }) => verdict === 'error')
    if (inError && (check.lastCheckRunId ?? 0) >= checkRunId) return true
    const judgedUntilMs = this.#judgedUntil(check)
    return judgedUntilMs !== null && this.#endOf(finals) <= judgedUntilMs
  }

  #judgedUntil(check: CheckInHand): number | null {
    return this.#changes.get(check.no)?.latest?.judgedUntilMs ?? check.judgedUntilMs
  }

  #endOf(finals: readonly JudgedResult[]): number {
    return Math.min(this.#nowMs, Math.round(Math.max(...finals.map(endOf))))
  }

  /** What was judged in this batch is not in the database yet. Whom its alerts reach is not known: somebody, it is assumed. */
  async #holderOf(check: CheckInHand, alertState: AlertState): Promise<Holder | null> {
    return this.#dependencies.holderOf(childOf({ ...check, alertState }), ({ checkNo, sinceMs, isTold, ...stored }) => {
      const newer = this.#changes.get(checkNo)?.latest?.alertState
      if (newer === undefined) return undefined
      const isAlerted = this.#alerts.some((alert) => alert.checkNo === checkNo && alert.decision?.to === newer.state)
      const isSame = newer.state === stored.state && newer.sinceMs === sinceMs
      return { state: newer.state, sinceMs: newer.sinceMs, isTold: isAlerted || (isSame && isTold) }
    })
  }

  async #errorOf(check: CheckInHand, { id }: JudgedResult): Promise<string | null> {
    return (await this.#parts.results.find(this.#tx, check.no, id))?.detail?.error ?? null
  }
}

function endOf({ startedAtMs, durationMs }: JudgedResult): number {
  return startedAtMs + durationMs
}

/** As its dependencies see it. */
export function childOf({ accountId, settings, alertState }: CheckInHand) {
  return { accountId, dependsOn: parentsOf(settings), heldSinceMs: alertState.heldSinceMs }
}

function withResponseTime(change: StateChange, { verdict, responseTimeMs }: JudgedResult): StateChange {
  if (verdict === 'error' || responseTimeMs === null) return change
  return {
    ...change,
    longestMs: Math.max(change.longestMs ?? responseTimeMs, responseTimeMs),
    shortestMs: Math.min(change.shortestMs ?? responseTimeMs, responseTimeMs),
  }
}

/** Of a run in several locations: how they ended. */
function locationsOf(verdicts: readonly Verdict[]): Pick<NewDecision['inputs'], 'locations'> {
  if (verdicts.length < 2) return {}
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length
  return { locations: { failed: count('failed'), inError: count('error'), total: verdicts.length } }
}

/** The newest result that shows the trouble: not the location that happened to end last is at fault. */
export function tellingResult<R extends { verdict: Verdict }>(finals: readonly R[], verdict: Verdict): R | undefined {
  return finals.findLast((result) => result.verdict === verdict)
}

export function toAlert(
  check: CheckInHand,
  result: Pick<JudgedResult, 'id' | 'locationNo' | 'responseTimeMs' | 'statusCode' | 'startedAtMs'> & {
    error: string | null
  },
  view: LocationView,
  alertType: AlertType,
  reason: unknown,
  episode: string,
): DueAlert {
  const location = result.locationNo === null ? undefined : view.get(result.locationNo)
  return {
    accountId: check.accountId,
    checkNo: check.no,
    checkId: check.id,
    checkName: check.name,
    checkKind: check.kind,
    checkDescription: check.settings.description ?? '',
    tags: check.tags,
    alertType,
    episode,
    reason,
    locationNo: result.locationNo,
    location: location?.slug ?? '',
    locationName: location?.name ?? '',
    resultId: result.id,
    responseTimeMs: result.responseTimeMs ?? 0,
    error: result.error,
    statusCode: result.statusCode,
    startedAt: new Date(result.startedAtMs),
  }
}
