/**
 * The people of an account. Whoever is told another role, or none, has to sign in again; the invitations of whoever may do
 * less than before are void.
 */
import { type Invitation, type Member, type Role, routes } from '@vedette/schema'
import { AppError, invalidField, notFound } from '../../app-error.ts'
import { type Caller, isLower } from '../../auth/caller.ts'
import { endSessionsOf } from '../../auth/store.ts'
import type { Db } from '../../db/database.ts'
import { cutPage, readCursor } from '../cursor.ts'
import type { Serve } from '../serve.ts'
import { lockAccount } from './accounts-store.ts'
import * as store from './members-store.ts'

export function serveMembers(serve: Serve, db: Db): void {
  serve(routes.listMembers, async ({ query, caller }) => {
    const limit = query.limit ?? 20
    const found = await store.listMembers(db, caller.accountId, query, readCursor(query.nextId), limit)
    const { rows, nextId } = cutPage(found, limit)
    return { members: rows.map(({ entry }) => entry), length: rows.length, nextId }
  })

  serve(routes.updateMember, ({ params, body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      const { isFirst, ...before } = await memberToChange(tx, caller, params.userId)
      const { after, withdrawn } = await changeRole(tx, before, body.role, isFirst)
      await record(tx, { subject: before.userId, before: { ...before, ...named(withdrawn) }, after })
      return after
    }),
  )

  serve(routes.deleteMember, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const { isFirst, ...before } = await memberToChange(tx, caller, params.userId)
      const withdrawn = await withdraw(tx, before, isFirst)
      await store.removeMember(tx, caller.accountId, before.userId)
      await endSessionsOf(tx, before.userId)
      await record(tx, { subject: before.userId, before: { ...before, ...named(withdrawn) } })
    })
    return null
  })

  serve(routes.transferOwnership, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      if (caller.userId === null) throw new AppError('forbidden', 'Only the owner in person may hand the account over.')
      const account = await lockAccount(tx, caller.accountId)
      if (account === undefined) throw notFound()
      const giver = await store.findMember(tx, caller.accountId, caller.userId)
      // Of two who hand the account over at the same moment, the second is no owner any more.
      if (giver?.role !== 'OWNER') throw new AppError('forbidden', 'Only an owner may hand the account over.')
      const taker = await store.findMember(tx, caller.accountId, body.userId)
      if (taker === undefined) throw invalidField('userId', 'is not a member of this account')
      if (taker.userId === giver.userId) throw invalidField('userId', 'must be another person')
      const { after } = await changeRole(tx, taker, 'OWNER', account.isFirst)
      const { withdrawn } = await changeRole(tx, giver, 'ADMIN', account.isFirst)
      await record(tx, {
        subject: taker.userId,
        before: { ownerId: giver.userId, ...named(withdrawn) },
        after: { ownerId: taker.userId },
      })
      return after
    }),
  )
}

/** @throws AppError `not-found`, `forbidden` or `conflict` when this member is not the caller's to change. */
async function memberToChange(tx: Db, caller: Caller, userId: string): Promise<Member & { isFirst: boolean }> {
  const account = await lockAccount(tx, caller.accountId)
  const member = await store.findMember(tx, caller.accountId, userId)
  if (account === undefined || member === undefined) throw notFound()
  const found = { ...member, isFirst: account.isFirst }
  if (member.role !== 'OWNER') return found
  if (caller.role !== 'OWNER') throw new AppError('forbidden', 'Only an owner may do this to an owner.')
  if ((await store.countOwners(tx, caller.accountId)) < 2) {
    throw new AppError('conflict', 'The account would have no owner. Hand it over first.')
  }
  return found
}

async function changeRole(
  tx: Db,
  member: Member,
  role: Role,
  isFirst: boolean,
): Promise<{ after: Member; withdrawn: Invitation[] }> {
  await store.setRole(tx, member.accountId, member.userId, role)
  if (role !== member.role) await endSessionsOf(tx, member.userId)
  const withdrawn = isLower(role, member.role) ? await withdraw(tx, member, isFirst) : []
  const after = await store.findMember(tx, member.accountId, member.userId)
  if (after === undefined) throw notFound()
  return { after, withdrawn }
}

function withdraw(tx: Db, { accountId, userId, role }: Member, isFirst: boolean): Promise<Invitation[]> {
  return store.withdrawInvitations(tx, accountId, userId, isFirst && role === 'OWNER')
}

/** As the audit log shows them beside the member whose they were. */
function named(withdrawn: readonly Invitation[]): { invitations?: readonly Invitation[] } {
  return withdrawn.length === 0 ? {} : { invitations: withdrawn }
}
