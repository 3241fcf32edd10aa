import type { Snippet, SnippetWrite } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { invalidField } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import { errorCode } from '../../db/embedded/errors.ts'
import type { Tables } from '../../db/tables.ts'
import type { Page } from '../page.ts'

const UNIQUE_VIOLATION = '23505'

export async function listSnippets(
  db: Db,
  accountId: string,
  page: Page,
): Promise<{ snippets: Snippet[]; total: number }> {
  const ofAccount = db.selectFrom('snippets').where('account_id', '=', accountId)
  const rows = await ofAccount.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute()
  const { total } = await ofAccount.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { snippets: rows.map(present), total }
}

/** Held until the transaction ends, if it is one that changes the snippet. */
export async function findSnippet(
  db: Db,
  accountId: string,
  id: number,
  forUpdate = false,
): Promise<Snippet | undefined> {
  const row = await db
    .selectFrom('snippets')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .$if(forUpdate, (q) => q.forUpdate())
    .executeTakeFirst()
  return row && present(row)
}

/** Undefined when the name is taken. */
export async function insertSnippet(tx: Db, accountId: string, snippet: SnippetWrite): Promise<Snippet | undefined> {
  const row = await tx
    .insertInto('snippets')
    .values({ account_id: accountId, name: snippet.name, script: snippet.script })
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && present(row)
}

/** Undefined when another snippet has the name: nothing more can be done in the transaction then. */
export async function updateSnippet(
  tx: Db,
  accountId: string,
  id: number,
  { name, script }: SnippetWrite,
): Promise<Snippet | undefined> {
  const row = await tx
    .updateTable('snippets')
    .set({ name, script, updated_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
    .catch((error: unknown) => {
      if (errorCode(error) === UNIQUE_VIOLATION) return undefined
      throw error
    })
  return row && present(row)
}

export async function deleteSnippet(tx: Db, accountId: string, id: number): Promise<void> {
  await tx.deleteFrom('snippets').where('account_id', '=', accountId).where('id', '=', id).execute()
}

/** Whether a check, or the checks of a group, run it before or after their requests. */
export async function isInUse(tx: Db, accountId: string, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select settings from checks where account_id = ${accountId}
      union all select settings from check_groups where account_id = ${accountId}) used
    where ${id}::text in (settings->>'setupSnippetId', settings->>'tearDownSnippetId') limit 1`.execute(tx)
  return rows.length > 0
}

/** @throws AppError `invalid` when a check or a group names a snippet that the account does not have. */
export async function assertSnippets(tx: Db, accountId: string, settings: object): Promise<void> {
  for (const field of ['setupSnippetId', 'tearDownSnippetId'] as const) {
    const id: unknown = Reflect.get(settings, field)
    if (typeof id !== 'number') continue
    const known = await tx
      .selectFrom('snippets')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (known === undefined) throw invalidField(field, `names the snippet ${id}, which does not exist`)
  }
}

function present(row: Selectable<Tables['snippets']>): Snippet {
  return {
    id: row.id,
    name: row.name,
    script: row.script,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }
}
