import { randomUUID } from 'node:crypto'
import type { CheckKind } from '@vedette/schema'
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { invalidField } from '../../app-error.ts'
import type { InForce, OpenCheck, SettingsOf, ShownCheck } from '../../checks/check.ts'
import { openCheck, openCheckSettings, sealCheckSettings } from '../../checks/settings-secrets.ts'
import { changedEffectiveColumns, effectiveColumns, toStoredCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { CheckFields } from './check-body.ts'
import { removeParent } from './parents-store.ts'

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
      ...changedEffectiveColumns(secrets, check, effective),
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
  const { id } = await tx.deleteFrom('checks').where('no', '=', no).returning('id').executeTakeFirstOrThrow()
  await removeParent(tx, id)
}

export interface CheckFilter {
  tags?: readonly string[] | undefined
  urlPart?: string | undefined
  search?: string | undefined
  status?: 'passing' | 'failing' | 'degraded' | undefined
  kind?: CheckKind | undefined
  groupId?: number | undefined
}

/** Both sets of settings are large, and one of them is shown. */
const SHOWN = {
  written: sql<Shown>`k.activated, k.muted, k.tags, k.settings, k.sealed`,
  inForce: sql<Shown>`k.effective_activated as activated, k.effective_muted as muted, k.effective_tags as tags,
    k.effective_settings as settings, k.effective_sealed as sealed`,
} as const
type Shown = Pick<Selectable<Tables['checks']>, 'activated' | 'muted' | 'tags' | 'settings' | 'sealed'>
type ShownRow = Shown &
  Pick<
    Selectable<Tables['checks']>,
    'no' | 'id' | 'kind' | 'name' | 'account_id' | 'group_id' | 'group_order' | 'created_at' | 'updated_at'
  >
const IN_EVERY_VIEW = sql`k.no, k.id, k.kind, k.name, k.account_id, k.group_id, k.group_order, k.created_at, k.updated_at`

/** As it was written, or as it runs. */
export type CheckView = keyof typeof SHOWN

export async function showCheck(
  db: Db,
  secrets: Secrets,
  accountId: string,
  id: string,
  view: CheckView,
): Promise<ShownCheck | undefined> {
  const { rows } = await sql<ShownRow>`/* prepared: ${sql.raw(`show-check-${view}`)} */
    select ${IN_EVERY_VIEW}, ${SHOWN[view]} from checks k where k.account_id = ${accountId} and k.id = ${id}`.execute(
    db,
  )
  return rows.map((row) => toShownCheck(secrets, row, view))[0]
}

export async function listChecks(
  db: Db,
  secrets: Secrets,
  accountId: string,
  filter: CheckFilter,
  page: { limit: number; offset: number },
  view: CheckView,
): Promise<{ checks: ShownCheck[]; total: number }> {
  const matching = filtered(db.selectFrom('checks').where('checks.account_id', '=', accountId), filter)
  // What pages before this one hold is passed over in the index; rows are read for this page only.
  const ofPage = matching
    .select('checks.no')
    .$if(filter.groupId !== undefined, (q) => q.orderBy('checks.group_order', (o) => o.asc().nullsLast()))
    .orderBy('checks.created_at')
    .orderBy('checks.no')
    .limit(page.limit)
    .offset(page.offset)
  const total = matching.select((eb) => eb.fn.countAll<number>().as('total'))
  const { rows } = await sql<(ShownRow & { total: number }) | { no: null; total: number }>`
    select ${IN_EVERY_VIEW}, ${SHOWN[view]}, t.total from (${total}) t
    left join (select p.no, row_number() over () as place from (${ofPage}) p) p on true
    left join checks k on k.no = p.no
    order by p.place`.execute(db)
  return {
    checks: rows.flatMap((row) => (row.no === null ? [] : [toShownCheck(secrets, row, view)])),
    total: rows[0]?.total ?? 0,
  }
}

function toShownCheck(secrets: Secrets, row: ShownRow, view: CheckView): ShownCheck {
  const owner = { accountId: row.account_id, id: row.id }
  const column = view === 'written' ? 'sealed' : 'effective_sealed'
  const check = {
    no: row.no,
    ...owner,
    kind: row.kind,
    name: row.name,
    activated: row.activated,
    muted: row.muted,
    tags: row.tags,
    settings: openCheckSettings(secrets, owner, column, row.settings, row.sealed),
    groupId: row.group_id,
    groupOrder: row.group_order,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  // The settings were written by this server only, after validation by the schemas of the kind.
  return check as ShownCheck
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
