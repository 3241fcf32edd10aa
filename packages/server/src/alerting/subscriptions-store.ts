/** Subscriptions seen from a check or a group: which channels hear of it. */
import type { AlertChannelsSummary, Subscription } from '@vedette/schema'
import { invalidField } from '../app-error.ts'
import type { Db } from '../db/database.ts'

/** What can be subscribed to channels. */
export type Target = { checkNo: number } | { groupId: number }

/** By check. */
export async function subscriptionsOf(db: Db, checkNos: readonly number[]): Promise<Map<number, Subscription[]>> {
  return collect(db, 'check_no', checkNos)
}

/** By group. */
export async function groupSubscriptionsOf(db: Db, groupIds: readonly number[]): Promise<Map<number, Subscription[]>> {
  return collect(db, 'group_id', groupIds)
}

async function collect(
  db: Db,
  column: 'check_no' | 'group_id',
  owners: readonly number[],
): Promise<Map<number, Subscription[]>> {
  const found = new Map<number, Subscription[]>(owners.map((owner) => [owner, []]))
  if (owners.length === 0) return found
  const rows = await db
    .selectFrom('subscriptions')
    .select([`${column} as owner`, 'channel_id', 'activated'])
    .where(column, 'in', owners)
    .orderBy('channel_id')
    .execute()
  for (const { owner, channel_id, activated } of rows) {
    if (owner !== null) found.get(owner)?.push({ alertChannelId: channel_id, activated })
  }
  return found
}

/** The channels that hear of each check, in the shape that older clients read. */
export async function channelSummaries(
  db: Db,
  checkNos: readonly number[],
): Promise<Map<number, AlertChannelsSummary>> {
  const found = new Map<number, AlertChannelsSummary>(
    checkNos.map((no) => [no, { email: [], webhook: [], slack: [], sms: [] }]),
  )
  if (checkNos.length === 0) return found
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin('alert_channels', 'alert_channels.id', 'subscriptions.channel_id')
    .select(['check_no', 'config'])
    .where('check_no', 'in', checkNos)
    .where('subscriptions.activated', '=', true)
    .orderBy('channel_id')
    .execute()
  for (const { check_no, config } of rows) {
    if (check_no === null) continue
    found.get(check_no)?.webhook.push({
      name: config.name,
      url: config.url,
      method: config.method ?? 'POST',
      headers: config.headers ?? [],
      queryParameters: config.queryParameters ?? [],
    })
  }
  return found
}

/** @throws AppError `invalid` when one of the channels is not of this account. */
export async function setSubscriptions(
  tx: Db,
  accountId: string,
  target: Target,
  wanted: readonly Subscription[],
  field = 'alertChannelSubscriptions',
): Promise<void> {
  const ids = [...new Set(wanted.map((item) => item.alertChannelId))]
  if (ids.length > 0) {
    const known = await tx
      .selectFrom('alert_channels')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', 'in', ids)
      .execute()
    const missing = ids.find((id) => !known.some((row) => row.id === id))
    if (missing !== undefined) throw invalidField(field, `names the alert channel ${missing}, which does not exist`)
  }
  const owner = 'checkNo' in target ? { check_no: target.checkNo } : { group_id: target.groupId }
  await tx
    .deleteFrom('subscriptions')
    .$if('checkNo' in target, (q) => q.where('check_no', '=', owner.check_no ?? 0))
    .$if('groupId' in target, (q) => q.where('group_id', '=', owner.group_id ?? 0))
    .execute()
  if (wanted.length === 0) return
  const rows = new Map(wanted.map((item) => [item.alertChannelId, item.activated]))
  await tx
    .insertInto('subscriptions')
    .values([...rows].map(([channel_id, activated]) => ({ channel_id, ...owner, activated })))
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
