import type { ApiKey, GrantableRole } from '@vedette/schema'
import type { Selectable } from 'kysely'
import { maskedKey, type NewKey } from '../../auth/keys.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

/** Whose a key is: a person's, or an account's. */
export type KeyHolder = { userId: string } | { accountId: string }

const keysOf = (db: Db, holder: KeyHolder) => {
  const keys = db.selectFrom('api_keys').selectAll()
  return 'userId' in holder
    ? keys.where('user_id', '=', holder.userId)
    : keys.where('account_id', '=', holder.accountId)
}

export async function listKeys(db: Db, holder: KeyHolder): Promise<ApiKey[]> {
  const rows = await keysOf(db, holder).orderBy('created_at').orderBy('id').execute()
  return rows.map(toApiKey)
}

export async function findKey(db: Db, holder: KeyHolder, id: string): Promise<ApiKey | undefined> {
  const row = await keysOf(db, holder).where('id', '=', id).executeTakeFirst()
  return row && toApiKey(row)
}

export async function addUserKey(tx: Db, userId: string, name: string, key: NewKey): Promise<ApiKey> {
  return insert(tx, name, key, { user_id: userId })
}

export async function addServiceKey(
  tx: Db,
  accountId: string,
  name: string,
  role: GrantableRole,
  key: NewKey,
): Promise<ApiKey> {
  return insert(tx, name, key, { account_id: accountId, role })
}

async function insert(
  tx: Db,
  name: string,
  key: NewKey,
  holder: { user_id: string } | { account_id: string; role: GrantableRole },
): Promise<ApiKey> {
  const row = await tx
    .insertInto('api_keys')
    .values({ key_hash: key.hash, name, last_characters: key.lastCharacters, ...holder })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toApiKey(row)
}

export async function deleteKey(tx: Db, holder: KeyHolder, id: string): Promise<boolean> {
  const keys = tx.deleteFrom('api_keys').where('id', '=', id)
  const own =
    'userId' in holder ? keys.where('user_id', '=', holder.userId) : keys.where('account_id', '=', holder.accountId)
  return (await own.returning('id').executeTakeFirst()) !== undefined
}

function toApiKey(row: Selectable<Tables['api_keys']>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    maskedKey: maskedKey(row.last_characters),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
