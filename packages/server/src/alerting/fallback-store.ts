/** What a channel cannot deliver goes once to its fallback. */
import { type ChannelConfig, type ChannelType, channelSetUp, channelTitle } from '@vedette/schema'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { uuidOf } from './delivery-id.ts'

interface Told {
  id: string
  /** The channel that should have carried it. */
  instead_of: number
  title_type: ChannelType
  title_config: ChannelConfig<ChannelType>
  fallback_id: number
  /** The same for two channels that had to tell the same. */
  news: string
}

/**
 * Puts what a notification says into the line of its channel's fallback, if it has one, and answers how many messages
 * wait there now. Part of the transaction that records the failed try. Doing it twice changes nothing: ids follow from
 * what is told to whom.
 *
 * A digest goes as it is, but to channels that keep track of troubles themselves goes what it stands for. What the
 * fallback has heard already, or later news of it, is not told any more. The age of a certificate and the state of the
 * check are news of two different things.
 */
export const fallBack = (tx: Db, notificationId: string): Promise<number> =>
  tell(tx, sql`select id, channel_id from notifications where id = ${notificationId}`)

/**
 * The same for what waits for so long, tried or not: a channel that fails gets one try at a time, and what is behind would
 * wait for its turn much longer.
 */
export const fallBackOverdue = (db: Db, afterMs: number): Promise<number> =>
  tell(
    db,
    sql`
    select n.id, n.channel_id from notifications n join alert_channels c on c.id = n.channel_id
    where n.status = 'IN_PROGRESS' and c.fallback_channel_id is not null
      and ${waitsSince('n')} <= now() - ${afterMs}::int * interval '1 millisecond'
      and exists (
        select from notifications tried
        where tried.status = 'IN_PROGRESS' and tried.channel_id = n.channel_id and tried.tries > 0)
      and not (n.carries is not null and exists (
        select from notifications copy
        where copy.channel_id = c.fallback_channel_id and copy.carries is not null and copy.fallback_of = n.id))`,
  )

/**
 * To be called when a notification was delivered: of a trouble that the fallback had to tell of it hears the end as well,
 * or it would take it for open for ever. A digest may tell of many ends.
 */
export const tellEnd = (tx: Db, notificationId: string): Promise<number> =>
  tell(
    tx,
    sql`
    select n.id, d.channel_id from notifications d join alert_channels c on c.id = d.channel_id
    cross join lateral (
      select * from notifications where id = d.id
      union all
      select * from notifications where d.carries is not null and digest_id in (${digestsBehind(sql`d.id`)})
    ) as n
    where d.id = ${notificationId} and n.carries is null and n.message ->> 'ALERT_TYPE' in ('ALERT_RECOVERY', 'ALERT_DEGRADED_RECOVERY')
      and (exists (
        select from notifications told
        where told.channel_id = c.fallback_channel_id and told.check_no = n.check_no and told.fallback_for = d.channel_id
          and told.message ->> 'EPISODE_ID' = n.message ->> 'EPISODE_ID')
      or exists (
        select from notifications told
        where told.channel_id = c.fallback_channel_id and told.carries is not null and told.fallback_for = d.channel_id
          and n.check_no = any(told.carries)
          and exists (
            select from notifications held
            where held.digest_id in (${digestsBehind(sql`told.id`)}) and held.check_no = n.check_no
              and held.message ->> 'EPISODE_ID' = n.message ->> 'EPISODE_ID')))`,
  )

/**
 * Since when a channel has a notification to deliver. A digest takes up one that waits, and what that waited counts; what
 * comes in the place of another one has only begun.
 */
export const waitsSince = (of: string) => sql`
  case when ${sql.ref(`${of}.fallback_of`)} is null then ${sql.ref(`${of}.decided_at`)} else ${sql.ref(`${of}.created_at`)} end`

/**
 * A digest and those for which it stands: the one in whose place it is, and on to the one that has taken that up. What they
 * tell of is noted with the last of them.
 */
export const digestsBehind = (id: RawBuilder<unknown>) => sql`
  with recursive way as (
    select origin.id, origin.fallback_of, origin.digest_id from notifications origin where origin.id = ${id}
    union
    select next.id, next.fallback_of, next.digest_id
    from way join notifications next on next.id in (way.fallback_of, way.digest_id)
  )
  select id from way`

/** @param which selects the `id` of notifications, and the `channel_id` of the channel whose fallback is to hear of them */
async function tell(tx: Db, which: RawBuilder<unknown>): Promise<number> {
  const { rows: told } = await sql<Told>`
    with due as (${which}), sent as (
      select n.id, due.channel_id, n.carries, c.type as title_type, c.config as title_config, f.id as fallback_id,
        f.type in ('PAGERDUTY', 'OPSGENIE') as wants_each
      from due join notifications n on n.id = due.id join alert_channels c on c.id = due.channel_id
      join alert_channels f on f.id = c.fallback_channel_id and f.account_id = n.account_id
    )
    select n.id, sent.channel_id as instead_of, sent.title_type, sent.title_config, sent.fallback_id,
      case when n.carries is not null then n.id::text
        else concat_ws(':', n.result_id, n.message ->> 'ALERT_TYPE', n.message ->> 'REMINDER_SEQUENCE') end as news
    from sent
    cross join lateral (
      select sent.id where sent.carries is null or not sent.wants_each
      union all
      select held.id from notifications held
      where sent.carries is not null and sent.wants_each and held.carries is null
        and held.digest_id in (${digestsBehind(sql`sent.id`)})
    ) as given
    join notifications n on n.id = given.id
    where not exists (
      select from notifications heard
      where heard.channel_id = sent.fallback_id and heard.check_no = n.check_no
        and (heard.message ->> 'ALERT_TYPE' = 'ALERT_SSL') = (n.message ->> 'ALERT_TYPE' = 'ALERT_SSL')
        and ((heard.decided_at, heard.seq) > (n.decided_at, n.seq) and heard.fallback_of is null
          or heard.result_id = n.result_id and heard.message -> 'ALERT_TYPE' = n.message -> 'ALERT_TYPE'
            and heard.message -> 'REMINDER_SEQUENCE' = n.message -> 'REMINDER_SEQUENCE'))
    order by n.seq`.execute(tx)
  if (told.length === 0) return 0
  const places = told.map((one, place) => ({
    place,
    old: one.id,
    id: uuidOf(`fallback:${one.fallback_id}:${one.news}`),
    channel: one.fallback_id,
    instead_of: one.instead_of,
    title: channelTitle(channelSetUp(one.title_type, one.title_config)),
  }))
  const { numAffectedRows } = await sql`
    insert into notifications (id, account_id, check_alert_id, check_no, check_id, check_kind, channel_id, channel_type,
      config, sealed, message, result_id, status, decided_at, carries, fallback_of, fallback_for)
    select given.id, n.account_id, n.check_alert_id, n.check_no, n.check_id, n.check_kind, f.id, f.type, f.config, f.sealed,
      n.message || jsonb_build_object('FALLBACK_FOR', given.title), n.result_id, 'IN_PROGRESS', n.decided_at, n.carries, n.id,
      given.instead_of
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as given(place int, old uuid, id uuid, channel int,
      instead_of int, title text)
    join notifications n on n.id = given.old
    join alert_channels f on f.id = given.channel
    order by given.place
    on conflict (id) do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
