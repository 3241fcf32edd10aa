/** Runs on demand, followed until they have ended. */
import { type CheckSession, type CheckSessionV2, routes, type SessionTrigger } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { notify, type Signals } from '../../db/signals.ts'
import type { Links } from '../../links.ts'
import { startSession } from '../../scheduling/demand.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import { endSessions } from '../../scheduling/session-store.ts'
import type { Call, Serve } from '../serve.ts'
import { awaitEnd } from './await-end.ts'
import * as store from './store.ts'

export interface SessionParts {
  db: Db
  signals: Signals
  locations: () => Promise<LocationView>
  links: Links
  clock: Clock
}

export function serveCheckSessions(serve: Serve, parts: SessionParts): void {
  const { db, locations, links } = parts

  type Triggering = Pick<Call<typeof routes.triggerSessionsV2>, 'body' | 'caller' | 'record'>
  const trigger = async ({ body, caller, record }: Triggering): Promise<CheckSessionV2[]> => {
    const view = await locations()
    const started = await db.transaction().execute(async (tx) => {
      const ids = await startSessions(tx, caller.accountId, body, view, parts.clock.nowMs())
      await record(tx, { subject: ids.join(' '), after: body })
      return ids
    })
    const sessions: CheckSessionV2[] = []
    for (const id of started) {
      const { results: _none, ...session } = await present(db, caller.accountId, id, view, links)
      sessions.push(session)
    }
    return sessions
  }
  serve(routes.triggerSessions, async (call) => ({ sessions: (await trigger(call)).map(asVersion1) }))
  serve(routes.triggerSessionsV2, async (call) => ({ sessions: await trigger(call) }))

  type Getting = Pick<Call<typeof routes.getSession>, 'params' | 'caller'>
  const get = async ({ params, caller }: Getting) =>
    present(db, caller.accountId, params.checkSessionId, await locations(), links)
  serve(routes.getSession, async (call) => asVersion1(await get(call)))
  serve(routes.getSessionV2, get)

  type Waiting = Pick<Call<typeof routes.awaitSession>, 'params' | 'query' | 'caller' | 'over'>
  const wait = async ({ params, query, caller, over }: Waiting): Promise<CheckSessionV2> => {
    const read = async () => present(db, caller.accountId, params.checkSessionId, await locations(), links)
    const seconds = query.maxWaitSeconds ?? 30
    const session = await awaitEnd(parts.signals, params.checkSessionId, read, seconds * 1000, over())
    if (session.stoppedAt === null) {
      throw new AppError('still-running', 'The session is still in progress. Ask again.')
    }
    return session
  }
  serve(routes.awaitSession, async (call) => asVersion1(await wait(call)))
  serve(routes.awaitSessionV2, wait)

  serve(routes.cancelSession, async ({ params, caller, record }) => {
    const before = await present(db, caller.accountId, params.checkSessionId, await locations(), links)
    await db.transaction().execute(async (tx) => {
      await record(tx, { before })
      const ended = await endSessions(tx, [params.checkSessionId], 'CANCELLED')
      for (const id of ended) await notify(tx, 'sessions', id)
    })
    return null
  })
}

/** Clients of version 1 know nothing of cancelling. */
function asVersion1({ status, ...session }: CheckSessionV2): CheckSession {
  return { ...session, status: status === 'CANCELLED' ? 'TIMED_OUT' : status }
}

/** @throws AppError `not-found` when no check matches, or none of them has a place to run in. */
async function startSessions(
  tx: Db,
  accountId: string,
  body: SessionTrigger,
  view: LocationView,
  nowMs: number,
): Promise<string[]> {
  const { tagLists, ids } = readTarget(body)
  const checks = await store.matchingChecks(tx, accountId, tagLists, ids)
  if (checks.length === 0) throw notFound('No matching checks were found.')
  const started: string[] = []
  for (const check of checks) {
    const id = await startSession(tx, check, view, nowMs)
    if (id !== null) started.push(id)
  }
  if (started.length === 0) throw notFound('No matching check has a location to run in.')
  await notify(tx, 'runs', '')
  return started
}

function readTarget({ target }: SessionTrigger) {
  const tagLists = target?.matchTags?.map((entry) => (typeof entry === 'string' ? [entry] : entry))
  const ids = target?.checkId === undefined ? undefined : [target.checkId].flat()
  return { tagLists: tagLists?.length === 0 ? undefined : tagLists, ids }
}

async function present(
  db: Db,
  accountId: string,
  id: string,
  view: LocationView,
  links: Links,
): Promise<CheckSessionV2> {
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
