import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertChannel, type ChannelSubscription, routes, type SubscriptionUpdate } from '@vedette/schema'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const webhook = (name: string) => ({ type: 'WEBHOOK' as const, config: { name, url: `http://${name}.test/` } })

test('a channel gets another configuration; what the update does not name stays', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const made = await server.call(routes.createAlertChannel, {
    body: { ...webhook('pager'), sendDegraded: true, subscriptions: [{ checkId: check.id, activated: true }] },
  })
  assert.deepEqual(
    made.subscriptions.map(({ checkId, activated }) => [checkId, activated]),
    [[check.id, true]],
  )
  const params = { id: made.id }
  const replaced = await server.call(routes.updateAlertChannel, { params, body: webhook('phone') })
  assert.deepEqual([Reflect.get(replaced.config, 'name'), replaced.sendDegraded], ['phone', true])
  assert.deepEqual(replaced.subscriptions, made.subscriptions)
  const body = { ...webhook('phone'), subscriptions: [] }
  assert.deepEqual((await server.call(routes.updateAlertChannel, { params, body })).subscriptions, [])
})

test('a subscription is made, switched off and refused for a check that is not there', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const { id } = await server.call(routes.createAlertChannel, { body: webhook('pager') })
  const path = `/v1/alert-channels/${id}/subscriptions`
  for (const activated of [true, false]) {
    const body = { checkId: check.id, activated }
    assert.equal((await server.call(routes.subscribe, { params: { id }, body })).activated, activated)
  }
  const { subscriptions } = await server.call(routes.getAlertChannel, { params: { id } })
  assert.equal(subscriptions.length, 1)
  const status = async (body: unknown) => (await server.send('PUT', path, { body })).status
  assert.equal(await status({ checkId: '00000000-0000-4000-8000-000000000000', activated: true }), 404)
  assert.equal(await status({ groupId: 3, activated: true }), 404)
  assert.equal(await status({ checkId: check.id, groupId: 3, activated: true }), 400)
  assert.equal(await status({ activated: true }), 400)
})

/** In the database: what groups are otherwise does not matter here. */
async function aGroup({ db }: TestServer, accountId: string): Promise<number> {
  const { id } = await db
    .insertInto('check_groups')
    .values({
      account_id: accountId,
      version: 2,
      name: 'Shop',
      activated: true,
      muted: false,
      tags: [],
      settings: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('a channel hears of groups as it hears of checks', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const groupId = await aGroup(server, server.accountId)
  const foreign = await aGroup(server, await server.addAccount())
  const shown = (subscriptions: readonly ChannelSubscription[]) =>
    subscriptions.map(({ id: _, ...subscription }) => subscription)
  const made = await server.call(routes.createAlertChannel, {
    body: {
      ...webhook('pager'),
      subscriptions: [
        { checkId: check.id, activated: true },
        { groupId, activated: false },
        { checkId: null, groupId, activated: true },
      ],
    },
  })
  const ofCheck = { checkId: check.id, groupId: null, activated: true }
  assert.deepEqual(shown(made.subscriptions), [ofCheck, { checkId: null, groupId, activated: true }])

  const params = { id: made.id }
  const changed = await server.call(routes.subscribe, { params, body: { groupId, activated: false } })
  assert.deepEqual(shown([changed]), [{ checkId: null, groupId, activated: false }])
  const { subscriptions } = await server.call(routes.getAlertChannel, { params })
  assert.deepEqual(shown(subscriptions), [ofCheck, { checkId: null, groupId, activated: false }])
  assert.ok(subscriptions.some(({ id }) => id === changed.id))

  const path = `/v1/alert-channels/${made.id}`
  const refused = await server.send('PUT', `${path}/subscriptions`, { body: { groupId: foreign, activated: true } })
  assert.equal(refused.status, 404)
  for (const [field, item] of [
    ['groupId', { groupId: foreign, activated: true }],
    ['groupId', { groupId, checkId: check.id, activated: true }],
    ['groupId', { groupId: 'shop', activated: true }],
    ['checkId', { checkId: '00000000-0000-4000-8000-000000000000', activated: true }],
    ['checkId', { activated: true }],
    ['activated', { groupId }],
  ] as const) {
    const body = { ...webhook('pager'), subscriptions: [ofCheck, item] }
    const { status, body: answer } = await server.send('PUT', path, { body })
    assert.equal(status, 400, JSON.stringify(item))
    assert.deepEqual(Reflect.get(Object(answer), 'validation').keys, [`subscriptions.1.${field}`])
  }
  assert.deepEqual((await server.call(routes.getAlertChannel, { params })).subscriptions, subscriptions)
})

test('a check names the channels that it hears of through its group', async (t) => {
  const server = await startTestServer(t)
  const groupId = await aGroup(server, server.accountId)
  const check = await makeCheck(server)
  await server.db.updateTable('checks').set({ group_id: groupId }).where('id', '=', check.id).execute()
  const silenced = { checkId: check.id, activated: false }
  const body = (subscriptions: SubscriptionUpdate[]) => ({
    type: 'EMAIL' as const,
    config: { address: `${subscriptions.length}@example.org` },
    subscriptions,
  })
  await server.call(routes.createAlertChannel, { body: body([{ groupId, activated: true }]) })
  await server.call(routes.createAlertChannel, { body: body([{ groupId, activated: true }, silenced]) })
  const { alertChannels } = await server.call(routes.getCheck, { params: { id: check.id } })
  assert.deepEqual(alertChannels?.email, [{ address: '1@example.org' }])
})

test('a deleted channel is told nothing any more', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const { id } = await server.call(routes.createAlertChannel, { body: webhook('pager') })
  const check = await makeCheck(server)
  await server.call(routes.deleteAlertChannel, { params: { id } })
  assert.deepEqual((await server.call(routes.getCheck, { params: { id: check.id } })).alertChannelSubscriptions, [])
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  assert.deepEqual(await server.call(routes.listAlertNotifications), [])
})

test('a check and its channels may be changed at the same moment', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const channels: AlertChannel[] = []
  for (const name of ['a', 'b', 'c'])
    channels.push(await server.call(routes.createAlertChannel, { body: webhook(name) }))
  const alertChannelSubscriptions = channels.map(({ id }) => ({ alertChannelId: id, activated: true }))
  const subscriptions = [{ checkId: check.id, activated: true }]
  const changes = Array.from({ length: 10 }, () => [
    server.send('PUT', `/v1/checks/api/${check.id}`, { body: { alertChannelSubscriptions } }),
    ...channels.map(({ id, ...channel }) =>
      server.send('PUT', `/v1/alert-channels/${id}`, { body: { ...channel, subscriptions } }),
    ),
  ]).flat()
  for (const { status, body } of await Promise.all(changes)) assert.equal(status, 200, JSON.stringify(body))
  const { alertChannelSubscriptions: kept } = await server.call(routes.getCheck, { params: { id: check.id } })
  assert.deepEqual(kept, alertChannelSubscriptions)
})

test('a fallback is another channel of the account, from which no way leads back, and goes with it', async (t) => {
  const server = await startTestServer(t)
  const make = async (name: string, fallbackChannelId: number | null = null) =>
    (await server.call(routes.createAlertChannel, { body: { ...webhook(name), fallbackChannelId } })).id
  const third = await make('third')
  const second = await make('second', third)
  const first = await make('first', second)
  const refused = async (id: number, fallbackChannelId: number | null) => {
    const answer = await server.send('PUT', `/v1/alert-channels/${id}`, {
      body: { ...webhook('x'), fallbackChannelId },
    })
    return answer.status
  }
  assert.equal(await refused(first, first), 400)
  assert.equal(await refused(third, first), 400)
  assert.equal(await refused(third, 999_999), 400)
  assert.equal(await refused(third, null), 200)
  const fallbackOf = async (id: number) =>
    (await server.call(routes.getAlertChannel, { params: { id } })).fallbackChannelId
  // What an update does not name stays.
  await server.call(routes.updateAlertChannel, { params: { id: first }, body: webhook('renamed') })
  assert.equal(await fallbackOf(first), second)
  await server.call(routes.deleteAlertChannel, { params: { id: second } })
  assert.equal(await fallbackOf(first), null)
})

test('two changes at once do not close a circle', async (t) => {
  const server = await startTestServer(t)
  const make = async (name: string) => (await server.call(routes.createAlertChannel, { body: webhook(name) })).id
  const [one, other] = [await make('one'), await make('other')]
  const change = async (id: number, fallbackChannelId: number) =>
    (await server.send('PUT', `/v1/alert-channels/${id}`, { body: { ...webhook('x'), fallbackChannelId } })).status
  const statuses = await Promise.all([change(one, other), change(other, one)])
  assert.deepEqual(statuses.toSorted(), [200, 400])
})
