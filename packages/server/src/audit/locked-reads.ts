/**
 * Reading a locked value is noted like a change: once an hour for each caller and thing, since pages and tools read the
 * same things over and over.
 */
import type { Route } from '@vedette/schema'
import { type Caller, mayReadLocked } from '../auth/caller.ts'
import type { Db } from '../db/database.ts'
import { operationOf } from './record-change.ts'
import { appendChanges } from './store.ts'

const HOUR_MS = 3_600_000
/** What was noted this hour; beyond, it is noted again. */
const REMEMBERED = 50_000
const MASK = /^\**$/

export interface Reading {
  route: Route
  caller: Caller
  address: string
  /** From the path; what a list shows is named by its own ids. */
  subject: string
  answer: unknown
  /** The answer as it is sent. */
  text: string
}

export type NoteReading = (reading: Reading) => Promise<void>

export function lockedReads(db: Db, nowMs: () => number = Date.now): NoteReading {
  const noted = new Set<string>()
  let hour = 0
  return async ({ route, caller, address, subject, answer, text }) => {
    // Most answers have nothing locked, and this finds it out in no time.
    if (!text.includes('"locked":true') || !mayReadLocked(caller)) return
    const now = Math.floor(nowMs() / HOUR_MS)
    if (now !== hour || noted.size > REMEMBERED) noted.clear()
    hour = now
    const operation = operationOf(route)
    const nameOf = (thing: string) => `${caller.accountId} ${caller.keyId ?? caller.userId} ${operation} ${thing}`
    const things = Array.isArray(answer) ? answer.filter(showsLocked).map((item) => idOf(item, subject)) : [subject]
    const news = [...new Set(things)].filter((thing) => !noted.has(nameOf(thing)))
    if (news.length === 0 || !showsLocked(answer)) return
    const { accountId, userId, keyId } = caller
    await appendChanges(
      db,
      news.map((thing) => ({
        accountId,
        userId,
        keyId,
        address,
        operation,
        subject: thing,
        before: undefined,
        after: undefined,
      })),
    )
    for (const thing of news) noted.add(nameOf(thing))
  }
}

function idOf(item: unknown, otherwise: string): string {
  const id: unknown = Reflect.get(Object(item), 'id') ?? Reflect.get(Object(item), 'key')
  return id === undefined ? otherwise : String(id)
}

/** Whether a locked value stands somewhere in it for all to see. */
function showsLocked(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(showsLocked)
  const shown: unknown = Reflect.get(value, 'value')
  if (Reflect.get(value, 'locked') === true && typeof shown === 'string' && !MASK.test(shown)) return true
  return Object.values(value).some(showsLocked)
}
