/** Checks: create, read, change, delete. */
import { isDeepStrictEqual } from 'node:util'
import { routes, type Subscription } from '@vedette/schema'
import { invalidField, notFound } from '../../app-error.ts'
import { type Caller, mayReadLocked } from '../../auth/caller.ts'
import type { StoredCheck } from '../../checks/check.ts'
import { findCheck, findCheckForUpdate } from '../../checks/store.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { syncSchedule } from '../../scheduling/sync-schedule.ts'
import { pageOf, tellPage } from '../page.ts'
import type { Serve } from '../serve.ts'
import { changedApiCheck, newApiCheck, toApiCheck } from './api-check.ts'
import { overviewOf } from './overview.ts'
import { summariseChecks } from './overview-store.ts'
import * as store from './store.ts'
import { timelineOf } from './timeline.ts'

export function serveChecks(serve: Serve, db: Db, clock: Clock): void {
  serve(routes.createApiCheck, async ({ body, query, caller }) => {
    if (body.groupId != null) throw invalidField('groupId', `names the group ${body.groupId}, which does not exist`)
    const fields = newApiCheck(body)
    return db.transaction().execute(async (tx) => {
      await store.assertPrivateLocations(tx, caller.accountId, fields.settings.privateLocations ?? [])
      const check = await store.insertCheck(tx, caller.accountId, fields)
      const wanted = await subscriptionsForNew(
        tx,
        caller.accountId,
        query.autoAssignAlerts !== false,
        body.alertChannelSubscriptions ?? [],
      )
      await store.setSubscriptions(tx, caller.accountId, check.no, wanted)
      await syncSchedule(tx, check, 'created', clock.nowMs())
      return present(tx, check, caller)
    })
  })

  serve(routes.updateApiCheck, ({ body, params, caller }) =>
    db.transaction().execute(async (tx) => {
      const stored = await findCheckForUpdate(tx, caller.accountId, params.id)
      if (stored === undefined || stored.kind !== 'API') throw notFound()
      if (body.groupId != null) throw invalidField('groupId', `names the group ${body.groupId}, which does not exist`)
      const fields = changedApiCheck(stored, body)
      await store.assertPrivateLocations(tx, caller.accountId, fields.settings.privateLocations ?? [])
      const check = await store.updateCheck(tx, stored.no, fields)
      if (body.alertChannelSubscriptions !== undefined) {
        await store.setSubscriptions(tx, caller.accountId, check.no, body.alertChannelSubscriptions)
      }
      const change = stored.activated || !check.activated ? 'changed' : 'activated'
      await syncSchedule(tx, check, change, clock.nowMs(), !haveSameLocations(stored, check))
      return present(tx, check, caller)
    }),
  )

  serve(routes.listChecks, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const filter = {
      tags: query.tag,
      urlPart: query.apiCheckUrlFilterPattern,
      search: query.search,
      status: query.status,
    }
    const { checks, total } = await store.listChecks(db, caller.accountId, filter, page)
    tellPage(request, reply, page, checks.length, total)
    return presentAll(db, checks, caller)
  })

  serve(routes.getCheck, async ({ params, caller }) => {
    const check = await findCheck(db, caller.accountId, params.id)
    if (check === undefined) throw notFound()
    return present(db, check, caller)
  })

  serve(routes.deleteCheck, async ({ params, caller }) => {
    await db.transaction().execute(async (tx) => {
      const stored = await findCheckForUpdate(tx, caller.accountId, params.id)
      if (stored === undefined) throw notFound()
      await store.deleteCheck(tx, stored.no)
    })
    return null
  })

  serve(routes.overviewChecks, async ({ query, caller, request, reply }) => {
    const page = pageOf(query)
    const { overviews, total } = await overviewOf(db, caller.accountId, query, page)
    tellPage(request, reply, page, overviews.length, total)
    return overviews
  })

  serve(routes.summariseChecks, ({ caller }) => summariseChecks(db, caller.accountId))

  serve(routes.checkTimeline, async ({ params, query, caller }) => {
    const check = await findCheck(db, caller.accountId, params.id)
    if (check === undefined) throw notFound()
    return timelineOf(db, check, { hours: query.hours ?? 24, limit: query.limit ?? 1500 })
  })
}

/** Every channel, or those that subscribe by themselves; what the body says of a channel wins. */
async function subscriptionsForNew(
  tx: Db,
  accountId: string,
  all: boolean,
  asked: readonly Subscription[],
): Promise<Subscription[]> {
  const byItself = await store.channelsForNewCheck(tx, accountId, all)
  const wanted = new Map(byItself.map((id) => [id, true]))
  for (const item of asked) wanted.set(item.alertChannelId, item.activated)
  return [...wanted].map(([alertChannelId, activated]) => ({ alertChannelId, activated }))
}

function haveSameLocations({ settings: a }: StoredCheck, { settings: b }: StoredCheck): boolean {
  return isDeepStrictEqual([a.locations, a.privateLocations], [b.locations, b.privateLocations])
}

async function present(db: Db, check: StoredCheck, caller: Caller) {
  const [answer] = await presentAll(db, [check], caller)
  if (answer === undefined) throw notFound()
  return answer
}

async function presentAll(db: Db, checks: readonly StoredCheck[], caller: Caller) {
  const numbers = checks.map((check) => check.no)
  const subscriptions = await store.subscriptionsOf(db, numbers)
  const summaries = await store.channelSummaries(db, numbers)
  return checks.map((check) =>
    toApiCheck(
      check,
      subscriptions.get(check.no) ?? [],
      summaries.get(check.no) ?? { email: [], webhook: [], slack: [], sms: [] },
      mayReadLocked(caller),
    ),
  )
}
