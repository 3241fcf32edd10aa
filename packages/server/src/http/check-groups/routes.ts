/** Check groups: shared settings of checks. */
import { isDeepStrictEqual } from 'node:util'
import { type CheckGroup, type CheckKind, routes, type Subscription } from '@vedette/schema'
import { groupSubscriptionsOf, setSubscriptions, subscriptionsForNew } from '../../alerting/subscriptions-store.ts'
import { AppError, notFound } from '../../app-error.ts'
import { type Caller, mayReadLocked } from '../../auth/caller.ts'
import type { CheckSettings, InForce } from '../../checks/check.ts'
import type { OpenGroup } from '../../checks/group.ts'
import { inForce } from '../../checks/in-force.ts'
import { openGroup } from '../../checks/settings-secrets.ts'
import { findCheck, findGroup, lockConfiguration, lockMembers, setInForce } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { type Presenting, presentAll, presentOne as presentCheck } from '../checks/routes.ts'
import { assertPrivateLocations, listChecks, showCheck } from '../checks/store.ts'
import { syncWithSchedule, type Tools } from '../checks/write-check.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Call, Serve } from '../serve.ts'
import { assertSnippets } from '../snippets/store.ts'
import { changedGroup, newGroup, presentGroup } from './group-body.ts'
import * as store from './store.ts'

type Body = object & { alertChannelSubscriptions?: Subscription[] | undefined }

export function serveCheckGroups(serve: Serve, db: Db, tools: Tools & Presenting): void {
  const { secrets } = tools
  type Creating = Pick<Call<typeof routes.createCheckGroup>, 'query' | 'caller' | 'record'>
  const create = (version: 1 | 2, body: Body, { query, caller, record }: Creating) =>
    db.transaction().execute(async (tx) => {
      const { accountId } = caller
      await lockConfiguration(tx, accountId)
      const fields = newGroup(version, body)
      await assertPrivateLocations(tx, accountId, fields.settings.privateLocations ?? [])
      await assertSnippets(tx, accountId, fields.settings)
      const group = await store.insertGroup(tx, secrets, accountId, fields)
      const all = query.autoAssignAlerts !== false
      const wanted = await subscriptionsForNew(tx, accountId, all, body.alertChannelSubscriptions ?? [])
      await setSubscriptions(tx, accountId, { groupId: group.id }, wanted)
      await record(tx, { subject: String(group.id), after: await presentForAll(tx, group) })
      return presentOne(tx, group, caller)
    })
  serve(routes.createCheckGroupV1, (call) => create(1, call.body, call))
  serve(routes.createCheckGroup, (call) => create(2, call.body, call))

  type Changing = Pick<Call<typeof routes.updateCheckGroup>, 'params' | 'caller' | 'record'>
  const change = (version: 2 | null, body: Body, { params, caller, record }: Changing) =>
    db.transaction().execute(async (tx) => {
      const { accountId } = caller
      await lockConfiguration(tx, accountId)
      const stored = await getGroup(tx, secrets, caller, params.id)
      const before = await presentForAll(tx, stored)
      // Written by the older operation, it stays what it is.
      const fields = changedGroup(version ?? stored.version, stored, body)
      await assertPrivateLocations(tx, accountId, fields.settings.privateLocations ?? [])
      await assertSnippets(tx, accountId, fields.settings)
      const group = await store.updateGroup(tx, secrets, stored, fields)
      if (body.alertChannelSubscriptions !== undefined) {
        await setSubscriptions(tx, accountId, { groupId: group.id }, body.alertChannelSubscriptions)
      }
      await passOnToMembers(tx, tools, group)
      await record(tx, { before, after: await presentForAll(tx, group) })
      return presentOne(tx, group, caller)
    })
  serve(routes.updateCheckGroupV1, (call) => change(null, call.body, call))
  serve(routes.updateCheckGroup, (call) => change(2, call.body, call))

  serve(routes.listCheckGroups, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const filter = { tags: query.tag, names: query.name }
    const { groups, total } = await store.listGroups(db, secrets, caller.accountId, filter, page)
    tellPage(request, reply, page, groups.length, total)
    return present(db, groups, caller)
  })

  serve(routes.getCheckGroup, async ({ params, caller }) =>
    presentOne(db, await getGroup(db, secrets, caller, params.id), caller),
  )

  serve(routes.deleteCheckGroup, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      await lockConfiguration(tx, caller.accountId)
      const group = await getGroup(tx, secrets, caller, params.id)
      const before = await presentForAll(tx, group)
      if (before.checks.length > 0) throw new AppError('conflict', 'The group still has checks. Move them first.')
      await record(tx, { before })
      await store.deleteGroup(tx, group.id)
    })
    return null
  })

  type Listing = Pick<Call<typeof routes.listGroupChecks>, 'params' | 'query' | 'caller' | 'request' | 'reply'>
  const listMembers = async ({ params, query, caller, request, reply }: Listing) => {
    const group = await getGroup(db, secrets, caller, params.id)
    const page = pageOf(query)
    const { checks, total } = await listChecks(db, secrets, caller.accountId, { groupId: group.id }, page, 'inForce')
    tellPage(request, reply, page, checks.length, total)
    return presentAll(db, checks, caller, tools, { view: 'inForce' })
  }
  serve(routes.listGroupChecks, listMembers)
  serve(routes.listGroupChecksV2, listMembers)

  type Getting = Pick<Call<typeof routes.getGroupCheck>, 'params' | 'caller'>
  const getMember = async ({ params, caller }: Getting) => {
    const check = await showCheck(db, secrets, caller.accountId, params.checkId, 'inForce')
    if (check === undefined || check.groupId !== params.groupId) throw notFound()
    return presentCheck(db, check, caller, tools, { view: 'inForce' })
  }
  serve(routes.getGroupCheck, getMember)
  serve(routes.getGroupCheckV2, getMember)
}

/** The members run by the settings of the group from now on. */
async function passOnToMembers(tx: Db, { clock, secrets }: Tools, group: OpenGroup): Promise<void> {
  for (const member of await lockMembers(tx, secrets, group.id)) {
    const effective = inForce<CheckKind>(member, group)
    if (isDeepStrictEqual(effective, member.effective)) continue
    await setInForce(tx, secrets, member, effective)
    if (isDeepStrictEqual(planOf(effective), planOf(member.effective))) continue
    const check = await findCheck(tx, group.accountId, member.id)
    if (check !== undefined) await syncWithSchedule(tx, clock, member, check)
  }
}

/** What decides where and whether a check runs. */
function planOf({ activated, settings: { locations, privateLocations, runParallel } }: InForce<CheckSettings>) {
  return [activated, locations, privateLocations, runParallel]
}

async function getGroup(db: Db, secrets: Secrets, caller: Caller, id: number): Promise<OpenGroup> {
  const group = await findGroup(db, caller.accountId, id)
  if (group === undefined) throw notFound()
  return openGroup(secrets, group)
}

/** As every reader of the account may see it. */
function presentForAll(db: Db, group: OpenGroup): Promise<CheckGroup> {
  return presentOne(db, group, { role: 'READ_ONLY' })
}

async function presentOne(db: Db, group: OpenGroup, caller: Pick<Caller, 'role'>): Promise<CheckGroup> {
  const [answer] = await present(db, [group], caller)
  if (answer === undefined) throw notFound()
  return answer
}

async function present(db: Db, groups: readonly OpenGroup[], caller: Pick<Caller, 'role'>): Promise<CheckGroup[]> {
  const ids = groups.map(({ id }) => id)
  const [subscriptions, members] = await Promise.all([groupSubscriptionsOf(db, ids), store.membersOf(db, ids)])
  return groups.map((group) =>
    presentGroup(group, subscriptions.get(group.id) ?? [], members.get(group.id) ?? [], mayReadLocked(caller)),
  )
}
