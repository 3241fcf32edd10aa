import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import { placeOfVariable } from '../../secrets/variable-place.ts'
import type { Page } from '../page.ts'

/** A variable as it is stored: its value opened. */
export interface StoredVariable {
  id: string
  accountId: string
  key: string
  value: string
  locked: boolean
  secret: boolean
}

export async function listVariables(
  db: Db,
  secrets: Secrets,
  accountId: string,
  page: Page,
): Promise<{ variables: StoredVariable[]; total: number }> {
  const ofAccount = db.selectFrom('variables').where('account_id', '=', accountId)
  const rows = await ofAccount
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await ofAccount.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { variables: rows.map((row) => opened(row, secrets)), total }
}

/** Held until the transaction ends, if it is one that changes the variable. */
export async function findVariable(
  db: Db,
  secrets: Secrets,
  accountId: string,
  key: string,
  forUpdate = false,
): Promise<StoredVariable | undefined> {
  const row = await db
    .selectFrom('variables')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .$if(forUpdate, (q) => q.forUpdate())
    .executeTakeFirst()
  return row && opened(row, secrets)
}

/** Undefined when the key is taken. */
export async function insertVariable(
  tx: Db,
  secrets: Secrets,
  variable: Omit<StoredVariable, 'id'>,
): Promise<StoredVariable | undefined> {
  const stored = { ...variable, id: randomUUID() }
  const row = await tx
    .insertInto('variables')
    .values({ id: stored.id, account_id: stored.accountId, key: stored.key, ...columnsOf(stored, secrets) })
    .onConflict((c) => c.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row && stored
}

export async function updateVariable(tx: Db, secrets: Secrets, variable: StoredVariable): Promise<void> {
  await tx
    .updateTable('variables')
    .set({ ...columnsOf(variable, secrets), updated_at: sql<Date>`now()` })
    .where('account_id', '=', variable.accountId)
    .where('id', '=', variable.id)
    .execute()
}

export async function deleteVariable(tx: Db, { accountId, id }: StoredVariable): Promise<void> {
  await tx.deleteFrom('variables').where('account_id', '=', accountId).where('id', '=', id).execute()
}

function columnsOf(variable: StoredVariable, secrets: Secrets) {
  const { value, locked, secret } = variable
  const isSealed = locked || secret
  return {
    value: isSealed ? null : value,
    sealed_value: isSealed ? secrets.seal(placeOfVariable(variable.accountId, variable.id), value) : null,
    locked,
    secret,
  }
}

function opened(row: Selectable<Tables['variables']>, secrets: Secrets): StoredVariable {
  const { id, account_id: accountId, key, value, sealed_value: sealed, locked, secret } = row
  const text = sealed === null ? (value ?? '') : secrets.open(placeOfVariable(accountId, id), sealed)
  return { id, accountId, key, value: text, locked, secret }
}
