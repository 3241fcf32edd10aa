/**
 * Whose turn it is. Of each check and channel only what was decided first is tried; the rest waits until that has ended.
 * Channels that people read have a limit of messages a minute, and what they have too much of goes into a digest.
 */
import type { ChannelType } from '@vedette/schema'
import { type RawBuilder, sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'

export interface Pace {
  /** Messages that a channel gets within the minute; 0: as many as there are. */
  perMinute: number
  minuteMs: number
}

/** These keep track of troubles themselves, and need to hear of each that it is over. */
const UNPACED: readonly ChannelType[] = ['PAGERDUTY', 'OPSGENIE']

const LOCK = 'vedette: whose turn it is'
/** A server that stands still in between must not hold up the others. */
const LONGEST_PAUSE_MS = 5000

/** Lets one server at a time look whose turn it is: what two would take at once, neither would count. */
export async function oneAtATime<T>(db: Db, act: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`
      select set_config('idle_in_transaction_session_timeout', ${String(LONGEST_PAUSE_MS)}, true),
        pg_advisory_xact_lock(hashtext(${LOCK}))`.execute(tx)
    return act(tx)
  })
}

/** The first of each check and channel. The digests of a channel, which are of no check, follow one another too. */
export const heads = sql`
  select distinct on (channel_id, check_no) id, channel_id, channel_type, check_no, seq, due_at, leased_until, handed_at, carries
  from notifications where status = 'IN_PROGRESS'
  order by channel_id, check_no, seq`

/** How much of its limit a channel has used: what went out within the minute, and what still tries to. */
export const usedPlaces = ({ perMinute, minuteMs }: Pace) => sql`
  select channel_id, count(*)::int as count from (
    select channel_id from notifications
    where handed_at > now() - ${minuteMs}::int * interval '1 millisecond' and carries is null
    union all
    select channel_id from notifications
    where status = 'IN_PROGRESS' and handed_at <= now() - ${minuteMs}::int * interval '1 millisecond' and carries is null
  ) handed where ${perMinute}::int > 0
  group by channel_id`

/** Whether no limit holds for a head. */
export const isUnpaced = ({ perMinute }: Pace, of: string) => sql`
  (${perMinute}::int = 0 or ${sql.ref(`${of}.carries`)} is not null
    or ${sql.ref(`${of}.channel_type`)} = any(${plainArray(UNPACED)}::text[]))`

/** A digest that tells of the check of the head `h` and was made before it. */
export const digestAhead = (which: RawBuilder<unknown>) => sql`
  select from notifications d
  where d.status = 'IN_PROGRESS' and d.carries is not null and d.channel_id = h.channel_id and d.seq < h.seq
    and h.check_no = any(d.carries) and ${which}`
