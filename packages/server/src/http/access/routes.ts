/** First-run set-up, sessions and accounts. */
import '@fastify/cookie'
import { type Me, routes } from '@vedette/schema'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../app-error.ts'
import { completeSetUp, isSetUpNeeded } from '../../auth/first-start.ts'
import { SESSION_COOKIE } from '../../auth/identify.ts'
import { newKey } from '../../auth/keys.ts'
import { verifyPassword } from '../../auth/passwords.ts'
import * as store from '../../auth/store.ts'
import type { Db } from '../../db/database.ts'
import { refuseOtherOrigins, type Serve } from '../serve.ts'

const SESSION_SECONDS = 30 * 86_400

export function serveAccess(serve: Serve, db: Db, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:')
  // The prefix makes browsers insist on https and on this very host.
  const cookie = secure ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE

  const start = async (userId: string, reply: FastifyReply): Promise<Me> => {
    const token = newKey('session')
    await store.startSession(db, userId, token)
    reply.setCookie(cookie, token.raw, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: SESSION_SECONDS })
    const [membership] = await store.membershipsOf(db, userId)
    if (membership === undefined) throw new AppError('forbidden', 'This person belongs to no account.')
    return me(db, userId, membership.accountId, membership.role)
  }

  serve(routes.getSetUpState, async () => ({ needed: await isSetUpNeeded(db) }))

  serve(routes.setUp, async ({ body, request, reply }) => {
    refuseForeignPages(request)
    return start(await completeSetUp(db, body.token, body.name.trim(), body.password), reply)
  })

  serve(routes.signIn, async ({ body, request, reply }) => {
    refuseForeignPages(request)
    const person = await store.findPerson(db, body.name.trim())
    if (!(await verifyPassword(body.password, person?.passwordHash ?? null)) || person === undefined) {
      throw new AppError('unauthorized', 'Name or password is wrong.')
    }
    return start(person.id, reply)
  })

  serve(routes.signOut, async ({ caller, reply }) => {
    if (caller.session !== null) await store.endSession(db, caller.session)
    reply.clearCookie(cookie, { path: '/' })
    return null
  })

  serve(routes.getMe, ({ caller }) => {
    if (caller.userId === null) throw new AppError('unauthorized', 'Sign in first.')
    return me(db, caller.userId, caller.accountId, caller.role)
  })

  serve(routes.createApiKey, async ({ body, caller }) => {
    if (caller.userId === null) throw new AppError('unauthorized', 'Sign in first.')
    const key = newKey('user')
    const id = await store.addApiKey(db, caller.userId, body.name, key)
    return { id, name: body.name, rawKey: key.raw }
  })

  serve(routes.listAccounts, async ({ caller }) => {
    const memberships = caller.userId === null ? [caller] : await store.membershipsOf(db, caller.userId)
    return Promise.all(memberships.map(({ accountId }) => store.getAccount(db, accountId)))
  })

  serve(routes.getMyAccount, ({ caller }) => store.getAccount(db, caller.accountId))
}

/** Whoever calls without a browser sends neither header; a page of another site sends at least one. */
function refuseForeignPages(request: FastifyRequest): void {
  if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined)
    refuseOtherOrigins(request)
}

async function me(db: Db, userId: string, accountId: string, role: Me['role']): Promise<Me> {
  const [name, account] = await Promise.all([store.getPersonName(db, userId), store.getAccount(db, accountId)])
  return { user: { id: userId, name }, account, role }
}
