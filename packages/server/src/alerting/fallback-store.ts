/** What a channel cannot deliver goes once to its fallback. */
import { type ChannelConfig, type ChannelType, channelSetUp, channelTitle } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { uuidOf } from './delivery-id.ts'

interface Fallback {
  title_type: ChannelType
  title_config: ChannelConfig<ChannelType>
  id: number
  type: ChannelType
  config: ChannelConfig<ChannelType>
  sealed: string | null
}

/**
 * Puts what a notification says into the line of its channel's fallback, if it has one, and answers how many messages
 * wait there now. Part of the transaction that records the failed try. Doing it twice changes nothing: ids follow from the
 * notification in whose place they are.
 *
 * A digest goes as it is, but to channels that keep track of troubles themselves goes what it stands for. News that the
 * fallback has heard later news of is not told any more.
 */
export async function fallBack(tx: Db, notificationId: string): Promise<number> {
  const { rows } = await sql<Fallback>`
    select c.type as title_type, c.config as title_config, f.id, f.type, f.config, f.sealed
    from notifications n join alert_channels c on c.id = n.channel_id join alert_channels f on f.id = c.fallback_channel_id
    where n.id = ${notificationId} and f.account_id = n.account_id`.execute(tx)
  const [fallback] = rows
  if (fallback === undefined) return 0
  const wantsEach = fallback.type === 'PAGERDUTY' || fallback.type === 'OPSGENIE'
  const { rows: told } = await sql<{ id: string }>`
    select n.id from notifications n
    where ((n.id = ${notificationId} and (n.carries is null or not ${wantsEach}::boolean))
        or (n.digest_id = ${notificationId} and n.carries is null and ${wantsEach}::boolean))
      and not exists (
        select from notifications later
        where later.account_id = n.account_id and later.channel_id = ${fallback.id} and later.check_no = n.check_no
          and later.seq > n.seq and later.fallback_of is null and later.created_at >= n.created_at)
    order by n.seq`.execute(tx)
  if (told.length === 0) return 0
  const places = told.map(({ id }, place) => ({ place, old: id, id: uuidOf(`fallback:${id}`) }))
  const title = channelTitle(channelSetUp(fallback.title_type, fallback.title_config))
  const { numAffectedRows } = await sql`
    insert into notifications (id, account_id, check_alert_id, check_no, check_id, check_kind, channel_id, channel_type,
      config, sealed, message, result_id, status, decided_at, carries, fallback_of)
    select given.id, n.account_id, n.check_alert_id, n.check_no, n.check_id, n.check_kind, ${fallback.id}, ${fallback.type},
      ${JSON.stringify(fallback.config)}::jsonb, ${fallback.sealed}::text,
      n.message || jsonb_build_object('FALLBACK_FOR', ${title}::text), n.result_id, 'IN_PROGRESS', n.decided_at, n.carries, n.id
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as given(place int, old uuid, id uuid)
    join notifications n on n.id = given.old
    order by given.place
    on conflict (id) do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
