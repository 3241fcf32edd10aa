import type { CheckKind } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A check as its badge shows it. */
export interface ShownCheck {
  no: number
  kind: CheckKind
  name: string
  /** Null before the first result. */
  state: 'passing' | 'degraded' | 'failing' | null
}

/** Undefined as well when the account shows no badges. */
export async function shownCheck(db: Db, id: string): Promise<ShownCheck | undefined> {
  const { rows } = await sql<ShownCheck>`
    select c.no, c.kind, c.name, ${STATE} as state
    from checks c join accounts a on a.id = c.account_id left join check_states s on s.check_no = c.no
    where c.id = ${id} and ${SHOWS_BADGES}`.execute(db)
  return rows[0]
}

/** A group and its checks; undefined as well when the account shows no badges. */
export async function shownGroup(
  db: Db,
  id: number,
): Promise<{ name: string; checks: Omit<ShownCheck, 'name'>[] } | undefined> {
  const { rows } = await sql<{ name: string }>`
    select g.name from check_groups g join accounts a on a.id = g.account_id
    where g.id = ${id} and ${SHOWS_BADGES}`.execute(db)
  const [group] = rows
  if (group === undefined) return undefined
  const { rows: checks } = await sql<Omit<ShownCheck, 'name'>>`
    select c.no, c.kind, ${STATE} as state
    from checks c left join check_states s on s.check_no = c.no where c.group_id = ${id}`.execute(db)
  return { name: group.name, checks }
}

const STATE = sql`case when s.updated_at is null then null when s.has_failures then 'failing'
  when s.is_degraded then 'degraded' else 'passing' end`
/** Unless the account says no. */
const SHOWS_BADGES = sql`a.settings->'allowBadges' is distinct from 'false'::jsonb`
