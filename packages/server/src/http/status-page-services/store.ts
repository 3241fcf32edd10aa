import type { StatusPageService } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { invalidField, notFound } from '../../app-error.ts'
import { isBeyond, type Place, placeTime } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

type Row = Selectable<Tables['status_page_services']>

/** In the order of their making; all of them when no limit is given. */
export async function listServices(
  db: Db,
  accountId: string,
  after: Place | null,
  limit: number | null,
): Promise<(Place & { service: StatusPageService })[]> {
  const rows = await db
    .selectFrom('status_page_services')
    .selectAll()
    .select(placeTime())
    .where('account_id', '=', accountId)
    .$if(after !== null, (q) => q.where(isBeyond(after ?? { at_us: 0, id: '' }, 'asc')))
    .orderBy('created_at')
    .orderBy('id')
    .$if(limit !== null, (q) => q.limit(limit ?? 0))
    .execute()
  const checks = await checksOf(db, accountId)
  return rows.map((row) => ({ at_us: row.at_us, id: row.id, service: presentService(row, checks.get(row.id)) }))
}

export async function findService(db: Db, accountId: string, id: string): Promise<StatusPageService | undefined> {
  const row = await db
    .selectFrom('status_page_services')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && presentService(row, (await checksOf(db, accountId, row.id)).get(row.id))
}

export async function insertService(tx: Db, accountId: string, name: string): Promise<StatusPageService> {
  const row = await tx
    .insertInto('status_page_services')
    .values({ account_id: accountId, name })
    .returningAll()
    .executeTakeFirstOrThrow()
  return presentService(row)
}

export async function renameService(tx: Db, accountId: string, id: string, name: string): Promise<void> {
  await tx
    .updateTable('status_page_services')
    .set({ name, updated_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** Cards and incidents lose it by themselves. */
export async function deleteService(tx: Db, accountId: string, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('status_page_services')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * A check opens incidents on this service. Call it in the transaction that writes the check: the service stays until
 * that has ended.
 *
 * @throws AppError `invalid` when the account has no such service.
 */
export async function assertService(
  tx: Db,
  accountId: string,
  serviceId: string,
  field = 'triggerIncident.serviceId',
): Promise<void> {
  const [missing] = await missingServices(tx, accountId, [serviceId])
  if (missing !== undefined) throw invalidField(field, `names the service ${missing}, which does not exist`)
}

/** The same for what shows services. @throws AppError `not-found` that names the service. */
export async function requireServices(tx: Db, accountId: string, ids: readonly string[]): Promise<void> {
  const [missing] = await missingServices(tx, accountId, ids)
  if (missing !== undefined) throw notFound(`There is no service ${missing}.`)
}

async function missingServices(tx: Db, accountId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const known = await tx
    .selectFrom('status_page_services')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return ids.filter((id) => !known.some((row) => row.id === id.toLowerCase()))
}

export function presentService(row: Row, checks: { id: string; name: string }[] = []): StatusPageService {
  return {
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    checks: checks.length === 0 ? null : checks,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}

/** The checks that open incidents, by the service on which they do. */
async function checksOf(
  db: Db,
  accountId: string,
  serviceId?: string,
): Promise<Map<string, { id: string; name: string }[]>> {
  const found = new Map<string, { id: string; name: string }[]>()
  const { rows } = await sql<{ service_id: string; id: string; name: string }>`
    select lower(settings->'triggerIncident'->>'serviceId') as service_id, id, name from checks
    where account_id = ${accountId} and settings->'triggerIncident'->>'serviceId' is not null
      and (${serviceId ?? null}::text is null or lower(settings->'triggerIncident'->>'serviceId') = ${serviceId ?? null})
    order by created_at, no`.execute(db)
  for (const { service_id, id, name } of rows) found.set(service_id, [...(found.get(service_id) ?? []), { id, name }])
  return found
}

/** Its checks open incidents no more. Hold the account’s configuration: a check may be about to name the service. */
export async function releaseChecksOf(tx: Db, accountId: string, serviceId: string): Promise<void> {
  // No group has a say in it, so that it goes from the settings in force in the same way.
  await sql`
    update checks set settings = jsonb_set(settings, '{triggerIncident}', 'null'),
      effective_settings = jsonb_set(effective_settings, '{triggerIncident}', 'null'), updated_at = now()
    where account_id = ${accountId} and lower(settings->'triggerIncident'->>'serviceId') = lower(${serviceId})`.execute(
    tx,
  )
}
