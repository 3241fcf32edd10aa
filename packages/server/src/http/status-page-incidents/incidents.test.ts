import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  INCIDENT_STATUSES,
  IncidentUpdateWrite,
  routes,
  StatusPageIncidentCreate,
  StatusPageIncidentPatch,
} from '@vedette/schema'
import fc from 'fast-check'
import { arbitraryOf } from '../../testing/arbitrary.ts'
import { makeIncident, makeService } from '../../testing/pages.ts'
import { startTestServer } from '../../testing/test-server.ts'

const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id)

test('an incident opens with its first update and follows what is told of it', async (t) => {
  const server = await startTestServer(t)
  const service = await makeService(server)
  const { id, lastUpdateStatus, incidentUpdates, services, duration } = await makeIncident(server, service.id)
  assert.deepEqual([lastUpdateStatus, services], ['INVESTIGATING', [service]])
  const [first] = incidentUpdates
  assert.ok(first && first.status === 'INVESTIGATING' && !first.notifySubscribers && duration >= 0)
  const params = { incidentId: id }
  const tell = (description: string, more: object = {}) =>
    server.call(routes.createIncidentUpdate, { params, body: { description, ...more } })
  const stand = async () => {
    const incident = await server.call(routes.getStatusPageIncident, { params })
    return [incident.lastUpdateStatus, ids(incident.incidentUpdates)]
  }
  const found = await tell('Found.', { status: 'IDENTIFIED', notifySubscribers: true })
  assert.deepEqual([found.notifySubscribers, await stand()], [true, ['IDENTIFIED', [found.id, first.id]]])
  const still = await tell('Still at it.')
  assert.equal(still.status, 'IDENTIFIED')
  const over = await tell('Over.', { status: 'RESOLVED' })
  assert.deepEqual(await stand(), ['RESOLVED', [over.id, still.id, found.id, first.id]])
  // It happened before the last word: the last word holds.
  const late = await tell('It was the disk.', {
    status: 'MONITORING',
    publicIncidentUpdateDate: '2020-01-01T00:00:00+01:00',
  })
  assert.equal(late.publicIncidentUpdateDate, '2019-12-31T23:00:00.000Z')
  assert.deepEqual(await stand(), ['RESOLVED', [over.id, still.id, found.id, first.id, late.id]])
  await server.call(routes.deleteIncidentUpdate, { params: { ...params, incidentUpdateId: over.id } })
  assert.deepEqual(await stand(), ['IDENTIFIED', [still.id, found.id, first.id, late.id]])
})

test('the duration runs from the first update to the one that resolved it', async (t) => {
  const server = await startTestServer(t)
  const { id, incidentUpdates } = await makeIncident(server)
  const params = { incidentId: id }
  const description = 'Told.'
  await server.call(routes.updateIncidentUpdate, {
    params: { ...params, incidentUpdateId: incidentUpdates[0]?.id ?? '' },
    body: { description, publicIncidentUpdateDate: '2026-01-01T10:00:00Z' },
  })
  const duration = async () => (await server.call(routes.getStatusPageIncident, { params })).duration
  assert.ok((await duration()) > 0)
  const body = { description, status: 'RESOLVED', publicIncidentUpdateDate: '2026-01-01T10:30:00Z' } as const
  await server.call(routes.createIncidentUpdate, { params, body })
  assert.equal(await duration(), 30 * 60_000)
})

test('whatever an incident is made of is read back, and a patch touches nothing that it does not name', async (t) => {
  const server = await startTestServer(t)
  const known = [await makeService(server), await makeService(server), await makeService(server)]
  const services = fc.subarray(ids(known), { minLength: 1 }).map((chosen) => chosen.map((id) => ({ id })))
  const creation = arbitraryOf(StatusPageIncidentCreate, { services })
  const patch = arbitraryOf(StatusPageIncidentPatch, { services })
  await fc.assert(
    fc.asyncProperty(creation, patch, async (body, change) => {
      const made = await server.send('POST', '/v1/status-pages/incidents', { body })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const params = { incidentId: String(Reflect.get(Object(made.body), 'id')) }
      const read = async () => {
        const { duration: _moves, ...incident } = await server.call(routes.getStatusPageIncident, { params })
        return { ...incident, services: incident.services.map(({ id }) => ({ id })) }
      }
      const stored = await read()
      const { incidentUpdates, ...fields } = Object(body)
      assert.deepEqual({ ...stored, ...fields }, stored)
      assert.deepEqual(stored.incidentUpdates, [{ ...stored.incidentUpdates[0], ...incidentUpdates[0] }])
      const path = `/v1/status-pages/incidents/${params.incidentId}`
      assert.equal((await server.send('PATCH', path, { body: change })).status, 200)
      const after = await read()
      assert.deepEqual(after, { ...stored, ...Object(change), updated_at: after.updated_at })
    }),
    { numRuns: 15 },
  )
})

test('a corrected update keeps what the correction does not name', async (t) => {
  const server = await startTestServer(t)
  const { id, incidentUpdates } = await makeIncident(server)
  const params = { incidentId: id, incidentUpdateId: incidentUpdates[0]?.id ?? '' }
  const path = `/v1/status-pages/incidents/${id}/incident-updates/${params.incidentUpdateId}`
  await fc.assert(
    fc.asyncProperty(arbitraryOf(IncidentUpdateWrite), async (body) => {
      const before = await server.call(routes.getIncidentUpdate, { params })
      assert.equal((await server.send('PUT', path, { body })).status, 200)
      const after = await server.call(routes.getIncidentUpdate, { params })
      assert.deepEqual(after, { ...before, ...Object(body), updated_at: after.updated_at })
      const incident = await server.call(routes.getStatusPageIncident, { params: { incidentId: id } })
      assert.equal(incident.lastUpdateStatus, after.status)
    }),
    { numRuns: 20 },
  )
})

test('the status of an incident is that of the update with the latest public date, in whatever order they come', async (t) => {
  const server = await startTestServer(t)
  const { id: serviceId } = await makeService(server)
  const step = fc.record({ status: fc.constantFrom(...INCIDENT_STATUSES), minute: fc.nat(4) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      const bodies = steps.map(({ status, minute }) => ({
        description: 'Told.',
        status,
        publicIncidentUpdateDate: `2026-01-01T10:0${minute}:00.000Z`,
      }))
      const [first, ...others] = bodies
      const { id } = await server.call(routes.createStatusPageIncident, {
        body: {
          name: 'Trouble',
          severity: 'MINOR',
          services: [{ id: serviceId }],
          incidentUpdates: first ? [first] : [],
        },
      })
      const params = { incidentId: id }
      for (const body of others) await server.call(routes.createIncidentUpdate, { params, body })
      const { lastUpdateStatus } = await server.call(routes.getStatusPageIncident, { params })
      const latest = bodies
        .toSorted((a, b) => (a.publicIncidentUpdateDate < b.publicIncidentUpdateDate ? -1 : 1))
        .at(-1)
      const candidates = bodies.filter((body) => body.publicIncidentUpdateDate === latest?.publicIncidentUpdateDate)
      // Of those of the same time, the one told last.
      assert.equal(lastUpdateStatus, candidates.at(-1)?.status)
    }),
    { numRuns: 15 },
  )
})

test('an incident keeps its only update', async (t) => {
  const server = await startTestServer(t)
  const { id, incidentUpdates } = await makeIncident(server)
  const path = `/v1/status-pages/incidents/${id}/incident-updates`
  const first = `${path}/${incidentUpdates[0]?.id}`
  assert.equal((await server.send('DELETE', first)).status, 409)
  for (const description of ['Second.', 'Third.']) await server.send('POST', path, { body: { description } })
  const [, second] = await server.call(routes.listIncidentUpdates, { params: { incidentId: id } })
  // At the same time, and yet one is left.
  const { body } = await server.send('GET', path)
  assert.ok(second && Array.isArray(body))
  const gone = await Promise.all(body.map(({ id: one }) => server.send('DELETE', `${path}/${one}`)))
  assert.deepEqual(gone.map(({ status }) => status).toSorted(), [204, 204, 409])
})

test('incidents are listed newest first', async (t) => {
  const server = await startTestServer(t)
  const made = []
  for (let index = 0; index < 3; index++) made.push((await makeIncident(server)).id)
  const { entries, nextId } = await server.call(routes.listStatusPageIncidents, { query: { limit: 2 } })
  assert.deepEqual(ids(entries), [made[2], made[1]])
  const rest = await server.call(routes.listStatusPageIncidents, { query: { nextId: nextId ?? '' } })
  assert.deepEqual(ids(rest.entries), [made[0]])
})

test('an incident that cannot be is refused, one for an unknown service with 404, and nothing changes', async (t) => {
  const server = await startTestServer(t)
  const service = await makeService(server)
  const incident = await makeIncident(server, service.id)
  const path = '/v1/status-pages/incidents'
  const told = { description: 'Told.' }
  const good = { name: 'Trouble', severity: 'MINOR', services: [{ id: service.id }], incidentUpdates: [told] }
  const bad: [string, object][] = [
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(256) }],
    ['severity', { severity: 'HUGE' }],
    ['services', { services: [] }],
    ['services.0.id', { services: [{ name: 'Shop' }] }],
    ['incidentUpdates', { incidentUpdates: [] }],
    ['incidentUpdates', { incidentUpdates: [told, told] }],
    ['incidentUpdates.0.description', { incidentUpdates: [{}] }],
    ['incidentUpdates.0.status', { incidentUpdates: [{ ...told, status: 'MAINTENANCE' }] }],
    ['incidentUpdates.0.publicIncidentUpdateDate', { incidentUpdates: [{ ...told, publicIncidentUpdateDate: 'now' }] }],
    [
      'incidentUpdates.0.publicIncidentUpdateDate',
      { incidentUpdates: [{ ...told, publicIncidentUpdateDate: '2026-01-01T23:59:60Z' }] },
    ],
  ]
  for (const [field, change] of bad) {
    const { status, body } = await server.send('POST', path, { body: { ...good, ...change } })
    assert.equal(status, 400, field)
    assert.deepEqual(Reflect.get(Object(body), 'validation'), { source: 'payload', keys: [field] })
  }
  for (const missing of ['name', 'severity', 'services']) {
    const { [missing]: _gone, ...body } = Object(good)
    assert.equal((await server.send('POST', path, { body })).status, 400)
    assert.equal((await server.send('PUT', `${path}/${incident.id}`, { body })).status, 400)
  }
  const stranger = await server.addAccount()
  const key = await server.keyFor('OWNER', stranger)
  const theirs = await server.call(routes.createStatusPageService, { key, body: { name: 'Theirs' } })
  for (const id of [theirs.id, '00000000-0000-4000-8000-000000000000']) {
    const services = [{ id: service.id }, { id }]
    assert.equal((await server.send('POST', path, { body: { ...good, services } })).status, 404)
    assert.equal((await server.send('PUT', `${path}/${incident.id}`, { body: { ...good, services } })).status, 404)
    assert.equal((await server.send('PATCH', `${path}/${incident.id}`, { body: { services } })).status, 404)
  }
  const { entries } = await server.call(routes.listStatusPageIncidents)
  assert.deepEqual(
    entries.map(({ duration: _moves, ...rest }) => rest),
    [incident].map(({ duration: _moves, ...rest }) => rest),
  )
  assert.equal((await server.call(routes.listStatusPageIncidents, { key })).length, 0)
})
