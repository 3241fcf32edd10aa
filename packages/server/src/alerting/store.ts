import { type ChannelWishes, nextToTry } from '@vedette/core'
import {
  type AlertMessage,
  type AlertNotification,
  type ChannelConfig,
  type ChannelSetUp,
  type ChannelType,
  channelSetUp,
} from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { DueAlert } from './due-alert.ts'
import { digestsBehind, waitsSince } from './fallback-store.ts'
import { oneAtATime, type Pace, readUsedPlaces, readWaiting } from './line-store.ts'
import { maskedConfig } from './mask-config.ts'

export interface Subscriber {
  checkNo: number
  /** Null outside of groups. */
  groupName: string | null
  muted: boolean
  activated: boolean
  /** Whether the check itself says so, and not its group. */
  isOwn: boolean
  channel: ChannelWishes & {
    id: number
    accountId: string
    type: ChannelType
    /** With masks for the secrets, which are sealed. */
    config: ChannelConfig<ChannelType>
    sealed: string | null
  }
}

interface SubscriberRow {
  check_no: number
  group_name: string | null
  muted: boolean
  activated: boolean
  is_own: boolean
  id: number
  account_id: string
  type: ChannelType
  config: ChannelConfig<ChannelType>
  sealed: string | null
  send_failure: boolean
  send_recovery: boolean
  send_degraded: boolean
  ssl_expiry: boolean
  ssl_expiry_threshold: number
}

/**
 * Every subscription to the checks, whether it is switched on or off, by check and channel. What is said of a channel at
 * the check itself wins over what is said at its group.
 */
export async function findSubscribers(tx: Db, checkNos: readonly number[]): Promise<Subscriber[]> {
  if (checkNos.length === 0) return []
  const { rows } = await sql<SubscriberRow>`
    /* prepared: find-subscribers */
    select k.no as check_no, g.name as group_name, k.effective_muted as muted, s.activated, s.is_own,
      c.id, c.account_id, c.type, c.config, c.sealed, c.send_failure, c.send_recovery, c.send_degraded, c.ssl_expiry,
      c.ssl_expiry_threshold
    from checks k
    left join check_groups g on g.id = k.group_id
    cross join lateral (
      select distinct on (channel_id) channel_id, activated, is_own from (
        select channel_id, activated, true as is_own from subscriptions where check_no = k.no
        union all
        select channel_id, activated, false from subscriptions where group_id = k.group_id
      ) said
      order by channel_id, is_own desc
    ) s
    join alert_channels c on c.id = s.channel_id and c.account_id = k.account_id
    where k.no = any(${plainArray(checkNos)}::int[])
    order by k.no, c.id`.execute(tx)
  return rows.map((row) => ({
    checkNo: row.check_no,
    groupName: row.group_name,
    muted: row.muted,
    activated: row.activated,
    isOwn: row.is_own,
    channel: {
      id: row.id,
      accountId: row.account_id,
      type: row.type,
      config: row.config,
      sealed: row.sealed,
      sendFailure: row.send_failure,
      sendRecovery: row.send_recovery,
      sendDegraded: row.send_degraded,
      sslExpiry: row.ssl_expiry,
      sslExpiryThreshold: row.ssl_expiry_threshold,
    },
  }))
}

/** The ids of the stored alerts, in the order given. */
export async function insertAlerts(tx: Db, alerts: readonly DueAlert[]): Promise<number[]> {
  const rows = alerts.map((alert, place) => ({
    place,
    account_id: alert.accountId,
    check_no: alert.checkNo,
    alert_type: alert.alertType,
    location_no: alert.locationNo,
    result_id: alert.resultId,
    response_time_ms: alert.responseTimeMs,
    error: alert.error,
    status_code: alert.statusCode,
    reason: alert.reason,
    started_at: alert.startedAt,
  }))
  // Ids are drawn first: what RETURNING answers has no promised order.
  const { rows: stored } = await sql<{ id: number }>`
    with given as materialized (
      select nextval(pg_get_serial_sequence('check_alerts', 'id')) as id, t.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(place int, account_id uuid, check_no int, alert_type text,
        location_no int, result_id uuid, response_time_ms real, error text, status_code smallint, reason jsonb,
        started_at timestamptz)
    ), stored as (
      insert into check_alerts (id, account_id, check_no, alert_type, location_no, result_id, response_time_ms, error,
        status_code, reason, started_at)
      overriding system value
      select id, account_id, check_no, alert_type, location_no, result_id, response_time_ms, error, status_code, reason,
        started_at
      from given
    )
    select id from given order by place`.execute(tx)
  return stored.map(({ id }) => id)
}

export interface NewNotification {
  id: string
  alertId: number
  alert: DueAlert
  channel: Subscriber['channel']
  message: AlertMessage
}

/** Returns how many were not there yet. */
export async function insertNotifications(tx: Db, notifications: readonly NewNotification[]): Promise<number> {
  if (notifications.length === 0) return 0
  const rows = notifications.map(({ id, alertId, alert, channel, message }) => ({
    id,
    account_id: alert.accountId,
    check_alert_id: alertId,
    check_no: alert.checkNo,
    check_id: alert.checkId,
    check_kind: alert.checkKind,
    channel_id: channel.id,
    channel_type: channel.type,
    config: channel.config,
    sealed: channel.sealed,
    message,
    result_id: alert.resultId,
  }))
  const { numAffectedRows } = await sql`
    insert into notifications (id, account_id, check_alert_id, check_no, check_id, check_kind, channel_id, channel_type,
      config, sealed, message, result_id, status)
    select t.*, 'IN_PROGRESS'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(id uuid, account_id uuid, check_alert_id bigint,
      check_no int, check_id uuid, check_kind text, channel_id int, channel_type text, config jsonb, sealed text, message jsonb,
      result_id uuid)
    on conflict (id) do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** A notification in hand: nobody else tries it before the lease ends. */
export interface LeasedNotification {
  id: string
  accountId: string
  channelId: number
  /** With masks for the secrets, which are sealed. */
  channel: ChannelSetUp
  sealed: string | null
  message: AlertMessage
  /** How many tries ended before this one. */
  tries: number
  leasedUntil: Date
  /** Since its news was decided, when the lease began. */
  ageMs: number
  /** Since its channel has it to deliver, when the lease began. */
  waitedMs: number
}

export interface LeaseWish {
  leaseMs: number
  limit: number
  /** How many to take for one channel. */
  perChannel: number
  /** Channels for which it is another number. */
  room: ReadonlyMap<number, number>
  pace: Pace
  /** From then on what is in another message's place holds up nothing any more. */
  supersedeAfterMs: number
}

/** Takes what is due, the longest waiting first, and of each check and channel what was decided first. */
export async function leaseNotifications(db: Db, wish: LeaseWish): Promise<LeasedNotification[]> {
  const rows = await oneAtATime(db, async (tx) => {
    const waiting = await readWaiting(tx)
    if (waiting.length === 0) return []
    const { pace, supersedeAfterMs, limit, perChannel, room } = wish
    const limits = { perMinute: pace.perMinute, supersedeAfterMs, limit, perChannel, room }
    const chosen = nextToTry(waiting, await readUsedPlaces(tx, pace), limits)
    return chosen.length === 0 ? [] : takeInHand(tx, chosen, wish.leaseMs)
  })
  return rows
    .toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime())
    .map((row) => ({
      id: row.id,
      accountId: row.account_id,
      channelId: row.channel_id,
      channel: channelSetUp(row.channel_type, row.config),
      sealed: row.sealed,
      message: row.message,
      tries: row.tries,
      leasedUntil: row.leased_until,
      ageMs: row.age_ms,
      waitedMs: row.waited_ms,
    }))
}

interface TakenRow {
  id: string
  account_id: string
  channel_id: number
  channel_type: ChannelType
  config: ChannelConfig<ChannelType>
  sealed: string | null
  message: AlertMessage
  tries: number
  leased_until: Date
  due_at: Date
  age_ms: number
  waited_ms: number
}

/** From now on, not from when the transaction began: it may have waited for its turn. */
async function takeInHand(tx: Db, ids: readonly string[], leaseMs: number): Promise<TakenRow[]> {
  const { rows } = await sql<TakenRow>`
    with taken as (
      select id from notifications
      where id = any(${plainArray(ids)}::uuid[]) and status = 'IN_PROGRESS'
        and (leased_until is null or leased_until <= statement_timestamp())
      for update skip locked
    )
    -- Whole milliseconds: the lease is recognised by its end, which passes through JavaScript.
    update notifications n
    set leased_until = date_trunc('milliseconds', statement_timestamp()) + ${leaseMs}::int * interval '1 millisecond',
      handed_at = coalesce(n.handed_at, statement_timestamp())
    from taken where n.id = taken.id
    returning n.id, n.account_id, n.channel_id, n.channel_type, n.config, n.sealed, n.message, n.tries, n.leased_until,
      n.due_at, (extract(epoch from statement_timestamp() - n.decided_at) * 1000)::float8 as age_ms,
      (extract(epoch from statement_timestamp() - ${waitsSince('n')}) * 1000)::float8 as waited_ms`.execute(tx)
  return rows
}

/** What a try left behind. `used` is stored in place of the configuration when no further try will need its secrets. */
export interface TriedNotification {
  id: string
  outcome: string
  used: ChannelConfig<ChannelType>
}

/** Delivered is delivered, even if the lease has ended and somebody else is at it. */
export async function recordDelivered(db: Db, { id, outcome, used }: TriedNotification): Promise<void> {
  await sql`
    update notifications
    set status = 'SUCCESS', tries = tries + 1, outcome = ${outcome}, config = ${JSON.stringify(used)}::jsonb,
      sealed = null, tried_at = now(), leased_until = null
    where id = ${id} and status = 'IN_PROGRESS'`.execute(db)
}

/**
 * Answers whether it was still ours to record.
 *
 * @param retryInMs null: that was the last try
 */
export async function recordFailedTry(
  db: Db,
  { id, outcome, used, leasedUntil, retryInMs }: TriedNotification & { leasedUntil: Date; retryInMs: number | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update notifications
    set tries = tries + 1, outcome = ${outcome}, tried_at = now(), leased_until = null,
      status = case when ${retryInMs}::int is null then 'FAILURE' else status end,
      config = case when ${retryInMs}::int is null then ${JSON.stringify(used)}::jsonb else config end,
      sealed = case when ${retryInMs}::int is null then null else sealed end,
      due_at = now() + coalesce(${retryInMs}::int, 0) * interval '1 millisecond'
    where id = ${id} and status = 'IN_PROGRESS' and leased_until = ${leasedUntil}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Old notifications that a later one of the same check and channel has made pointless. The age of a certificate and the
 * state of the check are news of two different things.
 */
export async function findSuperseded(
  db: Db,
  afterMs: number,
): Promise<{ id: string; type: ChannelType; config: ChannelConfig<ChannelType> }[]> {
  const { rows } = await sql<{ id: string; type: ChannelType; config: ChannelConfig<ChannelType> }>`
    select old.id, old.channel_type as type, old.config from notifications old
    where old.status = 'IN_PROGRESS' and old.carries is null
      and (old.leased_until is null or old.leased_until <= now())
      and old.created_at < now() - ${afterMs}::int * interval '1 millisecond'
      and exists (
        select from notifications later
        where later.channel_id = old.channel_id and later.check_no = old.check_no and later.seq > old.seq
          and later.status = 'IN_PROGRESS'
          and (later.message ->> 'ALERT_TYPE' = 'ALERT_SSL') = (old.message ->> 'ALERT_TYPE' = 'ALERT_SSL'))
    limit 1000`.execute(db)
  return rows
}

export async function recordSuperseded(
  db: Db,
  superseded: readonly { id: string; used: ChannelConfig<ChannelType> }[],
  outcome: string,
): Promise<void> {
  await sql`
    update notifications n set status = 'FAILURE', outcome = ${outcome}, config = given.used, sealed = null
    from jsonb_to_recordset(${JSON.stringify(superseded)}::jsonb) as given(id uuid, used jsonb)
    where n.id = given.id and n.status = 'IN_PROGRESS' and (n.leased_until is null or n.leased_until <= now())`.execute(
    db,
  )
}

/** Until something can be tried, negative when it already can; null when nothing waits. */
export async function msUntilNextDue(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from min(greatest(due_at, leased_until)) - now()) * 1000)::float8 as ms
    from notifications where status = 'IN_PROGRESS'`.execute(db)
  return rows[0]?.ms ?? null
}

export interface NotificationQuery {
  fromMs: number
  /** Exclusive. */
  toMs: number
  channelId: number | null
  /** True: those that were not delivered, not even in a digest; false: all others. */
  hasFailures: boolean | null
  limit: number
  offset: number
}

/** The log of what was told to whom, newest first, without secrets. */
export async function listNotifications(
  db: Db,
  accountId: string,
  query: NotificationQuery,
): Promise<{ rows: AlertNotification[]; total: number }> {
  let wanted = db
    .selectFrom('notifications')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', new Date(query.fromMs))
    .where('created_at', '<', new Date(query.toMs))
  if (query.channelId !== null) wanted = wanted.where('channel_id', '=', query.channelId)
  if (query.hasFailures !== null) {
    wanted = wanted.where('status', query.hasFailures ? '=' : '<>', 'FAILURE')
  }
  const { total } = await wanted.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await wanted
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  const stoodFor = await countStoodFor(
    db,
    rows.filter(({ carries }) => carries !== null).map(({ id }) => id),
  )
  return {
    total,
    rows: rows.map((row) => ({
      id: row.id,
      alertType: row.message.ALERT_TYPE,
      type: row.channel_type,
      status: row.status,
      alertConfig: { ...maskedConfig(row.channel_type, row.config) },
      notificationResult: row.outcome,
      timestamp: row.tried_at?.toISOString() ?? null,
      checkType: row.check_kind,
      checkId: row.check_id,
      checkAlertId: row.check_alert_id === null ? null : String(row.check_alert_id),
      alertChannelId: row.channel_id,
      checkResultId: row.result_id,
      digestId: row.digest_id,
      digestOf: stoodFor.get(row.id) ?? null,
      fallbackOf: row.fallback_of,
    })),
  }
}

/** For how many notifications digests stand. */
async function countStoodFor(db: Db, digests: readonly string[]): Promise<Map<string, number>> {
  if (digests.length === 0) return new Map()
  // One in the place of another stands for the same.
  const { rows } = await sql<{ id: string; count: number }>`
    select d.id, (
        select count(*) from notifications n where n.carries is null and n.digest_id in (${digestsBehind(sql`d.id`)})) as count
    from notifications d where d.id = any(${plainArray(digests)}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
