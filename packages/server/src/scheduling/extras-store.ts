import { type Selectable, sql } from 'kysely'
import type { StoredGroup } from '../checks/group.ts'
import { toStoredGroup } from '../checks/store.ts'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'

/** Whether the group `g` of a statement has scripts to run around the requests of its members. */
export const groupHasScripts = sql<boolean>`coalesce(g.settings->>'setupSnippetId', g.settings->>'tearDownSnippetId',
  nullif(g.settings->>'localSetupScript', ''), nullif(g.settings->>'localTearDownScript', '')) is not null`

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
  return rows.map(toVariableRow)
}

function toVariableRow(
  row: Pick<Selectable<Tables['variables']>, 'id' | 'account_id' | 'key' | 'value' | 'sealed_value'>,
) {
  return { id: row.id, accountId: row.account_id, key: row.key, value: row.value, sealed: row.sealed_value }
}

/** A variable, or the settings of a group with what they hide. */
export type SealedOf = { accountId: string; sealed: string } & (
  | { of: 'variable'; id: string }
  | { of: 'group'; id: number; settings: StoredGroup['settings'] }
)

/** What is sealed of the variables of accounts, and of their groups. */
export async function sealedVariablesOf(db: Db, accountIds: readonly string[]): Promise<SealedOf[]> {
  const { rows } = await sql<{
    variable_id: string | null
    group_id: number | null
    account_id: string
    sealed: string
    settings: StoredGroup['settings']
  }>`
    /* prepared: sealed-variables */
    select id as variable_id, null::int as group_id, account_id, sealed_value as sealed, null::jsonb as settings
    from variables where account_id = any(${accountIds}::uuid[]) and sealed_value is not null
    union all
    select null, id, account_id, sealed, settings from check_groups
    where account_id = any(${accountIds}::uuid[]) and sealed is not null`.execute(db)
  return rows.flatMap(({ variable_id, group_id, account_id: accountId, sealed, settings }): SealedOf[] => {
    if (variable_id !== null) return [{ of: 'variable', id: variable_id, accountId, sealed }]
    return group_id === null ? [] : [{ of: 'group', id: group_id, accountId, sealed, settings }]
  })
}

/** The runtime that each account names for checks that name none. */
export async function runtimesOf(db: Db, accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db.selectFrom('accounts').select(['id', 'runtime_id']).where('id', 'in', accountIds).execute()
  return new Map(rows.map((row) => [row.id, row.runtime_id]))
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
