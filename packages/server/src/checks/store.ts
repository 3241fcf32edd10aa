import type { Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import type { CheckSettings, StoredCheck } from './check.ts'

export function toStoredCheck(row: Selectable<Tables['checks']>): StoredCheck {
  return {
    no: row.no,
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    name: row.name,
    activated: row.activated,
    muted: row.muted,
    tags: row.tags,
    // Written by this server only, after validation.
    settings: row.settings as CheckSettings,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function findCheck(db: Db, accountId: string, id: string): Promise<StoredCheck | undefined> {
  const row = await db
    .selectFrom('checks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toStoredCheck(row)
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
