/** Who hears of incidents on a status page. */
import type { StatusPageSubscription } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

export async function listSubscriptions(db: Db, pageId: string): Promise<StatusPageSubscription[]> {
  const rows = await db
    .selectFrom('status_page_subscriptions')
    .selectAll()
    .where('page_id', '=', pageId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(present)
}

/** Leaves out who is subscribed already; answers the new ones. */
export async function insertSubscriptions(
  tx: Db,
  page: { id: string; account_id: string },
  addresses: readonly string[],
  status: StatusPageSubscription['status'],
): Promise<StatusPageSubscription[]> {
  const { rows } = await sql<Selectable<Tables['status_page_subscriptions']>>`
    insert into status_page_subscriptions (account_id, page_id, address, status)
    select ${page.account_id}::uuid, ${page.id}::uuid, address, ${status} from unnest(${addresses}::text[]) as given(address)
    on conflict do nothing returning *`.execute(tx)
  return rows.map(present)
}

export async function deleteSubscription(
  tx: Db,
  pageId: string,
  id: string,
): Promise<StatusPageSubscription | undefined> {
  const row = await tx
    .deleteFrom('status_page_subscriptions')
    .where('page_id', '=', pageId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && present(row)
}

function present(row: Selectable<Tables['status_page_subscriptions']>): StatusPageSubscription {
  return {
    id: row.id,
    type: 'EMAIL',
    address: row.address,
    status: row.status,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}
