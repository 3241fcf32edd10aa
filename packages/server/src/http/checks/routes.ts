/** Checks: create, read, change, delete. */
import { type Check, type CheckKind, routes } from '@vedette/schema'
import { findSubscribers } from '../../alerting/store.ts'
import { channelsSummary } from '../../alerting/subscriptions-store.ts'
import { notFound } from '../../app-error.ts'
import { type Caller, mayReadLocked } from '../../auth/caller.ts'
import type { OpenCheck, ShownCheck } from '../../checks/check.ts'
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
  serve(routes.createIcmpCheck, (call) => createAs('ICMP', call.body, call))
  serve(routes.createSslCheck, (call) => createAs('SSL', call.body, call))
  serve(routes.createHeartbeatCheck, (call) => createAs('HEARTBEAT', call.body, call))
  serve(routes.createGrpcCheck, (call) => createAs('GRPC', call.body, call))
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
  serve(routes.updateIcmpCheck, (call) => changeAs('ICMP', call.body, call))
  serve(routes.updateSslCheck, (call) => changeAs('SSL', call.body, call))
  serve(routes.updateHeartbeatCheck, (call) => changeAs('HEARTBEAT', call.body, call))
  serve(routes.updateGrpcCheck, (call) => changeAs('GRPC', call.body, call))
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
    const view = query.applyGroupSettings === true ? 'inForce' : 'written'
    const { checks, total } = await store.listChecks(db, secrets, caller.accountId, filter, page, view)
    tellPage(request, reply, page, checks.length, total)
    return presentAll(db, checks, caller, tools, { view })
  })

  serve(routes.getCheck, async ({ params, query, caller }) => {
    const view = query.applyGroupSettings === true ? 'inForce' : 'written'
    const check = await store.showCheck(db, secrets, caller.accountId, params.id, view)
    if (check === undefined) throw notFound()
    return presentOne(db, check, caller, tools, { view, withDependencies: query.includeDependencies === true })
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
  /** What the checks given are: as they were written, or as they run, with the channels that hear of them by their group. */
  view?: store.CheckView
  /** The files that scripts import. */
  withDependencies?: boolean
}

export async function presentOne(
  db: Db,
  check: ShownCheck,
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
  checks: readonly ShownCheck[],
  caller: Pick<Caller, 'role'>,
  presenting: Presenting,
  { view = 'written', withDependencies = false }: Wanted = {},
): Promise<Check[]> {
  const { secrets, links } = presenting
  const showLocked = mayReadLocked(caller)
  const numbers = checks.map(({ no }) => no)
  const subscribers = Map.groupBy(await findSubscribers(db, numbers), ({ checkNo }) => checkNo)
  return checks.map((check) => {
    const hearing = subscribers.get(check.no) ?? []
    const own = hearing.filter(({ isOwn }) => isOwn)
    const ofGroup = view === 'inForce' ? hearing.filter(({ isOwn }) => !isOwn) : []
    return presentAny(check, {
      subscriptions: [...own, ...ofGroup].map(({ channel, activated }) => ({ alertChannelId: channel.id, activated })),
      alertChannels: channelsSummary(hearing, showLocked ? secrets : null),
      showLocked,
      withDependencies,
      links,
    })
  })
}

function presentAny(check: ShownCheck, view: Parameters<typeof presentCheck>[1]): Check {
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
