import type { ErrorGroup, ErrorGroupUpdate } from '@vedette/schema'
import type { Db } from '../../db/database.ts'

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

export async function findErrorGroup(db: Db, accountId: string, id: string): Promise<ErrorGroup | undefined> {
  const row = await groups(db, accountId).where('g.id', '=', id).executeTakeFirst()
  return row && toErrorGroup(row)
}

export async function updateErrorGroup(
  db: Db,
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
    await db
      .updateTable('error_groups')
      .set(set)
      .where('id', '=', id)
      .where('check_no', 'in', (eb) => eb.selectFrom('checks').select('no').where('account_id', '=', accountId))
      .execute()
  }
  return findErrorGroup(db, accountId, id)
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
