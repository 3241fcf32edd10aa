import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { StoredCheck } from '../../checks/check.ts'
import { toStoredCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'

export interface Trigger {
  id: number
  token: string
  createdAt: Date
  calledAt: Date | null
  updatedAt: Date | null
}

/** What a trigger runs. */
export type Target = { checkNo: number } | { groupId: number }

/** 128 random bits; letters and digits only, since it stands in a path. */
function newToken(): string {
  return randomBytes(16).toString('hex')
}

const ofTarget = (db: Db, target: Target) =>
  'checkNo' in target
    ? db.selectFrom('triggers').selectAll().where('check_no', '=', target.checkNo)
    : db.selectFrom('triggers').selectAll().where('group_id', '=', target.groupId)

export async function findTrigger(db: Db, target: Target): Promise<Trigger | undefined> {
  const row = await ofTarget(db, target).executeTakeFirst()
  return (
    row && {
      id: row.id,
      token: row.token,
      createdAt: row.created_at,
      calledAt: row.called_at,
      updatedAt: row.updated_at,
    }
  )
}

/** Nothing happens where one is there already. */
export async function addTrigger(tx: Db, accountId: string, target: Target): Promise<void> {
  const owner = 'checkNo' in target ? { check_no: target.checkNo } : { group_id: target.groupId }
  await tx
    .insertInto('triggers')
    .values({ account_id: accountId, ...owner, token: newToken() })
    .onConflict((c) => c.doNothing())
    .execute()
}

export async function deleteTrigger(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('triggers').where('id', '=', id).execute()
}

export async function noteCall(tx: Db, id: number): Promise<void> {
  await tx.updateTable('triggers').set({ called_at: sql<Date>`now()` }).where('id', '=', id).execute()
}

/** Whatever account it belongs to: the token is the right to call it. */
export async function findCheckOfTrigger(
  db: Db,
  checkId: string,
): Promise<{ check: StoredCheck; trigger: { id: number; token: string } } | undefined> {
  const row = await db
    .selectFrom('checks')
    .innerJoin('triggers', 'triggers.check_no', 'checks.no')
    .selectAll('checks')
    .select(['triggers.id as trigger_id', 'triggers.token'])
    .where('checks.id', '=', checkId)
    .executeTakeFirst()
  return row && { check: toStoredCheck(row), trigger: { id: row.trigger_id, token: row.token } }
}

export interface GroupOfTrigger {
  concurrency: number
  trigger: { id: number; token: string }
  /** In their order. */
  checks: StoredCheck[]
}

export async function findGroupOfTrigger(db: Db, groupId: number): Promise<GroupOfTrigger | undefined> {
  const row = await db
    .selectFrom('check_groups')
    .innerJoin('triggers', 'triggers.group_id', 'check_groups.id')
    .select(['triggers.id', 'triggers.token', sql<number>`(settings->>'concurrency')::int`.as('concurrency')])
    .where('check_groups.id', '=', groupId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const members = await db
    .selectFrom('checks')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('group_order', (o) => o.asc().nullsLast())
    .orderBy('created_at')
    .orderBy('no')
    .execute()
  return {
    concurrency: row.concurrency,
    trigger: { id: row.id, token: row.token },
    checks: members.map(toStoredCheck),
  }
}

export interface SessionEnd {
  status: string
  stoppedAt: Date | null
  /** The result that speaks for the session; null while there is none. */
  resultId: string | null
}

export async function readSession(db: Db, id: string): Promise<SessionEnd> {
  const { rows } = await sql<{ status: string; stopped_at: Date | null; result_id: string | null }>`
    select status, stopped_at,
      (select result_id from session_results r where r.session_id = s.id and r.result_type = 'FINAL' limit 1) as result_id
    from check_sessions s where id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) return { status: 'TIMED_OUT', stoppedAt: new Date(), resultId: null }
  return { status: row.status, stoppedAt: row.stopped_at, resultId: row.result_id }
}
