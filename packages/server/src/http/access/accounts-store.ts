import { type Account, type AccountCreate, DEFAULT_ALERT_SETTINGS } from '@vedette/schema'
import { sql } from 'kysely'
import { getAccount } from '../../auth/store.ts'
import type { Db } from '../../db/database.ts'

/** Whoever changes an account's people or settings waits here for the one before. Undefined for an unknown account. */
export async function lockAccount(tx: Db, id: string): Promise<(Account & { isFirst: boolean }) | undefined> {
  const row = await tx.selectFrom('accounts').select('is_first').where('id', '=', id).forUpdate().executeTakeFirst()
  return row && { ...(await getAccount(tx, id)), isFirst: row.is_first }
}

export async function insertAccount(tx: Db, account: AccountCreate): Promise<string> {
  const { id } = await tx
    .insertInto('accounts')
    .values({
      name: account.name.trim(),
      ...(account.runtimeId === undefined ? {} : { runtime_id: account.runtimeId }),
      settings: JSON.stringify(account.settings ?? {}),
      alert_settings: JSON.stringify(account.alertSettings ?? DEFAULT_ALERT_SETTINGS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function saveAccount(tx: Db, account: Account): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      name: account.name,
      runtime_id: account.runtimeId,
      settings: JSON.stringify(account.settings),
      alert_settings: JSON.stringify(account.alertSettings),
    })
    .where('id', '=', account.id)
    .execute()
}

/** Everything in it goes along; results, which are dropped by the day, go when they are old. */
export async function deleteAccount(tx: Db, id: string): Promise<void> {
  await sql`
    update users set epoch = epoch + 1
    where id in (select user_id from memberships where account_id = ${id})`.execute(tx)
  await tx.deleteFrom('accounts').where('id', '=', id).execute()
}
