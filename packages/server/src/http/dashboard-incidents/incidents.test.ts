import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DashboardIncidentChange, DashboardIncidentCreate, routes } from '@vedette/schema'
import fc from 'fast-check'
import { arbitraryOf } from '../../testing/arbitrary.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const told = { status: 'INVESTIGATING', description: 'We are looking into it.' } as const

async function makeIncident(server: TestServer) {
  const dashboard = await server.call(routes.createDashboard, { body: { header: 'Shop' } })
  return server.call(routes.createDashboardIncident, {
    body: { name: 'Orders delayed', dashboardId: dashboard.id, incidentUpdates: [told] },
  })
}

test('an incident shows its newest update, or all of them when asked', async (t) => {
  const server = await startTestServer(t)
  const { id, impact, startedAt } = await makeIncident(server)
  assert.deepEqual([impact, startedAt], ['MINOR', null])
  const found = { status: 'IDENTIFIED', description: 'It is the database.' } as const
  const added = await server.call(routes.addDashboardIncidentUpdate, { params: { incidentId: id }, body: found })
  const texts = added.map(({ description }) => description)
  assert.deepEqual(texts, [found.description, told.description])
  const shown = async (query: { includeAllIncidentUpdates?: boolean }) =>
    (await server.call(routes.getDashboardIncident, { params: { id }, query })).incidentUpdates.map(
      ({ description }) => description,
    )
  assert.deepEqual(await shown({}), [found.description])
  assert.deepEqual(await shown({ includeAllIncidentUpdates: true }), texts)

  const newest = { incidentId: id, id: added[0]?.id ?? '' }
  const corrected = await server.call(routes.changeDashboardIncidentUpdate, {
    params: newest,
    body: { description: 'It is the disk.' },
  })
  assert.deepEqual([corrected.status, corrected.description], ['IDENTIFIED', 'It is the disk.'])
  await server.call(routes.deleteDashboardIncidentUpdate, { params: newest })
  assert.deepEqual(await shown({ includeAllIncidentUpdates: true }), [told.description])
})

test('creating and telling more are answered with 200', async (t) => {
  const server = await startTestServer(t)
  const { id, dashboardId } = await makeIncident(server)
  const body = { name: 'Works', impact: 'MAINTENANCE', dashboardId, incidentUpdates: [told] }
  assert.equal((await server.send('POST', '/v1/incidents', { body })).status, 200)
  assert.equal((await server.send('POST', `/v1/incidents/${id}/updates`, { body: told })).status, 200)
})

test('whatever an incident is made of is read back, and an update touches nothing that it does not name', async (t) => {
  const server = await startTestServer(t)
  const dashboard = await server.call(routes.createDashboard, { body: { header: 'Shop' } })
  const creation = arbitraryOf(DashboardIncidentCreate, { dashboardId: fc.constant(dashboard.id) })
  await fc.assert(
    fc.asyncProperty(creation, arbitraryOf(DashboardIncidentChange), async (body, change) => {
      const made = await server.send('POST', '/v1/incidents', { body })
      assert.equal(made.status, 200, JSON.stringify(made.body))
      const params = { id: String(Reflect.get(Object(made.body), 'id')) }
      const stored = await server.call(routes.getDashboardIncident, { params })
      const { incidentUpdates, ...fields } = Object(body)
      assert.deepEqual({ ...stored, ...fields }, stored)
      assert.deepEqual(stored.incidentUpdates, [{ ...stored.incidentUpdates[0], ...incidentUpdates[0] }])
      const changed = await server.send('PUT', `/v1/incidents/${params.id}`, { body: change })
      assert.equal(changed.status, 200, JSON.stringify(changed.body))
      const after = await server.call(routes.getDashboardIncident, { params })
      assert.deepEqual(after, { ...stored, ...Object(change), updated_at: after.updated_at })
    }),
    { numRuns: 15 },
  )
})

test('incidents are listed newest first, of one dashboard or all, and go with their dashboard', async (t) => {
  const server = await startTestServer(t)
  const first = await makeIncident(server)
  const second = await makeIncident(server)
  const list = async (query: { dashboardId?: number }) =>
    (await server.call(routes.listDashboardIncidents, { query })).map(({ id }) => id)
  assert.deepEqual(await list({}), [second.id, first.id])
  assert.deepEqual(await list({ dashboardId: first.dashboardId }), [first.id])
  const [, dashboard] = await server.call(routes.listDashboards)
  await server.call(routes.deleteDashboard, { params: { dashboardId: dashboard?.dashboardId ?? '' } })
  assert.deepEqual(await list({}), [first.id])
})

test('an incident that cannot be is refused, one for an unknown dashboard with 404', async (t) => {
  const server = await startTestServer(t)
  const { dashboardId } = await makeIncident(server)
  const body = { name: 'Works', impact: 'MINOR', dashboardId, incidentUpdates: [told] }
  const bad: [string, object][] = [
    ['name', { name: '' }],
    ['impact', { impact: 'HUGE' }],
    ['dashboardId', { dashboardId: 'shop' }],
    ['incidentUpdates', { incidentUpdates: [] }],
    ['incidentUpdates', { incidentUpdates: [told, told] }],
    ['incidentUpdates.0.status', { incidentUpdates: [{ ...told, status: 'OVER' }] }],
    ['startedAt', { startedAt: 'yesterday' }],
    ['stoppedAt', { stoppedAt: '2026-01-01T23:59:60Z' }],
  ]
  for (const [field, change] of bad) {
    const { status, body: problem } = await server.send('POST', '/v1/incidents', { body: { ...body, ...change } })
    assert.equal(status, 400, field)
    assert.deepEqual(Reflect.get(Object(problem), 'validation'), { source: 'payload', keys: [field] })
  }
  assert.equal((await server.send('POST', '/v1/incidents', { body: { ...body, dashboardId: 999_999 } })).status, 404)
  const stranger = await server.keyFor('OWNER', await server.addAccount())
  assert.equal((await server.send('POST', '/v1/incidents', { key: stranger, body })).status, 404)
  assert.deepEqual(await server.call(routes.listDashboardIncidents, { key: stranger }), [])
})
