import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Whether a transaction waits for another one: what a test began beside its own has got so far. */
export async function someoneWaits(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
    and datname = current_database()`.execute(db)
  return rows.length > 0
}
