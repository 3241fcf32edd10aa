import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'

export interface NewSession {
  id: string
  accountId: string
  checkNo: number
  deadlineAt: Date
  locations: number[]
}

export async function addSessions(tx: Db, sessions: readonly NewSession[]): Promise<void> {
  await tx
    .insertInto('check_sessions')
    .values(
      sessions.map((session) => ({
        id: session.id,
        account_id: session.accountId,
        check_no: session.checkNo,
        status: 'STARTED' as const,
        deadline_at: session.deadlineAt,
        locations: session.locations,
      })),
    )
    .execute()
}

/** Returns the ids of the sessions that ended. */
export async function endSessionsPastDeadline(tx: Db): Promise<string[]> {
  const { rows: late } = await sql<{ id: string }>`
    select id from check_sessions where stopped_at is null and deadline_at < now()`.execute(tx)
  return endSessions(
    tx,
    late.map((row) => row.id),
    'TIMED_OUT',
  )
}

/** Ends sessions that have not ended yet: runs that wait are dropped, and so is what runs in hand will bring. */
export async function endSessions(
  tx: Db,
  sessionIds: readonly string[],
  status: 'TIMED_OUT' | 'CANCELLED',
): Promise<string[]> {
  if (sessionIds.length === 0) return []
  const ids = plainArray(sessionIds)
  // In the order of whoever records a result: the runs first, the session last.
  await sql`
    select from schedule r join check_sessions s on s.check_no = r.check_no and s.id = r.session_id
    where s.id = any(${ids}::uuid[]) order by r.check_no, r.id for update of r`.execute(tx)
  const { rows: ended } = await sql<{ id: string }>`
    update check_sessions set status = ${status}, stopped_at = now()
    where id = any(${ids}::uuid[]) and stopped_at is null returning id`.execute(tx)
  await sql`
    delete from schedule r using check_sessions s
    where s.id = any(${ids}::uuid[]) and r.check_no = s.check_no and r.session_id = s.id`.execute(tx)
  return ended.map((row) => row.id)
}
