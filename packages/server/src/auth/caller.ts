/** Who is asking, and what they may do. */
import type { Policy, Role } from '@vedette/schema'
import { AppError } from '../app-error.ts'

export interface Caller {
  accountId: string
  role: Role
  /** An owner of the installation’s first account. */
  isOperator: boolean
  /** Null for a key that belongs to an account. */
  userId: string | null
  /** Null for somebody signed in to the web application. */
  keyId: string | null
  /** The session cookie’s hash; null for a key. */
  session: Buffer | null
}

export interface RunnerCaller {
  keyId: string
  /** Null: the installation’s own runner. */
  locationNo: number | null
}

/** From the least to the most; a role may do what all before it may. */
const RANK = { READ_ONLY: 0, READ_RUN: 1, READ_WRITE: 2, ADMIN: 3, OWNER: 4 } as const satisfies Record<Role, number>
const NEEDED = { read: 0, run: 1, write: 2, admin: 3, owner: 4 } as const

export function isAllowed(role: Role, policy: keyof typeof NEEDED): boolean {
  return RANK[role] >= NEEDED[policy]
}

/** Whether it allows less than the other. */
export function isLower(role: Role, other: Role): boolean {
  return RANK[role] < RANK[other]
}

/** @throws AppError `forbidden` or `unauthorized`. */
export function authorise(caller: Caller, policy: Exclude<Policy, 'public' | 'runner' | 'token'>): void {
  if (policy === 'session') {
    if (caller.session === null) throw new AppError('unauthorized', 'Sign in first.')
    return
  }
  if (policy === 'operator') {
    if (!caller.isOperator) throw new AppError('forbidden', 'Only owners of the first account may do this.')
    return
  }
  if (!isAllowed(caller.role, policy)) throw new AppError('forbidden', `The role ${caller.role} may not do this.`)
}

/** Whether a caller sees values that were locked. */
export function mayReadLocked(caller: Pick<Caller, 'role'>): boolean {
  return isAllowed(caller.role, 'write')
}
