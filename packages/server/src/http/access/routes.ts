/** First-run set-up, signing in and out, and what a person does about their own session. */
import { routes } from '@vedette/schema'
import { AppError, invalidField, notFound } from '../../app-error.ts'
import { completeSetUp, isSetUpNeeded } from '../../auth/first-start.ts'
import { hashPassword, verifyPassword } from '../../auth/passwords.ts'
import * as store from '../../auth/store.ts'
import type { Db } from '../../db/database.ts'
import type { RateLimits } from '../rate-limits.ts'
import { refuseForeignPages, type Serve } from '../serve.ts'
import { serveAccounts } from './accounts.ts'
import { serveInvitations } from './invitations.ts'
import { serveKeys } from './keys.ts'
import { serveMembers } from './members.ts'
import { describeMe, sessionCookie } from './sessions.ts'

export function serveAccess(serve: Serve, db: Db, publicUrl: string, limits: RateLimits): void {
  const cookie = sessionCookie(publicUrl)
  serveAccounts(serve, db)
  serveMembers(serve, db)
  serveInvitations(serve, db, cookie, limits)
  serveKeys(serve, db)

  serve(routes.getSetUpState, async () => ({ needed: await isSetUpNeeded(db) }))

  serve(routes.setUp, async ({ body, request, reply }) => {
    refuseForeignPages(request)
    const person = await completeSetUp(db, body.token, body.name.trim(), body.password)
    await cookie.start(db, person, reply)
    return describeMe(db, person.id)
  })

  serve(routes.signIn, async ({ body, request, reply }) => {
    refuseForeignPages(request)
    const name = body.name.trim()
    limits.chargeGuess(name, request, reply)
    const person = await store.findPerson(db, name)
    if (!(await verifyPassword(body.password, person?.passwordHash ?? null)) || person === undefined) {
      throw new AppError('unauthorized', 'Name or password is wrong.')
    }
    const me = await describeMe(db, person.id)
    await cookie.start(db, person, reply)
    return me
  })

  serve(routes.signOut, async ({ caller, reply }) => {
    if (caller.session !== null) await store.endSession(db, caller.session)
    cookie.clear(reply)
    return null
  })

  serve(routes.getMe, ({ caller }) => describeMe(db, personOf(caller.userId), caller.accountId))

  serve(routes.switchAccount, async ({ body, caller }) => {
    const userId = personOf(caller.userId)
    const accountId = body.accountId.toLowerCase()
    const memberships = await store.membershipsOf(db, userId)
    if (caller.session === null || !memberships.some((one) => one.accountId === accountId)) throw notFound()
    await store.setSessionAccount(db, caller.session, accountId)
    return describeMe(db, userId, accountId)
  })

  serve(routes.changePassword, async ({ body, caller, record, request, reply }) => {
    const userId = personOf(caller.userId)
    limits.chargeGuess(userId, request, reply)
    if (!(await verifyPassword(body.currentPassword, await store.getPasswordHash(db, userId)))) {
      throw new AppError('forbidden', 'The current password is wrong.')
    }
    if (body.newPassword === body.currentPassword) throw invalidField('newPassword', 'must be another one')
    const passwordHash = await hashPassword(body.newPassword)
    await db.transaction().execute(async (tx) => {
      await store.setPasswordHash(tx, userId, passwordHash)
      await store.endSessionsOf(tx, userId, caller.session)
      await record(tx, { subject: userId })
    })
    return null
  })
}

function personOf(userId: string | null): string {
  if (userId === null) throw new AppError('unauthorized', 'Sign in first.')
  return userId
}
