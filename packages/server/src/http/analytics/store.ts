import type { CheckKind } from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../../db/arrays.ts'
import type { Db } from '../../db/database.ts'

/** A check as reports name it. */
export interface ReportedCheck {
  no: number
  id: string
  kind: CheckKind
  name: string
  activated: boolean
  tags: string[]
}

export interface ReportFilter {
  ids?: readonly string[]
  /** One of them will do; the tags of a check's group are its own too. */
  tags?: readonly string[] | undefined
  deactivated?: boolean | undefined
}

/** In the order of their making. */
export async function reportedChecks(db: Db, accountId: string, filter: ReportFilter): Promise<ReportedCheck[]> {
  const { ids, tags, deactivated } = filter
  return db
    .selectFrom('checks')
    .select(['no', 'id', 'kind', 'name', 'activated', 'tags'])
    .where('account_id', '=', accountId)
    .$if(ids !== undefined, (q) => q.where(sql<boolean>`id = any(${plainArray(ids ?? [])}::uuid[])`))
    .$if(tags !== undefined && tags.length > 0, (q) => q.where(sql<boolean>`effective_tags && ${tags}::text[]`))
    .$if(deactivated !== undefined, (q) => q.where('activated', '=', deactivated !== true))
    .orderBy('created_at')
    .orderBy('no')
    .execute()
}
