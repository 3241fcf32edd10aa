import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_ALERT_SETTINGS, routes } from '@vedette/schema'
import { startTestServer } from '../../testing/test-server.ts'
import { field, setUp, visit } from './browser.fixture.ts'

test('what an update of the account does not mention stays as it is', async (t) => {
  const server = await startTestServer(t)
  const before = await server.call(routes.getMyAccount)
  assert.deepEqual([before.name, before.settings], ['Main', { allowBadges: true }])
  const put = (body: object) => server.call(routes.updateMyAccount, { body })
  assert.deepEqual(await put({}), before)
  assert.deepEqual(await put({ name: ' Ours ' }), { ...before, name: 'Ours' })
  assert.equal((await put({ runtimeId: '2024.09' })).runtimeId, '2024.09')
  await put({ settings: { allowBadges: false, tracing: { sampling: 3 } } })
  const settings = (await put({ settings: { colour: 'red' } })).settings
  assert.deepEqual(settings, { allowBadges: false, tracing: { sampling: 3 }, colour: 'red' })
  const alertSettings = { escalationType: 'TIME_BASED', timeBasedEscalation: { minutesFailingThreshold: 10 } } as const
  const after = await put({ alertSettings })
  assert.partialDeepStrictEqual(after.alertSettings, alertSettings)
  assert.deepEqual(await server.call(routes.getMyAccount), after)
})

test('an account that cannot be is refused with the name of the field', async (t) => {
  const server = await startTestServer(t)
  const bad: [string, object][] = [
    ['name', { name: '' }],
    ['name', { name: '  ' }],
    ['runtimeId', { runtimeId: '1999.01' }],
    ['settings.allowBadges', { settings: { allowBadges: 'no' } }],
    ['alertSettings.escalationType', { alertSettings: { escalationType: 'MOOD' } }],
  ]
  for (const [key, body] of bad)
    for (const [method, path] of [
      ['PUT', '/v1/accounts/me'],
      ['POST', '/v1/accounts'],
    ] as const) {
      const { status, body: refusal } = await server.send(method, path, { body: { name: 'Second', ...body } })
      assert.equal(status, 400, `${method} ${JSON.stringify(body)}`)
      assert.deepEqual(field(field(refusal, 'validation'), 'keys'), [key])
    }
  const unknown = await server.send('POST', '/v1/accounts', {
    body: { name: 'Second', ownerId: '00000000-0000-4000-8000-000000000000' },
  })
  assert.equal(unknown.status, 400)
  assert.equal((await server.db.selectFrom('accounts').select('id').execute()).length, 1)
})

test('an operator makes an account for a person, and ends it with all that is in it', async (t) => {
  const server = await startTestServer(t)
  const bob = await server.addPerson('bob', 'READ_ONLY')
  const made = await server.call(routes.createAccount, { body: { name: 'Second', ownerId: bob } })
  assert.deepEqual([made.invitation, made.alertSettings], [null, DEFAULT_ALERT_SETTINGS])
  const key = await server.keyFor('OWNER', made.id)
  await server.call(routes.createApiCheck, {
    key,
    body: { name: 'Theirs', request: { method: 'GET', url: 'http://shop.test/' } },
  })
  const owners = await server.call(routes.listMembers, { key, params: { accountId: 'me' } })
  assert.deepEqual(
    owners.members.map((one) => [one.type, one.role]),
    [['member', 'OWNER']],
  )
  assert.equal((await server.send('DELETE', `/v1/accounts/${made.id}`, { key })).status, 403)
  await server.call(routes.deleteAccount, { params: { accountId: made.id } })
  assert.equal((await server.send('GET', '/v1/checks', { key })).status, 401)
  assert.equal((await server.db.selectFrom('checks').select('no').execute()).length, 0)
  assert.equal((await server.send('DELETE', `/v1/accounts/${made.id}`)).status, 404)
  assert.equal((await server.send('DELETE', `/v1/accounts/${server.accountId}`)).status, 409)
})

test('an account may use everything', async (t) => {
  const server = await startTestServer(t)
  const { entitlements, locations } = await server.call(routes.getEntitlements, { params: { accountId: 'me' } })
  assert.ok(entitlements.length > 0 && entitlements.every(({ enabled }) => enabled))
  assert.ok(locations.includes('eu-west-1'))
})

test('an account that is named wrongly, or is not the caller’s, is told apart only by its spelling', async (t) => {
  const server = await startTestServer(t)
  const status = async (id: string, key = server.apiKey) =>
    (await server.send('GET', `/v1/accounts/${id}`, { key })).status
  const other = await server.addAccount()
  const service = await server.keyFor('ADMIN')
  for (const key of [server.apiKey, service]) {
    assert.deepEqual(
      [await status(server.accountId, key), await status(server.accountId.toUpperCase(), key)],
      [200, 200],
    )
    assert.deepEqual([await status(other, key), await status('7', key)], [404, 400])
    assert.equal((await server.send('GET', `/v1/accounts/${other}/members`, { key })).status, 404)
  }
})

test('a key of the account has the role it was given, is shown once and deleted by its id', async (t) => {
  const server = await startTestServer(t)
  const made = await server.call(routes.createServiceKey, { body: { name: 'ci', role: 'READ_RUN' } })
  assert.match(made.rawKey, /^sk_[0-9a-f]{32}$/)
  assert.equal(made.maskedKey, `...${made.rawKey.slice(-4)}`)
  const key = made.rawKey
  assert.equal((await server.send('GET', '/v1/checks', { key })).status, 200)
  assert.equal((await server.send('POST', '/v1/checks/api', { key, body: {} })).status, 403)
  assert.equal((await server.send('POST', '/v1/service-keys', { body: { name: 'x', role: 'OWNER' } })).status, 400)
  const listed = await server.send('GET', '/v1/service-keys')
  assert.ok(!JSON.stringify(listed.body).includes(key))
  const [row] = await server.call(routes.listServiceKeys)
  assert.deepEqual([row?.id, row?.role], [made.id, 'READ_RUN'])
  const stranger = await server.keyFor('OWNER', await server.addAccount())
  assert.equal((await server.send('DELETE', `/v1/service-keys/${made.id}`, { key: stranger })).status, 404)
  await server.call(routes.deleteServiceKey, { params: { id: made.id } })
  assert.equal((await server.send('GET', '/v1/checks', { key })).status, 401)
})

test('the last use of a key is noted, at most once a minute', async (t) => {
  const server = await startTestServer(t)
  const { id, rawKey, lastUsedAt } = await server.call(routes.createServiceKey, { body: { name: 'ci', role: 'ADMIN' } })
  assert.equal(lastUsedAt, null)
  const use = async () => {
    await server.send('GET', '/v1/checks', { key: rawKey })
    return (await server.call(routes.listServiceKeys)).find((key) => key.id === id)?.lastUsedAt
  }
  const first = await use()
  assert.ok(first)
  assert.equal(await use(), first)
  const past = new Date(Date.now() - 61_000)
  await server.db.updateTable('api_keys').set({ last_used_at: past }).where('id', '=', id).execute()
  // Who a key belongs to is remembered until something changes.
  await server.call(routes.createServiceKey, { body: { name: 'another', role: 'READ_ONLY' } })
  assert.ok(Date.parse((await use()) ?? '') > past.getTime())
})

test('people see and delete their own keys and nobody else’s', async (t) => {
  const server = await startTestServer(t)
  const cookie = await setUp(server)
  const { body: made } = await visit(server, 'POST', '/web/api-keys', { cookie, body: { name: 'laptop' } })
  const id = String(field(made, 'id'))
  const list = async () => (await visit(server, 'GET', '/web/api-keys', { cookie })).body
  assert.ok(JSON.stringify(await list()).includes(id))
  assert.ok(!JSON.stringify(await list()).includes(String(field(made, 'rawKey'))))
  const service = await server.call(routes.createServiceKey, { body: { name: 'ci', role: 'ADMIN' } })
  assert.equal((await visit(server, 'DELETE', `/web/api-keys/${service.id}`, { cookie })).status, 404)
  assert.equal((await visit(server, 'DELETE', `/web/api-keys/${id}`, { cookie })).status, 204)
  assert.ok(!JSON.stringify(await list()).includes(id))
  assert.equal((await server.send('GET', '/v1/checks', { key: String(field(made, 'rawKey')) })).status, 401)
})
