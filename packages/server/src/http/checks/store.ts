import type { CheckKind } from '@vedette/schema'
import { type SelectQueryBuilder, sql } from 'kysely'
import { invalidField } from '../../app-error.ts'
import type { InForce, SettingsOf, StoredCheck } from '../../checks/check.ts'
import { effectiveColumns, toStoredCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { CheckFields } from './check-body.ts'

export async function insertCheck<K extends CheckKind>(
  tx: Db,
  accountId: string,
  fields: CheckFields<K>,
  effective: InForce<SettingsOf<K>>,
): Promise<StoredCheck> {
  const row = await tx
    .insertInto('checks')
    .values({ account_id: accountId, ...columns(fields), ...effectiveColumns(effective) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.insertInto('check_states').values({ check_no: row.no }).execute()
  return toStoredCheck(row)
}

export async function updateCheck<K extends CheckKind>(
  tx: Db,
  no: number,
  fields: CheckFields<K>,
  effective: InForce<SettingsOf<K>>,
): Promise<StoredCheck> {
  const row = await tx
    .updateTable('checks')
    .set({ ...columns(fields), ...effectiveColumns(effective), updated_at: new Date() })
    .where('no', '=', no)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toStoredCheck(row)
}

function columns<K extends CheckKind>(fields: CheckFields<K>) {
  const { kind, name, activated, muted, tags, groupId, groupOrder, settings } = fields
  return {
    kind,
    name,
    activated,
    muted,
    tags,
    group_id: groupId,
    group_order: groupOrder,
    settings: JSON.stringify(settings),
  }
}

/** Results go with their partitions; nobody can read them once the check is gone. */
export async function deleteCheck(tx: Db, no: number): Promise<void> {
  await tx.deleteFrom('checks').where('no', '=', no).execute()
}

export interface CheckFilter {
  tags?: readonly string[] | undefined
  urlPart?: string | undefined
  search?: string | undefined
  status?: 'passing' | 'failing' | 'degraded' | undefined
  kind?: CheckKind | undefined
  groupId?: number | undefined
}

export async function listChecks(
  db: Db,
  accountId: string,
  filter: CheckFilter,
  page: { limit: number; offset: number },
): Promise<{ checks: StoredCheck[]; total: number }> {
  const matching = filtered(db.selectFrom('checks').where('checks.account_id', '=', accountId), filter)
  const rows = await matching
    .selectAll('checks')
    .$if(filter.groupId !== undefined, (q) => q.orderBy('checks.group_order', (o) => o.asc().nullsLast()))
    .orderBy('checks.created_at')
    .orderBy('checks.no')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { checks: rows.map(toStoredCheck), total }
}

export function filtered<O>(query: SelectQueryBuilder<Tables, 'checks', O>, filter: CheckFilter) {
  return query
    .$if(filter.tags !== undefined && filter.tags.length > 0, (q) =>
      q.where(sql<boolean>`checks.effective_tags && ${filter.tags}::text[]`),
    )
    .$if(filter.urlPart !== undefined, (q) =>
      q
        .where('checks.kind', '=', 'API')
        .where(sql<boolean>`position(${filter.urlPart ?? ''} in checks.settings->'request'->>'url') > 0`),
    )
    .$if(filter.kind !== undefined, (q) => q.where('checks.kind', '=', filter.kind ?? 'API'))
    .$if(filter.groupId !== undefined, (q) => q.where('checks.group_id', '=', filter.groupId ?? 0))
    .$if(filter.search !== undefined && filter.search !== '', (q) =>
      q.where(sql<boolean>`position(lower(${filter.search ?? ''}) in lower(checks.name)) > 0`),
    )
    .$if(filter.status !== undefined, (q) =>
      q.where(sql<boolean>`exists (select from check_states s where s.check_no = checks.no and s.updated_at is not null
        and case when s.has_failures then 'failing' when s.is_degraded then 'degraded' else 'passing' end = ${filter.status})`),
    )
}

/** @throws AppError `invalid` for a slug that names no private location of the account. */
export async function assertPrivateLocations(tx: Db, accountId: string, slugs: readonly string[]): Promise<void> {
  if (slugs.length === 0) return
  const known = await tx
    .selectFrom('locations')
    .select('slug')
    .where('account_id', '=', accountId)
    .where('slug', 'in', slugs)
    .execute()
  const missing = slugs.find((slug) => !known.some((row) => row.slug === slug))
  if (missing !== undefined) {
    throw invalidField('privateLocations', `names "${missing}", which does not exist`)
  }
}
