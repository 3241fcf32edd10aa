import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../app-error.ts'
import { aChannel, aCheck, aGroup, aWorld } from './alerting.fixture.ts'
import { findSubscribers } from './store.ts'
import { groupSubscriptionsOf, setSubscriptions, subscriptionsForNew } from './subscriptions-store.ts'

test('what a check or a group is subscribed to is replaced, and that of others stays', async (t) => {
  const world = await aWorld(t)
  const { db, accountId } = world
  const check = await aCheck(world)
  const other = await aCheck(world)
  const groupId = await aGroup(world, [check])
  const [a, b] = [await aChannel(world, [check, other], {}), await aChannel(world, [], {})]
  const item = (alertChannelId: number, activated = true) => ({ alertChannelId, activated })

  await setSubscriptions(db, accountId, { checkNo: check.no }, [item(b), item(a), item(b, false)])
  await setSubscriptions(db, accountId, { groupId }, [item(a, false)])
  const saidOf = async (no: number) =>
    (await findSubscribers(db, [check.no, other.no]))
      .filter(({ checkNo }) => checkNo === no)
      .map(({ channel, activated, isOwn }) => ({ ...item(channel.id, activated), isOwn }))
  const ownOfCheck = [
    { ...item(a), isOwn: true },
    { ...item(b, false), isOwn: true },
  ]
  assert.deepEqual(await saidOf(check.no), ownOfCheck)
  assert.deepEqual(await saidOf(other.no), [{ ...item(a), isOwn: true }])
  assert.deepEqual((await groupSubscriptionsOf(db, [groupId])).get(groupId), [item(a, false)])

  await setSubscriptions(db, accountId, { groupId }, [])
  assert.deepEqual((await groupSubscriptionsOf(db, [groupId])).get(groupId), [])
  assert.deepEqual(await saidOf(check.no), ownOfCheck)

  await setSubscriptions(db, accountId, { groupId }, [item(a, false), item(b)])
  await setSubscriptions(db, accountId, { checkNo: check.no }, [item(b, false)])
  assert.deepEqual(await saidOf(check.no), [
    { ...item(a, false), isOwn: false },
    { ...item(b, false), isOwn: true },
  ])
})

test('a channel of another account is refused by the name of the field', async (t) => {
  const world = await aWorld(t)
  const check = await aCheck(world)
  const id = await aChannel(world, [], {})
  const elsewhere = '00000000-0000-4000-8000-000000000000'
  const wanted = [{ alertChannelId: id, activated: true }]
  await assert.rejects(
    setSubscriptions(world.db, elsewhere, { checkNo: check.no }, wanted, 'subscriptions'),
    (error) => error instanceof AppError && error.validation?.keys[0] === 'subscriptions',
  )
})

test('something new hears of all channels, or of those that wish for it; what is asked for wins', async (t) => {
  const world = await aWorld(t)
  const { db, accountId } = world
  const [plain, wishing, off] = [
    await aChannel(world, [], {}),
    await aChannel(world, [], {}),
    await aChannel(world, [], {}),
  ]
  await db.updateTable('alert_channels').set({ auto_subscribe: true }).where('id', 'in', [wishing, off]).execute()
  const forNew = async (all: boolean, asked: Parameters<typeof subscriptionsForNew>[3]) =>
    (await subscriptionsForNew(db, accountId, all, asked))
      .map(({ alertChannelId, activated }) => [alertChannelId, activated])
      .toSorted(([a], [b]) => Number(a) - Number(b))
  const asked = [{ alertChannelId: off, activated: false }]
  assert.deepEqual(await forNew(true, asked), [
    [plain, true],
    [wishing, true],
    [off, false],
  ])
  assert.deepEqual(await forNew(false, asked), [
    [wishing, true],
    [off, false],
  ])
})
