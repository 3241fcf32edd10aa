import type { Ancestor } from '@vedette/core'
import type { TargetState } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { toPause } from '../scheduling/pause-store.ts'

/** The checks named, and those on which these depend in turn; the nearest first. */
export async function findAncestors(
  tx: Db,
  accountId: string,
  dependsOn: readonly string[],
): Promise<(Ancestor & { checkNo: number })[]> {
  const { rows } = await sql<{
    no: number
    id: string
    name: string
    state: TargetState
    since: Date
    is_told: boolean
    tried_since: Date | null
    muted: boolean
    activated: boolean
    paused_from: Date | null
    paused_until: Date | null
  }>`
    with recursive above (id) as (
      select unnest(${[...dependsOn]}::uuid[])
      union
      select parent::uuid from above
      join checks c on c.id = above.id and c.account_id = ${accountId}
      cross join jsonb_array_elements_text(c.effective_settings -> 'dependsOn') as parent
    )
    select c.no, c.id, c.name, s.state, s.since, c.effective_muted as muted, c.effective_activated as activated, c.paused_from,
      c.paused_until,
      exists (select from alert_decisions d where d.check_no = c.no and d.at >= s.since and d.due and not d.muted
        and d.to_state = s.state and d.rule <> 'certificate-expires' and d.channels @> '[{"because": null}]') as is_told,
      (select min(r.first_started_at) from schedule r
        where r.check_no = c.no and r.session_id is null and r.attempt > 1 + r.errors) as tried_since
    from above join checks c on c.id = above.id and c.account_id = ${accountId}
    join check_states s on s.check_no = c.no
    order by array_position(${[...dependsOn]}::uuid[], c.id), c.no`.execute(tx)
  return rows.map((row) => ({
    checkNo: row.no,
    checkId: row.id,
    name: row.name,
    state: row.state,
    sinceMs: row.since.getTime(),
    isTold: row.is_told,
    triedSinceMs: row.tried_since?.getTime() ?? null,
    muted: row.muted,
    activated: row.activated,
    pause: toPause(row),
  }))
}
