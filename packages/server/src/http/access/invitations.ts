/** How people come into an account: a token that is handed to them, works once and not for long. */
import { type Me, type NewInvitation, type Role, type Route, routes } from '@vedette/schema'
import { AppError, notFound } from '../../app-error.ts'
import { recordChange } from '../../audit/record-change.ts'
import { type Caller, isAllowed } from '../../auth/caller.ts'
import { hashKey, newKey } from '../../auth/keys.ts'
import { hashPassword, verifyPassword } from '../../auth/passwords.ts'
import { findPerson, setSessionAccount } from '../../auth/store.ts'
import type { Db } from '../../db/database.ts'
import type { RateLimits } from '../rate-limits.ts'
import { refuseForeignPages, type Serve } from '../serve.ts'
import { lockAccount } from './accounts-store.ts'
import * as store from './members-store.ts'
import { describeMe, type SessionCookie } from './sessions.ts'

export function serveInvitations(serve: Serve, db: Db, cookie: SessionCookie, limits: RateLimits): void {
  serve(routes.createInvitation, ({ body, caller, record }) =>
    db.transaction().execute(async (tx) => {
      // Held against whoever takes the caller's role away at this moment, and withdraws what they have handed out.
      await lockAccount(tx, caller.accountId)
      await assertStillAllowed(tx, caller)
      const invitation = await invite(tx, caller.accountId, caller.userId, body.role, body.email ?? null)
      const { token: _none, ...after } = invitation
      await record(tx, { subject: invitation.id, after })
      return invitation
    }),
  )

  serve(routes.deleteInvitation, async ({ params, caller, record }) => {
    await db.transaction().execute(async (tx) => {
      const before = await store.findInvitation(tx, caller.accountId, params.id)
      if (before === undefined) throw notFound()
      if (before.role === 'OWNER' && caller.role !== 'OWNER') {
        throw new AppError('forbidden', 'Only an owner may do this to the invitation of an owner.')
      }
      await store.deleteInvitation(tx, caller.accountId, params.id)
      await record(tx, { subject: params.id, before })
    })
    return null
  })

  serve(routes.readInvitation, async ({ body, request }) => {
    refuseForeignPages(request)
    const { accountName, role, expiresAt } = await find(db, body.token)
    return { accountName, role, expiresAt: expiresAt.toISOString() }
  })

  serve(routes.acceptInvitation, async ({ body, request, reply }): Promise<Me> => {
    refuseForeignPages(request)
    // Before the costly hash: only whoever has a token gets us to make one.
    await find(db, body.token)
    const name = body.name.trim()
    const known = await findPerson(db, name)
    if (known !== undefined) {
      if (known.passwordHash === null) throw nameTaken()
      limits.chargeGuess(name, request, reply)
      if (!(await verifyPassword(body.password, known.passwordHash))) throw wrongPassword()
    }
    const passwordHash = known === undefined ? await hashPassword(body.password) : null
    const { userId, accountId } = await db.transaction().execute(async (tx) => {
      const invitation = await take(tx, body.token)
      const { accountId, email } = invitation
      const person = passwordHash === null ? known : await store.addPerson(tx, { name, email, passwordHash })
      if (person === undefined) throw nameTaken()
      await join(tx, invitation, person.id, routes.acceptInvitation, request.ip)
      const session = await cookie.start(tx, person, reply)
      await setSessionAccount(tx, session, accountId)
      return { userId: person.id, accountId }
    })
    return describeMe(db, userId, accountId)
  })

  serve(routes.joinByInvitation, async ({ body, caller, request }) => {
    const { userId, session } = caller
    if (userId === null || session === null) throw new AppError('unauthorized', 'Sign in first.')
    const accountId = await db.transaction().execute(async (tx) => {
      const invitation = await take(tx, body.token)
      await join(tx, invitation, userId, routes.joinByInvitation, request.ip)
      return invitation.accountId
    })
    await setSessionAccount(db, session, accountId)
    return describeMe(db, userId, accountId)
  })
}

async function assertStillAllowed(tx: Db, { accountId, userId }: Caller): Promise<void> {
  if (userId === null) return
  const member = await store.findMember(tx, accountId, userId)
  if (member === undefined || !isAllowed(member.role, 'admin'))
    throw new AppError('forbidden', 'Only administrators may invite people.')
}

export async function invite(
  tx: Db,
  accountId: string,
  invitedBy: string | null,
  role: Role,
  email: string | null,
): Promise<NewInvitation> {
  const token = newKey('invitation')
  const invitation = await store.addInvitation(tx, { accountId, role, email, invitedBy, tokenHash: token.hash })
  return { ...invitation, token: token.raw }
}

async function find(db: Db, token: string): Promise<store.OpenInvitation> {
  const invitation = await store.openInvitation(db, hashKey(token))
  if (invitation === undefined) throw wrongToken()
  return invitation
}

async function take(tx: Db, token: string): Promise<store.OpenInvitation> {
  const invitation = await find(tx, token)
  if (!(await store.takeInvitation(tx, invitation.id))) throw wrongToken()
  return invitation
}

function wrongToken(): AppError {
  return notFound('This invitation is wrong, used or expired. Ask for another one.')
}

function nameTaken(): AppError {
  return new AppError('conflict', 'Somebody has that name. Take another one.')
}

/** Whoever has an invitation may know which names are taken: it is how they find one that is not. */
function wrongPassword(): AppError {
  return new AppError(
    'unauthorized',
    'Somebody has that name. If it is you, the password is wrong; else take another name.',
  )
}

/** Noted as done by the one who joins, in the account that gains a member. */
async function join(
  tx: Db,
  invitation: store.OpenInvitation,
  userId: string,
  route: Route,
  address: string,
): Promise<void> {
  const { accountId, role } = invitation
  const member = await store.addMember(tx, accountId, userId, role)
  if (member === undefined) throw new AppError('conflict', 'You belong to this account already.')
  const caller = { accountId, role, isOperator: false, userId, keyId: null, session: null }
  await recordChange(tx, { subject: userId, after: member, caller, route, address })
}
