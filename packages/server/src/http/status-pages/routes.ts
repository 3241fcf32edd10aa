/** Status pages and who is subscribed to them. */
import { routes, type StatusPage } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import type { Subscribers } from '../../subscribers/enqueue.ts'
import { cutPage, readCursor } from '../cursor.ts'
import { assertDomainFree, assertSubDomainFree, awaitAddressTurn } from '../page-addresses-store.ts'
import type { Serve } from '../serve.ts'
import { newestOfPages } from '../status-page-incidents/store.ts'
import { cardsOf, replaceCards } from './cards-store.ts'
import { changedPage, newPage } from './page.ts'
import * as store from './store.ts'
import * as subscriptions from './subscriptions-store.ts'

const INCIDENTS_A_PAGE = 20

export function serveStatusPages(
  serve: Serve,
  db: Db,
  { clock, subscribers }: { clock: Clock; subscribers: Subscribers },
): void {
  const present = async (at: Db, rows: readonly store.PageRow[]): Promise<StatusPage[]> => {
    const ids = rows.map(({ id }) => id)
    const cards = await cardsOf(at, ids)
    const incidents = await newestOfPages(at, ids, { most: INCIDENTS_A_PAGE, nowMs: clock.nowMs() })
    return rows.map((row) => store.presentPage(row, cards.get(row.id) ?? [], incidents.get(row.id) ?? []))
  }
  const find = async (at: Db, accountId: string, id: string): Promise<StatusPage> => {
    const row = await store.findPage(at, accountId, id)
    const [page] = row === undefined ? [] : await present(at, [row])
    if (page === undefined) throw notFound()
    return page
  }

  serve(routes.listStatusPages, async ({ query, caller }) => {
    const limit = query.limit ?? 20
    const found = await store.listPages(db, caller.accountId, readCursor(query.nextId), limit + 1)
    const { rows, nextId } = cutPage(found, limit)
    return { length: rows.length, entries: await present(db, rows), nextId }
  })

  serve(routes.getStatusPage, ({ params, caller }) => find(db, caller.accountId, params.statusPageId))

  serve(routes.createStatusPage, ({ body, caller, record }) => {
    const fields = newPage(body)
    return db.transaction().execute(async (tx) => {
      await awaitAddressTurn(tx)
      await assertSubDomainFree(tx, fields.url, { statusPage: null })
      await assertDomainFree(tx, fields.customDomain, { statusPage: null })
      const id = await store.insertPage(tx, caller.accountId, fields)
      await replaceCards(tx, caller.accountId, id, body.cards)
      const after = await find(tx, caller.accountId, id)
      await record(tx, { after: withoutIncidents(after), subject: id })
      return after
    })
  })

  serve(routes.updateStatusPage, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      await awaitAddressTurn(tx)
      const current = await store.lockPage(tx, caller.accountId, params.statusPageId)
      if (current === undefined) throw notFound()
      const before = await find(tx, caller.accountId, current.id)
      const fields = changedPage({ customDomain: current.custom_domain, settings: current.settings }, body)
      await assertSubDomainFree(tx, fields.url, { statusPage: current.id })
      await assertDomainFree(tx, fields.customDomain, { statusPage: current.id })
      await store.updatePage(tx, current.id, fields)
      await replaceCards(tx, caller.accountId, current.id, body.cards)
      const after = await find(tx, caller.accountId, current.id)
      await record(tx, { before: withoutIncidents(before), after: withoutIncidents(after) })
      return after
    }),
  )

  serve(routes.deleteStatusPage, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const current = await store.lockPage(tx, caller.accountId, params.statusPageId)
      if (current === undefined) throw notFound()
      await record(tx, { before: withoutIncidents(await find(tx, caller.accountId, current.id)) })
      await store.deletePage(tx, current.id)
    })
    return null
  })

  serve(routes.listStatusPageSubscriptions, async ({ params, caller }) => {
    const page = await store.findPage(db, caller.accountId, params.statusPageId)
    if (page === undefined) throw notFound()
    return subscriptions.listSubscriptions(db, page.id)
  })

  serve(routes.createStatusPageSubscriptions, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const page = await store.lockPage(tx, caller.accountId, params.statusPageId)
      if (page === undefined) throw notFound()
      const status = body.autoVerify === true ? 'VERIFIED' : 'PENDING'
      const addresses = body.subscriptions.map(({ address }) => address)
      const created = await subscriptions.insertSubscriptions(tx, page, addresses, status)
      if (status === 'PENDING')
        await subscribers.ask(
          tx,
          created.map(({ id }) => id),
        )
      await record(tx, { after: created })
      return { created: created.length, skipped: addresses.length - created.length, status } as const
    }),
  )

  serve(routes.deleteStatusPageSubscription, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const page = await store.lockPage(tx, caller.accountId, params.statusPageId)
      const before = page && (await subscriptions.deleteSubscription(tx, page.id, params.subscriptionId))
      if (before === undefined) throw notFound()
      await record(tx, { before })
    })
    return null
  })
}

/** Incidents have entries of their own in the audit log. */
function withoutIncidents({ incidents: _incidents, ...page }: StatusPage): Omit<StatusPage, 'incidents'> {
  return page
}
