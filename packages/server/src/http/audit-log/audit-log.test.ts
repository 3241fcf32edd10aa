import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { startTestServer } from '../../testing/test-server.ts'
import { field, setUp, visit } from '../access/browser.fixture.ts'

test('the log says who did what from where, newest first, with what it was and what it is', async (t) => {
  const server = await startTestServer(t)
  const cookie = await setUp(server)
  await server.call(routes.updateMyAccount, { body: { name: 'Ours' } })
  await visit(server, 'PUT', '/v1/accounts/me', { cookie, body: { name: 'Mine' } })
  const service = await server.call(routes.createServiceKey, { body: { name: 'ci', role: 'ADMIN' } })
  // A key that ends itself is still named.
  await server.call(routes.deleteServiceKey, { key: service.rawKey, params: { id: service.id } })
  const { entries, length, nextId } = await server.call(routes.listAuditLog)
  assert.deepEqual([length, nextId], [4, null])
  assert.deepEqual(
    entries.map(({ operation, actor }) => [operation, actor.type, actor.name]),
    [
      ['DELETE /v1/service-keys/{id}', 'service-key', 'ci'],
      ['POST /v1/service-keys', 'key', 'Initial key'],
      ['PUT /v1/accounts/me', 'user', 'alice'],
      ['PUT /v1/accounts/me', 'key', 'Initial key'],
    ],
  )
  const [deleted, created, byPerson, byKey] = entries
  assert.deepEqual([deleted?.subject, deleted?.actor.userId, deleted?.after], [service.id, null, null])
  assert.deepEqual([created?.subject, created?.before], [service.id, null])
  assert.equal(byPerson?.actor.id, byKey?.actor.userId)
  assert.deepEqual([field(byKey?.before, 'name'), field(byKey?.after, 'name')], ['Main', 'Ours'])
  assert.match(byKey?.address ?? '', /127\.0\.0\.1$/)
})

test('the log is searched by time, operation, subject and person, page by page', async (t) => {
  const server = await startTestServer(t)
  const cookie = await setUp(server)
  for (let i = 0; i < 5; i++) await server.call(routes.updateMyAccount, { body: { name: `Name ${i}` } })
  const made = await server.call(routes.createServiceKey, {
    key: await server.keyFor('ADMIN'),
    body: { name: 'ci', role: 'ADMIN' },
  })
  const me = (await visit(server, 'GET', '/web/me', { cookie })).body
  const userId = String(field(field(me, 'user'), 'id'))
  const count = async (query: object) => (await server.call(routes.listAuditLog, { query })).length
  const now = Date.now() / 1000
  assert.deepEqual(
    [
      await count({}),
      await count({ operation: 'PUT /v1/accounts/me' }),
      await count({ subject: made.id }),
      await count({ userId }),
      await count({ from: String(now - 60), to: String(now + 60) }),
      await count({ to: String(now - 60) }),
      await count({ from: String(now + 60) }),
    ],
    [6, 5, 1, 5, 6, 0, 0],
  )
  const names: unknown[] = []
  let nextId: string | null = null
  do {
    const query: { limit: number; nextId?: string } = { limit: 2, ...(nextId === null ? {} : { nextId }) }
    const page: { entries: { after: unknown }[]; nextId: string | null } = await server.call(routes.listAuditLog, {
      query,
    })
    names.push(...page.entries.map(({ after }) => field(after, 'name')))
    nextId = page.nextId
  } while (nextId !== null)
  assert.deepEqual(names, ['ci', 'Name 4', 'Name 3', 'Name 2', 'Name 1', 'Name 0'])
  for (const query of ['nextId=x', 'from=yesterday', 'userId=7', 'limit=0'])
    assert.equal((await server.send('GET', `/v1/audit-log?${query}`)).status, 400, query)
})

test('the log of an account is for its administrators', async (t) => {
  const server = await startTestServer(t)
  await server.call(routes.updateMyAccount, { body: { name: 'Ours' } })
  const status = async (key: string) => (await server.send('GET', '/v1/audit-log', { key })).status
  assert.deepEqual(
    [await status(await server.keyFor('READ_WRITE')), await status(await server.keyFor('ADMIN'))],
    [403, 200],
  )
  const stranger = await server.keyFor('OWNER', await server.addAccount())
  assert.equal((await server.call(routes.listAuditLog, { key: stranger })).length, 0)
})

test('a run on demand is noted with its sessions', async (t) => {
  const server = await startTestServer(t)
  const check = await server.call(routes.createApiCheck, {
    body: { name: 'Shop', request: { method: 'GET', url: 'http://shop.test/' } },
  })
  const { sessions } = await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  await server.call(routes.listChecks)
  const { entries } = await server.call(routes.listAuditLog, {
    query: { operation: 'POST /v1/check-sessions/trigger' },
  })
  assert.deepEqual(
    entries.map(({ subject }) => subject),
    [sessions[0]?.checkSessionId],
  )
})
