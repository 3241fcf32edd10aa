/** Runs on demand. */
import { randomUUID } from 'node:crypto'
import { API_ATTEMPT_LIMIT_MS, type CheckSession, routes, type SessionTrigger } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import { retryStrategyOf, type StoredCheck } from '../../checks/check.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { notify, type Signals } from '../../db/signals.ts'
import type { Links } from '../../links.ts'
import { nextInRotation, nextSlotOf } from '../../scheduling/lanes.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import { addDemandedRuns, freeCheckRunId, skipFirstRun, standingLanes } from '../../scheduling/store.ts'
import type { Serve } from '../serve.ts'
import * as store from './store.ts'

const GRACE_MS = 5 * 60_000

export function serveCheckSessions(
  serve: Serve,
  db: Db,
  signals: Signals,
  locations: () => Promise<LocationView>,
  links: Links,
  clock: Clock,
): void {
  serve(routes.triggerSessions, async ({ body, caller }) => {
    const { tagLists, ids } = readTarget(body)
    const view = await locations()
    const ended = await db.transaction().execute(async (tx) => {
      const checks = await store.matchingChecks(tx, caller.accountId, tagLists, ids)
      if (checks.length === 0) throw notFound('No matching checks were found.')
      const started: string[] = []
      for (const check of checks) {
        const id = await startSession(tx, check, view, clock.nowMs())
        if (id !== null) started.push(id)
      }
      if (started.length === 0) throw notFound('No matching check has a location to run in.')
      await notify(tx, 'runs', '')
      return started
    })
    const sessions: CheckSession[] = []
    for (const id of ended) {
      const { results: _none, ...session } = await present(db, caller.accountId, id, view, links)
      sessions.push(session)
    }
    return { sessions }
  })

  serve(routes.getSession, async ({ params, caller }) =>
    present(db, caller.accountId, params.checkSessionId, await locations(), links),
  )

  serve(routes.awaitSession, async ({ params, query, caller, reply }) => {
    const id = params.checkSessionId
    const deadline = performance.now() + (query.maxWaitSeconds ?? 30) * 1000
    const hungUp = new Promise<void>((resolve) => reply.raw.once('close', resolve))
    for (;;) {
      const heard = hear(signals, id)
      try {
        const session = await present(db, caller.accountId, id, await locations(), links)
        if (session.stoppedAt !== null) return session
        const left = deadline - performance.now()
        if (left <= 0 || reply.raw.destroyed) {
          throw new AppError('still-running', 'The session is still in progress. Ask again.')
        }
        await Promise.race([heard.promise, hungUp, heard.timeout(Math.min(left, 5000))])
      } finally {
        heard.stop()
      }
    }
  })
}

function readTarget({ target }: SessionTrigger) {
  const tagLists = target?.matchTags?.map((entry) => (typeof entry === 'string' ? [entry] : entry))
  const ids = target?.checkId === undefined ? undefined : [target.checkId].flat()
  return { tagLists: tagLists?.length === 0 ? undefined : tagLists, ids }
}

/** Null for a check without a location. */
async function startSession(tx: Db, check: StoredCheck, view: LocationView, nowMs: number): Promise<string | null> {
  const { locations, privateLocations, runParallel } = check.settings
  const all = view.numbersOf(check.accountId, locations ?? [], privateLocations ?? [])
  const lanes = await standingLanes(tx, check.no)
  const isServed = (no: number) => view.servedBy(no) !== 'nobody'
  const here = Math.max(0, all.indexOf(lanes[0]?.locationNo ?? 0))
  const next = nextInRotation(all, here - 1, isServed)
  const served = all.filter(isServed)
  const chosen = runParallel ? (served.length > 0 ? served : all) : next === null ? [] : [next.locationNo]
  if (chosen.length === 0) return null
  const id = randomUUID()
  const checkRunId = await freeCheckRunId(tx, check.no, nowMs)
  const retry = retryStrategyOf(check.settings)
  const attemptsMs = API_ATTEMPT_LIMIT_MS * (1 + (retry?.maxRetries ?? (retry === null ? 0 : 1)))
  await store.addSessions(tx, [
    {
      id,
      accountId: check.accountId,
      checkNo: check.no,
      deadlineAt: new Date(nowMs + attemptsMs + (retry?.maxDurationSeconds ?? 0) * 1000 + GRACE_MS),
      locations: chosen,
    },
  ])
  await addDemandedRuns(
    tx,
    chosen.map((locationNo) => ({
      checkNo: check.no,
      locationNo,
      parallel: runParallel === true,
      sessionId: id,
      checkRunId,
    })),
  )
  await skipFirstRun(tx, check.no, nextSlotOf(check, nowMs))
  return id
}

async function present(db: Db, accountId: string, id: string, view: LocationView, links: Links): Promise<CheckSession> {
  const session = await store.findSession(db, accountId, id)
  if (session === undefined) throw notFound('No such check session.')
  const slug = (no: number) => view.get(no)?.slug ?? ''
  return {
    checkSessionId: session.id,
    checkSessionLink: links.session(accountId, session.checkId, session.id),
    checkId: session.checkId,
    checkType: session.kind,
    name: session.checkName,
    status: session.status,
    startedAt: session.startedAt.toISOString(),
    stoppedAt: session.stoppedAt?.toISOString() ?? null,
    timeElapsed: Math.max(0, (session.stoppedAt?.getTime() ?? Date.now()) - session.startedAt.getTime()),
    runLocations: session.locations.map(slug),
    results: session.results.map((result) => ({
      checkResultId: result.resultId,
      checkResultLink: links.result(accountId, session.checkId, result.resultId),
      checkId: session.checkId,
      name: session.checkName,
      checkType: session.kind,
      runLocation: slug(result.locationNo),
      resultType: result.resultType,
      hasErrors: result.verdict === 'error',
      hasFailures: result.verdict === 'failed',
      isDegraded: result.verdict === 'degraded',
      aborted: false,
    })),
  }
}

function hear(signals: Signals, id: string) {
  let timer: NodeJS.Timeout | undefined
  let stop = () => {}
  const promise = new Promise<void>((resolve) => {
    stop = signals.on('sessions', (payload) => {
      if (payload === id || payload === '') resolve()
    })
  })
  return {
    promise,
    timeout: (ms: number) =>
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      }),
    stop: () => {
      stop()
      clearTimeout(timer)
    },
  }
}
