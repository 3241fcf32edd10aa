import type { Account, Role } from '@vedette/schema'
import type { Db } from '../db/database.ts'
import { hashKey, type NewKey } from './keys.ts'

export interface KeyOwner {
  id: string
  userId: string | null
  accountId: string | null
  role: Role | null
}

export async function findKey(db: Db, raw: string): Promise<KeyOwner | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(['id', 'user_id', 'account_id', 'role'])
    .where('key_hash', '=', hashKey(raw))
    .executeTakeFirst()
  return row && { id: row.id, userId: row.user_id, accountId: row.account_id, role: row.role }
}

export async function findLocationKey(
  db: Db,
  raw: string,
): Promise<{ keyId: string; locationNo: number | null } | undefined> {
  const row = await db
    .selectFrom('location_keys')
    .select(['id', 'location_no'])
    .where('key_hash', '=', hashKey(raw))
    .executeTakeFirst()
  return row && { keyId: row.id, locationNo: row.location_no }
}

export interface Membership {
  accountId: string
  role: Role
  isOperator: boolean
}

export async function membershipsOf(db: Db, userId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['account_id', 'role', 'accounts.is_first'])
    .where('user_id', '=', userId)
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    role: row.role,
    isOperator: row.is_first && row.role === 'OWNER',
  }))
}

/** Idle for 7 days or older than 30 days, a session is over; so it is when the person's epoch has moved on. */
export async function findSession(db: Db, tokenHash: Buffer): Promise<{ userId: string } | undefined> {
  const row = await db
    .selectFrom('web_sessions')
    .innerJoin('users', 'users.id', 'web_sessions.user_id')
    .select(['users.id', 'web_sessions.last_seen_at'])
    .where('token_hash', '=', tokenHash)
    .whereRef('web_sessions.epoch', '=', 'users.epoch')
    .where('web_sessions.created_at', '>', new Date(Date.now() - 30 * 86_400_000))
    .where('web_sessions.last_seen_at', '>', new Date(Date.now() - 7 * 86_400_000))
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (Date.now() - row.last_seen_at.getTime() > 3_600_000) {
    await db.updateTable('web_sessions').set({ last_seen_at: new Date() }).where('token_hash', '=', tokenHash).execute()
  }
  return { userId: row.id }
}

export async function startSession(db: Db, userId: string, token: NewKey): Promise<void> {
  await db
    .insertInto('web_sessions')
    .columns(['token_hash', 'user_id', 'epoch'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select((e) => [e.val(token.hash).as('token_hash'), 'users.id as user_id', 'users.epoch'])
        .where('users.id', '=', userId),
    )
    .execute()
}

export async function endSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('web_sessions').where('token_hash', '=', tokenHash).execute()
}

export async function findPerson(
  db: Db,
  name: string,
): Promise<{ id: string; passwordHash: string | null } | undefined> {
  const row = await db.selectFrom('users').select(['id', 'password_hash']).where('name', '=', name).executeTakeFirst()
  return row && { id: row.id, passwordHash: row.password_hash }
}

export async function getPersonName(db: Db, id: string): Promise<string> {
  return (await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name
}

export async function getAccount(db: Db, id: string): Promise<Account> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { id: row.id, name: row.name, runtimeId: row.runtime_id, alertSettings: row.alert_settings }
}

export async function addApiKey(db: Db, userId: string, name: string, key: NewKey): Promise<string> {
  const row = await db
    .insertInto('api_keys')
    .values({ key_hash: key.hash, name, last_characters: key.lastCharacters, user_id: userId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Keys of built-in runners that are long gone are cleared away; another server's own stays. */
export async function replaceBuiltInKey(db: Db, key: NewKey): Promise<string> {
  return db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('location_keys')
      .where('location_no', 'is', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('runners')
              .select('runners.id')
              .whereRef('runners.key_id', '=', 'location_keys.id')
              .where('runners.last_seen_at', '>', new Date(Date.now() - 3_600_000)),
          ),
        ),
      )
      .where('created_at', '<', new Date(Date.now() - 60_000))
      .execute()
    const { id } = await tx
      .insertInto('location_keys')
      .values({ key_hash: key.hash, last_characters: key.lastCharacters })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}
