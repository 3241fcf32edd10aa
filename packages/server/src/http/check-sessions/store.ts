import { type CheckKind, RUNNABLE_KINDS, type SessionStatus, type Verdict } from '@vedette/schema'
import { sql } from 'kysely'
import type { StoredCheck } from '../../checks/check.ts'
import { toStoredCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'

/** Activated checks that match: any of the lists of tags as a whole, `!tag` excluding; and one of the ids. */
export async function matchingChecks(
  db: Db,
  accountId: string,
  tagLists: readonly (readonly string[])[] | undefined,
  ids: readonly string[] | undefined,
): Promise<StoredCheck[]> {
  const rows = await db
    .selectFrom('checks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('effective_activated', '=', true)
    .where('kind', 'in', RUNNABLE_KINDS)
    .$if(ids !== undefined, (q) => q.where('id', '=', sql<string>`any(${ids ?? []}::uuid[])`))
    .$if(tagLists !== undefined, (q) =>
      q.where((eb) =>
        eb.or(
          (tagLists ?? []).map((list) => {
            const wanted = list.filter((tag) => !tag.startsWith('!'))
            const unwanted = list.filter((tag) => tag.startsWith('!')).map((tag) => tag.slice(1))
            return sql<boolean>`effective_tags @> ${wanted}::text[] and not effective_tags && ${unwanted}::text[]`
          }),
        ),
      ),
    )
    .orderBy('created_at')
    .orderBy('no')
    .execute()
  return rows.map(toStoredCheck)
}

export interface StoredSession {
  id: string
  checkId: string
  checkName: string
  kind: CheckKind
  status: SessionStatus
  startedAt: Date
  stoppedAt: Date | null
  locations: number[]
  results: { resultId: string; locationNo: number; resultType: string; verdict: Verdict }[]
}

export async function findSession(db: Db, accountId: string, id: string): Promise<StoredSession | undefined> {
  const row = await db
    .selectFrom('check_sessions as s')
    .innerJoin('checks as c', 'c.no', 's.check_no')
    .select(['s.id', 'c.id as check_id', 'c.name', 'c.kind', 's.status', 's.started_at', 's.stopped_at', 's.locations'])
    .where('s.account_id', '=', accountId)
    .where('s.id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const results = await db
    .selectFrom('session_results')
    .selectAll()
    .where('session_id', '=', id)
    .orderBy('result_id')
    .execute()
  return {
    id: row.id,
    checkId: row.check_id,
    checkName: row.name,
    kind: row.kind,
    status: row.status,
    startedAt: row.started_at,
    stoppedAt: row.stopped_at,
    locations: row.locations,
    results: results.map((result) => ({
      resultId: result.result_id,
      locationNo: result.location_no,
      resultType: result.result_type,
      verdict: result.verdict,
    })),
  }
}
