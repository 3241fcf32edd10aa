/** Cards: what a status page shows, in their order. */
import { randomUUID } from 'node:crypto'
import type { StatusPageCard, StatusPageCardWrite } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { presentService, requireServices } from '../status-page-services/store.ts'

export async function cardsOf(db: Db, pageIds: readonly string[]): Promise<Map<string, StatusPageCard[]>> {
  const found = new Map<string, StatusPageCard[]>()
  if (pageIds.length === 0) return found
  const cards = await db
    .selectFrom('status_page_cards')
    .selectAll()
    .where('page_id', 'in', pageIds)
    .orderBy('place')
    .execute()
  const services = await db
    .selectFrom('status_page_cards as c')
    .innerJoin('status_page_card_services as x', 'x.card_id', 'c.id')
    .innerJoin('status_page_services as s', 's.id', 'x.service_id')
    .selectAll('s')
    .select('x.card_id')
    .where('c.page_id', 'in', pageIds)
    .orderBy('x.place')
    .execute()
  const servicesOf = Map.groupBy(services, (service) => service.card_id)
  for (const card of cards) {
    const shown: StatusPageCard = {
      id: card.id,
      name: card.name,
      services: (servicesOf.get(card.id) ?? []).map((service) => presentService(service)),
      created_at: card.created_at.toISOString(),
      updated_at: card.updated_at?.toISOString() ?? null,
    }
    found.set(card.page_id, [...(found.get(card.page_id) ?? []), shown])
  }
  return found
}

/**
 * Makes these the cards of a page. A card whose id the page has already stays the same one, however it is changed.
 *
 * @throws AppError `not-found` for a service that the account does not have.
 */
export async function replaceCards(
  tx: Db,
  accountId: string,
  pageId: string,
  wanted: readonly StatusPageCardWrite[],
): Promise<void> {
  const services = wanted.map((card) => [...new Set(card.services.map(({ id }) => id.toLowerCase()))])
  await requireServices(tx, accountId, [...new Set(services.flat())])
  const known = await tx
    .selectFrom('status_page_cards')
    .select(['id', 'created_at'])
    .where('page_id', '=', pageId)
    .execute()
  const left = new Map(known.map((card) => [card.id, card.created_at]))
  await tx.deleteFrom('status_page_cards').where('page_id', '=', pageId).execute()
  if (wanted.length === 0) return
  const cards = wanted.map(({ id, name }, place) => {
    const createdAt = left.get(id?.toLowerCase() ?? '')
    // An id that was given twice counts once.
    if (createdAt === undefined || id == null) return { id: randomUUID(), page_id: pageId, place, name }
    left.delete(id.toLowerCase())
    return { id, page_id: pageId, place, name, created_at: createdAt, updated_at: sql<Date>`now()` }
  })
  for (const card of cards) await tx.insertInto('status_page_cards').values(card).execute()
  const links = cards.flatMap(({ id }, index) =>
    (services[index] ?? []).map((service_id, place) => ({ card_id: id, service_id, place })),
  )
  if (links.length > 0) await tx.insertInto('status_page_card_services').values(links).execute()
}
