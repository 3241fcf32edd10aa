import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renewSetUpToken } from '../../auth/first-start.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { alice, field, setUp, visit } from './browser.fixture.ts'

test('the link for the first person works once, and only while there is nobody', async (t) => {
  const server = await startTestServer(t)
  const first = await renewSetUpToken(server.db)
  const second = await renewSetUpToken(server.db)
  const use = (token: string | null, person = alice) =>
    visit(server, 'POST', '/web/set-up', { body: { token, ...person } })
  assert.deepEqual((await visit(server, 'GET', '/web/set-up')).body, { needed: true })
  assert.equal((await use(first)).status, 403, 'a fresh link replaces the one before')
  assert.equal((await use('su_wrong')).status, 403)
  assert.equal((await use(second, { name: 'alice', password: 'short' })).status, 400)
  assert.equal((await use(second)).status, 201)
  assert.equal((await use(second)).status, 403)
  assert.deepEqual((await visit(server, 'GET', '/web/set-up')).body, { needed: false })
  assert.equal(await renewSetUpToken(server.db), null)
})

test('two who use the link at the same moment do not both get in', async (t) => {
  const server = await startTestServer(t)
  const token = await renewSetUpToken(server.db)
  const statuses = await Promise.all(
    ['alice', 'bob'].map(
      async (name) => (await visit(server, 'POST', '/web/set-up', { body: { ...alice, token, name } })).status,
    ),
  )
  assert.deepEqual(statuses.sort(), [201, 403])
})

test('the first person becomes the one for whom the initial key acts, whatever the name', async (t) => {
  const server = await startTestServer(t)
  const token = await renewSetUpToken(server.db)
  const { status } = await visit(server, 'POST', '/web/set-up', { body: { ...alice, name: 'administrator', token } })
  assert.equal(status, 201)
  const people = await server.db.selectFrom('users').select(['name', 'password_hash']).execute()
  assert.deepEqual(
    people.map(({ name }) => name),
    ['administrator'],
  )
  assert.match(people[0]?.password_hash ?? '', /^argon2id\$/)
  assert.equal((await server.send('GET', '/v1/checks')).status, 200)
})

test('a person signs in with name and password, and out again', async (t) => {
  const server = await startTestServer(t)
  await setUp(server)
  const { status, cookie, setCookie, body } = await visit(server, 'POST', '/web/sign-in', { body: alice })
  assert.equal(status, 200)
  assert.match(setCookie, /HttpOnly/)
  assert.match(setCookie, /SameSite=Lax/)
  assert.doesNotMatch(setCookie, /Secure/)
  assert.equal(field(field(body, 'user'), 'name'), 'alice')
  assert.equal((await visit(server, 'GET', '/web/me', { cookie })).status, 200)
  assert.equal((await visit(server, 'GET', '/v1/checks', { cookie })).status, 200)

  assert.equal((await visit(server, 'POST', '/web/sign-out', { cookie })).status, 204)
  assert.equal((await visit(server, 'GET', '/web/me', { cookie })).status, 401)
  assert.equal((await visit(server, 'GET', '/v1/checks', { cookie })).status, 401)
})

test('over https the cookie is for this host and secure connections only', async (t) => {
  const server = await startTestServer(t, { env: { PUBLIC_URL: 'https://vedette.test' } })
  await setUp(server)
  const { cookie, setCookie } = await visit(server, 'POST', '/web/sign-in', { body: alice })
  assert.match(setCookie, /^__Host-vedette-session=.*; Path=\/;.*Secure/)
  assert.equal((await visit(server, 'GET', '/web/me', { cookie })).status, 200)
})

test('a wrong password and an unknown name are told apart by nothing', async (t) => {
  const server = await startTestServer(t)
  await setUp(server)
  const wrong = await visit(server, 'POST', '/web/sign-in', { body: { ...alice, password: 'incorrect' } })
  const unknown = await visit(server, 'POST', '/web/sign-in', { body: { ...alice, name: 'mallory' } })
  assert.deepEqual([wrong.status, wrong.body], [401, unknown.body])
  assert.equal(wrong.setCookie, '')
})

test('a session is over after a week of silence, after a month, or when the person’s epoch has moved on', async (t) => {
  const server = await startTestServer(t)
  const day = 86_400_000
  for (const end of [
    () =>
      server.db
        .updateTable('web_sessions')
        .set({ last_seen_at: new Date(Date.now() - 8 * day) })
        .execute(),
    () =>
      server.db
        .updateTable('web_sessions')
        .set({ created_at: new Date(Date.now() - 31 * day) })
        .execute(),
    () => server.db.updateTable('users').set({ epoch: 2 }).execute(),
  ]) {
    await server.db.deleteFrom('users').where('password_hash', 'is not', null).execute()
    const cookie = await setUp(server)
    assert.equal((await visit(server, 'GET', '/web/me', { cookie })).status, 200)
    await end()
    assert.equal((await visit(server, 'GET', '/web/me', { cookie })).status, 401)
  }
})

test('what a page of another site sends with the cookie is refused, reading apart', async (t) => {
  const server = await startTestServer(t)
  const cookie = await setUp(server)
  const post = async (headers: Record<string, string>) =>
    (await visit(server, 'POST', '/web/api-keys', { cookie, body: { name: 'laptop' }, headers })).status
  assert.equal(await post({ origin: server.url }), 201)
  assert.equal(await post({ 'sec-fetch-site': 'same-origin' }), 201)
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'http://evil.test' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: server.url, 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of foreign) assert.equal(await post(headers), 403, JSON.stringify(headers))
  const from = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await visit(server, 'POST', '/web/sign-in', { body: alice, headers: from })).status, 403)
  assert.equal((await visit(server, 'GET', '/web/events', { cookie, headers: from })).status, 403)
})

test('a key made in the browser acts as its person, is shown once and is kept as a hash', async (t) => {
  const server = await startTestServer(t)
  const cookie = await setUp(server)
  const { body } = await visit(server, 'POST', '/web/api-keys', { cookie, body: { name: 'laptop' } })
  const key = String(field(body, 'rawKey'))
  assert.match(key, /^cu_[0-9a-f]{32}$/)
  const { status } = await server.send('POST', '/v1/checks/api', {
    key,
    body: { name: 'Shop', request: { url: 'http://shop.test/' } },
  })
  assert.equal(status, 201)
  const rows = await server.db.selectFrom('api_keys').selectAll().execute()
  assert.doesNotMatch(JSON.stringify(rows), RegExp(key.slice(3)))
})

test('a flood of sign-ins is turned away instead of queueing up', async (t) => {
  const server = await startTestServer(t)
  await setUp(server)
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await visit(server, 'POST', '/web/sign-in', { body: alice })).status),
  )
  assert.ok(statuses.includes(429))
  assert.ok(statuses.includes(200))
})

test('with CLIENT_COMPAT the account header may have another name', async (t) => {
  const strict = await startTestServer(t)
  const tolerant = await startTestServer(t, { env: { CLIENT_COMPAT: 'true' } })
  const headers = { 'x-other-account': '00000000-0000-4000-8000-000000000000' }
  assert.equal((await strict.send('GET', '/v1/checks', { headers })).status, 200)
  assert.equal((await tolerant.send('GET', '/v1/checks', { headers })).status, 403)
})
