import type { ErrorGroup, ErrorGroupCounts, ErrorGroupUpdate } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { TimeWindow } from '../instants.ts'
import type { Page } from '../page.ts'

const groups = (db: Db, accountId: string) =>
  db
    .selectFrom('error_groups as g')
    .innerJoin('checks as c', 'c.no', 'g.check_no')
    .selectAll('g')
    .select('c.id as check_id')
    .where('c.account_id', '=', accountId)

type Row = Awaited<ReturnType<ReturnType<typeof groups>['executeTakeFirstOrThrow']>>

/** Without those archived for ever, the latest seen first. */
export async function listErrorGroups(db: Db, accountId: string, checkId: string): Promise<ErrorGroup[]> {
  const rows = await groups(db, accountId)
    .where('c.id', '=', checkId)
    .where('g.archived_for_ever', '=', false)
    .orderBy('g.last_seen', 'desc')
    .execute()
  return rows.map(toErrorGroup)
}

/** Of all checks of the account. */
export async function pageOfErrorGroups(
  db: Db,
  accountId: string,
  page: Page,
): Promise<{ found: ErrorGroup[]; total: number }> {
  const shown = groups(db, accountId).where('g.archived_for_ever', '=', false)
  const rows = await shown
    .orderBy('g.last_seen', 'desc')
    .orderBy('g.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await shown
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { found: rows.map(toErrorGroup), total }
}

/** The latest seen first, as they are listed; without those that were not seen on these days. */
export async function countErrorGroups(
  db: Db,
  checkNo: number,
  { fromMs, toMs }: TimeWindow,
): Promise<ErrorGroupCounts[]> {
  const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
  const { rows } = await sql<ErrorGroupCounts>`
    select g.id as "errorGroupId", sum(d.seen)::int as count,
      json_agg(json_build_object('day', d.day, 'count', d.seen) order by d.day) as days
    from error_groups g join error_group_days d on d.group_id = g.id
    where g.check_no = ${checkNo} and not g.archived_for_ever
      and d.day >= ${dayOf(fromMs)}::date and d.day <= ${dayOf(toMs - 1)}::date
    group by g.id order by g.last_seen desc, g.id`.execute(db)
  return rows
}

export async function findErrorGroup(db: Db, accountId: string, id: string): Promise<ErrorGroup | undefined> {
  const row = await groups(db, accountId).where('g.id', '=', id).executeTakeFirst()
  return row && toErrorGroup(row)
}

export async function updateErrorGroup(
  tx: Db,
  accountId: string,
  id: string,
  change: ErrorGroupUpdate,
): Promise<ErrorGroup | undefined> {
  const set = {
    ...(change.archivedUntilNextEvent === undefined
      ? {}
      : { archived_until_next_event: change.archivedUntilNextEvent }),
    ...(change.archiveForEver === undefined ? {} : { archived_for_ever: change.archiveForEver }),
  }
  if (Object.keys(set).length > 0) {
    await tx
      .updateTable('error_groups')
      .set(set)
      .where('id', '=', id)
      .where('check_no', 'in', (eb) => eb.selectFrom('checks').select('no').where('account_id', '=', accountId))
      .execute()
  }
  return findErrorGroup(tx, accountId, id)
}

function toErrorGroup(row: Row): ErrorGroup {
  return {
    id: row.id,
    checkId: row.check_id,
    errorHash: row.error_hash,
    rawErrorMessage: row.raw_message,
    cleanedErrorMessage: row.cleaned_message,
    firstSeen: row.first_seen.toISOString(),
    lastSeen: row.last_seen.toISOString(),
    archivedUntilNextEvent: row.archived_until_next_event,
  }
}
