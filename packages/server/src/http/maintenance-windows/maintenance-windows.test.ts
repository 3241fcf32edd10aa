import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const night = { name: 'Night', startsAt: '2026-03-01T22:00:00.000Z', endsAt: '2026-03-02T02:00:00.000Z' }

async function refusal(server: TestServer, method: string, path: string, body?: unknown) {
  const { status, body: answer } = await server.send(method, path, { body })
  return [status, Reflect.get(Object(Reflect.get(Object(answer), 'validation')), 'keys')]
}

test('a window is made with what is given, and answered whole', async (t) => {
  const server = await startTestServer(t)
  const made = await server.call(routes.createMaintenanceWindow, { body: night })
  assert.deepEqual(made, {
    id: made.id,
    ...night,
    description: null,
    repeatUnit: null,
    repeatInterval: null,
    repeatEndsAt: null,
    timezone: null,
    tags: [],
    pauseAllChecks: false,
    created_at: made.created_at,
    updated_at: null,
  })
  assert.deepEqual(await server.call(routes.getMaintenanceWindow, { params: { id: made.id } }), made)
  const weekly = await server.call(routes.createMaintenanceWindow, {
    body: {
      name: 'Weekly',
      startsAt: '2026-03-01',
      endsAt: '2026-03-01T03:00:00+01:00',
      repeatUnit: 'WEEK',
      repeatInterval: 2,
      repeatEndsAt: '2026-06-01',
      timezone: 'Europe/Berlin',
      tags: ['shop', 'shop', 'api'],
      pauseAllChecks: true,
      description: 'Deploys',
    },
  })
  assert.deepEqual(
    [weekly.startsAt, weekly.endsAt, weekly.repeatEndsAt],
    ['2026-03-01T00:00:00.000Z', '2026-03-01T02:00:00.000Z', '2026-06-01T00:00:00.000Z'],
  )
  assert.deepEqual([weekly.tags, weekly.repeatUnit, weekly.repeatInterval], [['shop', 'api'], 'WEEK', 2])
})

test('an update keeps what it does not name', async (t) => {
  const server = await startTestServer(t)
  const body = { ...night, repeatUnit: 'DAY' as const, repeatInterval: 3, tags: ['shop'], description: 'x' }
  const made = await server.call(routes.createMaintenanceWindow, { body })
  const params = { id: made.id }
  const renamed = await server.call(routes.updateMaintenanceWindow, { params, body: { name: 'Later' } })
  assert.deepEqual({ ...renamed, updated_at: null }, { ...made, name: 'Later' })
  const once = await server.call(routes.updateMaintenanceWindow, {
    params,
    body: { repeatUnit: null, repeatInterval: null, description: null, tags: [] },
  })
  assert.deepEqual([once.repeatUnit, once.repeatInterval, once.description, once.tags], [null, null, null, []])
  assert.deepEqual(await refusal(server, 'PUT', `/v1/maintenance-windows/${made.id}`, { endsAt: '2026-01-01' }), [
    400,
    ['endsAt'],
  ])
  await server.call(routes.deleteMaintenanceWindow, { params })
  for (const method of ['GET', 'DELETE', 'PUT'])
    assert.deepEqual(
      (await refusal(server, method, `/v1/maintenance-windows/${made.id}`, method === 'PUT' ? {} : undefined))[0],
      404,
    )
  const { rows } = await sql`select from audit_log`.execute(server.db)
  assert.equal(rows.length, 4)
})

test('what older clients write for a window that does not recur is understood', async (t) => {
  const server = await startTestServer(t)
  for (const repeatUnit of ['', null] as const) {
    const made = await server.call(routes.createMaintenanceWindow, {
      body: { ...night, repeatUnit, repeatInterval: 1 },
    })
    assert.equal(made.repeatUnit, null)
    await server.call(routes.updateMaintenanceWindow, { params: { id: made.id }, body: { name: 'Again' } })
  }
})

test('what is no window is refused by the name of the field', async (t) => {
  const server = await startTestServer(t)
  const refused: [field: string, given: Record<string, unknown>][] = [
    ['name', { name: undefined }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['startsAt', { startsAt: undefined }],
    ['startsAt', { startsAt: 'tomorrow' }],
    ['startsAt', { startsAt: '2026-02-31' }],
    ['startsAt', { startsAt: '2026-02-31T10:00:00Z' }],
    ['startsAt', { startsAt: '2026-03-01T10:00:00' }],
    ['startsAt', { startsAt: '2026-03-01T25:00:00Z' }],
    ['startsAt', { startsAt: 1_772_000_000 }],
    ['endsAt', { endsAt: undefined }],
    ['endsAt', { endsAt: night.startsAt }],
    ['endsAt', { endsAt: '2026-03-03', repeatUnit: 'DAY' }],
    ['repeatUnit', { repeatUnit: 'YEAR' }],
    ['repeatUnit', { repeatInterval: 2 }],
    ['repeatInterval', { repeatUnit: 'DAY', repeatInterval: 0 }],
    ['repeatInterval', { repeatUnit: 'DAY', repeatInterval: 366 }],
    ['repeatInterval', { repeatUnit: 'DAY', repeatInterval: 1.5 }],
    ['repeatEndsAt', { repeatUnit: 'DAY', repeatEndsAt: '2026-02-28' }],
    ['timezone', { timezone: 'Europe/Atlantis' }],
    ['tags', { tags: 'shop' }],
    ['description', { description: 'x'.repeat(2001) }],
    ['pauseAllChecks', { pauseAllChecks: 'all' }],
  ]
  for (const [field, given] of refused)
    assert.deepEqual(
      await refusal(server, 'POST', '/v1/maintenance-windows', { ...night, ...given }),
      [400, [field]],
      JSON.stringify(given),
    )
  assert.deepEqual(await server.call(routes.listMaintenanceWindows), [])
})

test('windows are found by when they start and end, in three spellings', async (t) => {
  const server = await startTestServer(t)
  for (const day of ['01', '02', '03'])
    await server.call(routes.createMaintenanceWindow, {
      body: { name: day, startsAt: `2026-03-${day}T10:00:00Z`, endsAt: `2026-03-${day}T12:00:00Z` },
    })
  const found = async (query: string) => {
    const { status, body } = await server.send('GET', `/v1/maintenance-windows?${query}`)
    assert.equal(status, 200, query)
    return Array.isArray(body) ? body.map(({ name }) => name).join() : ''
  }
  const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))
  assert.equal(await found(''), '01,02,03')
  assert.equal(await found('startsAt[gte]=2026-03-02'), '02,03')
  assert.equal(await found('startsAt.gte=2026-03-02T10:00:00Z'), '02,03')
  assert.equal(await found('startsAt.gt=2026-03-02T10:00:00Z'), '03')
  assert.equal(await found(`startsAt=${json({ lt: '2026-03-02T10:00:00Z' })}`), '01')
  assert.equal(await found('endsAt%5Blte%5D=2026-03-02T12:00:00.000Z'), '01,02')
  assert.equal(await found('startsAt[gt]=2026-03-01T10:00:00Z&endsAt.lt=2026-03-03'), '02')
  assert.equal(await found('limit=1&page=2&startsAt[gte]=2026-03-02'), '03')
})

test('a filter that is not exactly one bound is refused', async (t) => {
  const server = await startTestServer(t)
  const json = (text: string) => `startsAt=${encodeURIComponent(text)}`
  const refused: [key: string, query: string][] = [
    ['startsAt', 'startsAt[gte]=2026-03-02&startsAt[lt]=2026-03-03'],
    ['startsAt', 'startsAt[gte]=2026-03-02&startsAt.lt=2026-03-03'],
    ['startsAt', 'startsAt=2026-03-02'],
    ['startsAt', 'startsAt[eq]=2026-03-02'],
    ['startsAt', 'startsAt[]=2026-03-02'],
    ['startsAt', 'startsAt[__proto__]=2026-03-02'],
    ['startsAt', json('{}')],
    ['startsAt', json('{"gte":"2026-03-02","lt":"2026-03-03"}')],
    ['startsAt', json('["2026-03-02"]')],
    ['startsAt.gte', json('{"gte":5}')],
    ['startsAt.gte', 'startsAt[gte]=soon'],
    ['endsAt.lt', 'endsAt.lt='],
  ]
  for (const [key, query] of refused)
    assert.deepEqual(await refusal(server, 'GET', `/v1/maintenance-windows?${query}`), [400, [key]], query)
})
