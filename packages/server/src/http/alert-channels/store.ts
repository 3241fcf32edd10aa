import type { AlertChannel, AlertChannelWrite, ChannelSubscription, SubscriptionUpdate } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { invalidField, notFound } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { Page } from '../page.ts'

type Row = Selectable<Tables['alert_channels']>

export async function listChannels(
  db: Db,
  accountId: string,
  page: Page,
): Promise<{ channels: AlertChannel[]; total: number }> {
  const own = db.selectFrom('alert_channels').where('account_id', '=', accountId)
  const rows = await own.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute()
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { channels: await withSubscriptions(db, rows), total }
}

export async function findChannel(db: Db, accountId: string, id: number): Promise<AlertChannel | undefined> {
  const row = await db
    .selectFrom('alert_channels')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && (await withSubscriptions(db, [row]))[0]
}

export async function insertChannel(tx: Db, accountId: string, channel: AlertChannelWrite): Promise<number> {
  const row = await tx
    .insertInto('alert_channels')
    .values({ account_id: accountId, ...columns(channel) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function replaceChannel(
  tx: Db,
  accountId: string,
  id: number,
  channel: AlertChannelWrite,
): Promise<boolean> {
  const row = await tx
    .updateTable('alert_channels')
    .set({ ...columns(channel), updated_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteChannel(db: Db, accountId: string, id: number): Promise<boolean> {
  const row = await db
    .deleteFrom('alert_channels')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

function columns(channel: AlertChannelWrite) {
  return {
    type: channel.type,
    config: JSON.stringify(channel.config),
    send_failure: channel.sendFailure ?? true,
    send_recovery: channel.sendRecovery ?? true,
    send_degraded: channel.sendDegraded ?? false,
    ssl_expiry: channel.sslExpiry ?? false,
    ssl_expiry_threshold: channel.sslExpiryThreshold ?? 30,
    auto_subscribe: channel.autoSubscribe ?? false,
  }
}

/** @throws AppError `invalid` when an item names no check, or a check or group that is not of this account. */
export async function replaceSubscriptions(
  tx: Db,
  accountId: string,
  channelId: number,
  wanted: readonly SubscriptionUpdate[],
): Promise<void> {
  await tx.deleteFrom('subscriptions').where('channel_id', '=', channelId).execute()
  for (const [index, item] of wanted.entries())
    await putSubscription(tx, accountId, channelId, item, `subscriptions.${index}.`)
}

/** Makes or changes one subscription. @throws AppError as `replaceSubscriptions`. */
export async function putSubscription(
  tx: Db,
  accountId: string,
  channelId: number,
  { checkId, groupId, activated }: SubscriptionUpdate,
  prefix = '',
): Promise<ChannelSubscription> {
  if (checkId == null && groupId == null) throw invalidField(`${prefix}checkId`, 'or "groupId" is required')
  if (checkId != null && groupId != null)
    throw invalidField(`${prefix}groupId`, 'must be absent when "checkId" is given')
  if (checkId == null) throw notFound(`There is no group ${groupId}.`)
  const check = await tx
    .selectFrom('checks')
    .select('no')
    .where('account_id', '=', accountId)
    .where('id', '=', checkId)
    .executeTakeFirst()
  if (check === undefined) throw notFound(`There is no check ${checkId}.`)
  const { id } = await tx
    .insertInto('subscriptions')
    .values({ channel_id: channelId, check_no: check.no, activated })
    .onConflict((c) => c.columns(['check_no', 'channel_id']).doUpdateSet({ activated }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, checkId, groupId: null, activated }
}

async function withSubscriptions(db: Db, rows: readonly Row[]): Promise<AlertChannel[]> {
  const ids = rows.map((row) => row.id)
  const subscriptions =
    ids.length === 0
      ? []
      : await db
          .selectFrom('subscriptions as s')
          .innerJoin('checks as c', 'c.no', 's.check_no')
          .select(['s.id', 's.channel_id', 'c.id as check_id', 's.activated'])
          .where('s.channel_id', 'in', ids)
          .orderBy('s.id')
          .execute()
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    config: row.config,
    subscriptions: subscriptions
      .filter((item) => item.channel_id === row.id)
      .map((item) => ({ id: item.id, checkId: item.check_id, groupId: null, activated: item.activated })),
    sendRecovery: row.send_recovery,
    sendFailure: row.send_failure,
    sendDegraded: row.send_degraded,
    sslExpiry: row.ssl_expiry,
    sslExpiryThreshold: row.ssl_expiry_threshold,
    autoSubscribe: row.auto_subscribe,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }))
}
