import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck } from '../../testing/checks.ts'
import { startTestServer } from '../../testing/test-server.ts'

test('a check depends on checks of its account that are there, not on itself, and in no circle', async (t) => {
  const server = await startTestServer(t)
  const gateway = await makeCheck(server, { name: 'Gateway' })
  const router = await makeCheck(server, { name: 'Router', dependsOn: [gateway.id.toUpperCase(), gateway.id] })
  assert.deepEqual(router.dependsOn, [gateway.id])
  const orders = await makeCheck(server, { name: 'Orders', dependsOn: [router.id] })
  const effective = await server.call(routes.getEffectiveSettings, { params: { id: orders.id } })
  assert.deepEqual(effective.dependsOn, { value: [router.id], from: ['check'] })

  const refused = async (id: string, dependsOn: unknown) => {
    const { status, body } = await server.send('PUT', `/v1/checks/api/${id}`, { body: { dependsOn } })
    assert.equal(status, 400)
    const { message, validation } = Object(body)
    assert.match(validation.keys.join(), /^dependsOn/)
    return String(message)
  }
  assert.equal(await refused(gateway.id, [gateway.id]), '"dependsOn" names the check itself')
  assert.equal(
    await refused(gateway.id, [orders.id]),
    '"dependsOn" would make a circle: the check depends on “Orders”, which depends on “Router”, which depends on it',
  )
  const unknown = randomUUID()
  assert.equal(await refused(orders.id, [unknown]), `"dependsOn" names the check ${unknown}, which does not exist`)
  await refused(
    orders.id,
    Array.from({ length: 11 }, () => randomUUID()),
  )
  await refused(orders.id, ['gateway'])

  await server.call(routes.deleteCheck, { params: { id: router.id } })
  const left = await server.call(routes.getCheck, { params: { id: orders.id } })
  assert.deepEqual(left.dependsOn, [])
  const renamed = await server.call(routes.updateApiCheck, { params: { id: orders.id }, body: { name: 'Sales' } })
  assert.deepEqual(renamed.dependsOn, [])
})
