/** What a channel has too much of becomes one message: the digest, and what it stands for, in one transaction. */
import { beyondLimits, composeDigest, type DigestItem } from '@vedette/core'
import type { ChannelConfig, ChannelType } from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import { uuidOf } from './delivery-id.ts'
import { oneAtATime, type Pace, readUsedPlaces, readWaiting } from './line-store.ts'
import { maskedConfig } from './mask-config.ts'

export interface DigestTimes extends Pace {
  /** How long the first message waits for others that belong into the same digest. */
  gatherMs: number
  /** A digest that could not be delivered for so long gives way to one with the latest news. */
  supersedeAfterMs: number
}

interface HeldBack {
  id: string
  channel_id: number
  account_id: string
  channel_type: ChannelType
  config: ChannelConfig<ChannelType>
  sealed: string | null
  check_no: number
  seq: number
  item: DigestItem
}

interface OldDigest {
  id: string
  channel_id: number
  channel_type: ChannelType
  config: ChannelConfig<ChannelType>
  decided_at: Date
}

/**
 * Makes the digests that are due: at most one a minute for a channel, which takes up the one before if that still waits.
 * What a digest tells of is never tried before it. Answers how many.
 */
export async function makeDigests(db: Db, times: DigestTimes, link: string): Promise<number> {
  if (times.perMinute === 0) return 0
  // Most of the time there are none, and nobody needs to wait for anybody to know it.
  if ((await findHeldBack(db, times)).length === 0) return 0
  return oneAtATime(db, async (tx) => {
    const heldBack = await findHeldBack(tx, times)
    const channels = [...new Set(heldBack.map((one) => one.channel_id))]
    const old = await lockWaitingDigests(tx, channels)
    for (const channelId of channels) {
      const replaced = old.filter((one) => one.channel_id === channelId)
      const own = heldBack.filter((one) => one.channel_id === channelId)
      await makeDigest(tx, own, replaced, times.perMinute, link)
    }
    return channels.length
  })
}

/** What is beyond the limits of channels for which a digest is due, in the order in which it was decided. */
async function findHeldBack(db: Db, times: DigestTimes): Promise<HeldBack[]> {
  const waiting = await readWaiting(db)
  if (waiting.length === 0) return []
  const ids = beyondLimits(waiting, await readUsedPlaces(db, times), await readLastDigests(db, times), times)
  if (ids.length === 0) return []
  const { rows } = await sql<HeldBack>`
    select n.id, n.channel_id, n.account_id, n.channel_type, n.config, n.sealed, n.check_no, n.seq, ${item} as item
    from notifications n where n.id = any(${plainArray(ids)}::uuid[])
    order by n.seq`.execute(db)
  return rows
}

/** How long ago each channel was given a digest, within the last minute. */
async function readLastDigests(db: Db, { minuteMs }: DigestTimes): Promise<Map<number, number>> {
  const { rows } = await sql<{ channel_id: number; ago_ms: number }>`
    select channel_id, (extract(epoch from statement_timestamp() - max(created_at)) * 1000)::float8 as ago_ms from notifications
    where carries is not null and fallback_of is null and created_at > now() - ${minuteMs}::int * interval '1 millisecond'
    group by channel_id`.execute(db)
  return new Map(rows.map((row) => [row.channel_id, row.ago_ms]))
}

/** Of a message, what a digest needs. */
const item = sql`
  jsonb_build_object('ALERT_TITLE', left(n.message->>'ALERT_TITLE', 200), 'ALERT_TYPE', n.message->'ALERT_TYPE',
    'CHECK_ID', n.message->'CHECK_ID', 'CHECK_TYPE', n.message->'CHECK_TYPE', 'CHECK_RESULT_ID', n.message->'CHECK_RESULT_ID',
    'FALLBACK_FOR', n.message->'FALLBACK_FOR')`

async function lockWaitingDigests(tx: Db, channels: readonly number[]): Promise<OldDigest[]> {
  const { rows } = await sql<OldDigest>`
    select id, channel_id, channel_type, config, decided_at from notifications
    where channel_id = any(${plainArray(channels)}::int[]) and status = 'IN_PROGRESS' and carries is not null
      and fallback_of is null and (leased_until is null or leased_until <= now())
    for update`.execute(tx)
  return rows
}

async function makeDigest(
  tx: Db,
  heldBack: readonly HeldBack[],
  old: readonly OldDigest[],
  perMinute: number,
  link: string,
): Promise<void> {
  const newest = heldBack.at(-1)
  if (newest === undefined) return
  const before = await carriedBy(
    tx,
    old.map(({ id }) => id),
  )
  const all = [...before, ...heldBack].toSorted((a, b) => a.seq - b.seq)
  const id = uuidOf(`digest:${newest.id}`)
  const message = composeDigest(
    all.map((one) => one.item),
    { deliveryId: id, link, startedAt: new Date() },
  )
  const decidedAt = old.map((one) => one.decided_at).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
  const carries = [...new Set(all.map((one) => one.check_no))]
  await sql`
    insert into notifications (id, account_id, check_id, check_kind, channel_id, channel_type, config, sealed, message,
      result_id, status, carries, decided_at)
    values (${id}, ${newest.account_id}, ${message.CHECK_ID}, ${message.CHECK_TYPE}, ${newest.channel_id},
      ${newest.channel_type}, ${JSON.stringify(newest.config)}::jsonb, ${newest.sealed}, ${JSON.stringify(message)}::jsonb,
      ${message.CHECK_RESULT_ID}, 'IN_PROGRESS', ${plainArray(carries)}::int[], coalesce(${decidedAt}::timestamptz, now()))`.execute(
    tx,
  )
  const outcome = `Held back: the channel takes ${perMinute} messages a minute. The digest ${id} tells of it.`
  const replaced = [...heldBack, ...old].map((one) => ({
    id: one.id,
    used: maskedConfig(one.channel_type, one.config),
  }))
  await sql`
    update notifications n
    set status = 'RATE_LIMITED', digest_id = ${id}::uuid, outcome = ${outcome}, config = given.used, sealed = null,
      tried_at = coalesce(tried_at, now())
    from jsonb_to_recordset(${JSON.stringify(replaced)}::jsonb) as given(id uuid, used jsonb)
    where n.id = given.id`.execute(tx)
  const passedOn = plainArray(before.map((one) => one.id))
  await sql`
    update notifications set digest_id = ${id}::uuid, outcome = ${outcome}
    where id = any(${passedOn}::uuid[])`.execute(tx)
}

async function carriedBy(
  tx: Db,
  digests: readonly string[],
): Promise<Pick<HeldBack, 'id' | 'check_no' | 'seq' | 'item'>[]> {
  if (digests.length === 0) return []
  const { rows } = await sql<Pick<HeldBack, 'id' | 'check_no' | 'seq' | 'item'>>`
    select n.id, n.check_no, n.seq, ${item} as item from notifications n
    where n.digest_id = any(${plainArray(digests)}::uuid[]) and n.carries is null
    order by n.seq`.execute(tx)
  return rows
}
