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
  /** Whether any account of the person will do when none is named. */
  anyAccount: boolean
}

/** @throws AppError `unauthorized` without a valid key or session; `forbidden` for an account that is not theirs. */
export async function identify(db: Db, credentials: Credentials): Promise<Caller> {
  const { authorization, account, sessionToken, anyAccount } = credentials
  if (authorization === undefined && sessionToken !== undefined) {
    const hash = hashKey(sessionToken)
    const session = await findSession(db, hash)
    if (session === undefined) throw new AppError('unauthorized', 'The session is over. Sign in again.')
    const memberships = await membershipsOf(db, session.userId)
    // The account that the person looks at; the first of theirs until they choose.
    const looking = memberships.find((one) => one.accountId === session.accountId) ?? memberships[0]
    const membership = account === undefined ? looking : named(memberships, account)
    if (membership === undefined) throw new AppError('unauthorized', 'This person belongs to no account.')
    return { ...membership, userId: session.userId, keyId: null, session: hash }
  }
  const owner = await findKey(db, bearer(authorization))
  if (owner === undefined) throw new AppError('unauthorized', 'Bad Token')
  if (owner.userId !== null) {
    const memberships = await membershipsOf(db, owner.userId)
    const membership = account === undefined ? onlyOne(memberships, anyAccount) : named(memberships, account)
    return { ...membership, userId: owner.userId, keyId: owner.id, session: null }
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

/** The key or token of a header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}

function bearer(authorization: string | undefined): string {
  const token = bearerOf(authorization)
  if (token === undefined) throw new AppError('unauthorized', 'Bad Token')
  return token
}

function named(memberships: readonly Membership[], account: string): Membership {
  const membership = memberships.find((one) => one.accountId === account.toLowerCase())
  if (membership === undefined) throw foreignAccount()
  return membership
}

function onlyOne(memberships: readonly Membership[], anyAccount: boolean): Membership {
  const [first, ...others] = memberships
  if (first === undefined) throw new AppError('unauthorized', 'This person belongs to no account.')
  if (others.length > 0 && !anyAccount) {
    throw new AppError('unauthorized', 'Name the account in the header x-service-account.')
  }
  return first
}

function foreignAccount(): AppError {
  return new AppError('forbidden', 'The key may not act in this account.')
}
