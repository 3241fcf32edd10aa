/**
 * Records what runners report: results, the schedule, the state of checks, alerts and their notifications, all in one
 * transaction. A report is taken once: it must hold the lease, and recording it ends the lease.
 */
import { createHash } from 'node:crypto'
import { cleanErrorMessage, judgeSession } from '@vedette/core'
import type { ReportAnswer, RunReport } from '@vedette/schema'
import type { NewDecision } from '../alerting/decision-store.ts'
import type { DueAlert } from '../alerting/due-alert.ts'
import { certificateHost } from '../checks/certificate-host.ts'
import type { Clock } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import type { Log } from '../log.ts'
import type { Coverage } from '../results/coverage.ts'
import type { NewResult, ResultStore } from '../results/result-store.ts'
import type { ParallelLane } from '../scheduling/lane-store.ts'
import { nextSlotOf, slotsBetween } from '../scheduling/lanes.ts'
import { type MissedRun, recordMissed } from '../scheduling/late-run-store.ts'
import { isDueSoon, readLeaseName } from '../scheduling/lease.ts'
import { fitIn, type LocationView } from '../scheduling/location-view.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Subscribers } from '../subscribers/enqueue.ts'
import { followIncidents } from './automated-incidents.ts'
import { type EndedRun, judgeEndedRuns, judgeWithoutGivenUp, toAlert } from './judge-checks.ts'
import { planRun, type RunPlan } from './plan-run.ts'
import { scrubReports } from './scrub-reports.ts'
import type { RunInHand } from './store.ts'
import * as store from './store.ts'
import { certificateAlerts, type SeenOfCheck } from './watch-certificates.ts'

export interface RecordingParts {
  clock: Clock
  db: Db
  results: ResultStore
  locations: () => Promise<LocationView>
  coverage: Coverage
  /** Whether a first failure is confirmed by another place before it counts. */
  secondOpinions: boolean
  /** Open what is hidden, to take it out of what is recorded. */
  secrets: Secrets
  log: Log
  /** Writes alerts, their notifications and what else was decided; part of the same transaction. */
  enqueueAlerts: (tx: Db, alerts: readonly DueAlert[], undue?: readonly NewDecision[]) => Promise<void>
  /** Of status pages. */
  subscribers: Subscribers
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
  const byId = new Map(
    reports.flatMap((report) => {
      const lease = readLeaseName(report.leaseId)
      return lease === null ? [] : [[lease.resultId, { ...lease, report }]]
    }),
  )
  const view = await parts.locations()
  const nowMs = parts.clock.nowMs()
  const recorded = await parts.db.transaction().execute(async (tx) => {
    const runs = await store.lockRunsInHand(tx, runnerId, [...byId.values()])
    if (runs.length === 0) return []
    const told = runs.flatMap((run) => {
      const report = byId.get(run.resultId)?.report
      return report === undefined ? [] : [{ run, accountId: run.accountId, report: endedBy(report, nowMs) }]
    })
    const planned = (await scrubReports(tx, parts, told)).map(({ run, report }) => ({
      run,
      report,
      plan: plan(run, report, view, nowMs, parts.secondOpinions),
    }))
    await record(tx, parts, view, planned, nowMs)
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

/** What is reported has ended: the runner carries our time on by its own clock, which may be a little fast. */
function endedBy(report: RunReport, nowMs: number): RunReport {
  const latestStartMs = Math.floor(nowMs - report.durationMs)
  return report.startedAtMs <= latestStartMs ? report : { ...report, startedAtMs: latestStartMs }
}

/** Part of the transaction that gives runs up in one location: what the others found is judged without it. */
export async function recordGivenUp(
  tx: Db,
  parts: RecordingParts,
  runs: readonly { checkNo: number; checkRunId: number }[],
): Promise<void> {
  if (runs.length === 0) return
  const { changes, alerts, turns, undue } = await judgeWithoutGivenUp(
    tx,
    parts,
    await parts.locations(),
    runs,
    parts.clock.nowMs(),
  )
  if (changes.length > 0) await store.moveRuns(tx, [], changes)
  if (alerts.length + undue.length > 0) await parts.enqueueAlerts(tx, alerts, undue)
  await followIncidents(tx, turns, parts.subscribers)
}

function plan(run: RunInHand, report: RunReport, view: LocationView, nowMs: number, secondOpinions: boolean): RunPlan {
  const { locations, privateLocations } = run.settings
  const numbers = view.numbersOf(run.accountId, locations, privateLocations)
  const isApart = (no: number, other: number) => secondOpinions && view.areApart(no, other)
  return planRun(run, report, numbers, fitIn(view, numbers, view.needOf(run)), nowMs, Math.random(), isApart)
}

async function record(
  tx: Db,
  parts: RecordingParts,
  view: LocationView,
  recorded: readonly Recorded[],
  nowMs: number,
): Promise<void> {
  await parts.results.append(
    tx,
    recorded.map((entry) => toResult(entry, nowMs)),
  )
  const failing = recorded.filter(({ report }) => report.verdict === 'failed' && report.error !== null)
  if (failing.length > 0) await store.recordErrors(tx, failing.map(toError))

  const sessions = await followSessions(tx, recorded)
  const { changes, alerts, turns, undue } = await judgeEndedRuns(
    tx,
    parts,
    view,
    recorded.filter(({ plan: { final } }) => final).map(toEnded),
    nowMs,
    recorded.filter(({ run }) => run.parallel && run.sessionId === null).map(toLane),
    (sessionId) => sessions.has(sessionId),
  )
  await store.moveRuns(
    tx,
    recorded.map(({ plan: { move } }) => move),
    changes,
  )
  const expiring = await certificateAlerts(
    tx,
    recorded.flatMap((entry) => toSeen(entry, view)),
    nowMs,
  )
  if (alerts.length + expiring.length + undue.length > 0) await parts.enqueueAlerts(tx, [...alerts, ...expiring], undue)
  await followIncidents(tx, turns, parts.subscribers)

  const ended = recorded.filter(({ run, plan: { final } }) => final && run.sessionId !== null)
  if (ended.length > 0)
    await store.removeRuns(
      tx,
      ended.map(({ run }) => run),
    )
  await recordMissed(tx, recorded.flatMap(slotsRunOver))
  const soon = recorded.filter(({ plan: { move } }) => move.dueAtMs !== null && isDueSoon(move.dueAtMs, nowMs))
  if (soon.length > 0)
    await notify(tx, 'runs', [...new Set(soon.map(({ plan: { move } }) => move.locationNo))].join(','))
}

function toResult({ run, report, plan: { final } }: Recorded, nowMs: number): NewResult {
  const shares = report.detail === null && report.fingerprint !== null && report.fingerprint === run.keptFingerprint
  return {
    id: run.resultId,
    checkNo: run.checkNo,
    locationNo: run.locationNo,
    startedAtMs: report.startedAtMs,
    checkRunId: run.checkRunId,
    detailId: report.detail !== null || report.error !== null ? run.resultId : shares ? run.keptId : null,
    detail: report.detail !== null || report.error !== null ? { error: report.error, answer: report.detail } : null,
    recordedAfterMs: Math.max(0, nowMs - report.startedAtMs),
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

/** A report that ended its run, as its check is judged by it. */
function toEnded({ run, report }: Recorded): EndedRun {
  return {
    check: {
      no: run.checkNo,
      id: run.checkId,
      accountId: run.accountId,
      kind: run.kind,
      name: run.checkName,
      muted: run.muted,
      tags: run.tags,
      settings: run.settings,
      accountAlertSettings: run.accountAlertSettings,
      pause: run.pause,
      alertState: run.alertState,
      judgedUntilMs: run.judgedUntilMs,
      lastCheckRunId: null,
    },
    checkRunId: run.checkRunId,
    // A failure that another place confirms counts from the moment at which the first one saw it.
    seenSinceMs: run.opinionOn !== null && report.verdict === 'failed' ? run.firstStartedAtMs : null,
    parallel: run.parallel,
    sessionId: run.sessionId,
    result: {
      id: run.resultId,
      checkRunId: run.checkRunId,
      locationNo: run.locationNo,
      verdict: report.verdict,
      startedAtMs: report.startedAtMs,
      durationMs: report.durationMs,
      responseTimeMs: report.responseTimeMs,
      statusCode: report.statusCode,
      error: report.error,
    },
  }
}

/** The certificate of the check's host. Runs on demand may have been sent elsewhere. */
function toSeen(entry: Recorded, view: LocationView): SeenOfCheck[] {
  const { run, report } = entry
  const host = certificateHost(run.settings)
  if (report.certificate == null || host === null || run.sessionId !== null) return []
  const { fingerprint256: fingerprint, expiresAtMs } = report.certificate
  const { check, result } = toEnded(entry)
  const alert = toAlert(check, { ...result, error: null }, view, 'ALERT_SSL', null, fingerprint)
  return [{ checkNo: run.checkNo, host, fingerprint, expiresAtMs, alert }]
}

/** Where a lane stands after its report. */
function toLane({ run, plan: { final, move } }: Recorded): ParallelLane {
  return {
    checkNo: run.checkNo,
    id: run.scheduleId,
    locationNo: move.locationNo,
    lastCheckRunId: final ? run.checkRunId : null,
    currentRunId: final ? (move.dueAtMs ?? Number.POSITIVE_INFINITY) : run.checkRunId,
    inHand: !final,
  }
}

/** Slots between the one that was run and the next one: they passed while the run or its report was under way. */
function slotsRunOver({ run, report, plan: { final, move } }: Recorded): MissedRun[] {
  if (!final || move.dueAtMs === null) return []
  const check = { no: run.checkNo, settings: run.settings, createdAt: run.createdAt, pause: run.pause }
  const endedAtMs = Math.min(Math.max(run.checkRunId, report.startedAtMs + report.durationMs), move.dueAtMs - 1)
  const during = { fromMs: run.checkRunId, toMs: endedAtMs, reason: 'The run before was still going on.' }
  const afterwards = { fromMs: endedAtMs, toMs: move.dueAtMs - 1, reason: 'The report of the run before came late.' }
  return [during, afterwards].flatMap(({ fromMs, toMs, reason }) => {
    const slots = slotsBetween(check, fromMs, toMs)
    const slotAtMs = nextSlotOf(check, fromMs)
    return slots < 1 ? [] : [{ checkNo: run.checkNo, locationNo: run.locationNo, slotAtMs, slots, reason }]
  })
}

/** Records what sessions wait for. Answers those whose locations have all ended. */
async function followSessions(tx: Db, recorded: readonly Recorded[]): Promise<Set<string>> {
  const complete = new Set<string>()
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
    if (!over) continue
    complete.add(session.id)
    await notify(tx, 'sessions', session.id)
  }
  return complete
}
