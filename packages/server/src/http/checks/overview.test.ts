import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { startTestServer } from '../../testing/test-server.ts'

test('the list that screens show is narrowed to a kind, a group or an address', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shop' } })
  await server.call(routes.createApiCheck, {
    body: { name: 'Front', groupId: group.id, request: { method: 'GET', url: 'http://shop.test/' } },
  })
  await server.call(routes.createTcpCheck, {
    body: { name: 'Database', groupId: group.id, request: { hostname: 'db.shop.test', port: 5432 } },
  })
  const heartbeat = { period: 5, periodUnit: 'minutes', grace: 1, graceUnit: 'minutes' } as const
  await server.call(routes.createHeartbeatCheck, { body: { name: 'Backup', heartbeat } })

  const found = async (query: { checkType?: 'HEARTBEAT' | 'TCP'; groupId?: number; search?: string }) =>
    (await server.call(routes.overviewChecks, { query })).map(({ name, target }) => [name, target])
  assert.deepEqual(await found({ checkType: 'HEARTBEAT' }), [['Backup', 'every 5 minutes']])
  assert.deepEqual(await found({ groupId: group.id }), [
    ['Database', 'db.shop.test:5432'],
    ['Front', 'GET http://shop.test/'],
  ])
  assert.deepEqual(await found({ groupId: group.id, checkType: 'TCP' }), [['Database', 'db.shop.test:5432']])
  assert.deepEqual(await found({ search: 'DB.shop' }), [['Database', 'db.shop.test:5432']])
  assert.deepEqual(await found({ groupId: group.id + 1 }), [])
})
