/** Subscriptions seen from a channel: which checks it hears of. */
import type { ChannelSubscription, SubscriptionUpdate } from '@vedette/schema'
import { invalidField, notFound } from '../../app-error.ts'
import type { Db } from '../../db/database.ts'

/** By channel, in the order of their making. */
export async function subscriptionsOfChannels(
  db: Db,
  channelIds: readonly number[],
): Promise<Map<number, ChannelSubscription[]>> {
  const found = new Map<number, ChannelSubscription[]>()
  if (channelIds.length === 0) return found
  const rows = await withTargets(db).where('s.channel_id', 'in', channelIds).orderBy('s.id').execute()
  for (const { channel_id, ...row } of rows) {
    const list = found.get(channel_id) ?? []
    list.push(row)
    found.set(channel_id, list)
  }
  return found
}

const withTargets = (db: Db) =>
  db
    .selectFrom('subscriptions as s')
    .innerJoin('checks as c', 'c.no', 's.check_no')
    .select(['s.id', 's.channel_id', 'c.id as checkId', 's.activated'])
    .select((eb) => eb.val<number | null>(null).as('groupId'))

/** @throws AppError `invalid` when an item names no check, or one that is not of this account. */
export async function replaceSubscriptions(
  tx: Db,
  accountId: string,
  channelId: number,
  wanted: readonly SubscriptionUpdate[],
): Promise<void> {
  wanted.forEach((item, index) => {
    refuseUnlessOne(item, `subscriptions.${index}.`)
  })
  const checks = await checkNumbers(
    tx,
    accountId,
    wanted.flatMap(({ checkId }) => checkId ?? []),
  )
  const rows = wanted.map(({ checkId, groupId, activated }, index) => {
    const no = checks.get(checkId ?? '')
    if (no === undefined) {
      const [field, id] = checkId == null ? ['groupId', groupId] : ['checkId', checkId]
      throw invalidField(`subscriptions.${index}.${field}`, `names ${id}, which does not exist`)
    }
    return { channel_id: channelId, check_no: no, activated }
  })
  await tx.deleteFrom('subscriptions').where('channel_id', '=', channelId).execute()
  // Of several for the same check the last one counts.
  const distinct = [...new Map(rows.map((row) => [row.check_no, row])).values()]
  if (distinct.length > 0) await tx.insertInto('subscriptions').values(distinct).execute()
}

/** Makes or changes one subscription. @throws AppError */
export async function putSubscription(
  tx: Db,
  accountId: string,
  channelId: number,
  update: SubscriptionUpdate,
): Promise<ChannelSubscription> {
  refuseUnlessOne(update)
  const { checkId, groupId, activated } = update
  if (checkId == null) throw notFound(`There is no group ${groupId}.`)
  const no = (await checkNumbers(tx, accountId, [checkId])).get(checkId)
  if (no === undefined) throw notFound(`There is no check ${checkId}.`)
  const { id } = await tx
    .insertInto('subscriptions')
    .values({ channel_id: channelId, check_no: no, activated })
    .onConflict((c) => c.columns(['check_no', 'channel_id']).doUpdateSet({ activated }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, checkId, groupId: null, activated }
}

/** The subscription that an update is about, if it is there. */
export async function findSubscription(
  db: Db,
  channelId: number,
  { checkId }: SubscriptionUpdate,
): Promise<ChannelSubscription | undefined> {
  if (checkId == null) return undefined
  const row = await withTargets(db).where('s.channel_id', '=', channelId).where('c.id', '=', checkId).executeTakeFirst()
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

async function checkNumbers(tx: Db, accountId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('checks')
    .select(['id', 'no'])
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, no }) => [id, no]))
}
