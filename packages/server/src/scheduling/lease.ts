/** Hands out runs that fall due soon, and holds the call while nothing is due. */

import type { LeasedRun, LeaseRequest, RunCertificate } from '@vedette/schema'
import { AppError } from '../app-error.ts'
import { openCheckSettings } from '../checks/settings-secrets.ts'
import type { Db } from '../db/database.ts'
import { notify, type Signals } from '../db/signals.ts'
import type { Log } from '../log.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { timeOfUuid7, uuid7 } from '../uuid7.ts'
import { leaseDryRuns } from './dry-run-store.ts'
import { asDueRun, dryLeaseName } from './dry-runs.ts'
import { type DueRun, lockDueRuns, markSessionsTaken, moveElsewhere, nextDueInMs, recordLeases } from './lease-store.ts'
import { openProxyUrl } from './location-secrets.ts'
import { LOST_AFTER_MS, type LocationView } from './location-view.ts'
import { certificatesForRuns, certificatesToShow, type SealedByAccount } from './run-certificates.ts'
import { type RunExtras, readExtras } from './run-extras.ts'
import { settingsFor, type Told } from './run-settings.ts'
import { isRunnerKnown, type RunnerRow } from './runner-store.ts'

/**
 * Between two leases of one runner: runs that fall due one by one are handed out by the handful. What is wanted at
 * once (a run on demand, a retry) comes with a signal and does not wait for it.
 */
const PACE_MS = 250

/**
 * A waiting call looks again after this long, because runs that are in hand now will fall due again. Whoever plans a
 * run that is due sooner says so with a signal: see `isDueSoon`.
 */
const LOOK_AGAIN_MS = 2000

/** True for runs that a waiting call could overlook. */
export function isDueSoon(dueAtMs: number, nowMs: number): boolean {
  return dueAtMs < nowMs + 2 * LOOK_AGAIN_MS
}

export interface LeaseParts {
  db: Db
  signals: Signals
  locations: () => Promise<LocationView>
  secrets: Secrets
  log: Log
}

/** The check, the schedule row and the result to come, in one word. */
export function leaseName(checkNo: number, scheduleId: number, resultId: string): string {
  return `${checkNo}.${scheduleId}.${resultId}`
}

const LEASE_NAME = /^(\d{1,10})\.(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export interface LeaseKey {
  checkNo: number
  scheduleId: number
  resultId: string
}

export function readLeaseName(name: string): LeaseKey | null {
  const [, checkNo, scheduleId, resultId] = LEASE_NAME.exec(name) ?? []
  if (checkNo === undefined || scheduleId === undefined || resultId === undefined) return null
  return { checkNo: Number(checkNo), scheduleId: Number(scheduleId), resultId }
}

/**
 * Runs of the runner's locations, each leased to it. Waits up to `waitMs` for one to fall due.
 *
 * @param signal ends the wait when the runner has hung up
 */
export async function leaseRuns(
  parts: LeaseParts,
  runner: RunnerRow,
  request: LeaseRequest,
  signal: AbortSignal,
): Promise<LeasedRun[]> {
  const deadline = performance.now() + request.waitMs
  for (;;) {
    const view = await parts.locations()
    const locations = servedNow(view, runner)
    const wake = listenFor(parts.signals, new Set(locations))
    try {
      const runs = locations.length === 0 ? [] : await takeDueRuns(parts, view, runner, locations, request)
      const left = deadline - performance.now()
      if (runs.length > 0 || left <= 0 || signal.aborted) return runs
      const due = locations.length === 0 ? null : await nextDueInMs(parts.db, locations, request.horizonMs)
      const sleep = Math.max(PACE_MS, due === null ? left : due - request.horizonMs)
      await wake.within(Math.min(left, sleep, LOOK_AGAIN_MS), signal)
      if (signal.aborted) return []
      if (!(await isRunnerKnown(parts.db, runner.id))) throw new AppError('gone', 'This runner is not known any more.')
    } finally {
      wake.stop()
    }
  }
}

/** Waits until the runner may lease again (see PACE_MS), no longer than it wants to wait for runs. */
export async function pace(
  parts: LeaseParts,
  runner: RunnerRow,
  lastLeaseAt: number | undefined,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const left = Math.min(waitMs, (lastLeaseAt ?? 0) + PACE_MS - performance.now())
  if (left <= 0) return
  const view = await parts.locations()
  const wake = listenFor(parts.signals, new Set(servedNow(view, runner)))
  await wake.within(left, signal)
  wake.stop()
}

/** A runner in quarantine leaves the runs to others of its location that are believed. */
function servedNow(view: LocationView, { id, builtIn, locationNo }: RunnerRow): number[] {
  const served = builtIn ? view.builtIn() : locationNo === null ? [] : [locationNo]
  return view.quarantineOfRunner(id) === null ? served : served.filter((no) => !view.canJudge(no))
}

async function takeDueRuns(
  { db, secrets, log }: LeaseParts,
  view: LocationView,
  runner: RunnerRow,
  locations: readonly number[],
  request: LeaseRequest,
): Promise<LeasedRun[]> {
  // What it said since it began to wait counts.
  const words = view.wordsOfRunner(runner.id) ?? runner.words
  return db.transaction().execute(async (tx) => {
    const asked = await leaseDryRuns(tx, runner.id, locations, words, request.capacity, LOST_AFTER_MS)
    const capacity = request.capacity - asked.length
    const due = await lockDueRuns(tx, locations, words, request.horizonMs, capacity)
    const { nowMs } = due
    const elsewhere = await moveOutOfQuarantine(tx, view, due.runs)
    const staying = due.runs.filter(({ id }) => !elsewhere.has(id))
    const certificates = await certificatesForRuns(tx, [
      ...asked.map(({ accountId }) => accountId),
      ...staying.filter(({ hasCertificates }) => hasCertificates).map(({ accountId }) => accountId),
    ])
    const dryRuns = asked.flatMap((run) =>
      unlessSealed(log, run.checkId, () => ({
        run: opened(secrets, asDueRun(secrets, run), view, certificates),
        id: run.id,
        leaseId: run.leaseId,
        at: run.nowMs,
      })),
    )
    const runs = staying.flatMap((run) =>
      unlessSealed(log, run.checkId, () => opened(secrets, run, view, certificates)),
    )
    const extrasOf = await readExtras(tx, secrets, [...dryRuns.map(({ run }) => run), ...runs])
    const dry = dryRuns.flatMap(({ run, id, leaseId, at }) =>
      unlessSealed(log, run.checkId, () => toLeasedRun(run, dryLeaseName(leaseId), extrasOf(run, id), at)),
    )
    const leases = runs.flatMap((run) => {
      // The id orders results by time: the due time, or now for a run that is late.
      const resultId = uuid7(Math.max(run.dueAtMs, nowMs))
      try {
        return [{ run, resultId, extras: extrasOf(run, resultId) }]
      } catch (error) {
        log.error('The variables of a check cannot be opened', { error, check: run.checkId })
        return []
      }
    })
    if (leases.length === 0) return dry
    await recordLeases(
      tx,
      runner.id,
      leases.map(({ run, resultId }) => ({
        checkNo: run.checkNo,
        id: run.id,
        leaseId: resultId,
        checkRunId: Math.round(run.dueAtMs),
      })),
    )
    const demanded = leases.map(({ run }) => run).filter((run) => run.onDemand)
    if (demanded.length > 0) await markSessionsTaken(tx, demanded)
    const named = leases.map(({ run, resultId, extras }) =>
      toLeasedRun(run, leaseName(run.checkNo, run.id, resultId), extras, nowMs),
    )
    return [...dry, ...named]
  })
}

/** The others can be run. One that cannot be opened will be late, and recorded as missed. */
function unlessSealed<T>(log: Log, check: string, open: () => T): T[] {
  try {
    return [open()]
  } catch (error) {
    log.error('The secrets of a check or its location cannot be opened', { error, check })
    return []
  }
}

/** What a place that is believed can run goes there. Answers the rows that have gone. */
async function moveOutOfQuarantine(tx: Db, view: LocationView, runs: readonly DueRun[]): Promise<ReadonlySet<number>> {
  const moves = runs.flatMap((run) => {
    if (run.parallel || run.onDemand || view.canJudge(run.locationNo)) return []
    const { locations, privateLocations } = run.settings
    const need = view.needOf(run)
    const locationNo = view
      .numbersOf(run.accountId, locations, privateLocations)
      .find((no) => view.canJudge(no) && view.canRun(no, need))
    return locationNo === undefined ? [] : [{ checkNo: run.checkNo, id: run.id, locationNo }]
  })
  if (moves.length > 0) {
    await moveElsewhere(tx, moves)
    await notify(tx, 'runs', [...new Set(moves.map(({ locationNo }) => locationNo))].join(','))
  }
  return new Set(moves.map(({ id }) => id))
}

/** A run with all that its runner has to know. */
interface OpenRun extends DueRun {
  location: string
  proxyUrl: string | null
  told: Told
  certificates: RunCertificate[]
}

function opened(secrets: Secrets, run: DueRun, view: LocationView, certificates: SealedByAccount): OpenRun {
  const { accountId, checkId: id, settings: open, sealed } = run
  const settings = openCheckSettings(secrets, { accountId, id }, 'effective_sealed', open, sealed)
  const told = settingsFor(run.kind, settings, run.demand, run.runtimeId)
  const location = view.get(run.locationNo)
  return {
    ...run,
    settings,
    told,
    certificates: certificatesToShow(secrets, certificates.get(accountId) ?? [], told),
    location: location?.slug ?? String(run.locationNo),
    proxyUrl: location === undefined ? null : openProxyUrl(secrets, location),
  }
}

function toLeasedRun(run: OpenRun, leaseId: string, extras: RunExtras, nowMs: number): LeasedRun {
  const kept =
    run.keptId === null || run.keptFingerprint === null
      ? null
      : { fingerprint: run.keptFingerprint, ageMs: Math.max(0, nowMs - timeOfUuid7(run.keptId)) }
  return {
    leaseId,
    checkId: run.checkId,
    location: run.location,
    attempt: run.attempt,
    dueInMs: run.dueAtMs - nowMs,
    dueAtMs: run.dueAtMs,
    kept,
    keepDetail: run.onDemand,
    proxyUrl: run.proxyUrl,
    ...extras,
    certificates: run.certificates,
    ...run.told,
  }
}

/** Hears of runs for these locations from now on. An empty payload means any. */
function listenFor(signals: Signals, locations: ReadonlySet<number>) {
  let heard = false
  let wake: (() => void) | undefined
  const stop = signals.on('runs', (payload) => {
    if (payload !== '' && !payload.split(',').some((no) => locations.has(Number(no)))) return
    heard = true
    wake?.()
  })
  return {
    stop,
    within(ms: number, signal: AbortSignal): Promise<void> {
      if (heard || signal.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, Math.max(0, ms))
        signal.addEventListener('abort', done)
        wake = done
      })
    },
  }
}
