/** Checks: create, read, change, delete. */
import { type Check, type CheckKind, routes, type Subscription } from '@vedette/schema'
import { channelSummaries, groupSubscriptionsOf, subscriptionsOf } from '../../alerting/subscriptions-store.ts'
import { notFound } from '../../app-error.ts'
import { type Caller, mayReadLocked } from '../../auth/caller.ts'
import type { OpenCheck } from '../../checks/check.ts'
import { openCheck } from '../../checks/settings-secrets.ts'
import { findCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Links } from '../../links.ts'
import type { LocationView } from '../../scheduling/location-view.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Call, Serve } from '../serve.ts'
import { effectiveOf } from './effective.ts'
import { overviewOf } from './overview.ts'
import { summariseChecks } from './overview-store.ts'
import { presentCheck } from './present.ts'
import * as store from './store.ts'
import { timelineOf } from './timeline.ts'
import { changeCheck, createCheck, lockCheck, type Tools } from './write-check.ts'

export interface Presenting {
  secrets: Secrets
  links: Links
}

export function serveChecks(
  serve: Serve,
  db: Db,
  tools: Tools & Presenting,
  locations: () => Promise<LocationView>,
): void {
  const { secrets } = tools
  type Writing = Pick<Call<typeof routes.createApiCheck>, 'query' | 'caller' | 'record'>
  const create = <K extends CheckKind>(kind: K, body: object, { query, caller, record }: Writing) =>
    db.transaction().execute(async (tx) => {
      const check = await createCheck(tx, tools, caller.accountId, kind, body, query.autoAssignAlerts !== false)
      await record(tx, { subject: check.id, after: await presentForAll(tx, check, tools) })
      return presentWritten(tx, check, caller, tools)
    })
  const createAs = async <K extends CheckKind>(kind: K, body: object, call: Writing) =>
    ofKind(kind, await create(kind, body, call))
  serve(routes.createApiCheck, (call) => createAs('API', call.body, call))
  serve(routes.createBrowserCheck, (call) => createAs('BROWSER', call.body, call))
  serve(routes.createMultiStepCheck, (call) => createAs('MULTI_STEP', call.body, call))
  serve(routes.createPlaywrightCheck, (call) => createAs('PLAYWRIGHT', call.body, call))
  serve(routes.createTcpCheck, (call) => createAs('TCP', call.body, call))
  serve(routes.createUrlCheck, (call) => createAs('URL', call.body, call))
  serve(routes.createDnsCheck, (call) => createAs('DNS', call.body, call))
  serve(routes.createHeartbeatCheck, (call) => createAs('HEARTBEAT', call.body, call))
  serve(routes.createCheck, (call) => create(call.body.checkType, call.body, call))

  type Changing = Pick<Call<typeof routes.updateApiCheck>, 'params' | 'caller' | 'record'>
  const change = (stored: (tx: Db) => Promise<OpenCheck>, body: object, { caller, record }: Changing) =>
    db.transaction().execute(async (tx) => {
      const before = await stored(tx)
      const was = await presentForAll(tx, before, tools)
      const check = await changeCheck(tx, tools, before, body)
      await record(tx, { before: was, after: await presentForAll(tx, check, tools) })
      return presentWritten(tx, check, caller, tools)
    })
  const changeAs = async <K extends CheckKind>(kind: K, body: object, call: Changing) =>
    ofKind(kind, await change((tx) => lockCheck(tx, secrets, call.caller.accountId, call.params.id, kind), body, call))
  serve(routes.updateApiCheck, (call) => changeAs('API', call.body, call))
  serve(routes.updateBrowserCheck, (call) => changeAs('BROWSER', call.body, call))
  serve(routes.updateMultiStepCheck, (call) => changeAs('MULTI_STEP', call.body, call))
  serve(routes.updatePlaywrightCheck, (call) => changeAs('PLAYWRIGHT', call.body, call))
  serve(routes.updateTcpCheck, (call) => changeAs('TCP', call.body, call))
  serve(routes.updateUrlCheck, (call) => changeAs('URL', call.body, call))
  serve(routes.updateDnsCheck, (call) => changeAs('DNS', call.body, call))
  serve(routes.updateHeartbeatCheck, (call) => changeAs('HEARTBEAT', call.body, call))
  serve(routes.updateCheck, (call) =>
    change((tx) => lockCheck(tx, secrets, call.caller.accountId, call.params.id), call.body, call),
  )

  serve(routes.listChecks, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const filter = {
      tags: query.tag,
      urlPart: query.apiCheckUrlFilterPattern,
      search: query.search,
      status: query.status,
      kind: query.checkType,
    }
    const { checks, total } = await store.listChecks(db, secrets, caller.accountId, filter, page)
    tellPage(request, reply, page, checks.length, total)
    return presentAll(db, checks, caller, tools, { inForce: query.applyGroupSettings === true })
  })

  serve(routes.getCheck, async ({ params, query, caller }) => {
    const check = await getCheck(db, secrets, caller, params.id)
    const [answer] = await presentAll(db, [check], caller, tools, {
      inForce: query.applyGroupSettings === true,
      withDependencies: query.includeDependencies === true,
    })
    if (answer === undefined) throw notFound()
    return answer
  })

  serve(routes.getEffectiveSettings, async ({ params, caller }) =>
    effectiveOf(db, secrets, await getCheck(db, secrets, caller, params.id), mayReadLocked(caller)),
  )

  serve(routes.deleteCheck, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const stored = await lockCheck(tx, secrets, caller.accountId, params.id)
      await record(tx, { before: await presentForAll(tx, stored, tools) })
      await store.deleteCheck(tx, stored.no)
    })
    return null
  })

  serve(routes.overviewChecks, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const { overviews, total } = await overviewOf(db, await locations(), caller.accountId, query, page)
    tellPage(request, reply, page, overviews.length, total)
    return overviews
  })

  serve(routes.summariseChecks, ({ caller }) => summariseChecks(db, caller.accountId))

  serve(routes.checkTimeline, async ({ params, query, caller }) =>
    timelineOf(db, await getCheck(db, secrets, caller, params.id), {
      hours: query.hours ?? 24,
      limit: query.limit ?? 1500,
    }),
  )
}

async function getCheck(db: Db, secrets: Secrets, caller: Caller, id: string): Promise<OpenCheck> {
  const check = await findCheck(db, caller.accountId, id)
  if (check === undefined) throw notFound()
  return openCheck(secrets, check)
}

/** As the answer of a write shows it: with everything that was written. */
function presentWritten(
  db: Db,
  check: OpenCheck,
  caller: Pick<Caller, 'role'>,
  presenting: Presenting,
): Promise<Check> {
  return presentOne(db, check, caller, presenting, { withDependencies: true })
}

/** As every reader of the account may see it. */
async function presentForAll(db: Db, check: OpenCheck, presenting: Presenting): Promise<Check> {
  return presentWritten(db, check, { role: 'READ_ONLY' }, presenting)
}

export interface Wanted {
  /** The check as it runs: with what comes from its group. */
  inForce?: boolean
  /** The files that scripts import. */
  withDependencies?: boolean
}

export async function presentOne(
  db: Db,
  check: OpenCheck,
  caller: Pick<Caller, 'role'>,
  presenting: Presenting,
  wanted: Wanted,
): Promise<Check> {
  const [answer] = await presentAll(db, [check], caller, presenting, wanted)
  if (answer === undefined) throw notFound()
  return answer
}

export async function presentAll(
  db: Db,
  checks: readonly OpenCheck[],
  caller: Pick<Caller, 'role'>,
  presenting: Presenting,
  { inForce = false, withDependencies = false }: Wanted = {},
): Promise<Check[]> {
  const { secrets, links } = presenting
  const numbers = checks.map((check) => check.no)
  const groupIds = inForce ? [...new Set(checks.flatMap(({ groupId }) => groupId ?? []))] : []
  const showLocked = mayReadLocked(caller)
  const [subscriptions, ofGroups, summaries] = await Promise.all([
    subscriptionsOf(db, numbers),
    groupSubscriptionsOf(db, groupIds),
    channelSummaries(db, numbers, showLocked ? secrets : null),
  ])
  return checks.map((check) => {
    const own = subscriptions.get(check.no) ?? []
    const view = {
      subscriptions: [...own, ...notAmong(own, ofGroups.get(check.groupId ?? 0) ?? [])],
      alertChannels: summaries.get(check.no) ?? { email: [], webhook: [], slack: [], sms: [] },
      showLocked,
      withDependencies,
      links,
    }
    return presentAny(inForce ? asInForce(check) : check, view)
  })
}

/** The check as it runs, with the settings of its group put over its own. */
function asInForce<C extends OpenCheck>(check: C): C {
  return { ...check, ...check.effective }
}

/** What is said of a channel at the check itself wins. */
function notAmong(own: readonly Subscription[], others: readonly Subscription[]): Subscription[] {
  return others.filter((other) => !own.some(({ alertChannelId }) => alertChannelId === other.alertChannelId))
}

function presentAny(check: OpenCheck, view: Parameters<typeof presentCheck>[1]): Check {
  return presentCheck<CheckKind>(check, view)
}

/** What was made or changed by the operation of a kind is of that kind. */
function ofKind<K extends CheckKind>(kind: K, check: Check): Extract<Check, { checkType: K }> {
  if (!isOfKind(kind, check)) throw new Error(`A ${check.checkType} check was written as ${kind}.`)
  return check
}

function isOfKind<K extends CheckKind>(kind: K, check: Check): check is Extract<Check, { checkType: K }> {
  return check.checkType === kind
}
