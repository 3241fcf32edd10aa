/** Who is on the trouble of a check. Everything here holds the lock of the check's state, as reminders do. */
import type { Acknowledgement, TargetState } from '@vedette/schema'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The trouble in which a check is, held until the transaction ends. Undefined: it is in none, or there is no such check. */
export async function lockTrouble(tx: Db, checkNo: number): Promise<{ since: Date } | undefined> {
  return tx
    .selectFrom('check_states')
    .select('since')
    .where('check_no', '=', checkNo)
    .where('state', '<>', 'passing')
    .forUpdate()
    .executeTakeFirst()
}

export interface CheckOfLink {
  no: number
  id: string
  accountId: string
  name: string
  state: TargetState
  since: Date
  channel: string
}

/** Undefined once the check or the channel is gone: what was sent before is no good any more. */
export async function findCheckOfLink(db: Db, checkId: string, channelId: number): Promise<CheckOfLink | undefined> {
  const { rows } = await sql<CheckOfLink>`
    select c.no, c.id, c.account_id as "accountId", c.name, s.state, s.since,
      coalesce(nullif(a.config ->> 'name', ''), a.config ->> 'address', nullif(a.config ->> 'channel', ''), a.type) as channel
    from checks c join check_states s on s.check_no = c.no
    join alert_channels a on a.id = ${channelId} and a.account_id = c.account_id
    where c.id = ${checkId}`.execute(db)
  return rows[0]
}

/** Of the trouble in which the check is now; what was said of an earlier one is over. */
export async function findAcknowledgement(db: Db, checkNo: number): Promise<Acknowledgement | undefined> {
  const row = await db
    .selectFrom('acknowledgements as k')
    .innerJoin('check_states as s', (join) =>
      join.onRef('s.check_no', '=', 'k.check_no').onRef('s.since', '=', 'k.since'),
    )
    .select(['k.by_whom', 'k.at', 'k.note', 'k.since'])
    .where('k.check_no', '=', checkNo)
    .where('s.state', '<>', 'passing')
    .executeTakeFirst()
  return row && toAcknowledgement(row)
}

interface AcknowledgementRow {
  by_whom: string
  at: Date
  note: string | null
  since: Date
}

/** Of a check’s state that was read with what was said of it, if anything was. */
export function presentAcknowledgement(row: {
  state: TargetState
  since: Date
  by_whom: string | null
  at: Date | null
  note: string | null
}): Acknowledgement | null {
  const { state, since, by_whom, at, note } = row
  return state === 'passing' || by_whom === null || at === null ? null : toAcknowledgement({ by_whom, at, note, since })
}

function toAcknowledgement({ by_whom, at, note, since }: AcknowledgementRow): Acknowledgement {
  return { by: by_whom, at: at.toISOString(), note, troubleSince: since.toISOString() }
}

/** In place of what was said of an earlier trouble. */
export async function insertAcknowledgement(
  tx: Db,
  checkNo: number,
  { by, at, note }: { by: RawBuilder<string>; at: Date; note: string | null },
): Promise<void> {
  await sql`
    insert into acknowledgements (check_no, since, at, by_whom, note)
    select check_no, since, ${at}, ${by}, ${note} from check_states where check_no = ${checkNo}
    on conflict (check_no) do update set since = excluded.since, at = excluded.at, by_whom = excluded.by_whom,
      note = excluded.note`.execute(tx)
  await touch(tx, checkNo)
}

export async function deleteAcknowledgement(tx: Db, checkNo: number): Promise<void> {
  await tx.deleteFrom('acknowledgements').where('check_no', '=', checkNo).execute()
  await touch(tx, checkNo)
}

/** Whoever looks at the check hears that there is news. */
async function touch(tx: Db, checkNo: number): Promise<void> {
  await sql`update check_states set updated_at = now() where check_no = ${checkNo}`.execute(tx)
}
