import { type Account, DEFAULT_ACCOUNT_SETTINGS, type Role } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { hashKey, type NewKey } from './keys.ts'

export interface KeyOwner {
  id: string
  userId: string | null
  accountId: string | null
  role: Role | null
}

const USE_NOTED_EVERY_MS = 60_000

/** Of many calls at the same moment, one writes and none waits for it. */
async function noteUse(db: Db, keyId: string): Promise<void> {
  await sql`
    update api_keys set last_used_at = now() where id in (
      select id from api_keys where id = ${keyId}
        and (last_used_at is null or last_used_at < now() - ${USE_NOTED_EVERY_MS / 2} * interval '1 millisecond')
      for update skip locked)`.execute(db)
}

export async function findKey(db: Db, raw: string): Promise<KeyOwner | undefined> {
  const row = await db
    .selectFrom('api_keys')
    .select(['id', 'user_id', 'account_id', 'role', 'last_used_at'])
    .where('key_hash', '=', hashKey(raw))
    .executeTakeFirst()
  if (row !== undefined && Date.now() - (row.last_used_at?.getTime() ?? 0) > USE_NOTED_EVERY_MS)
    await noteUse(db, row.id)
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
    .orderBy('memberships.created_at')
    .orderBy('account_id')
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    role: row.role,
    isOperator: row.is_first && row.role === 'OWNER',
  }))
}

/** A person as of a moment: whatever ends all of their sessions raises the epoch. */
export interface Epoch {
  id: string
  epoch: number
}

/** Idle for 7 days or older than 30 days, a session is over; so it is when the person's epoch has moved on. */
export async function findSession(
  db: Db,
  tokenHash: Buffer,
): Promise<{ userId: string; accountId: string | null } | undefined> {
  const row = await db
    .selectFrom('web_sessions')
    .innerJoin('users', 'users.id', 'web_sessions.user_id')
    .select(['users.id', 'web_sessions.last_seen_at', 'web_sessions.account_id'])
    .where('token_hash', '=', tokenHash)
    .whereRef('web_sessions.epoch', '=', 'users.epoch')
    .where('web_sessions.created_at', '>', new Date(Date.now() - 30 * 86_400_000))
    .where('web_sessions.last_seen_at', '>', new Date(Date.now() - 7 * 86_400_000))
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (Date.now() - row.last_seen_at.getTime() > 3_600_000) {
    await db.updateTable('web_sessions').set({ last_seen_at: new Date() }).where('token_hash', '=', tokenHash).execute()
  }
  return { userId: row.id, accountId: row.account_id }
}

/** False when the person's epoch has moved on since they proved who they are, as with another password. */
export async function startSession(db: Db, person: Epoch, token: NewKey): Promise<boolean> {
  const started = await db
    .insertInto('web_sessions')
    .columns(['token_hash', 'user_id', 'epoch'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select((e) => [e.val(token.hash).as('token_hash'), 'users.id as user_id', 'users.epoch'])
        .where('users.id', '=', person.id)
        .where('users.epoch', '=', person.epoch),
    )
    .returning('user_id')
    .executeTakeFirst()
  return started !== undefined
}

export async function endSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('web_sessions').where('token_hash', '=', tokenHash).execute()
}

export async function setSessionAccount(db: Db, tokenHash: Buffer, accountId: string): Promise<void> {
  await db.updateTable('web_sessions').set({ account_id: accountId }).where('token_hash', '=', tokenHash).execute()
}

/** Ends all sessions of a person, but for one that may be spared. */
export async function endSessionsOf(tx: Db, userId: string, spared: Buffer | null = null): Promise<void> {
  const { epoch } = await tx
    .updateTable('users')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .where('id', '=', userId)
    .returning('epoch')
    .executeTakeFirstOrThrow()
  if (spared !== null) await tx.updateTable('web_sessions').set({ epoch }).where('token_hash', '=', spared).execute()
  await tx.deleteFrom('web_sessions').where('user_id', '=', userId).where('epoch', '<', epoch).execute()
}

/** Null when there is no such person, or none that can sign in. */
export async function getPasswordHash(db: Db, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash ?? null
}

export async function setPasswordHash(tx: Db, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}

export async function findPerson(db: Db, name: string): Promise<(Epoch & { passwordHash: string | null }) | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'epoch', 'password_hash'])
    .where('name', '=', name)
    .executeTakeFirst()
  return row && { id: row.id, epoch: row.epoch, passwordHash: row.password_hash }
}

export async function getPersonName(db: Db, id: string): Promise<string> {
  return (await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name
}

export async function getAccount(db: Db, id: string): Promise<Account> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    id: row.id,
    name: row.name,
    runtimeId: row.runtime_id,
    settings: { ...DEFAULT_ACCOUNT_SETTINGS, ...row.settings },
    alertSettings: row.alert_settings,
  }
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
