/** Subscriptions seen from a check or a group: which channels hear of it. */
import { type AlertChannelsSummary, type ChannelSetUp, channelSetUp, type Subscription } from '@vedette/schema'
import { invalidField } from '../app-error.ts'
import type { Db } from '../db/database.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { maskedConfig } from './mask-config.ts'
import { openConfig } from './sealed-config.ts'
import type { Subscriber } from './store.ts'

export type Target = { checkNo: number } | { groupId: number }

/** By group. */
export async function groupSubscriptionsOf(db: Db, groupIds: readonly number[]): Promise<Map<number, Subscription[]>> {
  const found = new Map<number, Subscription[]>(groupIds.map((id) => [id, []]))
  if (groupIds.length === 0) return found
  const rows = await db
    .selectFrom('subscriptions')
    .select(['group_id', 'channel_id', 'activated'])
    .where('group_id', 'in', groupIds)
    .orderBy('channel_id')
    .execute()
  for (const { group_id, channel_id, activated } of rows)
    if (group_id !== null) found.get(group_id)?.push({ alertChannelId: channel_id, activated })
  return found
}

/**
 * The channels that hear of a check, in the shape that older clients read.
 *
 * @param secrets for a reader who may see what the channels' configurations hide; null for all others
 */
export function channelsSummary(subscribers: readonly Subscriber[], secrets: Secrets | null): AlertChannelsSummary {
  const summary: AlertChannelsSummary = { email: [], webhook: [], slack: [], sms: [] }
  for (const { activated, channel } of subscribers) {
    if (!activated) continue
    const { id: channelId, accountId, type, config, sealed } = channel
    const shown =
      secrets === null ? maskedConfig(type, config) : openConfig(secrets, { accountId, channelId }, config, sealed)
    summarise(summary, channelSetUp(type, shown))
  }
  return summary
}

function summarise(summary: AlertChannelsSummary, { type, config }: ChannelSetUp): void {
  if (type === 'EMAIL') summary.email.push({ address: config.address })
  else if (type === 'SLACK') summary.slack.push({ url: config.url })
  else if (type === 'SMS') summary.sms.push({ number: config.number, name: config.name ?? '' })
  else if (type === 'WEBHOOK') {
    const { name, url, method, headers, queryParameters } = config
    summary.webhook.push({
      name,
      url,
      method: method ?? 'POST',
      headers: headers ?? [],
      queryParameters: queryParameters ?? [],
    })
  }
}

/** @throws AppError `invalid` when one of the channels is not of this account. */
export async function assertChannels(
  tx: Db,
  accountId: string,
  wanted: readonly Subscription[],
  field = 'alertChannelSubscriptions',
): Promise<void> {
  const ids = [...new Set(wanted.map((item) => item.alertChannelId))]
  if (ids.length === 0) return
  const known = await tx
    .selectFrom('alert_channels')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute()
  const missing = ids.find((id) => !known.some((row) => row.id === id))
  if (missing !== undefined) throw invalidField(field, `names the alert channel ${missing}, which does not exist`)
}

/** @throws AppError `invalid` when one of the channels is not of this account. */
export async function setSubscriptions(
  tx: Db,
  accountId: string,
  target: Target,
  wanted: readonly Subscription[],
  field = 'alertChannelSubscriptions',
): Promise<void> {
  await assertChannels(tx, accountId, wanted, field)
  const owner = 'checkNo' in target ? { check_no: target.checkNo } : { group_id: target.groupId }
  await tx
    .deleteFrom('subscriptions')
    .where((eb) => eb.and(owner))
    .execute()
  if (wanted.length === 0) return
  const rows = new Map(wanted.map((item) => [item.alertChannelId, item.activated]))
  await tx
    .insertInto('subscriptions')
    .values([...rows].map(([channel_id, activated]) => ({ channel_id, ...owner, activated })))
    // The channel was changed at the same moment: what is said of the check or the group itself counts.
    .onConflict((c) =>
      c
        .columns(['checkNo' in target ? 'check_no' : 'group_id', 'channel_id'])
        .doUpdateSet((eb) => ({ activated: eb.ref('excluded.activated') })),
    )
    .execute()
}

/** The channels to which something new is subscribed without being asked: all, or those that wish for it. */
export async function channelsForNew(tx: Db, accountId: string, all: boolean): Promise<number[]> {
  const rows = await tx
    .selectFrom('alert_channels')
    .select('id')
    .where('account_id', '=', accountId)
    .$if(!all, (q) => q.where('auto_subscribe', '=', true))
    .execute()
  return rows.map((row) => row.id)
}

/** What something new is subscribed to; what the body says of a channel wins. */
export async function subscriptionsForNew(
  tx: Db,
  accountId: string,
  all: boolean,
  asked: readonly Subscription[],
): Promise<Subscription[]> {
  const wanted = new Map((await channelsForNew(tx, accountId, all)).map((id) => [id, true]))
  for (const item of asked) wanted.set(item.alertChannelId, item.activated)
  return [...wanted].map(([alertChannelId, activated]) => ({ alertChannelId, activated }))
}
