/**
 * Runs a definition once, without a check. A dry run is a row that runners lease before all that is scheduled, and report
 * like any other run. It changes nothing else, and goes with the one who waits for it, or by itself within minutes.
 */
import { randomUUID } from 'node:crypto'
import { ATTEMPT_LIMITS_MS, type RunnableKind, type RunReport, type RuntimeId } from '@vedette/schema'
import { AppError } from '../app-error.ts'
import type { SettingsOf } from '../checks/check.ts'
import type { Db } from '../db/database.ts'
import { notify, type Signals } from '../db/signals.ts'
import type { Log } from '../log.ts'
import { type ScrubParts, scrubReports } from '../recording/scrub-reports.ts'
import type { Place } from '../secrets/seal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import * as store from './dry-run-store.ts'
import type { DueRun } from './lease-store.ts'

export interface DryRunParts {
  db: Db
  signals: Signals
  secrets: Secrets
  log: Log
}

export interface DryRunWish {
  accountId: string
  kind: RunnableKind
  /** Of the check that the definition starts from, else of none. */
  checkId: string
  checkName: string
  /** One of the account. */
  groupId: number | null
  /** As they are in force, with their secrets in their places. */
  settings: SettingsOf<RunnableKind>
  locationNo: number
  /** In force; null for kinds that need none. */
  runtimeId: RuntimeId | null
}

/** What is written down of a definition. */
type SealedPart = Pick<DryRunWish, 'checkName' | 'settings'>

/** Whoever waits for a runner waits this long at most. */
export const TAKEN_WITHIN_MS = 30_000
/** On top of the limit of an attempt, for the way to the runner and back. */
const ON_THE_WAY_MS = 5000
/** Only what its maker has left behind gets so old. */
const GRACE_MS = 60_000

/** So long it is good for; what is left of it then expires. */
export function livesForMs(kind: RunnableKind): number {
  return TAKEN_WITHIN_MS + ATTEMPT_LIMITS_MS[kind] + GRACE_MS
}

/**
 * In the transaction in which it is noted that somebody asked. Answers its id.
 *
 * @param inspects the check whose certificate it looks at; null where its report is for whoever waits
 */
export async function startDryRun(
  tx: Db,
  secrets: Secrets,
  wish: DryRunWish,
  inspects: number | null = null,
): Promise<string> {
  const id = randomUUID()
  const { accountId, kind, checkId, checkName, groupId, settings, locationNo, runtimeId } = wish
  const told: SealedPart = { checkName, settings }
  const sealed = secrets.seal(placeOf(accountId, id), JSON.stringify(told))
  const livesMs = livesForMs(kind)
  await store.addDryRun(tx, { id, accountId, locationNo, kind, checkId, groupId, inspects, sealed, livesMs, runtimeId })
  await notify(tx, 'runs', String(locationNo))
  return id
}

/**
 * What its runner reports. The run is gone afterwards, however this ends.
 *
 * @param location for messages
 * @param over ends the waiting
 * @throws AppError `no-runner` when nobody takes it, or brings it back, in time
 */
export async function awaitDryRun(
  { db, signals, log }: DryRunParts,
  id: string,
  kind: RunnableKind,
  location: string,
  over: AbortSignal,
  takenWithinMs = TAKEN_WITHIN_MS,
): Promise<RunReport> {
  try {
    const read = async () => (await store.readDryRun(db, id)) ?? { isTaken: false, report: null }
    const waiting = { signals, id, read, over }
    const before = performance.now()
    if (!(await waitUntil(waiting, ({ isTaken }) => isTaken, takenWithinMs)).isTaken) {
      if (over.aborted) throw stopping()
      throw new AppError('no-runner', `No runner of ${location} took the run within ${takenWithinMs / 1000} seconds.`)
    }
    // One whose runner is lost meanwhile passes to another: the time of both is one.
    const leftMs = takenWithinMs + ATTEMPT_LIMITS_MS[kind] + ON_THE_WAY_MS - (performance.now() - before)
    const { report } = await waitUntil(waiting, ({ report }) => report !== null, leftMs)
    if (report !== null) return report
    if (over.aborted) throw stopping()
    throw new AppError('no-runner', `A runner of ${location} took the run and did not bring it back in time.`)
  } finally {
    await store.removeDryRun(db, id).catch((error: unknown) => log.debug('A dry run stays until it expires', { error }))
  }
}

const stopping = () => new AppError('stopping', 'The server is stopping. Try again.')

interface Waiting {
  signals: Signals
  id: string
  read: () => Promise<store.DryRunState>
  over: AbortSignal
}

/** Taking a run says nothing, and a signal may be lost. */
const LOOK_AGAIN_MS = 2000

/** The state when it is as wanted, when the time is up, or when the waiting is over. */
async function waitUntil(
  { signals, id, read, over }: Waiting,
  isWanted: (state: store.DryRunState) => boolean,
  withinMs: number,
): Promise<store.DryRunState> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const heard = Promise.withResolvers<void>()
    const stopListening = signals.on('sessions', (payload) => {
      if (payload === id || payload === '') heard.resolve()
    })
    const end = () => heard.resolve()
    over.addEventListener('abort', end, { once: true })
    let timer: NodeJS.Timeout | undefined
    try {
      const state = await read()
      const left = deadline - performance.now()
      if (isWanted(state) || left <= 0 || over.aborted) return state
      timer = setTimeout(end, Math.min(left, LOOK_AGAIN_MS))
      await heard.promise
    } finally {
      clearTimeout(timer)
      stopListening()
      over.removeEventListener('abort', end)
    }
  }
}

/** A lease of a dry run is told from the others by its name. */
const LEASE_NAME = /^dry\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

export function dryLeaseName(leaseId: string): string {
  return `dry.${leaseId}`
}

/** Null for the lease of a check's run. */
export function readDryLeaseName(name: string): string | null {
  return LEASE_NAME.exec(name)?.[1] ?? null
}

/** The run in the form of one of a check: its first attempt, due at once, shown as a whole. @throws Error without the key */
export function asDueRun(secrets: Secrets, run: store.LeasedDryRun): DueRun {
  const { accountId, checkId, kind, groupId, locationNo, nowMs } = run
  // Sealed by `startDryRun`, after validation by the schemas of the kind.
  const { checkName, settings } = JSON.parse(secrets.open(placeOf(accountId, run.id), run.sealed)) as SealedPart
  return {
    id: 0,
    checkNo: 0,
    checkId,
    checkName,
    accountId,
    kind,
    groupId,
    groupHasScripts: run.groupHasScripts,
    checkRunId: null,
    settings,
    sealed: null,
    locationNo,
    dueAtMs: nowMs,
    attempt: 1,
    parallel: false,
    onDemand: true,
    demand: null,
    keptId: null,
    keptFingerprint: null,
    hasCertificates: true,
    runtimeId: run.runtimeId,
  }
}

/** Keeps the reports of dry runs for those who wait. Answers the names of the leases that the runner held. */
export async function answerDryRuns(
  { db, ...parts }: ScrubParts & { db: Db },
  runnerId: number,
  reports: readonly RunReport[],
): Promise<string[]> {
  const taken: string[] = []
  for (const report of reports) {
    const leaseId = readDryLeaseName(report.leaseId)
    if (leaseId === null) continue
    const accountId = await store.accountOfHeld(db, runnerId, leaseId)
    if (accountId === undefined) continue
    for (const told of await scrubReports(db, parts, [{ accountId, report }])) {
      const id = await store.keepReport(db, runnerId, leaseId, told.report)
      if (id === undefined) continue
      await notify(db, 'sessions', id)
      taken.push(report.leaseId)
    }
  }
  return taken
}

function placeOf(accountId: string, id: string): Place {
  return { accountId, table: 'dry_runs', column: 'sealed', rowId: id }
}
