import type { Snippet, SnippetWrite } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
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

/** Whether a check runs it before or after its request. */
export async function isInUse(tx: Db, accountId: string, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from checks where account_id = ${accountId}
      and ${id}::text in (settings->>'setupSnippetId', settings->>'tearDownSnippetId') limit 1`.execute(tx)
  return rows.length > 0
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
