import { type AlertChannel, type AlertChannelWrite, channelSetUp } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { maskedConfig } from '../../alerting/mask-config.ts'
import { openConfig, sealConfig } from '../../alerting/sealed-config.ts'
import { invalidField } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Page } from '../page.ts'
import { subscriptionsOfChannels } from './subscriptions-store.ts'

type Row = Selectable<Tables['alert_channels']>

export async function listChannels(
  db: Db,
  secrets: Secrets,
  accountId: string,
  page: Page,
): Promise<{ channels: AlertChannel[]; total: number }> {
  const own = db.selectFrom('alert_channels').where('account_id', '=', accountId)
  const rows = await own.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute()
  const { total } = await own.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { channels: await withSubscriptions(db, secrets, rows), total }
}

export async function findChannel(
  db: Db,
  secrets: Secrets,
  accountId: string,
  id: number,
): Promise<AlertChannel | undefined> {
  const row = await db
    .selectFrom('alert_channels')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && (await withSubscriptions(db, secrets, [row]))[0]
}

/** Whether it is there. Nobody else changes it before the transaction ends, but checks may subscribe meanwhile. */
export async function lockChannel(tx: Db, accountId: string, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('alert_channels')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function insertChannel(
  tx: Db,
  secrets: Secrets,
  accountId: string,
  channel: AlertChannelWrite,
): Promise<number> {
  const { type, config } = channel
  const { id } = await tx
    .insertInto('alert_channels')
    .values({ account_id: accountId, ...columns(channel), config: JSON.stringify(maskedConfig(type, config)) })
    .returning('id')
    .executeTakeFirstOrThrow()
  // What is sealed is bound to the id, which is known only now.
  const { sealed } = sealConfig(secrets, { accountId, channelId: id }, type, config)
  if (sealed !== null) await tx.updateTable('alert_channels').set({ sealed }).where('id', '=', id).execute()
  return id
}

export async function replaceChannel(
  tx: Db,
  secrets: Secrets,
  accountId: string,
  id: number,
  channel: AlertChannelWrite,
): Promise<void> {
  const { open, sealed } = sealConfig(secrets, { accountId, channelId: id }, channel.type, channel.config)
  await tx
    .updateTable('alert_channels')
    .set({ ...columns(channel), config: open, sealed, updated_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

export async function deleteChannel(tx: Db, accountId: string, id: number): Promise<void> {
  await tx.deleteFrom('alert_channels').where('account_id', '=', accountId).where('id', '=', id).execute()
}

/**
 * @param id null: the channel is new
 * @throws AppError `invalid` unless the fallback is another channel of the account, from which no way leads back
 */
export async function assertFallback(tx: Db, accountId: string, id: number | null, fallback: number): Promise<void> {
  // Two changes at once must not close a circle that neither of them sees.
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    with recursive way as (
      select id, fallback_channel_id from alert_channels where id = ${fallback} and account_id = ${accountId}
      union
      select next.id, next.fallback_channel_id from way join alert_channels next on next.id = way.fallback_channel_id
    )
    select id from way`.execute(tx)
  if (rows.length === 0)
    throw invalidField('fallbackChannelId', `names the alert channel ${fallback}, which does not exist`)
  if (fallback === id) throw invalidField('fallbackChannelId', 'must be another channel')
  if (rows.some((row) => row.id === id)) {
    throw invalidField('fallbackChannelId', 'names a channel whose own fallback leads back to this one')
  }
}

function columns(channel: AlertChannelWrite) {
  return {
    type: channel.type,
    send_failure: channel.sendFailure ?? true,
    send_recovery: channel.sendRecovery ?? true,
    send_degraded: channel.sendDegraded ?? false,
    ssl_expiry: channel.sslExpiry ?? false,
    ssl_expiry_threshold: channel.sslExpiryThreshold ?? 30,
    auto_subscribe: channel.autoSubscribe ?? false,
    fallback_channel_id: channel.fallbackChannelId ?? null,
  }
}

async function withSubscriptions(db: Db, secrets: Secrets, rows: readonly Row[]): Promise<AlertChannel[]> {
  const subscriptions = await subscriptionsOfChannels(
    db,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({
    id: row.id,
    ...channelSetUp(row.type, openConfig(secrets, placeOf(row), row.config, row.sealed)),
    subscriptions: subscriptions.get(row.id) ?? [],
    sendRecovery: row.send_recovery,
    sendFailure: row.send_failure,
    sendDegraded: row.send_degraded,
    sslExpiry: row.ssl_expiry,
    sslExpiryThreshold: row.ssl_expiry_threshold,
    autoSubscribe: row.auto_subscribe,
    fallbackChannelId: row.fallback_channel_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at?.toISOString() ?? null,
  }))
}

function placeOf(row: Row) {
  return { accountId: row.account_id, channelId: row.id }
}
