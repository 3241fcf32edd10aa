import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { CheckSettings, InForce, OpenCheck, StoredCheck } from './check.ts'
import type { StoredGroup } from './group.ts'
import { openCheck, sealCheckSettings } from './settings-secrets.ts'

export function toStoredCheck(row: Selectable<Tables['checks']>): StoredCheck {
  const check = {
    no: row.no,
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    name: row.name,
    activated: row.activated,
    muted: row.muted,
    tags: row.tags,
    settings: row.settings,
    groupId: row.group_id,
    groupOrder: row.group_order,
    effective: {
      activated: row.effective_activated,
      muted: row.effective_muted,
      tags: row.effective_tags,
      settings: row.effective_settings,
    },
    sealed:
      row.sealed === null && row.effective_sealed === null
        ? null
        : { own: row.sealed, effective: row.effective_sealed },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  // The settings were written by this server only, after validation by the schemas of the kind.
  return check as StoredCheck
}

export function toStoredGroup(row: Selectable<Tables['check_groups']>): StoredGroup {
  return {
    id: row.id,
    accountId: row.account_id,
    version: row.version,
    name: row.name,
    activated: row.activated,
    muted: row.muted,
    tags: row.tags,
    // Written by this server only, after validation.
    settings: row.settings as StoredGroup['settings'],
    sealed: row.sealed,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function findCheck(db: Db, accountId: string, id: string): Promise<StoredCheck | undefined> {
  // Named one by one: a statement that is prepared must answer the same columns after a migration.
  const { rows } = await sql<Selectable<Tables['checks']>>`
    /* prepared: find-check */
    select no, id, account_id, kind, name, activated, muted, tags, settings, sealed, group_id, group_order,
      effective_activated, effective_muted, effective_tags, effective_settings, effective_sealed, paused_from, paused_until,
      created_at, updated_at
    from checks where account_id = ${accountId} and id = ${id}`.execute(db)
  return rows.map(toStoredCheck)[0]
}

export async function findGroup(db: Db, accountId: string, id: number): Promise<StoredGroup | undefined> {
  const row = await db
    .selectFrom('check_groups')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toStoredGroup(row)
}

/**
 * Changes of an account's checks, groups and channels follow each other: what one of them inherits from another cannot
 * change in between. Take it before any other lock.
 */
export async function lockConfiguration(tx: Db, accountId: string): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
}

/**
 * Holds the check until the transaction ends, so that updates, deletion and results follow each other. Everybody takes
 * the state first, then the schedule, then the check: in another order two of them could wait for each other for ever.
 */
export async function findCheckForUpdate(tx: Db, accountId: string, id: string): Promise<StoredCheck | undefined> {
  await tx
    .selectFrom('check_states')
    .innerJoin('checks', 'checks.no', 'check_states.check_no')
    .select('check_no')
    .where('checks.account_id', '=', accountId)
    .where('checks.id', '=', id)
    .forUpdate('check_states')
    .execute()
  const row = await tx
    .selectFrom('checks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && toStoredCheck(row)
}

/** The members of a group, held in one order for everybody. */
export async function lockMembers(tx: Db, secrets: Secrets, groupId: number): Promise<OpenCheck[]> {
  await sql`
    select from check_states s join checks c on c.no = s.check_no where c.group_id = ${groupId}
    order by s.check_no for update of s`.execute(tx)
  const rows = await tx
    .selectFrom('checks')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('no')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => openCheck(secrets, toStoredCheck(row)))
}

/** Stores what the check runs by now. */
export async function setInForce(
  tx: Db,
  secrets: Secrets,
  check: Pick<OpenCheck, 'accountId' | 'id'>,
  effective: InForce<CheckSettings>,
): Promise<void> {
  await tx
    .updateTable('checks')
    .set(changedEffectiveColumns(secrets, check, effective))
    .where('account_id', '=', check.accountId)
    .where('id', '=', check.id)
    .execute()
}

export function effectiveColumns(
  secrets: Secrets,
  check: Pick<OpenCheck, 'accountId' | 'id'>,
  { activated, muted, tags, settings }: InForce<CheckSettings>,
) {
  const { open, sealed } = sealCheckSettings(secrets, check, 'effective_sealed', settings)
  return {
    effective_activated: activated,
    effective_muted: muted,
    effective_tags: tags,
    effective_settings: open,
    effective_sealed: sealed,
  }
}

/** The same of a check that is there: whether it was active before tells since when it is. */
export function changedEffectiveColumns(
  secrets: Secrets,
  check: Pick<OpenCheck, 'accountId' | 'id'>,
  effective: InForce<CheckSettings>,
) {
  const since = sql<Date>`case when effective_activated or not ${effective.activated}::boolean then active_since else now() end`
  return { ...effectiveColumns(secrets, check, effective), active_since: since }
}
