/** The checks that a check depends on, as they are written. */
import { cycleThrough } from '@vedette/core'
import { sql } from 'kysely'
import { invalidField } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'

const FIELD = 'dependsOn'

/**
 * With the lock for the configuration of the account, so that two changes cannot make a cycle together.
 *
 * @param id of the check that depends on them; null while it has none
 * @throws AppError `invalid`
 */
export async function assertParents(
  db: Db,
  accountId: string,
  parents: readonly string[],
  id: string | null,
): Promise<void> {
  if (parents.length === 0) return
  if (id !== null && parents.includes(id)) throw invalidField(FIELD, 'names the check itself')
  const above = await findAbove(db, accountId, parents)
  const missing = parents.find((parent) => !above.has(parent))
  if (missing !== undefined) throw invalidField(FIELD, `names the check ${missing}, which does not exist`)
  if (id === null) return
  const dependsOn = new Map([...above].map(([one, { parents }]) => [one, parents] as const)).set(id, parents)
  const cycle = cycleThrough(id, dependsOn)?.slice(1)
  if (cycle === undefined) return
  const names = cycle.map((one) => `“${above.get(one)?.name ?? one}”`)
  throw invalidField(
    FIELD,
    `would make a circle: the check depends on ${names.join(', which depends on ')}, which depends on it`,
  )
}

/** The checks named, and all that these depend on. */
async function findAbove(
  db: Db,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, { name: string; parents: readonly string[] }>> {
  const { rows } = await sql<{ id: string; name: string; parents: string[] }>`
    with recursive above (id) as (
      select unnest(${[...ids]}::uuid[])
      union
      select parent::uuid from above
      join checks c on c.id = above.id and c.account_id = ${accountId}
      cross join jsonb_array_elements_text(c.settings -> 'dependsOn') as parent
    )
    select c.id, c.name, c.settings -> 'dependsOn' as parents
    from above join checks c on c.id = above.id and c.account_id = ${accountId}`.execute(db)
  return new Map(rows.map(({ id, ...rest }) => [id, rest]))
}

/** A check that is gone is no longer depended on. */
export async function removeParent(tx: Db, id: string): Promise<void> {
  await sql`
    update checks set settings = jsonb_set(settings, '{dependsOn}', (settings -> 'dependsOn') - ${id}::text),
      effective_settings = jsonb_set(effective_settings, '{dependsOn}', (effective_settings -> 'dependsOn') - ${id}::text)
    where effective_settings -> 'dependsOn' ? ${id}::text and effective_settings -> 'dependsOn' <> '[]'`.execute(tx)
}
