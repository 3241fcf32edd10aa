import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dashboard, DashboardCreate, DashboardUpdate, routes } from '@vedette/schema'
import fc from 'fast-check'
import { hashKey } from '../../auth/keys.ts'
import { arbitraryOf } from '../../testing/arbitrary.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const link = fc.constantFrom(null, '', '/logo.png', 'https://example.org/logo.png')
const fields = {
  customUrl: fc.uuid().map((id) => `Board-${id}`),
  customDomain: fc.option(fc.uuid().map((id) => `${id}.Example.ORG`)),
  logo: link,
  favicon: link,
  link,
}

/** What is read after it was written. */
function asRead(body: object): Record<string, unknown> {
  const lower = (name: string, value: unknown) =>
    typeof value === 'string' && ['customUrl', 'customDomain'].includes(name) ? value.toLowerCase() : value
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, lower(name, value)]))
}

async function only(server: TestServer): Promise<Dashboard> {
  const [dashboard] = await server.call(routes.listDashboards)
  assert.ok(dashboard)
  return dashboard
}

test('a dashboard has a value for every field that was not given', async (t) => {
  const server = await startTestServer(t)
  const { id, dashboardId, customUrl, created_at, ...rest } = await server.call(routes.createDashboard, {
    body: { header: 'Shop' },
  })
  assert.ok(id > 0)
  assert.match(dashboardId, /^[0-9a-z]{8}$/)
  assert.match(customUrl, /^[0-9a-z]{12}$/)
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
  assert.deepEqual(rest, {
    header: 'Shop',
    customDomain: null,
    logo: null,
    favicon: null,
    link: null,
    description: null,
    width: 'FULL',
    refreshRate: 60,
    paginate: true,
    paginationRate: 60,
    checksPerPage: 15,
    useTagsAndOperator: false,
    hideTags: false,
    enableIncidents: false,
    expandChecks: false,
    tags: [],
    showHeader: true,
    showCheckRunLinks: false,
    customCSS: '',
    isPrivate: false,
    showP95: true,
    showP99: true,
    sortByStatus: false,
    showGroupNames: true,
    keys: [],
    updated_at: null,
  })
})

test('whatever a dashboard is made of is read back, and an update touches nothing that it does not name', async (t) => {
  const server = await startTestServer(t)
  await fc.assert(
    fc.asyncProperty(
      arbitraryOf(DashboardCreate, fields),
      arbitraryOf(DashboardUpdate, fields),
      async (body, change) => {
        const made = await server.send('POST', '/v1/dashboards', { body })
        assert.equal(made.status, 201, JSON.stringify(made.body))
        const stored = await only(server)
        assert.deepEqual({ ...stored, ...asRead(Object(body)) }, stored)
        const path = `/v1/dashboards/${stored.dashboardId}`
        const changed = await server.send('PUT', path, { body: change })
        assert.equal(changed.status, 200, JSON.stringify(changed.body))
        const { keys: _keys, updated_at, ...after } = await only(server)
        const { keys: _before, updated_at: _never, ...before } = stored
        assert.deepEqual(after, { ...before, ...asRead(Object(change)) })
        assert.notEqual(updated_at, null)
        assert.equal((await server.send('DELETE', path)).status, 204)
      },
    ),
    { numRuns: 20 },
  )
})

test('addresses are unique in the whole installation, in any case, and come free again', async (t) => {
  const server = await startTestServer(t)
  const stranger = await server.keyFor('OWNER', await server.addAccount())
  const status = async (body: object, key = stranger) =>
    (await server.send('POST', '/v1/dashboards', { key, body: { header: 'Theirs', ...body } })).status
  const taken = { customUrl: 'Shop', customDomain: 'status.example.org' }
  const { dashboardId } = await server.call(routes.createDashboard, { body: { header: 'Ours', ...taken } })
  assert.equal(await status({ customUrl: 'shop' }), 409)
  assert.equal(await status({ customDomain: 'STATUS.example.org' }), 409)
  const page = { name: 'Page', url: 'shop', cards: [], customDomain: 'status.example.org' }
  assert.equal((await server.send('POST', '/v1/status-pages', { body: page })).status, 409)
  const path = `/v1/dashboards/${dashboardId}`
  assert.equal((await server.send('PUT', path, { body: taken })).status, 200)
  const other = await server.call(routes.createDashboard, { body: { header: 'Other' } })
  for (const body of [{ customUrl: 'SHOP' }, { customDomain: 'status.example.org' }])
    assert.equal((await server.send('PUT', `/v1/dashboards/${other.dashboardId}`, { body })).status, 409)
  await server.call(routes.deleteDashboard, { params: { dashboardId } })
  assert.equal(await status(taken), 201)
})

test('of those who want the same address at once, one gets it', async (t) => {
  const server = await startTestServer(t)
  const wish = (index: number) =>
    index % 2 === 0
      ? server.send('POST', '/v1/dashboards', { body: { header: 'Shop', customDomain: 'status.example.org' } })
      : server.send('POST', '/v1/status-pages', {
          body: { name: 'Shop', url: `shop-${index}`, cards: [], customDomain: 'status.example.org' },
        })
  const statuses = (await Promise.all(Array.from({ length: 8 }, (_, index) => wish(index)))).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, ...Array(7).fill(409)])
})

test('a dashboard is found by its custom URL and domain, by its own account only', async (t) => {
  const server = await startTestServer(t)
  const body = { header: 'Shop', customUrl: 'shop', customDomain: 'status.example.org' }
  const { dashboardId } = await server.call(routes.createDashboard, { body })
  const find = async (name: string, type?: 'customUrl' | 'customDomain', key = server.apiKey) => {
    const query = type === undefined ? '' : `?type=${type}`
    return (await server.send('GET', `/v1/dashboards/${name}${query}`, { key })).status
  }
  assert.equal(await find(dashboardId), 200)
  assert.equal(await find('Shop', 'customUrl'), 200)
  assert.equal(await find('status.example.org', 'customDomain'), 200)
  assert.equal(await find(dashboardId, 'customUrl'), 404)
  assert.equal(await find('shop'), 404)
  assert.equal(await find('shop', 'customUrl', await server.keyFor('OWNER', await server.addAccount())), 404)
})

test('a private dashboard gets a key that is shown once, noted nowhere, and can be replaced', async (t) => {
  const server = await startTestServer(t)
  const open = await server.call(routes.createDashboard, { body: { header: 'Shop' } })
  const params = { dashboardId: open.dashboardId }
  assert.deepEqual(open.keys, [])
  const closed = await server.call(routes.updateDashboard, { params, body: { isPrivate: true } })
  const raw = closed.keys[0]?.rawKey ?? ''
  assert.match(raw, /^da_[0-9a-f]{32}$/)
  const again = await server.call(routes.updateDashboard, { params, body: { header: 'Shops' } })
  assert.deepEqual(again.keys, [{ ...closed.keys[0], rawKey: '' }])
  assert.equal(again.keys[0]?.maskedKey, `...${raw.slice(-4)}`)

  const second = await server.call(routes.createDashboardKey, { params })
  const stored = await server.db.selectFrom('dashboard_keys').select('key_hash').orderBy('created_at').execute()
  assert.deepEqual(
    stored.map((row) => row.key_hash),
    [hashKey(raw), hashKey(second.rawKey)],
  )
  await server.call(routes.deleteDashboardKey, { params: { ...params, keyId: closed.keys[0]?.id ?? '' } })
  assert.deepEqual(await server.call(routes.listDashboardKeys, { params }), [{ ...second, rawKey: '' }])
  const noted = JSON.stringify(await server.db.selectFrom('audit_log').selectAll().execute())
  assert.ok(!noted.includes(raw) && !noted.includes(second.rawKey))

  const reopened = await server.call(routes.updateDashboard, { params, body: { isPrivate: false } })
  assert.deepEqual(reopened.keys, [])
  const made = await server.call(routes.createDashboard, { body: { header: 'Vault', isPrivate: true } })
  assert.match(made.keys[0]?.rawKey ?? '', /^da_/)
})

test('a dashboard has ten keys at most', async (t) => {
  const server = await startTestServer(t)
  const { dashboardId } = await server.call(routes.createDashboard, { body: { header: 'Shop' } })
  const add = async () => (await server.send('POST', `/v1/dashboards/${dashboardId}/keys`)).status
  for (let count = 0; count < 10; count++) assert.equal(await add(), 201)
  assert.equal(await add(), 409)
})

test('a dashboard that cannot be is refused with the name of the field, and nothing changes', async (t) => {
  const server = await startTestServer(t)
  const made = await server.call(routes.createDashboard, { body: { header: 'Shop' } })
  const bad: [string, unknown][] = [
    ['header', ''],
    ['width', '1000PX'],
    ['refreshRate', 61],
    ['refreshRate', '60'],
    ['paginationRate', 600],
    ['checksPerPage', 0],
    ['checksPerPage', 21],
    ['checksPerPage', 1.5],
    ['customUrl', 'a.b'],
    ['customUrl', 'a b'],
    ['customUrl', '-a'],
    ['customUrl', 'ä'],
    ['customDomain', 'localhost'],
    ['customDomain', '127.0.0.1'],
    ['customDomain', 'https://example.org'],
    ['customDomain', 'example.org/x'],
    ['logo', 'javascript:alert(1)'],
    ['logo', 'http://example.org/logo.png'],
    ['favicon', '//example.org/logo.png'],
    ['link', 'data:text/html,x'],
    ['customCSS', 'x'.repeat(65_537)],
    ['customCSS', 'ä'.repeat(32_769)],
    ['tags', 'shop'],
    ['isPrivate', 'yes'],
  ]
  for (const [field, value] of bad) {
    const body = { header: 'Shop', [field]: value }
    for (const [method, path] of [
      ['POST', '/v1/dashboards'],
      ['PUT', `/v1/dashboards/${made.dashboardId}`],
    ] as const) {
      const { status, body: problem } = await server.send(method, path, { body })
      const what = `${method} ${field}: ${JSON.stringify(problem)}`
      assert.equal(status, 400, what)
      assert.deepEqual(Reflect.get(Object(problem), 'validation'), { source: 'payload', keys: [field] }, what)
    }
  }
  assert.deepEqual(await server.call(routes.listDashboards), [made])
  assert.equal((await server.send('POST', '/v1/dashboards', { body: { width: 'FULL' } })).status, 400)
  const styled = { header: 'Shop', customCSS: `}</style>${'ä'.repeat(32_000)}` }
  assert.equal((await server.call(routes.createDashboard, { body: styled })).customCSS, styled.customCSS)
})
