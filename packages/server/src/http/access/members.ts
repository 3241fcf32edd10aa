/** The people of an account. Whoever is told another role, or none, has to sign in again. */
import { type Member, routes } from '@vedette/schema'
import { AppError, invalidField, notFound } from '../../app-error.ts'
import type { Caller } from '../../auth/caller.ts'
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
      const before = await memberToChange(tx, caller, params.userId)
      const after = await changeRole(tx, before, body.role)
      await record(tx, { subject: before.userId, before, after })
      return after
    }),
  )

  serve(routes.deleteMember, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const before = await memberToChange(tx, caller, params.userId)
      await store.removeMember(tx, caller.accountId, before.userId)
      await endSessionsOf(tx, before.userId)
      await record(tx, { subject: before.userId, before })
    })
    return null
  })

  serve(routes.transferOwnership, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      if (caller.userId === null) throw new AppError('forbidden', 'Only the owner in person may hand the account over.')
      await lockAccount(tx, caller.accountId)
      const giver = await store.findMember(tx, caller.accountId, caller.userId)
      // Of two who hand the account over at the same moment, the second is no owner any more.
      if (giver?.role !== 'OWNER') throw new AppError('forbidden', 'Only an owner may hand the account over.')
      const taker = await store.findMember(tx, caller.accountId, body.userId)
      if (taker === undefined) throw invalidField('userId', 'is not a member of this account')
      if (taker.userId === giver.userId) throw invalidField('userId', 'must be another person')
      const after = await changeRole(tx, taker, 'OWNER')
      await changeRole(tx, giver, 'ADMIN')
      await record(tx, { subject: taker.userId, before: { ownerId: giver.userId }, after: { ownerId: taker.userId } })
      return after
    }),
  )
}

/** @throws AppError `not-found`, `forbidden` or `conflict` when this member is not the caller's to change. */
async function memberToChange(tx: Db, caller: Caller, userId: string): Promise<Member> {
  await lockAccount(tx, caller.accountId)
  const member = await store.findMember(tx, caller.accountId, userId)
  if (member === undefined) throw notFound()
  if (member.role !== 'OWNER') return member
  if (caller.role !== 'OWNER') throw new AppError('forbidden', 'Only an owner may do this to an owner.')
  if ((await store.countOwners(tx, caller.accountId)) < 2) {
    throw new AppError('conflict', 'The account would have no owner. Hand it over first.')
  }
  return member
}

async function changeRole(tx: Db, member: Member, role: Member['role']): Promise<Member> {
  await store.setRole(tx, member.accountId, member.userId, role)
  if (role !== member.role) await endSessionsOf(tx, member.userId)
  const after = await store.findMember(tx, member.accountId, member.userId)
  if (after === undefined) throw notFound()
  return after
}
