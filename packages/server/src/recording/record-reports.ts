/**
 * Records what runners report: results, the schedule, the state of checks, alerts and their notifications, all in one
 * transaction. A report is taken once: it must hold the lease, and recording it ends the lease.
 */
import { createHash } from 'node:crypto'
import { cleanErrorMessage, decideAlert, judgeRun, judgeSession, type RunOutcome } from '@vedette/core'
import type { ReportAnswer, RunReport, Verdict } from '@vedette/schema'
import type { DueAlert } from '../alerting/due-alert.ts'
import { alertSettingsOf } from '../checks/check.ts'
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import type { Coverage } from '../results/coverage.ts'
import type { NewResult, ResultStore } from '../results/result-store.ts'
import { slotsBetween } from '../scheduling/lanes.ts'
import { isDueSoon, readLeaseName } from '../scheduling/lease.ts'
import type { LocationView } from '../scheduling/location-view.ts'
import { type MissedRun, otherLanes, recordMissed, type Sibling } from '../scheduling/store.ts'
import { planRun, type RunPlan } from './plan-run.ts'
import type { RunInHand, StateChange } from './store.ts'
import * as store from './store.ts'

export interface RecordingParts {
  db: Db
  results: ResultStore
  locations: () => Promise<LocationView>
  coverage: Coverage
  /** Writes alerts and their notifications; part of the same transaction. */
  enqueueAlerts: (tx: Db, alerts: readonly DueAlert[]) => Promise<void>
}

interface Recorded {
  run: RunInHand
  report: RunReport
  plan: RunPlan
}

export async function recordReports(
  parts: RecordingParts,
  runnerId: number,
  reports: readonly RunReport[],
): Promise<ReportAnswer> {
  const named = reports.flatMap((report) => {
    const lease = readLeaseName(report.leaseId)
    return lease === null ? [] : [{ ...lease, report }]
  })
  const view = await parts.locations()
  const recorded = await parts.db.transaction().execute(async (tx) => {
    const runs = await store.lockRunsInHand(tx, runnerId, named)
    if (runs.length === 0) return []
    const byId = new Map(named.map((entry) => [entry.resultId, entry.report]))
    const planned = runs.flatMap((run) => {
      const report = byId.get(run.resultId)
      return report === undefined ? [] : [{ run, report, plan: plan(run, report, view) }]
    })
    await record(tx, parts, view, planned)
    return planned
  })
  for (const { report } of recorded)
    parts.coverage.add(report.startedAtMs, report.latenessMs, report.verdict === 'error')
  const taken = new Set(recorded.map(({ report }) => report.leaseId))
  return {
    accepted: recorded.length,
    dropped: reports.flatMap((report) => (taken.has(report.leaseId) ? [] : [report.leaseId])),
  }
}

function plan(run: RunInHand, report: RunReport, view: LocationView): RunPlan {
  const { locations, privateLocations } = run.settings
  const numbers = view.numbersOf(run.accountId, locations ?? [], privateLocations ?? [])
  return planRun(run, report, numbers, (no) => view.servedBy(no) !== 'nobody', Date.now(), Math.random())
}

async function record(tx: Db, parts: RecordingParts, view: LocationView, recorded: readonly Recorded[]): Promise<void> {
  await parts.results.append(tx, recorded.map(toResult))
  const failing = recorded.filter(({ report }) => report.verdict === 'failed' && report.error !== null)
  if (failing.length > 0) await store.recordErrors(tx, failing.map(toError))

  const sessions = await followSessions(tx, recorded)
  const { changes, alerts } = await judgeChecks(tx, view, recorded, sessions)
  await store.moveRuns(
    tx,
    recorded.map(({ plan: { move } }) => move),
    changes,
  )
  if (alerts.length > 0) await parts.enqueueAlerts(tx, alerts)

  const ended = recorded.filter(({ run, plan: { final } }) => final && run.sessionId !== null)
  if (ended.length > 0)
    await store.removeRuns(
      tx,
      ended.map(({ run }) => run),
    )
  await recordMissed(tx, recorded.flatMap(slotsRunOver))
  const nowMs = Date.now()
  const soon = recorded.filter(({ plan: { move } }) => move.dueAtMs !== null && isDueSoon(move.dueAtMs, nowMs))
  if (soon.length > 0)
    await notify(tx, 'runs', [...new Set(soon.map(({ plan: { move } }) => move.locationNo))].join(','))
}

/** What the final outcomes mean for their checks, in the order of the reports. */
async function judgeChecks(
  tx: Db,
  view: LocationView,
  recorded: readonly Recorded[],
  sessions: ReadonlyMap<string, Verdict[] | null>,
) {
  const changes = new Map<number, StateChange>()
  const alerts: DueAlert[] = []
  const siblings = await siblingsOf(tx, recorded)
  for (const entry of recorded) {
    if (!entry.plan.final) continue
    const { run, report } = entry
    const settings = alertSettingsOf(run.settings, run.accountAlertSettings)
    const verdicts = verdictsOfRun(entry, recorded, siblings, sessions)
    if (verdicts === null) continue
    const outcome: RunOutcome = judgeRun(verdicts, settings.parallelRunFailureThreshold)
    const before = changes.get(run.checkNo)
    let alertState = before?.alertState ?? run.alertState
    if (outcome.alerting !== null) {
      const endedAtMs = report.startedAtMs + report.durationMs
      const decision = decideAlert(alertState, outcome.alerting, settings, endedAtMs)
      alertState = decision.next
      if (decision.due && !run.muted) alerts.push(toAlert(entry, view, decision.alertType, decision.reason))
    }
    changes.set(run.checkNo, {
      checkNo: run.checkNo,
      status: outcome.status ?? before?.status ?? null,
      locationNo: run.locationNo,
      checkRunId: run.checkRunId,
      responseTimeMs: report.verdict === 'error' ? null : report.responseTimeMs,
      alertState,
    })
  }
  return { changes: [...changes.values()], alerts }
}

/** The verdicts that are judged together; null while other locations of a parallel run have not ended. */
function verdictsOfRun(
  { run, report }: Recorded,
  recorded: readonly Recorded[],
  siblings: ReadonlyMap<number, Sibling[]>,
  sessions: ReadonlyMap<string, Verdict[] | null>,
): Verdict[] | null {
  if (!run.parallel) return [report.verdict]
  if (run.sessionId !== null) {
    const last = recorded.findLast((other) => other.plan.final && other.run.sessionId === run.sessionId)
    return last?.run === run ? (sessions.get(run.sessionId) ?? null) : null
  }
  const here = recorded.filter((other) => other.run.checkNo === run.checkNo && other.run.sessionId === null)
  const lanes = [
    ...(siblings.get(run.checkNo) ?? []),
    ...here.map(({ run: { checkNo }, plan: { move } }) => ({
      checkNo,
      lastCheckRunId: move.lastCheckRunId,
      lastVerdict: move.lastVerdict,
    })),
  ]
  if (lanes.some((lane) => (lane.lastCheckRunId ?? 0) < run.checkRunId)) return null
  // Of several results in one batch, the last one speaks for the run.
  if (here.findLast((other) => other.run.checkRunId === run.checkRunId)?.run !== run) return null
  return lanes.flatMap((lane) => (lane.lastCheckRunId === run.checkRunId && lane.lastVerdict ? [lane.lastVerdict] : []))
}

async function siblingsOf(tx: Db, recorded: readonly Recorded[]): Promise<Map<number, Sibling[]>> {
  const parallel = recorded.filter(({ run, plan: { final } }) => final && run.parallel && run.sessionId === null)
  const found = new Map<number, Sibling[]>()
  if (parallel.length === 0) return found
  const rows = await otherLanes(
    tx,
    parallel.map(({ run }) => run.checkNo),
    recorded.map(({ run }) => run.scheduleId),
  )
  for (const row of rows) found.set(row.checkNo, [...(found.get(row.checkNo) ?? []), row])
  return found
}

function toResult({ run, report, plan: { final } }: Recorded): NewResult {
  const shares = report.detail === null && report.fingerprint !== null && report.fingerprint === run.keptFingerprint
  return {
    id: run.resultId,
    checkNo: run.checkNo,
    locationNo: run.locationNo,
    startedAtMs: report.startedAtMs,
    checkRunId: run.checkRunId,
    detailId: report.detail !== null || report.error !== null ? run.resultId : shares ? run.keptId : null,
    detail: report.detail !== null || report.error !== null ? { error: report.error, api: report.detail } : null,
    recordedAfterMs: Math.max(0, Date.now() - report.startedAtMs),
    durationMs: report.durationMs,
    responseTimeMs: report.responseTimeMs,
    phases: report.phases,
    statusCode: report.statusCode,
    attempt: run.attempt,
    flags: {
      verdict: report.verdict,
      overMaxResponseTime: report.overMaxResponseTime,
      final,
      networkError: report.networkError,
      parallel: run.parallel,
    },
  }
}

function toError({ run, report }: Recorded): store.ErrorSeen {
  const cleaned = cleanErrorMessage(report.error ?? '')
  return {
    checkNo: run.checkNo,
    hash: createHash('sha256').update(cleaned).digest('hex'),
    raw: report.error ?? '',
    cleaned,
    atMs: report.startedAtMs + report.durationMs,
  }
}

function toAlert(
  { run, report }: Recorded,
  view: LocationView,
  alertType: DueAlert['alertType'],
  reason: unknown,
): DueAlert {
  const location = view.get(run.locationNo)
  return {
    accountId: run.accountId,
    checkNo: run.checkNo,
    checkId: run.checkId,
    checkName: run.checkName,
    checkKind: run.kind,
    checkDescription: run.settings.description ?? '',
    tags: run.tags,
    alertType,
    reason,
    locationNo: run.locationNo,
    location: location?.slug ?? '',
    locationName: location?.name ?? '',
    resultId: run.resultId,
    responseTimeMs: report.responseTimeMs,
    error: report.error,
    statusCode: report.statusCode,
    startedAt: new Date(report.startedAtMs),
  }
}

/** Slots that passed while the run before them was still going on. */
function slotsRunOver({ run, plan: { final } }: Recorded): MissedRun[] {
  if (!final || run.sessionId !== null) return []
  const slots = slotsBetween(
    { no: run.checkNo, settings: run.settings, createdAt: run.createdAt },
    run.checkRunId,
    Date.now(),
  )
  if (slots < 1) return []
  const reason = 'The run before was still going on.'
  return [{ checkNo: run.checkNo, locationNo: run.locationNo, slotAtMs: run.checkRunId, slots, reason }]
}

/** Records what sessions wait for. Answers, for each session, its final verdicts once all locations have ended. */
async function followSessions(tx: Db, recorded: readonly Recorded[]): Promise<Map<string, Verdict[] | null>> {
  const complete = new Map<string, Verdict[] | null>()
  const reports = recorded.flatMap(({ run, report, plan: { final } }) =>
    run.sessionId === null
      ? []
      : [
          {
            sessionId: run.sessionId,
            resultId: run.resultId,
            locationNo: run.locationNo,
            resultType: final ? ('FINAL' as const) : ('ATTEMPT' as const),
            verdict: report.verdict,
          },
        ],
  )
  if (reports.length === 0) return complete
  await store.recordSessionResults(tx, reports)
  for (const session of await store.lockOpenSessions(tx, [...new Set(reports.map((report) => report.sessionId))])) {
    const over = session.finals.length >= session.locations
    await store.setSessionStatus(tx, session.id, judgeSession(session.finals, session.locations, true), over)
    complete.set(session.id, over ? session.finals : null)
    if (over) await notify(tx, 'sessions', session.id)
  }
  return complete
}
