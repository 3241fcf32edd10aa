/** Secret URLs that run a check or a group and answer by the outcome. */
import { timingSafeEqual } from 'node:crypto'
import { type CheckTrigger, type GroupTrigger, RUNNABLE_KINDS, routes, type TriggerOutcome } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import { type Caller, isAllowed } from '../../auth/caller.ts'
import { hashKey } from '../../auth/keys.ts'
import type { StoredCheck } from '../../checks/check.ts'
import { findCheck, findGroup } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import { notify } from '../../db/signals.ts'
import type { ResultStore } from '../../results/result-store.ts'
import { startSession, type Wish } from '../../scheduling/demand.ts'
import { awaitEnd } from '../check-sessions/await-end.ts'
import type { SessionParts } from '../check-sessions/routes.ts'
import { MASK } from '../checks/present.ts'
import type { Call, Serve } from '../serve.ts'
import * as store from './store.ts'

/** Whoever calls a trigger waits this long at most. */
const WAIT_MS = 30_000

export function serveTriggers(serve: Serve, parts: SessionParts, results: Pick<ResultStore, 'find'>): void {
  const { db } = parts

  serve(routes.getCheckTrigger, async ({ params, caller }) => {
    const { no } = await getCheck(db, caller, params.checkId)
    return { ...(await present(db, { checkNo: no }, caller)), checkId: params.checkId }
  })

  serve(routes.createCheckTrigger, ({ params, caller, record }) =>
    db.transaction().execute(async (tx): Promise<CheckTrigger> => {
      const { no } = await getCheck(tx, caller, params.checkId)
      await store.addTrigger(tx, caller.accountId, { checkNo: no })
      const trigger = { ...(await present(tx, { checkNo: no }, caller)), checkId: params.checkId }
      await record(tx, { after: trigger })
      return trigger
    }),
  )

  serve(routes.deleteCheckTrigger, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const { no } = await getCheck(tx, caller, params.checkId)
      await remove(tx, { checkNo: no }, caller, record)
    })
    return null
  })

  serve(routes.getGroupTrigger, async ({ params, caller }) => {
    await assertGroup(db, caller, params.groupId)
    return { ...(await present(db, params, caller)), groupId: params.groupId }
  })

  serve(routes.createGroupTrigger, ({ params, caller, record }) =>
    db.transaction().execute(async (tx): Promise<GroupTrigger> => {
      await assertGroup(tx, caller, params.groupId)
      await store.addTrigger(tx, caller.accountId, params)
      const trigger = { ...(await present(tx, params, caller)), groupId: params.groupId }
      await record(tx, { after: trigger })
      return trigger
    }),
  )

  serve(routes.deleteGroupTrigger, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      await assertGroup(tx, caller, params.groupId)
      await remove(tx, params, caller, record)
    })
    return null
  })

  type CallingCheck = Pick<Call<typeof routes.callCheckTrigger>, 'params' | 'query' | 'proven' | 'over' | 'reply'>
  const callCheck = async ({ params, query, proven, over, reply }: CallingCheck): Promise<TriggerOutcome> => {
    const found = await store.findCheckOfTrigger(db, params.checkId)
    if (found === undefined || !isSame(found.trigger.token, params.token)) throw notFound()
    proven()
    await store.noteCall(db, found.trigger.id)
    if (!canRun(found.check)) throw new AppError('conflict', `No runner can run a ${found.check.kind} check.`)
    const outcome = await run(parts, results, found.check, query, performance.now() + WAIT_MS, over())
    if (outcome.hasFailures) reply.code(503)
    return outcome
  }
  serve(routes.callCheckTrigger, callCheck)
  serve(routes.callCheckTriggerByPost, callCheck)
  serve(routes.callCheckTriggerV1, callCheck)
  serve(routes.callCheckTriggerV1ByPost, callCheck)

  type CallingGroup = Pick<Call<typeof routes.callGroupTrigger>, 'params' | 'query' | 'proven' | 'over' | 'reply'>
  const callGroup = async ({ params, query, proven, over, reply }: CallingGroup) => {
    const group = await store.findGroupOfTrigger(db, params.groupId)
    if (group === undefined || !isSame(group.trigger.token, params.token)) throw notFound()
    proven()
    await store.noteCall(db, group.trigger.id)
    const deadline = performance.now() + WAIT_MS
    const signal = over()
    const waiting = [...group.checks.filter(canRun).entries()]
    const outcomes: (TriggerOutcome & { checkId: string; name: string })[] = []
    const goOn = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [place, check] = next
        const outcome = await run(parts, results, check, query, deadline, signal)
        outcomes[place] = { checkId: check.id, name: check.name, ...outcome }
      }
    }
    await Promise.all(Array.from({ length: group.concurrency }, goOn))
    if (outcomes.some(({ hasFailures }) => hasFailures)) reply.code(503)
    return outcomes
  }
  serve(routes.callGroupTrigger, callGroup)
  serve(routes.callGroupTriggerByPost, callGroup)
  serve(routes.callGroupTriggerV1, callGroup)
  serve(routes.callGroupTriggerV1ByPost, callGroup)
}

/** Runs the check once and waits. What has not ended by the deadline counts as failing. */
async function run(
  { db, signals, locations, clock }: SessionParts,
  results: Pick<ResultStore, 'find'>,
  check: StoredCheck,
  query: Call<typeof routes.callCheckTrigger>['query'],
  deadline: number,
  over: AbortSignal,
): Promise<TriggerOutcome> {
  const left = deadline - performance.now()
  if (left <= 0) return { hasFailures: true }
  const view = await locations()
  const { environmentUrl, environmentName } = query
  const wish: Wish = {
    demand: {
      withoutRetries: true,
      ...(environmentUrl === undefined ? {} : { environmentUrl }),
      ...(environmentName === undefined ? {} : { environmentName }),
    },
    locationNo: placeFor(check, query.runLocation, (region, slug) => view.numbersOf(check.accountId, region, slug)[0]),
  }
  const id = await db.transaction().execute(async (tx) => {
    const started = await startSession(tx, check, view, clock.nowMs(), wish)
    if (started !== null) await notify(tx, 'runs', '')
    return started
  })
  if (id === null) return { hasFailures: true }
  const session = await awaitEnd(signals, id, () => store.readSession(db, id), left, over)
  if (session.stoppedAt === null && over.aborted)
    throw new AppError('stopping', 'The server is stopping. The run goes on; ask again.')
  const hasFailures = session.status !== 'PASSED' && session.status !== 'DEGRADED'
  const result = session.resultId === null ? undefined : await results.find(db, check.no, session.resultId)
  if (check.kind !== 'API' || result === undefined) return { hasFailures }
  return { hasFailures, responseTime: Math.round(result.responseTimeMs) }
}

/** Where whoever calls says nothing, a check that runs in many places runs in this one. */
const USUAL_REGION = 'us-east-1'

/** Undefined: where the check runs next. @throws AppError `invalid` for a place that is not there. */
function placeFor(
  { effective: { settings } }: StoredCheck,
  wanted: string | undefined,
  numberOf: (regions: string[], slugs: string[]) => number | undefined,
): number | undefined {
  if (wanted === undefined) {
    return settings.locations.includes(USUAL_REGION) ? numberOf([USUAL_REGION], []) : undefined
  }
  const no = numberOf([wanted], []) ?? numberOf([], [wanted])
  if (no !== undefined) return no
  const reason = `"runLocation" names "${wanted}", which does not exist`
  throw new AppError('invalid', reason, { source: 'query', keys: ['runLocation'] })
}

function canRun({ kind }: StoredCheck): boolean {
  return RUNNABLE_KINDS.some((runnable) => runnable === kind)
}

/** Digests have equal lengths, and say nothing about the token by time. */
function isSame(token: string, presented: string): boolean {
  return timingSafeEqual(hashKey(token), hashKey(presented))
}

async function getCheck(db: Db, caller: Caller, id: string): Promise<StoredCheck> {
  const check = await findCheck(db, caller.accountId, id)
  if (check === undefined) throw notFound()
  return check
}

async function assertGroup(db: Db, caller: Caller, id: number): Promise<void> {
  if ((await findGroup(db, caller.accountId, id)) === undefined) throw notFound()
}

async function present(db: Db, target: store.Target, caller: Caller) {
  const trigger = await store.findTrigger(db, target)
  if (trigger === undefined) throw notFound()
  return {
    id: trigger.id,
    token: isAllowed(caller.role, 'run') ? trigger.token : MASK,
    created_at: trigger.createdAt.toISOString(),
    called_at: trigger.calledAt?.toISOString() ?? null,
    updated_at: trigger.updatedAt?.toISOString() ?? null,
  }
}

async function remove(
  tx: Db,
  target: store.Target,
  caller: Caller,
  record: Call<typeof routes.deleteCheckTrigger>['record'],
): Promise<void> {
  const before = await present(tx, target, caller)
  await record(tx, { before })
  await store.deleteTrigger(tx, before.id)
}
