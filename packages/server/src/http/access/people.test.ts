import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type NewInvitation, type Role, routes } from '@vedette/schema'
import { sql } from 'kysely'
import { renewSetUpToken } from '../../auth/first-start.ts'
import { endSessionsOf, findPerson } from '../../auth/store.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { until } from '../../testing/until.ts'
import { field, setUp, visit } from './browser.fixture.ts'

const password = 'correct horse battery'

/** Invites somebody, who takes it up with a name and a password. Answers their cookie. */
async function join(server: TestServer, name: string, role: Exclude<Role, 'OWNER'>, email: string | null = null) {
  const invitation = await server.call(routes.createInvitation, {
    params: { accountId: 'me' },
    body: { role, email },
  })
  return accept(server, name, invitation)
}

async function accept(server: TestServer, name: string, { token }: Pick<NewInvitation, 'token'>) {
  const body = { token, name, password }
  const { status, cookie, body: me } = await visit(server, 'POST', '/web/invitations/accept', { body })
  assert.equal(status, 201, JSON.stringify(me))
  return { cookie, userId: String(field(field(me, 'user'), 'id')) }
}

const members = (server: TestServer, query = {}) =>
  server.call(routes.listMembers, { params: { accountId: 'me' }, query })

test('an invitation works once, for seven days, and says what it is for', async (t) => {
  const server = await startTestServer(t)
  const invite = () => server.call(routes.createInvitation, { params: { accountId: 'me' }, body: { role: 'READ_RUN' } })
  const use = async (token: string, name: string) =>
    (await visit(server, 'POST', '/web/invitations/accept', { body: { token, name, password } })).status
  const { token, expiresAt } = await invite()
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * 86_400_000) < 60_000)
  const { body } = await visit(server, 'POST', '/web/invitations/read', { body: { token } })
  assert.deepEqual(body, { accountName: 'Main', role: 'READ_RUN', expiresAt })
  assert.equal(await use('in_wrong', 'bob'), 404)
  assert.equal(await use(token, 'administrator'), 409, 'a name that is taken does not use it up')
  assert.deepEqual((await Promise.all([use(token, 'bob'), use(token, 'eve')])).sort(), [201, 404])
  assert.equal(await use(token, 'mallory'), 404)

  const late = await invite()
  await server.db
    .updateTable('invitations')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()
  assert.equal(await use(late.token, 'carol'), 404)
  const stored = await server.db.selectFrom('invitations').selectAll().execute()
  assert.ok(!JSON.stringify(stored).includes(late.token))
})

test('whoever joins is a member with the role of the invitation, and signed in', async (t) => {
  const server = await startTestServer(t)
  const { cookie, userId } = await join(server, 'bob', 'READ_WRITE', 'bob@example.org')
  const me = await visit(server, 'GET', '/web/me', { cookie })
  assert.deepEqual([field(me.body, 'role'), field(field(me.body, 'user'), 'name')], ['READ_WRITE', 'bob'])
  const listed = await members(server, { search: 'BOB@' })
  assert.equal(listed.length, 1)
  assert.partialDeepStrictEqual(listed.members[0], {
    type: 'member',
    userId,
    name: 'bob',
    email: 'bob@example.org',
    role: 'READ_WRITE',
    status: 'ACTIVE',
  })
})

test('members and invitations are listed in the order they came, by filters, page by page', async (t) => {
  const server = await startTestServer(t)
  for (const name of ['bob', 'carol', 'dave']) await join(server, name, 'READ_ONLY')
  const params = { accountId: 'me' }
  const open = await server.call(routes.createInvitation, { params, body: { role: 'ADMIN', email: 'eve@example.org' } })
  const old = await server.call(routes.createInvitation, { params, body: { role: 'READ_ONLY' } })
  await server.db
    .updateTable('invitations')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', old.id)
    .execute()
  const names: string[] = []
  let nextId: string | null = null
  do {
    const page = await members(server, { limit: 2, ...(nextId === null ? {} : { nextId }) })
    assert.equal(page.length, page.members.length)
    names.push(...page.members.map((one) => (one.type === 'member' ? one.name : one.status)))
    nextId = page.nextId
  } while (nextId !== null)
  assert.deepEqual(names, ['administrator', 'bob', 'carol', 'dave', 'PENDING', 'EXPIRED'])
  const count = async (query: object) => (await members(server, query)).length
  assert.deepEqual(
    [
      await count({ type: 'invite' }),
      await count({ type: 'member' }),
      await count({ status: 'PENDING' }),
      await count({ status: 'EXPIRED' }),
      await count({ status: 'ACTIVE' }),
      await count({ role: 'READ_ONLY' }),
      await count({ role: 'OWNER' }),
      await count({ search: 'aro' }),
      await count({ search: 'eve@' }),
      await count({ search: '%' }),
    ],
    [2, 4, 1, 1, 4, 4, 1, 1, 1, 0],
  )
  assert.ok(!JSON.stringify(await members(server)).includes(open.token))
  await server.call(routes.deleteInvitation, { params: { accountId: 'me', id: open.id } })
  assert.equal((await visit(server, 'POST', '/web/invitations/read', { body: { token: open.token } })).status, 404)
  assert.equal((await server.send('GET', '/v1/accounts/me/members?nextId=x')).status, 400)
})

test('another role, or none, ends the sessions of the person at once', async (t) => {
  const server = await startTestServer(t)
  const bob = await join(server, 'bob', 'READ_ONLY')
  const params = { accountId: 'me', userId: bob.userId }
  await server.call(routes.updateMember, { params, body: { role: 'READ_ONLY' } })
  assert.equal((await visit(server, 'GET', '/web/me', bob)).status, 200, 'the same role changes nothing')
  const changed = await server.call(routes.updateMember, { params, body: { role: 'READ_RUN' } })
  assert.equal(changed.role, 'READ_RUN')
  assert.equal((await visit(server, 'GET', '/web/me', bob)).status, 401)
  const again = await visit(server, 'POST', '/web/sign-in', { body: { name: 'bob', password } })
  assert.equal(field(again.body, 'role'), 'READ_RUN')
  const made = await visit(server, 'POST', '/web/api-keys', { cookie: again.cookie, body: { name: 'laptop' } })
  const key = String(field(made.body, 'rawKey'))
  assert.equal((await server.send('GET', '/v1/checks', { key })).status, 200)
  await server.call(routes.deleteMember, { params })
  assert.equal((await visit(server, 'GET', '/web/me', { cookie: again.cookie })).status, 401)
  assert.equal((await server.send('GET', '/v1/checks', { key })).status, 401)
  assert.equal((await visit(server, 'POST', '/web/sign-in', { body: { name: 'bob', password } })).status, 403)
  assert.equal((await server.send('DELETE', `/v1/accounts/me/members/${bob.userId}`)).status, 404)
})

test('a person who belongs to no account any more comes back by an invitation, with the password of before', async (t) => {
  const server = await startTestServer(t)
  const { userId } = await join(server, 'bob', 'READ_ONLY')
  await server.call(routes.deleteMember, { params: { accountId: 'me', userId } })
  const { token } = await server.call(routes.createInvitation, {
    params: { accountId: 'me' },
    body: { role: 'READ_RUN' },
  })
  const use = (word: string) =>
    visit(server, 'POST', '/web/invitations/accept', { body: { token, name: ' bob ', password: word } })
  assert.equal((await use('wrong horse battery')).status, 401, 'a wrong password does not use it up')
  const { status, cookie, body } = await use(password)
  assert.deepEqual([status, field(body, 'role'), field(field(body, 'user'), 'id')], [201, 'READ_RUN', userId])
  assert.equal((await visit(server, 'GET', '/web/me', { cookie })).status, 200)
  assert.equal((await visit(server, 'POST', '/web/sign-in', { body: { name: 'bob', password } })).status, 200)
})

test('whoever is invited and belongs to the account is told so, and passwords are not guessed this way', async (t) => {
  const server = await startTestServer(t)
  await join(server, 'bob', 'READ_ONLY')
  const { token } = await server.call(routes.createInvitation, {
    params: { accountId: 'me' },
    body: { role: 'ADMIN' },
  })
  const use = async (word: string) =>
    (await visit(server, 'POST', '/web/invitations/accept', { body: { token, name: 'bob', password: word } })).status
  assert.equal(await use(password), 409)
  const guesses: number[] = []
  for (let i = 0; i < 10; i++) guesses.push(await use(`wrong horse ${i}`))
  assert.deepEqual(guesses, [...Array(9).fill(401), 429])
  assert.equal((await visit(server, 'POST', '/web/sign-in', { body: { name: 'bob', password } })).status, 429)
})

test('the invitations of somebody who goes, or may do less, are void', async (t) => {
  const server = await startTestServer(t)
  const inviteAs = async ({ cookie }: { cookie: string }) => {
    const sent = { cookie, body: { role: 'ADMIN' } }
    return String(field((await visit(server, 'POST', '/v1/accounts/me/invitations', sent)).body, 'token'))
  }
  const read = async (token: string) =>
    (await visit(server, 'POST', '/web/invitations/read', { body: { token } })).status
  const [bob, carol, dave] = [
    await join(server, 'bob', 'ADMIN'),
    await join(server, 'carol', 'ADMIN'),
    await join(server, 'dave', 'ADMIN'),
  ]
  const [ofBob, ofCarol, ofDave] = [await inviteAs(bob), await inviteAs(carol), await inviteAs(dave)]
  assert.deepEqual([await read(ofBob), await read(ofCarol), await read(ofDave)], [200, 200, 200])
  await server.call(routes.deleteMember, { params: { accountId: 'me', userId: bob.userId } })
  const params = { accountId: 'me', userId: carol.userId }
  await server.call(routes.updateMember, { params, body: { role: 'READ_WRITE' } })
  assert.deepEqual([await read(ofBob), await read(ofCarol), await read(ofDave)], [404, 404, 200])
  const noted = await server.db
    .selectFrom('audit_log')
    .select('before')
    .where('subject', 'in', [bob.userId, carol.userId])
    .where('before', 'is not', null)
    .execute()
  const names = noted.map(({ before }) => field(Object(field(before, 'invitations'))[0], 'inviterName'))
  assert.deepEqual(names.sort(), ['bob', 'carol'])
  assert.ok(!JSON.stringify(noted).includes(ofBob))
})

test('an operator who goes leaves no way into accounts that await their owner', async (t) => {
  const server = await startTestServer(t)
  const bob = await join(server, 'bob', 'ADMIN')
  await server.call(routes.transferOwnership, { params: { accountId: 'me' }, body: { userId: bob.userId } })
  const { cookie } = await visit(server, 'POST', '/web/sign-in', { body: { name: 'bob', password } })
  const made = await visit(server, 'POST', '/v1/accounts', { cookie, body: { name: 'Second' } })
  const invitation = String(field(field(made.body, 'invitation'), 'token'))
  const read = async () =>
    (await visit(server, 'POST', '/web/invitations/read', { body: { token: invitation } })).status
  assert.equal(await read(), 200)
  const { userId } = await join(server, 'carol', 'ADMIN')
  const handOver = { cookie, body: { userId } }
  assert.equal((await visit(server, 'POST', '/v1/accounts/me/ownership', handOver)).status, 200)
  assert.equal(await read(), 404)
})

test('people who were invited before the set-up neither end it nor lend it their names', async (t) => {
  const server = await startTestServer(t)
  await join(server, 'bob', 'ADMIN')
  assert.deepEqual((await visit(server, 'GET', '/web/set-up')).body, { needed: true })
  const token = await renewSetUpToken(server.db)
  const use = async (name: string) =>
    (await visit(server, 'POST', '/web/set-up', { body: { token, name, password } })).status
  assert.deepEqual([await use('bob'), await use('alice')], [409, 201])
})

test('an account always has an owner, and only owners change owners', async (t) => {
  const server = await startTestServer(t)
  const [owner] = (await members(server)).members
  assert.ok(owner?.type === 'member')
  const path = `/v1/accounts/me/members/${owner.userId}`
  const demote = (key?: string) =>
    server.send('PATCH', path, { body: { role: 'ADMIN' }, ...(key === undefined ? {} : { key }) })
  assert.equal((await demote()).status, 409)
  assert.equal((await server.send('DELETE', path)).status, 409)
  const admin = await server.keyFor('ADMIN')
  assert.equal((await demote(admin)).status, 403)
  assert.equal((await server.send('DELETE', path, { key: admin })).status, 403)
  const second = await server.addPerson('bob', 'OWNER')
  assert.equal((await server.send('PATCH', path, { body: { role: 'OWNER' } })).status, 400)
  // Two owners who drop each other at the same moment: one stays.
  const drops = [owner.userId, second].map((id) => server.send('DELETE', `/v1/accounts/me/members/${id}`))
  const statuses = (await Promise.all(drops)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 204).length, 1, String(statuses))
  const owners = await server.db.selectFrom('memberships').selectAll().where('role', '=', 'OWNER').execute()
  assert.equal(owners.length, 1)
})

test('an owner hands the account over to a member, and is an administrator then', async (t) => {
  const server = await startTestServer(t)
  const carol = await server.addPerson('carol', 'READ_ONLY')
  const handOver = (userId: string, key?: string) =>
    server.send('POST', '/v1/accounts/me/ownership', { body: { userId }, ...(key === undefined ? {} : { key }) })
  assert.equal((await handOver('00000000-0000-4000-8000-000000000000')).status, 400)
  assert.equal((await handOver(carol, await server.keyFor('OWNER'))).status, 403, 'only a person can')
  assert.equal((await handOver(carol, await server.keyFor('ADMIN'))).status, 403)
  const { status, body } = await handOver(carol)
  assert.deepEqual([status, field(body, 'role')], [200, 'OWNER'])
  const roles = (await members(server)).members.map(({ role }) => role)
  assert.deepEqual(roles, ['ADMIN', 'OWNER'])
  assert.equal((await handOver(carol)).status, 403)
})

test('somebody of several accounts says in which one they act, or looks at one of them', async (t) => {
  const server = await startTestServer(t)
  const cookie = await setUp(server)
  const { id: other, invitation } = await server.call(routes.createAccount, { body: { name: 'Second' } })
  assert.equal(invitation?.role, 'OWNER')
  const token = invitation?.token
  const joined = await visit(server, 'POST', '/web/invitations/join', { cookie, body: { token } })
  assert.deepEqual([joined.status, field(field(joined.body, 'account'), 'id')], [200, other])
  assert.equal((await visit(server, 'POST', '/web/invitations/join', { cookie, body: { token } })).status, 404)

  const look = async () => field(field((await visit(server, 'GET', '/web/me', { cookie })).body, 'account'), 'id')
  assert.equal(await look(), other)
  const back = await visit(server, 'PUT', '/web/account', { cookie, body: { accountId: server.accountId } })
  assert.equal(back.status, 200)
  assert.equal(await look(), server.accountId)
  const foreign = await visit(server, 'PUT', '/web/account', { cookie, body: { accountId: await server.addAccount() } })
  assert.equal(foreign.status, 404)

  assert.equal((await server.send('GET', '/v1/checks')).status, 401, 'a key has to name the account')
  const headers = { 'x-service-account': other }
  assert.equal((await server.send('GET', '/v1/checks', { headers })).status, 200)
  assert.equal((await server.call(routes.listAccounts)).length, 2, 'except to find out which there are')
  assert.equal((await server.call(routes.getAccount, { params: { accountId: other } })).name, 'Second')
  assert.equal((await members(server, {}).catch((error) => error)) instanceof Error, true)
  assert.equal((await server.call(routes.listMembers, { params: { accountId: other } })).length, 1)
})

test('a person who changes the password stays signed in here and nowhere else', async (t) => {
  const server = await startTestServer(t)
  const here = await setUp(server)
  const there = (await visit(server, 'POST', '/web/sign-in', { body: { name: 'alice', password } })).cookie
  const change = async (currentPassword: string, newPassword: string) =>
    (await visit(server, 'PUT', '/web/password', { cookie: here, body: { currentPassword, newPassword } })).status
  assert.equal(await change('wrong', 'wrong horse battery'), 403)
  assert.equal(await change(password, 'short'), 400)
  assert.equal(await change(password, password), 400)
  assert.equal(await change(password, 'wrong horse battery'), 204)
  const alive = async (cookie: string) => (await visit(server, 'GET', '/web/me', { cookie })).status
  assert.deepEqual([await alive(here), await alive(there)], [200, 401])
  const signIn = async (word: string) =>
    (await visit(server, 'POST', '/web/sign-in', { body: { name: 'alice', password: word } })).status
  assert.deepEqual([await signIn(password), await signIn('wrong horse battery')], [401, 200])
})

test('a sign-in that began with the old password is over before it begins when the password changes', async (t) => {
  const server = await startTestServer(t)
  await setUp(server)
  const before = await server.db.selectFrom('web_sessions').select('token_hash').execute()
  // Holds the sign-in up between the password, which it has proved, and the session.
  const signedIn = await server.db.transaction().execute(async (tx) => {
    await sql`lock table memberships in access exclusive mode`.execute(tx)
    const waiting = visit(server, 'POST', '/web/sign-in', { body: { name: 'alice', password } })
    await until('the sign-in waits', async () => {
      const { rows } = await sql`
        select 1 from pg_locks where not granted and relation = 'memberships'::regclass`.execute(server.db)
      return rows.length > 0
    })
    await endSessionsOf(tx, (await findPerson(tx, 'alice'))?.id ?? '')
    return { waiting }
  })
  const { status, cookie } = await signedIn.waiting
  assert.deepEqual([status, cookie], [401, ''])
  assert.equal(before.length, 1)
  assert.deepEqual(await server.db.selectFrom('web_sessions').selectAll().execute(), [])
})
