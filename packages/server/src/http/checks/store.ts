import { randomUUID } from 'node:crypto'
import type { CheckKind } from '@vedette/schema'
import { type SelectQueryBuilder, sql } from 'kysely'
import { invalidField } from '../../app-error.ts'
import type { InForce, OpenCheck, SettingsOf } from '../../checks/check.ts'
import { openCheck, sealCheckSettings } from '../../checks/settings-secrets.ts'
import { effectiveColumns, toStoredCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { CheckFields } from './check-body.ts'

type Owner = Pick<OpenCheck, 'accountId' | 'id'>

export async function insertCheck<K extends CheckKind>(
  tx: Db,
  secrets: Secrets,
  accountId: string,
  fields: CheckFields<K>,
  effective: InForce<SettingsOf<K>>,
): Promise<OpenCheck> {
  const check = { accountId, id: randomUUID() }
  const row = await tx
    .insertInto('checks')
    .values({
      id: check.id,
      account_id: accountId,
      ...columns(secrets, check, fields),
      ...effectiveColumns(secrets, check, effective),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.insertInto('check_states').values({ check_no: row.no }).execute()
  return openCheck(secrets, toStoredCheck(row))
}

export async function updateCheck<K extends CheckKind>(
  tx: Db,
  secrets: Secrets,
  check: Owner,
  fields: CheckFields<K>,
  effective: InForce<SettingsOf<K>>,
): Promise<OpenCheck> {
  const row = await tx
    .updateTable('checks')
    .set({
      ...columns(secrets, check, fields),
      ...effectiveColumns(secrets, check, effective),
      updated_at: new Date(),
    })
    .where('account_id', '=', check.accountId)
    .where('id', '=', check.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return openCheck(secrets, toStoredCheck(row))
}

function columns<K extends CheckKind>(secrets: Secrets, check: Owner, fields: CheckFields<K>) {
  const { kind, name, activated, muted, tags, groupId, groupOrder, settings } = fields
  const { open, sealed } = sealCheckSettings(secrets, check, 'sealed', settings)
  return {
    kind,
    name,
    activated,
    muted,
    tags,
    group_id: groupId,
    group_order: groupOrder,
    settings: open,
    sealed,
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
  secrets: Secrets,
  accountId: string,
  filter: CheckFilter,
  page: { limit: number; offset: number },
): Promise<{ checks: OpenCheck[]; total: number }> {
  const matching = filtered(db.selectFrom('checks').where('checks.account_id', '=', accountId), filter)
  const inOrder = <O>(query: SelectQueryBuilder<Tables, 'checks', O>) =>
    query
      .$if(filter.groupId !== undefined, (q) => q.orderBy('checks.group_order', (o) => o.asc().nullsLast()))
      .orderBy('checks.created_at')
      .orderBy('checks.no')
  // What pages before this one hold is passed over in the index; rows are read for this page only.
  const ofPage = inOrder(matching.select('checks.no')).limit(page.limit).offset(page.offset)
  const [rows, { total }] = await Promise.all([
    inOrder(db.selectFrom('checks').selectAll().where('checks.no', 'in', ofPage)).execute(),
    matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { checks: rows.map((row) => openCheck(secrets, toStoredCheck(row))), total }
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
