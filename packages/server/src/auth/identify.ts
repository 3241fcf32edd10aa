/** Turns the headers of a request into the caller. */
import { AppError } from '../app-error.ts'
import type { Db } from '../db/database.ts'
import type { Caller, RunnerCaller } from './caller.ts'
import { hashKey } from './keys.ts'
import { findKey, findLocationKey, findSession, type Membership, membershipsOf } from './store.ts'

export const SESSION_COOKIE = 'vedette-session'

export interface Credentials {
  authorization: string | undefined
  /** The value of `x-service-account`. */
  account: string | undefined
  sessionToken: string | undefined
}

/** @throws AppError `unauthorized` without a valid key or session; `forbidden` for an account that is not theirs. */
export async function identify(db: Db, { authorization, account, sessionToken }: Credentials): Promise<Caller> {
  if (authorization === undefined && sessionToken !== undefined) {
    const hash = hashKey(sessionToken)
    const session = await findSession(db, hash)
    if (session === undefined) throw new AppError('unauthorized', 'The session is over. Sign in again.')
    return { ...(await accountOf(db, session.userId, account)), userId: session.userId, keyId: null, session: hash }
  }
  const owner = await findKey(db, bearer(authorization))
  if (owner === undefined) throw new AppError('unauthorized', 'Bad Token')
  if (owner.userId !== null) {
    return { ...(await accountOf(db, owner.userId, account)), userId: owner.userId, keyId: owner.id, session: null }
  }
  if (owner.accountId === null || owner.role === null) throw new Error('A key belongs to a person or to an account.')
  if (account !== undefined && account.toLowerCase() !== owner.accountId) throw foreignAccount()
  return {
    accountId: owner.accountId,
    role: owner.role,
    isOperator: false,
    userId: null,
    keyId: owner.id,
    session: null,
  }
}

/** @throws AppError `unauthorized`. */
export async function identifyRunner(db: Db, authorization: string | undefined): Promise<RunnerCaller> {
  const key = await findLocationKey(db, bearer(authorization))
  if (key === undefined) throw new AppError('unauthorized', 'Bad Token')
  return key
}

function bearer(authorization: string | undefined): string {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw new AppError('unauthorized', 'Bad Token')
  return token
}

async function accountOf(db: Db, userId: string, account: string | undefined): Promise<Membership> {
  const memberships = await membershipsOf(db, userId)
  if (account !== undefined) {
    const named = memberships.find((membership) => membership.accountId === account.toLowerCase())
    if (named === undefined) throw foreignAccount()
    return named
  }
  const [only, ...others] = memberships
  if (only === undefined || others.length > 0) {
    throw new AppError('unauthorized', 'Name the account in the header x-service-account.')
  }
  return only
}

function foreignAccount(): AppError {
  return new AppError('forbidden', 'The key may not act in this account.')
}
