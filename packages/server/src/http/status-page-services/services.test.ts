import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { AppError } from '../../app-error.ts'
import { findCheck } from '../../checks/store.ts'
import { makeCheck } from '../../testing/checks.ts'
import { makeIncident, makeService } from '../../testing/pages.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { assertService } from './store.ts'

const triggerIncident = (serviceId: string) => ({
  serviceId,
  severity: 'MAJOR' as const,
  name: 'Shop is down',
  description: 'We are looking into it.',
  notifySubscribers: true,
})

test('services are listed in the order of their making, in pages or all at once', async (t) => {
  const server = await startTestServer(t)
  const made = []
  for (let index = 0; index < 25; index++) made.push(await makeService(server, `Service ${index}`))
  const first = await server.call(routes.listStatusPageServices)
  assert.deepEqual(first.entries, made.slice(0, 20))
  const rest = await server.call(routes.listStatusPageServices, { query: { nextId: first.nextId ?? '' } })
  assert.deepEqual(rest, { length: 5, entries: made.slice(20), nextId: null })
  const all = await server.call(routes.listStatusPageServices, { query: { paginated: false } })
  assert.deepEqual(all, { length: 25, entries: made, nextId: null })
  const exactly = await server.call(routes.listStatusPageServices, { query: { limit: 25 } })
  assert.equal(exactly.nextId, null)
})

test('a service names the checks that open incidents on it', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeService(server)
  const other = await makeService(server, 'Other')
  const shop = await makeCheck(server, { name: 'Shop', triggerIncident: triggerIncident(id) })
  const api = await makeCheck(server, { name: 'API', triggerIncident: triggerIncident(id.toUpperCase()) })
  const { checks } = await server.call(routes.getStatusPageService, { params: { serviceId: id.toUpperCase() } })
  assert.deepEqual(checks, [
    { id: shop.id, name: 'Shop' },
    { id: api.id, name: 'API' },
  ])
  const { entries } = await server.call(routes.listStatusPageServices)
  assert.deepEqual(
    entries.map((service) => service.checks),
    [checks, null],
  )
  assert.equal(other.checks, null)
})

test('a deleted service goes from cards and incidents, and checks open no more incidents on it', async (t) => {
  const server = await startTestServer(t)
  const gone = await makeService(server)
  const kept = await makeService(server, 'Kept')
  const check = await makeCheck(server, { triggerIncident: triggerIncident(gone.id) })
  const untouched = await makeCheck(server, { triggerIncident: triggerIncident(kept.id) })
  const incident = await makeIncident(server, gone.id)
  const services = [{ id: gone.id }, { id: kept.id }]
  const page = await server.call(routes.createStatusPage, {
    body: { name: 'Page', url: 'page', cards: [{ name: 'Shop', services }] },
  })
  await server.call(routes.deleteStatusPageService, { params: { serviceId: gone.id } })
  const { cards } = await server.call(routes.getStatusPage, { params: { statusPageId: page.id } })
  assert.deepEqual(
    cards[0]?.services.map(({ id }) => id),
    [kept.id],
  )
  const params = { incidentId: incident.id }
  assert.deepEqual((await server.call(routes.getStatusPageIncident, { params })).services, [])
  const triggerOf = async (id: string) => (await server.call(routes.getCheck, { params: { id } })).triggerIncident
  assert.equal(await triggerOf(check.id), null)
  const stored = await findCheck(server.db, server.accountId, check.id)
  assert.equal(stored?.effective.settings.triggerIncident, null)
  assert.deepEqual(await triggerOf(untouched.id), triggerIncident(kept.id))
})

test('a check may name the services of its own account only', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeService(server)
  await assertService(server.db, server.accountId, id)
  await assertService(server.db, server.accountId, id.toUpperCase())
  const stranger = await server.addAccount()
  for (const [accountId, serviceId] of [
    [stranger, id],
    [server.accountId, '00000000-0000-4000-8000-000000000000'],
  ] as const) {
    await assert.rejects(
      assertService(server.db, accountId, serviceId),
      (error) => error instanceof AppError && error.validation?.keys[0] === 'triggerIncident.serviceId',
    )
  }
})

test('a service has a name', async (t) => {
  const server = await startTestServer(t)
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(256) }, { name: 7 }]) {
    const { status, body: problem } = await server.send('POST', '/v1/status-pages/services', { body })
    assert.equal(status, 400)
    assert.deepEqual(Reflect.get(Object(problem), 'validation'), { source: 'payload', keys: ['name'] })
  }
})
