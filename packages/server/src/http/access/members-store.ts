import type { Invitation, Member, Role } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import type { Epoch } from '../../auth/store.ts'
import { isBeyond, type Place, placeTime } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

export interface MemberFilter {
  search?: string | undefined
  type?: 'member' | 'invite' | undefined
  role?: Role | undefined
  status?: 'ACTIVE' | 'PENDING' | 'EXPIRED' | undefined
}

export interface Listed extends Place {
  entry: Member | Invitation
}

/** Members and open invitations in the order in which they came; one more than `limit`, to tell whether more follow. */
export async function listMembers(
  db: Db,
  accountId: string,
  filter: MemberFilter,
  place: Place | null,
  limit: number,
): Promise<Listed[]> {
  const pattern = `%${(filter.search ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const members = await membersOf(db, accountId)
    .select(placeTime('m.created_at'))
    .$if(filter.type === 'invite' || (filter.status ?? 'ACTIVE') !== 'ACTIVE', (q) => q.where(sql<boolean>`false`))
    .$if(filter.role !== undefined, (q) => q.where('m.role', '=', filter.role ?? 'OWNER'))
    .where((eb) => eb.or([eb('u.name', 'ilike', pattern), eb('u.email', 'ilike', pattern)]))
    .$if(place !== null, (q) =>
      q.where(isBeyond(place ?? START, 'asc', { createdAt: 'm.created_at', id: 'm.user_id' })),
    )
    .orderBy('m.created_at')
    .orderBy('m.user_id')
    .limit(limit + 1)
    .execute()
  const isOpen = filter.status === 'PENDING'
  const invitations = await invitationsOf(db, accountId)
    .select(placeTime('i.created_at'))
    .$if(filter.type === 'member' || filter.status === 'ACTIVE', (q) => q.where(sql<boolean>`false`))
    .$if(filter.role !== undefined, (q) => q.where('i.role', '=', filter.role ?? 'OWNER'))
    .$if(filter.status !== undefined, (q) => q.where(sql<boolean>`(i.expires_at > now()) = ${isOpen}`))
    .$if(filter.search !== undefined, (q) => q.where('i.email', 'ilike', pattern))
    .$if(place !== null, (q) => q.where(isBeyond(place ?? START, 'asc', { createdAt: 'i.created_at', id: 'i.id' })))
    .orderBy('i.created_at')
    .orderBy('i.id')
    .limit(limit + 1)
    .execute()
  return [
    ...members.map((row) => ({ at_us: row.at_us, id: row.user_id, entry: toMember(row) })),
    ...invitations.map((row) => ({ at_us: row.at_us, id: row.id, entry: toInvitation(row) })),
  ]
    .toSorted((a, b) => a.at_us - b.at_us || (a.id < b.id ? -1 : 1))
    .slice(0, limit + 1)
}

const START: Place = { at_us: 0, id: '00000000-0000-0000-0000-000000000000' }

export async function findMember(db: Db, accountId: string, userId: string): Promise<Member | undefined> {
  const row = await membersOf(db, accountId).where('m.user_id', '=', userId).executeTakeFirst()
  return row && toMember(row)
}

export async function isPerson(db: Db, userId: string): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()) !== undefined
}

export async function countOwners(db: Db, accountId: string): Promise<number> {
  const { total } = await db
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .where('role', '=', 'OWNER')
    .executeTakeFirstOrThrow()
  return total
}

/** Undefined when the person belongs to the account already. */
export async function addMember(tx: Db, accountId: string, userId: string, role: Role): Promise<Member | undefined> {
  const row = await tx
    .insertInto('memberships')
    .values({ account_id: accountId, user_id: userId, role })
    .onConflict((c) => c.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row && findMember(tx, accountId, userId)
}

export async function setRole(tx: Db, accountId: string, userId: string, role: Role): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role, updated_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .execute()
}

export async function removeMember(tx: Db, accountId: string, userId: string): Promise<void> {
  await tx.deleteFrom('memberships').where('account_id', '=', accountId).where('user_id', '=', userId).execute()
}

/** Undefined when somebody has the name. */
export async function addPerson(
  tx: Db,
  person: { name: string; email: string | null; passwordHash: string },
): Promise<Epoch | undefined> {
  return tx
    .insertInto('users')
    .values({ name: person.name, email: person.email, password_hash: person.passwordHash })
    .onConflict((c) => c.doNothing())
    .returning(['id', 'epoch'])
    .executeTakeFirst()
}

export interface NewInvitationRow {
  accountId: string
  role: Role
  email: string | null
  invitedBy: string | null
  tokenHash: Buffer
}

export async function addInvitation(tx: Db, invitation: NewInvitationRow): Promise<Invitation> {
  const { id } = await tx
    .insertInto('invitations')
    .values({
      account_id: invitation.accountId,
      token_hash: invitation.tokenHash,
      role: invitation.role,
      email: invitation.email,
      invited_by: invitation.invitedBy,
      expires_at: sql<Date>`now() + interval '7 days'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return toInvitation(await invitationsOf(tx, invitation.accountId).where('i.id', '=', id).executeTakeFirstOrThrow())
}

export async function findInvitation(db: Db, accountId: string, id: string): Promise<Invitation | undefined> {
  const row = await invitationsOf(db, accountId).where('i.id', '=', id).executeTakeFirst()
  return row && toInvitation(row)
}

export async function deleteInvitation(tx: Db, accountId: string, id: string): Promise<void> {
  await tx.deleteFrom('invitations').where('account_id', '=', accountId).where('id', '=', id).execute()
}

/**
 * What somebody may not hand out any more. Only operators invite owners, those of new accounts: such invitations count
 * with the account in which the person was an operator.
 */
export async function withdrawInvitations(
  tx: Db,
  accountId: string,
  invitedBy: string,
  wasOperator: boolean,
): Promise<Invitation[]> {
  const rows = await invitations(tx)
    .where('i.invited_by', '=', invitedBy)
    .where('i.expires_at', '>', sql<Date>`now()`)
    .where((eb) => eb.or([eb('i.account_id', '=', accountId), ...(wasOperator ? [eb('i.role', '=', 'OWNER')] : [])]))
    .orderBy('i.created_at')
    .orderBy('i.id')
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('invitations').where('id', 'in', ids).execute()
  return rows.map(toInvitation)
}

export interface OpenInvitation {
  id: string
  accountId: string
  accountName: string
  role: Role
  email: string | null
  expiresAt: Date
}

/** Undefined for a token that is wrong, used or expired. */
export async function openInvitation(db: Db, tokenHash: Buffer): Promise<OpenInvitation | undefined> {
  const row = await db
    .selectFrom('invitations as i')
    .innerJoin('accounts as a', 'a.id', 'i.account_id')
    .select(['i.id', 'i.account_id', 'a.name', 'i.role', 'i.email', 'i.expires_at'])
    .where('i.token_hash', '=', tokenHash)
    .where('i.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      accountId: row.account_id,
      accountName: row.name,
      role: row.role,
      email: row.email,
      expiresAt: row.expires_at,
    }
  )
}

/** Whoever deletes it has it: a token works once. */
export async function takeInvitation(tx: Db, id: string): Promise<boolean> {
  return (await tx.deleteFrom('invitations').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined
}

/** Long after they have expired: until then the list of members shows them. */
export async function forgetOldInvitations(db: Db): Promise<void> {
  await db.deleteFrom('invitations').where('expires_at', '<', sql<Date>`now() - interval '30 days'`).execute()
}

const membersOf = (db: Db, accountId: string) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.account_id', 'm.user_id', 'u.name', 'u.email', 'm.role', 'm.created_at', 'm.updated_at'])
    .where('m.account_id', '=', accountId)

const invitationsOf = (db: Db, accountId: string) => invitations(db).where('i.account_id', '=', accountId)

const invitations = (db: Db) =>
  db
    .selectFrom('invitations as i')
    .leftJoin('users as u', 'u.id', 'i.invited_by')
    .select(['i.id', 'i.account_id', 'i.email', 'i.role', 'i.created_at', 'i.expires_at'])
    .select(['u.name as inviter_name', 'u.email as inviter_email'])

type MemberRow = Selectable<Tables['memberships']> & { name: string; email: string | null }

function toMember(row: MemberRow): Member {
  return {
    type: 'member',
    accountId: row.account_id,
    userId: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    status: 'ACTIVE',
    isSupportMembership: false,
    ssoEnabled: false,
    mfaEnabled: false,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at?.toISOString() ?? null,
  }
}

type InvitationRow = Awaited<ReturnType<ReturnType<typeof invitationsOf>['executeTakeFirstOrThrow']>>

function toInvitation(row: InvitationRow): Invitation {
  return {
    type: 'invite',
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    role: row.role,
    status: row.expires_at.getTime() > Date.now() ? 'PENDING' : 'EXPIRED',
    inviterName: row.inviter_name,
    inviterEmail: row.inviter_email,
    createdAt: row.created_at.toISOString(),
    updatedAt: null,
    expiresAt: row.expires_at.toISOString(),
  }
}
