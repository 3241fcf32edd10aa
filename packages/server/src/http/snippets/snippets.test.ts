import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { makeCheck } from '../../testing/checks.ts'
import { startTestServer } from '../../testing/test-server.ts'

const script = 'export const greet = () => "hello"\n'

test('a snippet is made, changed, listed in the order of its making and deleted', async (t) => {
  const server = await startTestServer(t)
  const made = await server.call(routes.createSnippet, { body: { name: 'log-in', script } })
  assert.deepEqual([made.name, made.script, made.updated_at], ['log-in', script, null])
  await server.call(routes.createSnippet, { body: { name: 'Log out (all)', script: ' ' } })
  const params = { id: made.id }
  const changed = await server.call(routes.updateSnippet, { params, body: { name: 'sign-in', script: 'x' } })
  assert.deepEqual([changed.name, changed.script, changed.created_at], ['sign-in', 'x', made.created_at])
  assert.notEqual(changed.updated_at, null)
  assert.deepEqual(await server.call(routes.getSnippet, { params }), changed)
  const { body, headers } = await server.send('GET', '/v1/snippets?limit=1')
  assert.deepEqual([body, headers.get('content-range')], [[changed], '0-0/2'])
  await server.call(routes.deleteSnippet, { params })
  for (const method of ['GET', 'DELETE'])
    assert.equal((await server.send(method, `/v1/snippets/${made.id}`)).status, 404)
  const { rows } = await sql<{ operation: string; subject: string }>`
    select operation, subject from audit_log order by id`.execute(server.db)
  assert.deepEqual(
    rows.map(({ operation, subject }) => [operation.split(' ')[0], subject]),
    [
      ['POST', String(made.id)],
      ['POST', String(made.id + 1)],
      ['PUT', String(made.id)],
      ['DELETE', String(made.id)],
    ],
  )
})

test('two snippets cannot be the same file', async (t) => {
  const server = await startTestServer(t)
  await server.call(routes.createSnippet, { body: { name: 'a', script } })
  const { id } = await server.call(routes.createSnippet, { body: { name: 'b', script } })
  assert.equal((await server.send('POST', '/v1/snippets', { body: { name: 'a', script } })).status, 409)
  assert.equal((await server.send('PUT', `/v1/snippets/${id}`, { body: { name: 'a', script } })).status, 409)
  assert.equal(
    (await server.call(routes.updateSnippet, { params: { id }, body: { name: 'b', script: 'y' } })).script,
    'y',
  )
})

test('a snippet that a check uses is not deleted', async (t) => {
  const server = await startTestServer(t)
  for (const field of ['setupSnippetId', 'tearDownSnippetId'] as const) {
    const { id } = await server.call(routes.createSnippet, { body: { name: field, script } })
    const check = await makeCheck(server, { [field]: id })
    assert.equal((await server.send('DELETE', `/v1/snippets/${id}`)).status, 409, field)
    await server.call(routes.updateApiCheck, { params: { id: check.id }, body: { [field]: null } })
    assert.equal((await server.send('DELETE', `/v1/snippets/${id}`)).status, 204, field)
  }
})

test('a snippet that a group uses is not deleted', async (t) => {
  const server = await startTestServer(t)
  const { id } = await server.call(routes.createSnippet, { body: { name: 'log-in', script } })
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shop', tearDownSnippetId: id } })
  assert.equal((await server.send('DELETE', `/v1/snippets/${id}`)).status, 409)
  await server.call(routes.deleteCheckGroup, { params: { id: group.id } })
  assert.equal((await server.send('DELETE', `/v1/snippets/${id}`)).status, 204)
  const refused = await server.send('POST', '/v2/check-groups', { body: { name: 'Shop', setupSnippetId: id } })
  assert.deepEqual(Reflect.get(Object(refused.body), 'validation'), { source: 'payload', keys: ['setupSnippetId'] })
})

test('a check cannot use a snippet that its account does not have', async (t) => {
  const server = await startTestServer(t)
  const stranger = await server.keyFor('OWNER', await server.addAccount())
  const theirs = await server.call(routes.createSnippet, { body: { name: 'a', script }, key: stranger })
  const request = { method: 'GET', url: 'http://shop.test/' }
  for (const [field, id] of [
    ['setupSnippetId', theirs.id],
    ['tearDownSnippetId', 2_000_000_000],
  ] as const) {
    const refused = await server.send('POST', '/v1/checks/api', { body: { name: 'Shop', request, [field]: id } })
    assert.equal(refused.status, 400)
    assert.deepEqual(Reflect.get(Object(refused.body), 'validation'), { source: 'payload', keys: [field] })
  }
})

const names = [
  '',
  '.',
  '..',
  '../x',
  'a/b',
  'a\\b',
  'c:',
  'a*',
  'a?',
  '"a"',
  'a<b',
  'a|b',
  '.hidden',
  ' a',
  'a ',
  'a.',
  'a\nb',
  'a\u202eb',
  'x'.repeat(101),
]

test('a name that is no file name is refused', async (t) => {
  const server = await startTestServer(t)
  for (const body of [...names.map((name) => ({ name, script })), { script }]) {
    const { status, body: answer } = await server.send('POST', '/v1/snippets', { body })
    assert.equal(status, 400, JSON.stringify(body))
    assert.deepEqual(Reflect.get(Object(answer), 'validation'), { source: 'payload', keys: ['name'] })
  }
  for (const body of [{ name: 'a' }, { name: 'a', script: '' }])
    assert.equal((await server.send('POST', '/v1/snippets', { body })).status, 400)
  assert.deepEqual(await server.call(routes.listSnippets), [])
})

test('a long script fits', async (t) => {
  const server = await startTestServer(t)
  const long = '// '.padEnd(2 * 1024 * 1024, 'x')
  assert.equal((await server.call(routes.createSnippet, { body: { name: 'long', script: long } })).script, long)
})
