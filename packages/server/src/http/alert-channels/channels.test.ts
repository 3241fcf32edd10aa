import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer } from '../../testing/test-server.ts'

const webhook = (name: string) => ({ type: 'WEBHOOK' as const, config: { name, url: `http://${name}.test/` } })

test('a channel is replaced as a whole; its subscriptions stay unless they are named', async (t) => {
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
  assert.deepEqual([Reflect.get(replaced.config, 'name'), replaced.sendDegraded], ['phone', false])
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
