import { sql } from 'kysely'
import type { OpenGroup } from '../../checks/group.ts'
import { openGroup, sealGroupSettings, withoutSecrets } from '../../checks/settings-secrets.ts'
import { toStoredGroup } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Page } from '../page.ts'
import type { GroupFields } from './group-body.ts'

export async function insertGroup(
  tx: Db,
  secrets: Secrets,
  accountId: string,
  fields: GroupFields,
): Promise<OpenGroup> {
  const row = await tx
    .insertInto('check_groups')
    .values({ ...fields, account_id: accountId, settings: JSON.stringify(withoutSecrets(fields.settings)) })
    .returningAll()
    .executeTakeFirstOrThrow()
  // What is sealed is bound to the id, which is known only now.
  const { sealed } = sealGroupSettings(secrets, { accountId, id: row.id }, fields.settings)
  if (sealed !== null) await tx.updateTable('check_groups').set({ sealed }).where('id', '=', row.id).execute()
  return openGroup(secrets, toStoredGroup({ ...row, sealed }))
}

export async function updateGroup(
  tx: Db,
  secrets: Secrets,
  group: Pick<OpenGroup, 'accountId' | 'id'>,
  fields: GroupFields,
): Promise<OpenGroup> {
  const { open, sealed } = sealGroupSettings(secrets, group, fields.settings)
  const row = await tx
    .updateTable('check_groups')
    .set({ ...fields, settings: open, sealed, updated_at: new Date() })
    .where('account_id', '=', group.accountId)
    .where('id', '=', group.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return openGroup(secrets, toStoredGroup(row))
}

export async function deleteGroup(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('check_groups').where('id', '=', id).execute()
}

export async function listGroups(
  db: Db,
  secrets: Secrets,
  accountId: string,
  filter: { tags: readonly string[] | undefined; names: readonly string[] | undefined },
  page: Page,
): Promise<{ groups: OpenGroup[]; total: number }> {
  const { tags, names } = filter
  const matching = db
    .selectFrom('check_groups')
    .where('account_id', '=', accountId)
    .$if(tags !== undefined && tags.length > 0, (q) => q.where(sql<boolean>`tags && ${tags}::text[]`))
    .$if(names !== undefined && names.length > 0, (q) => q.where('name', 'in', names ?? []))
  const rows = await matching.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute()
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { groups: rows.map((row) => openGroup(secrets, toStoredGroup(row))), total }
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
