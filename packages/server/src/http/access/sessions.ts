/** Sessions of the web application: a cookie that names a row. */
import '@fastify/cookie'
import type { Me } from '@vedette/schema'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../app-error.ts'
import { SESSION_COOKIE } from '../../auth/identify.ts'
import { newKey } from '../../auth/keys.ts'
import * as store from '../../auth/store.ts'
import type { Db } from '../../db/database.ts'

const SESSION_SECONDS = 30 * 86_400

export interface SessionCookie {
  /**
   * Returns the hash by which the session is known.
   *
   * @throws AppError `unauthorized` when the person's sessions were ended since they said their password
   */
  start(tx: Db, person: store.Epoch, reply: FastifyReply): Promise<Buffer>
  clear(reply: FastifyReply): void
}

export function sessionCookie(publicUrl: string): SessionCookie {
  const secure = publicUrl.startsWith('https:')
  // The prefix makes browsers insist on https and on this very host.
  const name = secure ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE
  return {
    async start(tx, person, reply) {
      const token = newKey('session')
      if (!(await store.startSession(tx, person, token)))
        throw new AppError('unauthorized', 'The password was just changed. Sign in again.')
      reply.setCookie(name, token.raw, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: SESSION_SECONDS })
      return token.hash
    },
    clear(reply) {
      reply.clearCookie(name, { path: '/' })
    },
  }
}

/** The person in one of their accounts; in the first without a word about which. */
export async function describeMe(db: Db, userId: string, accountId: string | null = null): Promise<Me> {
  const memberships = await store.membershipsOf(db, userId)
  const membership = accountId === null ? memberships[0] : memberships.find((one) => one.accountId === accountId)
  if (membership === undefined)
    throw new AppError(
      'forbidden',
      'This person belongs to no account. Take up an invitation with the same name and password.',
    )
  const [name, account] = await Promise.all([
    store.getPersonName(db, userId),
    store.getAccount(db, membership.accountId),
  ])
  return { user: { id: userId, name }, account, role: membership.role }
}
