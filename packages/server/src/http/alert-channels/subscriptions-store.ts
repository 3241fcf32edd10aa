/** Subscriptions seen from a channel: which checks and groups it hears of. */
import type { ChannelSubscription, SubscriptionUpdate } from '@vedette/schema'
import { invalidField, notFound } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'

/** By channel, in the order of their making. */
export async function subscriptionsOfChannels(
  db: Db,
  channelIds: readonly number[],
): Promise<Map<number, ChannelSubscription[]>> {
  const found = new Map<number, ChannelSubscription[]>(channelIds.map((id) => [id, []]))
  if (channelIds.length === 0) return found
  const rows = await withTargets(db).where('s.channel_id', 'in', channelIds).orderBy('s.id').execute()
  for (const { channel_id, ...subscription } of rows) found.get(channel_id)?.push(subscription)
  return found
}

const withTargets = (db: Db) =>
  db
    .selectFrom('subscriptions as s')
    .leftJoin('checks as c', 'c.no', 's.check_no')
    .select(['s.id', 's.channel_id', 'c.id as checkId', 's.group_id as groupId', 's.activated'])

/** @throws AppError `invalid` when an item names nothing, or a check or group that is not of this account. */
export async function replaceSubscriptions(
  tx: Db,
  accountId: string,
  channelId: number,
  wanted: readonly SubscriptionUpdate[],
): Promise<void> {
  wanted.forEach((item, index) => {
    refuseUnlessOne(item, `subscriptions.${index}.`)
  })
  const owners = await ownersOf(tx, accountId, wanted)
  const rows = wanted.map((item, index) => {
    const owner = owners.get(nameOf(item))
    if (owner !== undefined) return { channel_id: channelId, ...owner, activated: item.activated }
    const [field, id] = item.checkId == null ? ['groupId', item.groupId] : ['checkId', item.checkId]
    throw invalidField(`subscriptions.${index}.${field}`, `names ${id}, which does not exist`)
  })
  await tx.deleteFrom('subscriptions').where('channel_id', '=', channelId).execute()
  // Of several for the same check or group the last one counts.
  const distinct = [...new Map(rows.map((row) => [`${row.check_no}/${row.group_id}`, row])).values()]
  for (let start = 0; start < distinct.length; start += ROWS_AT_ONCE) {
    await tx
      .insertInto('subscriptions')
      .values(distinct.slice(start, start + ROWS_AT_ONCE))
      // The check or the group was changed at the same moment, and says so itself.
      .onConflict((c) => c.doNothing())
      .execute()
  }
}

/** The engine takes 65,535 parameters in a statement. */
const ROWS_AT_ONCE = 5000

/** Makes or changes one subscription. @throws AppError */
export async function putSubscription(
  tx: Db,
  accountId: string,
  channelId: number,
  update: SubscriptionUpdate,
): Promise<ChannelSubscription> {
  refuseUnlessOne(update)
  const { groupId = null, activated } = update
  const checkId = update.checkId?.toLowerCase() ?? null
  const owner = (await ownersOf(tx, accountId, [update])).get(nameOf(update))
  if (owner === undefined) throw notFound(`There is no ${checkId === null ? 'group' : 'check'} ${checkId ?? groupId}.`)
  const { id } = await tx
    .insertInto('subscriptions')
    .values({ channel_id: channelId, ...owner, activated })
    .onConflict((c) =>
      c.columns([owner.check_no === null ? 'group_id' : 'check_no', 'channel_id']).doUpdateSet({ activated }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, checkId, groupId, activated }
}

/** The subscription that an update is about, if it is there. */
export async function findSubscription(
  db: Db,
  channelId: number,
  { checkId, groupId }: SubscriptionUpdate,
): Promise<ChannelSubscription | undefined> {
  const row = await withTargets(db)
    .where('s.channel_id', '=', channelId)
    .where((eb) => eb.or([eb('c.id', '=', checkId ?? null), eb('s.group_id', '=', groupId ?? null)]))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { channel_id: _, ...subscription } = row
  return subscription
}

function refuseUnlessOne({ checkId, groupId }: SubscriptionUpdate, prefix = ''): void {
  if (checkId == null && groupId == null) throw invalidField(`${prefix}checkId`, 'or "groupId" is required')
  if (checkId != null && groupId != null) {
    throw invalidField(`${prefix}groupId`, 'must be absent when "checkId" is given')
  }
}

type Owner = { check_no: number; group_id: null } | { check_no: null; group_id: number }

const nameOf = ({ checkId, groupId }: Pick<SubscriptionUpdate, 'checkId' | 'groupId'>) =>
  checkId == null ? `group ${groupId}` : `check ${checkId.toLowerCase()}`

/** Those of the account, by what the update calls them. */
async function ownersOf(tx: Db, accountId: string, wanted: readonly SubscriptionUpdate[]): Promise<Map<string, Owner>> {
  const checkIds = wanted.flatMap(({ checkId }) => checkId ?? [])
  const groupIds = wanted.flatMap(({ groupId }) => groupId ?? [])
  const checks =
    checkIds.length === 0
      ? []
      : await tx
          .selectFrom('checks')
          .select(['id', 'no'])
          .where('account_id', '=', accountId)
          .where('id', 'in', checkIds)
          .execute()
  const groups =
    groupIds.length === 0
      ? []
      : await tx
          .selectFrom('check_groups')
          .select('id')
          .where('account_id', '=', accountId)
          .where('id', 'in', groupIds)
          .execute()
  return new Map<string, Owner>([
    ...checks.map(({ id, no }) => [nameOf({ checkId: id }), { check_no: no, group_id: null }] as const),
    ...groups.map(({ id }) => [nameOf({ groupId: id }), { check_no: null, group_id: id }] as const),
  ])
}
