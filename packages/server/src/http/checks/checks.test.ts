import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiCheckCreate, type ApiCheckUpdate, routes } from '@vedette/schema'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

/** Everything that a client may set, set to something else than the default. */
const full: ApiCheckCreate = {
  name: 'Checkout',
  description: 'Buys a thing',
  activated: false,
  muted: true,
  doubleCheck: false,
  shouldFail: true,
  locations: ['eu-west-1', 'us-east-1'],
  privateLocations: [],
  tags: ['shop', 'team:red'],
  alertSettings: {
    escalationType: 'TIME_BASED',
    timeBasedEscalation: { minutesFailingThreshold: 10 },
    runBasedEscalation: { failedRunThreshold: 3 },
    reminders: { amount: 2, interval: 10 },
    parallelRunFailureThreshold: { enabled: true, percentage: 40 },
  },
  useGlobalAlertSettings: false,
  runtimeId: '2024.09',
  retryStrategy: { type: 'LINEAR', baseBackoffSeconds: 30, maxRetries: 4, maxDurationSeconds: 300, sameRegion: false },
  runParallel: true,
  frequency: 60,
  frequencyOffset: 17,
  request: {
    method: 'POST',
    url: 'https://shop.test/cart',
    followRedirects: false,
    skipSSL: true,
    ipFamily: 'IPv6',
    httpVersion: 'HTTP/1.1',
    body: '{"a":1}',
    bodyType: 'JSON',
    headers: [{ key: 'X-Team', value: 'red', locked: false }],
    queryParameters: [{ key: 'q', value: '1', locked: true }],
    assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', property: '', target: '201', regex: '' }],
    basicAuth: { username: 'u', password: 'p' },
  },
  degradedResponseTime: 1000,
  maxResponseTime: 2000,
}

function update(server: TestServer, id: string, body: ApiCheckUpdate, key?: string) {
  return server.call(routes.updateApiCheck, { params: { id }, body, ...(key === undefined ? {} : { key }) })
}

async function apiCheckOf(server: TestServer, id: string, key: string) {
  const check = await server.call(routes.getCheck, { params: { id }, key })
  assert.ok(check.checkType === 'API')
  return check
}

test('a check that is made says everything that was said of it, and what was not said has its default', async (t) => {
  const server = await startTestServer(t)
  const made = await server.call(routes.createApiCheck, { body: full, query: { autoAssignAlerts: false } })
  const { id, created_at, updated_at, alertChannels, checkType, ...rest } = made
  for (const [name, value] of Object.entries(full)) assert.deepEqual(Reflect.get(rest, name), value, name)
  assert.deepEqual([checkType, updated_at], ['API', null])
  assert.deepEqual(alertChannels, { email: [], webhook: [], slack: [], sms: [] })
  assert.deepEqual(await server.call(routes.getCheck, { params: { id } }), made)
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 5000)

  const plain = await server.call(routes.createApiCheck, {
    body: { name: 'Plain', request: { method: 'GET', url: 'http://shop.test/' } },
  })
  const { activated, muted, frequency, locations, maxResponseTime, degradedResponseTime, doubleCheck } = plain
  assert.deepEqual(
    { activated, muted, frequency, locations, maxResponseTime, degradedResponseTime, doubleCheck },
    {
      activated: true,
      muted: false,
      frequency: 10,
      locations: ['us-east-1'],
      maxResponseTime: 20_000,
      degradedResponseTime: 5000,
      doubleCheck: true,
    },
  )
  assert.equal(plain.request.followRedirects, true)
})

test('an update changes the fields that it names and leaves all others as they are', async (t) => {
  const server = await startTestServer(t)
  const made = await server.call(routes.createApiCheck, { body: full })
  const changes: ApiCheckUpdate[] = [
    {},
    { name: 'Another name' },
    { tags: [] },
    { retryStrategy: null },
    { maxResponseTime: null },
    { frequency: 5 },
    { activated: true },
    { alertSettings: null, useGlobalAlertSettings: true },
  ]
  for (const change of changes) {
    const before = await server.call(routes.getCheck, { params: { id: made.id } })
    const after = await update(server, made.id, change)
    const expected = { ...before, ...change, updated_at: after.updated_at }
    assert.deepEqual(after, expected, JSON.stringify(change))
    assert.notEqual(after.updated_at, before.updated_at)
  }
})

test('fields that nobody knows, or that only the server sets, are passed over and not kept', async (t) => {
  const server = await startTestServer(t)
  const stale = { id: '', checkType: 'BROWSER', createdAt: 'x', sslCheck: true, heartbeat: {}, account_id: 'x', no: 7 }
  const request = { method: 'GET', url: 'http://shop.test/', junk: 1 }
  const { body } = await server.send('POST', '/v1/checks/api', { body: { name: 'Shop', request, ...stale } })
  const id = String(Reflect.get(Object(body), 'id'))
  const { status } = await server.send('PUT', `/v1/checks/api/${id}`, { body: { ...stale, name: 'Renamed', request } })
  assert.equal(status, 200)
  const row = await server.db.selectFrom('checks').select(['settings', 'name']).where('id', '=', id).executeTakeFirst()
  assert.equal(row?.name, 'Renamed')
  for (const name of [...Object.keys(stale), 'junk'])
    assert.doesNotMatch(JSON.stringify(row?.settings), RegExp(`"${name}"`))
})

test('what a client may leave out within a field has its default too', async (t) => {
  const server = await startTestServer(t)
  const { status, body } = await server.send('POST', '/v1/checks/api', {
    body: {
      name: 'Shop',
      request: { url: 'http://shop.test/', headers: [{ key: 'X-Team' }] },
      alertSettings: { runBasedEscalation: {} },
      retryStrategy: { type: 'FIXED', onlyOn: 'NETWORK_ERROR' },
    },
  })
  assert.equal(status, 201, JSON.stringify(body))
  const { request, alertSettings, retryStrategy } = Object(body)
  assert.deepEqual(request.headers, [{ key: 'X-Team', value: '', locked: false }])
  assert.equal(request.method, 'GET')
  assert.deepEqual(
    [alertSettings.escalationType, alertSettings.runBasedEscalation],
    ['RUN_BASED', { failedRunThreshold: 1 }],
  )
  assert.deepEqual(retryStrategy, {
    type: 'FIXED',
    baseBackoffSeconds: 60,
    sameRegion: true,
    maxRetries: 2,
    maxDurationSeconds: 600,
    onlyOn: ['NETWORK_ERROR'],
  })
})

const webhook = (name: string) => ({ type: 'WEBHOOK' as const, config: { name, url: `http://${name}.test/` } })

test('a new check is subscribed as autoAssignAlerts, the channels and the body say together', async (t) => {
  const server = await startTestServer(t)
  const plain = await server.call(routes.createAlertChannel, { body: webhook('plain') })
  const eager = await server.call(routes.createAlertChannel, { body: { ...webhook('eager'), autoSubscribe: true } })
  const all = [plain.id, eager.id]
  const subscribed = async (autoAssignAlerts: boolean | undefined, asked: [number, boolean][]) => {
    const check = await server.call(routes.createApiCheck, {
      query: { ...(autoAssignAlerts === undefined ? {} : { autoAssignAlerts }) },
      body: {
        name: 'Shop',
        request: { method: 'GET', url: 'http://shop.test/' },
        alertChannelSubscriptions: asked.map(([alertChannelId, activated]) => ({ alertChannelId, activated })),
      },
    })
    return check.alertChannelSubscriptions.map(({ alertChannelId, activated }) => [alertChannelId, activated])
  }
  assert.deepEqual(
    await subscribed(undefined, []),
    all.map((id) => [id, true]),
  )
  assert.deepEqual(await subscribed(true, [[plain.id, false]]), [
    [plain.id, false],
    [eager.id, true],
  ])
  assert.deepEqual(await subscribed(false, []), [[eager.id, true]])
  assert.deepEqual(await subscribed(false, [[eager.id, false]]), [[eager.id, false]])
  assert.deepEqual(
    await subscribed(false, [[plain.id, true]]),
    all.map((id) => [id, true]),
  )
})

test('an update replaces the subscriptions when it names them, and only then', async (t) => {
  const server = await startTestServer(t)
  const one = await server.call(routes.createAlertChannel, { body: webhook('one') })
  const two = await server.call(routes.createAlertChannel, { body: webhook('two') })
  const check = await makeCheck(server)
  const idsAfter = async (body: ApiCheckUpdate) =>
    (await update(server, check.id, body)).alertChannelSubscriptions.map(({ alertChannelId }) => alertChannelId)
  assert.deepEqual(await idsAfter({ name: 'Renamed' }), [one.id, two.id])
  assert.deepEqual(await idsAfter({ alertChannelSubscriptions: [{ alertChannelId: two.id, activated: true }] }), [
    two.id,
  ])
  assert.deepEqual(await idsAfter({ alertChannelSubscriptions: [] }), [])
})

test('lists come in pages, with headers that say where one is', async (t) => {
  const server = await startTestServer(t)
  const page = async (query: string) => {
    const { body, headers } = await server.send('GET', `/v1/checks${query}`)
    const names = Array.isArray(body) ? body.map((check) => Reflect.get(Object(check), 'name')) : []
    return { names, range: headers.get('content-range'), link: headers.get('link') }
  }
  assert.deepEqual(await page(''), { names: [], range: '*/0', link: null })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await makeCheck(server, { name })
  assert.deepEqual(await page('?limit=2'), {
    names: ['a', 'b'],
    range: '0-1/5',
    link: '</v1/checks?limit=2&page=2>; rel="next", </v1/checks?limit=2&page=3>; rel="last"',
  })
  assert.deepEqual(await page('?limit=2&page=3'), { names: ['e'], range: '4-4/5', link: null })
  assert.deepEqual(await page('?limit=2&page=4'), { names: [], range: '*/5', link: null })
})

test('the list is filtered by tag, name, address and state', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const shop = await makeCheck(server, { name: 'Shop front', tags: ['shop', 'red, white'] })
  await makeCheck(server, { name: 'Blog', tags: ['blog'], request: { method: 'GET', url: 'http://blog.test/_%/' } })
  await makeDue(server, shop)
  for (const run of await runner.lease()) await runner.report(run, 'failed')
  const names = async (query: string) => {
    const { body } = await server.send('GET', `/v1/checks?${query}`)
    return Array.isArray(body) ? body.map((check) => Reflect.get(Object(check), 'name')) : body
  }
  assert.deepEqual(await names('tag=shop'), ['Shop front'])
  assert.deepEqual(await names('tag=shop&tag=blog'), ['Shop front', 'Blog'])
  assert.deepEqual(await names('tag[]=blog'), ['Blog'])
  assert.deepEqual(await names(`tag=${encodeURIComponent('red, white')}`), ['Shop front'])
  assert.deepEqual(await names('search=FRONT'), ['Shop front'])
  assert.deepEqual(await names('apiCheckUrlFilterPattern=_%25/'), ['Blog'])
  assert.deepEqual(await names('apiCheckUrlFilterPattern=shop_'), [])
  assert.deepEqual(await names('status=failing'), ['Shop front'])
  assert.deepEqual(await names('status=passing'), [])
  assert.deepEqual(await names('nonsense=1&search=blog'), ['Blog'])
})

test('locked values and passwords are shown to those who may write, and masked for the others', async (t) => {
  const server = await startTestServer(t)
  await server.call(routes.createAlertChannel, {
    body: {
      type: 'WEBHOOK',
      config: {
        name: 'Pager',
        url: 'http://pager.test/',
        headers: [{ key: 'Authorization', value: 'canary-h', locked: true }],
        webhookSecret: 'canary-s',
      },
    },
  })
  const { id } = await makeCheck(server, {
    request: {
      method: 'GET',
      url: 'http://shop.test/',
      headers: [
        { key: 'X-Open', value: 'open', locked: false },
        { key: 'X-Key', value: 'canary-k', locked: true },
      ],
      queryParameters: [{ key: 'q', value: 'canary-q', locked: true }],
      basicAuth: { username: 'u', password: 'canary-p' },
    },
  })
  const paths = [
    `/v1/checks/${id}`,
    '/v1/checks',
    '/v1/alert-channels',
    '/v1/check-overviews',
    '/v1/alert-notifications',
  ]
  for (const role of ['READ_ONLY', 'READ_RUN'] as const) {
    const key = await server.keyFor(role)
    for (const path of paths) {
      const { status, body } = await server.send('GET', path, { key })
      assert.equal(status, 200)
      assert.doesNotMatch(JSON.stringify(body), /canary/, `${role} ${path}`)
    }
    const { request } = await apiCheckOf(server, id, key)
    assert.deepEqual(
      request.headers?.map(({ value }) => value),
      ['open', '********'],
    )
  }
  const { request } = await apiCheckOf(server, id, await server.keyFor('READ_WRITE'))
  assert.deepEqual(
    request.headers?.map(({ value }) => value),
    ['open', 'canary-k'],
  )
  assert.equal(request.basicAuth?.password, 'canary-p')
})

test('a deleted check is gone with its results, status, sessions and what was planned', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  await server.call(routes.triggerSessions, { body: {} })
  await server.call(routes.deleteCheck, { params: { id: check.id } })
  for (const path of [`/v1/checks/${check.id}`, `/v2/check-results/${check.id}`, `/v1/check-statuses/${check.id}`])
    assert.equal((await server.send('GET', path)).status, 404, path)
  assert.equal((await server.send('DELETE', `/v1/checks/${check.id}`)).status, 404)
  assert.deepEqual(await runner.lease({ horizonMs: 30_000 }), [])
})
