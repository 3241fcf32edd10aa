import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Place } from './seal.ts'

interface SealedColumn {
  table: string
  column: string
  /** The values stay sealed for the place that they were copied from: the same column there, of the row named here. */
  copiedFrom?: { table: string; id: string }
}

/** Every column that holds sealed values. What is not listed here is not sealed anew when the key changes. */
const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'variables', column: 'sealed_value' },
  { table: 'client_certificates', column: 'sealed_key' },
  { table: 'client_certificates', column: 'sealed_passphrase' },
  { table: 'locations', column: 'sealed_proxy_url' },
  { table: 'check_groups', column: 'sealed' },
  { table: 'checks', column: 'sealed' },
  { table: 'checks', column: 'effective_sealed' },
  { table: 'alert_channels', column: 'sealed' },
  { table: 'status_page_subscriptions', column: 'sealed_token' },
  { table: 'dry_runs', column: 'sealed' },
  { table: 'notifications', column: 'sealed', copiedFrom: { table: 'alert_channels', id: 'channel_id' } },
]

const PROOF = 'secret-key'
export const PROOF_PLACE: Place = { accountId: '', table: 'installation', column: 'value', rowId: PROOF }

/** A known text under the key in use; null while there is none. Works on a database that has no tables yet. */
export async function findProof(db: Db): Promise<string | null> {
  if (!(await exists(db, 'installation'))) return null
  const row = await db.selectFrom('installation').select('value').where('key', '=', PROOF).executeTakeFirst()
  const sealed = row?.value.sealed
  return typeof sealed === 'string' ? sealed : null
}

/** The ids of the keys under which values are stored. */
export async function keyIdsInUse(db: Db): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const { table, column } of SEALED_COLUMNS) {
    if (!(await exists(db, table))) continue
    const { rows } = await sql<{ id: string }>`
      select distinct ${keyId(column)} as id from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(db)
    for (const { id } of rows) ids.add(id)
  }
  return ids
}

/** @param reseal turns a value under another key into one under this key; returns how many there were */
export async function changeKey(
  tx: Db,
  currentId: string,
  proof: string,
  reseal: (place: Place, sealed: string) => string,
): Promise<number> {
  const value = JSON.stringify({ sealed: proof })
  // Taken first and held: servers that start together take turns.
  await tx
    .insertInto('installation')
    .values({ key: PROOF, value })
    .onConflict((c) => c.column('key').doUpdateSet({ value }))
    .execute()
  let changed = 0
  for (const { table, column, copiedFrom: origin = { table, id: 'id' } } of SEALED_COLUMNS) {
    const { rows } = await sql<{ id: string; account_id: string; origin_id: string; sealed: string }>`
      select id, account_id, ${sql.ref(origin.id)}::text as origin_id, ${sql.ref(column)} as sealed
      from ${sql.table(table)} where ${sql.ref(column)} is not null and ${keyId(column)} <> ${currentId}
      order by id for no key update`.execute(tx)
    for (const { id, account_id, origin_id, sealed } of rows) {
      const anew = reseal({ accountId: account_id, table: origin.table, column, rowId: origin_id }, sealed)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${anew} where id = ${id}`.execute(tx)
    }
    changed += rows.length
  }
  return changed
}

function keyId(column: string): RawBuilder<string> {
  return sql<string>`split_part(${sql.ref(column)}, '.', 1)`
}

async function exists(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: string | null }>`select to_regclass(${table})::text as found`.execute(db)
  return rows[0]?.found != null
}
