import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'

/** Names of the checks in trouble of which nobody is told and that depend on the given ones, directly or by others. */
export async function findHeldChecks(db: Db, checkNos: readonly number[]): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ check_no: number; names: string[] }>`
    with recursive below (root, id) as (
      select no, id from checks where no = any(${plainArray(checkNos)}::int[])
      union
      select below.root, c.id from below
      join checks c on c.effective_settings -> 'dependsOn' ? below.id::text and c.effective_settings -> 'dependsOn' <> '[]'
    )
    select below.root as check_no, array_agg(c.name order by lower(c.name), c.no) as names
    from below join checks c on c.id = below.id join check_states s on s.check_no = c.no
    where s.held_since is not null and c.no <> below.root
    group by below.root`.execute(db)
  return new Map(rows.map(({ check_no, names }) => [check_no, names]))
}
