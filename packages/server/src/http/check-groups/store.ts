import { sql } from 'kysely'
import type { StoredGroup } from '../../checks/group.ts'
import { toStoredGroup } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Page } from '../page.ts'
import type { GroupFields } from './group-body.ts'

export async function insertGroup(tx: Db, accountId: string, fields: GroupFields): Promise<StoredGroup> {
  const row = await tx
    .insertInto('check_groups')
    .values({ ...fields, account_id: accountId, settings: JSON.stringify(fields.settings) })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toStoredGroup(row)
}

export async function updateGroup(tx: Db, id: number, fields: GroupFields): Promise<StoredGroup> {
  const row = await tx
    .updateTable('check_groups')
    .set({ ...fields, settings: JSON.stringify(fields.settings), updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toStoredGroup(row)
}

export async function deleteGroup(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('check_groups').where('id', '=', id).execute()
}

export async function listGroups(
  db: Db,
  accountId: string,
  filter: { tags: readonly string[] | undefined; names: readonly string[] | undefined },
  page: Page,
): Promise<{ groups: StoredGroup[]; total: number }> {
  const { tags, names } = filter
  const matching = db
    .selectFrom('check_groups')
    .where('account_id', '=', accountId)
    .$if(tags !== undefined && tags.length > 0, (q) => q.where(sql<boolean>`tags && ${tags}::text[]`))
    .$if(names !== undefined && names.length > 0, (q) => q.where('name', 'in', names ?? []))
  const rows = await matching.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute()
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { groups: rows.map(toStoredGroup), total }
}

/** The ids of the members of groups, in their order. */
export async function membersOf(db: Db, groupIds: readonly number[]): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>(groupIds.map((id) => [id, []]))
  if (groupIds.length === 0) return found
  const rows = await db
    .selectFrom('checks')
    .select(['id', 'group_id'])
    .where('group_id', 'in', groupIds)
    .orderBy('group_order', (o) => o.asc().nullsLast())
    .orderBy('created_at')
    .orderBy('no')
    .execute()
  for (const { id, group_id } of rows) if (group_id !== null) found.get(group_id)?.push(id)
  return found
}
