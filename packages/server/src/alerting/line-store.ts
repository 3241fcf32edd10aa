/** Reads what waits, for the rules of whose turn it is. One server at a time looks and takes. */
import type { Waiting } from '@vedette/core'
import type { ChannelType } from '@vedette/schema'
import { sql } from 'kysely'
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

/** What waits, in the order in which it was decided, for the rules of `core`. Read in one plain pass, however much it is. */
export async function readWaiting(tx: Db): Promise<Waiting[]> {
  const { rows } = await sql<{
    id: string
    channel_id: number
    channel_type: ChannelType
    check_no: number | null
    due_in_ms: number
    in_hand: boolean
    handed: boolean
    age_ms: number
    carries: number[] | null
    is_fallback: boolean
  }>`
    select id, channel_id, channel_type, check_no, (extract(epoch from due_at - statement_timestamp()) * 1000)::float8 as due_in_ms,
      coalesce(leased_until > statement_timestamp(), false) as in_hand, handed_at is not null as handed,
      (extract(epoch from statement_timestamp() - created_at) * 1000)::float8 as age_ms, carries, fallback_of is not null as is_fallback
    from notifications where status = 'IN_PROGRESS' order by seq`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    channelId: row.channel_id,
    isPaced: !UNPACED.includes(row.channel_type),
    checkNo: row.check_no,
    dueInMs: row.due_in_ms,
    isInHand: row.in_hand,
    wasHanded: row.handed,
    ageMs: row.age_ms,
    carries: row.carries,
    isFallback: row.is_fallback,
  }))
}

/** How much of its limit a channel has used: what went out within the minute, and what still tries to. */
export async function readUsedPlaces(tx: Db, { perMinute, minuteMs }: Pace): Promise<Map<number, number>> {
  if (perMinute === 0) return new Map()
  const { rows } = await sql<{ channel_id: number; count: number }>`
    select channel_id, count(*)::int as count from notifications
    where carries is null and (handed_at > now() - ${minuteMs}::int * interval '1 millisecond'
      or (status = 'IN_PROGRESS' and handed_at is not null))
    group by channel_id`.execute(tx)
  return new Map(rows.map((row) => [row.channel_id, row.count]))
}
