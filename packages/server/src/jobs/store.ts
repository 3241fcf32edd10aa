import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Takes a task that is due, by moving its due time forward. False when it is not due, or somebody else took it. */
export async function claimTask(db: Db, name: string, everyMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into tasks (name, due_at) values (${name}, now() + ${everyMs} * interval '1 millisecond')
    on conflict (name) do update set due_at = excluded.due_at where tasks.due_at <= now()
    returning name`.execute(db)
  return rows.length > 0
}
