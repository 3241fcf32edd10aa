import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Every row of every table as text: what somebody finds who has the database and nothing else. */
export async function dumpOf(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db)
  const dump: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(db)
    for (const { text } of rows) dump.push(`${name}: ${text}`)
  }
  return dump
}
