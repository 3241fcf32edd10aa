import type { StoredGroup } from '../checks/group.ts'
import { toStoredGroup } from '../checks/store.ts'
import type { Db } from '../db/database.ts'

export interface VariableRow {
  id: string
  accountId: string
  key: string
  value: string | null
  sealed: string | null
}

export async function variablesOf(db: Db, accountIds: readonly string[]): Promise<VariableRow[]> {
  if (accountIds.length === 0) return []
  const rows = await db
    .selectFrom('variables')
    .select(['id', 'account_id', 'key', 'value', 'sealed_value'])
    .where('account_id', 'in', accountIds)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    key: row.key,
    value: row.value,
    sealed: row.sealed_value,
  }))
}

export async function groupsOf(db: Db, groupIds: readonly number[]): Promise<StoredGroup[]> {
  if (groupIds.length === 0) return []
  const rows = await db.selectFrom('check_groups').selectAll().where('id', 'in', groupIds).execute()
  return rows.map(toStoredGroup)
}

export interface SnippetRow {
  id: number
  accountId: string
  name: string
  script: string
}

export async function snippetsOf(db: Db, accountIds: readonly string[]): Promise<SnippetRow[]> {
  if (accountIds.length === 0) return []
  const rows = await db
    .selectFrom('snippets')
    .select(['id', 'account_id', 'name', 'script'])
    .where('account_id', 'in', accountIds)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, accountId: row.account_id, name: row.name, script: row.script }))
}
