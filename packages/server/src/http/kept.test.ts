import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { makeCheck } from '../testing/checks.ts'
import { startTestServer } from '../testing/test-server.ts'
import { until } from '../testing/until.ts'
import { Kept } from './kept.ts'

test('what was read while something changed is not kept', () => {
  const kept = new Kept<string>(10, 1000)
  kept.keep('a', 'old', 1, 2)
  assert.equal(kept.get('a', 2), undefined)
  kept.keep('a', 'new', 2, 2)
  assert.deepEqual([kept.get('a', 2), kept.get('a', 3), kept.get('a', null)], ['new', undefined, undefined])
  kept.keep('b', 'unheard', null, null)
  assert.equal(kept.get('b', null), undefined)
})

test('no more is kept than there is room for, and what is newest stays', () => {
  const kept = new Kept<number>(2, 1000)
  for (const [index, name] of ['a', 'b', 'c'].entries()) kept.keep(name, index, 1, 1)
  assert.deepEqual([kept.get('a', 1), kept.get('b', 1), kept.get('c', 1)], [undefined, 1, 2])
})

test('whoever changes something reads it changed, and so does everybody else', async (t) => {
  const server = await startTestServer(t)
  const other = await server.keyFor('READ_ONLY')
  const { id } = await makeCheck(server)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shop' } })
  const nameFor = async (key: string) => (await server.call(routes.getCheck, { params: { id }, key })).name
  for (let i = 0; i < 20; i++) {
    await Promise.all([nameFor(server.apiKey), nameFor(other)])
    const name = `Name ${i}`
    await server.call(routes.updateApiCheck, { params: { id }, body: { name, groupId: group.id } })
    assert.deepEqual([await nameFor(server.apiKey), await nameFor(other)], [name, name])
  }
  const readGroup = () => server.call(routes.getCheckGroup, { params: { id: group.id } })
  assert.deepEqual((await readGroup()).checks, [id])
  await server.call(routes.deleteCheck, { params: { id } })
  assert.deepEqual((await readGroup()).checks, [])
  assert.equal((await server.send('GET', `/v1/checks/${id}`)).status, 404)
})

test('a key that is deleted is refused at its next call', async (t) => {
  const server = await startTestServer(t)
  const { id, rawKey } = await server.call(routes.createServiceKey, { body: { name: 'Robot', role: 'READ_ONLY' } })
  assert.equal((await server.send('GET', '/v1/checks', { key: rawKey })).status, 200)
  await server.call(routes.deleteServiceKey, { params: { id } })
  assert.equal((await server.send('GET', '/v1/checks', { key: rawKey })).status, 401)
})

test('what another server has changed is heard of', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeCheck(server)
  const nameNow = async () => (await server.call(routes.getCheck, { params: { id } })).name
  assert.equal(await nameNow(), 'Shop')
  await sql`update checks set name = 'Elsewhere' where id = ${id}`.execute(server.db)
  assert.equal(await nameNow(), 'Shop', 'nobody has said anything')
  await sql`select pg_notify('changes', ${server.accountId})`.execute(server.db)
  await until('the change is heard of', async () => (await nameNow()) === 'Elsewhere')
})
