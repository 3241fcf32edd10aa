import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { claimRequest, forgetOldRequests, markDone } from './store.ts'

const path = '/v1/service-keys'
const body = { name: 'ci', role: 'READ_RUN' }

function post(server: TestServer, key: string, more: { body?: unknown; key?: string; path?: string } = {}) {
  const options = { body: more.body ?? body, headers: { 'idempotency-key': key } }
  return server.send('POST', more.path ?? path, more.key === undefined ? options : { ...options, key: more.key })
}

async function countKeys({ db }: TestServer): Promise<number> {
  return (await db.selectFrom('api_keys').select('id').where('name', '=', 'ci').execute()).length
}

test('a create that is sent again is carried out once and answered alike, with the secret that is shown once', async (t) => {
  const server = await startTestServer(t)
  const first = await post(server, 'one')
  const again = await post(server, 'one')
  assert.equal(first.status, 201)
  assert.deepEqual([again.status, again.body], [201, first.body])
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'))
  assert.deepEqual(
    [first, again].map(({ headers }) => headers.get('idempotency-replayed')),
    [null, 'true'],
  )
  assert.equal(await countKeys(server), 1)
  assert.equal((await post(server, 'two')).status, 201)
  assert.equal(await countKeys(server), 2)
})

test('what is kept tells nothing without the key of the request and that of the caller', async (t) => {
  const server = await startTestServer(t)
  const { body: made } = await post(server, 'a-key-to-repeat-with')
  const secret = String(Reflect.get(Object(made), 'rawKey'))
  const rows = await server.db.selectFrom('idempotency_keys').selectAll().execute()
  const dump = JSON.stringify(
    rows.map((row) => Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value))),
  )
  assert.ok(dump.length > 100)
  for (const hidden of [secret, secret.slice(3), 'a-key-to-repeat-with', 'READ_RUN', '"ci"'])
    assert.ok(!dump.includes(hidden), hidden)
})

test('the same key for another body is refused with the name of the header, and nothing is made', async (t) => {
  const server = await startTestServer(t)
  await post(server, 'one')
  const other = await post(server, 'one', { body: { ...body, role: 'READ_ONLY' } })
  assert.equal(other.status, 422)
  assert.deepEqual(Reflect.get(Object(other.body), 'validation'), { source: 'headers', keys: ['idempotency-key'] })
  assert.equal(await countKeys(server), 1)
  const elsewhere = await post(server, 'one', {
    path: '/v1/checks/api',
    body: { name: 'Shop', request: { url: 'http://shop.test/' } },
  })
  assert.equal(elsewhere.status, 201, 'another operation has keys of its own')
})

test('callers do not see each other’s answers', async (t) => {
  const server = await startTestServer(t)
  const first = await post(server, 'one')
  const colleague = await post(server, 'one', { key: await server.keyFor('ADMIN') })
  assert.equal(colleague.status, 201)
  assert.notDeepEqual(colleague.body, first.body)
})

test('a request that was refused may be tried again with the same key', async (t) => {
  const server = await startTestServer(t)
  const slug = { name: 'Cellar', slugName: 'cellar' }
  const create = (key: string) => post(server, key, { path: '/v1/private-locations', body: slug })
  await create('first')
  assert.equal((await create('second')).status, 409)
  await server.db.deleteFrom('locations').where('slug', '=', 'cellar').execute()
  assert.equal((await create('second')).status, 201)
  assert.equal((await post(server, 'third', { body: { name: '' } })).status, 400)
  assert.equal((await post(server, 'third')).status, 201)
})

test('of many tries at the same moment one is carried out', async (t) => {
  const server = await startTestServer(t)
  const seen = await Promise.all(Array.from({ length: 8 }, () => post(server, 'one')))
  assert.ok(seen.every(({ status }) => status === 201 || status === 409))
  assert.ok(seen.some(({ status }) => status === 201))
  assert.equal(await countKeys(server), 1)
})

test('a claim whose holder died before the change lapses', async (t) => {
  const server = await startTestServer(t)
  const claim = { claim: randomUUID(), done: false, status: null, answer: null, subject: null }
  await post(server, 'one')
  // As a crash before the change leaves it.
  await server.db.deleteFrom('api_keys').where('name', '=', 'ci').execute()
  await server.db.updateTable('idempotency_keys').set(claim).execute()
  const waiting = await post(server, 'one')
  assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [409, '1'])
  await server.db
    .updateTable('idempotency_keys')
    .set({ claimed_at: new Date(Date.now() - 61_000) })
    .execute()
  assert.equal((await post(server, 'one')).status, 201)
  assert.equal(await countKeys(server), 1)
})

test('a holder that was only slow cannot finish what another one has taken over', async (t) => {
  const { db, accountId } = await startTestServer(t)
  const [keyHash, requestHash] = [Buffer.from('k'), Buffer.from('r')]
  const [slow, next] = [randomUUID(), randomUUID()].map((id) => ({ id, accountId, keyHash, requestHash }))
  assert.ok(slow && next)
  assert.equal(await claimRequest(db, slow, 60_000), null)
  assert.notEqual(await claimRequest(db, next, 60_000), null)
  assert.equal(await claimRequest(db, next, -1), null)
  assert.deepEqual([await markDone(db, slow, 's'), await markDone(db, next, 'n')], [false, true])
})

test('after a crash between the change and its answer a repeat is told what was made', async (t) => {
  const server = await startTestServer(t)
  const { body: made } = await post(server, 'one')
  await server.db
    .updateTable('idempotency_keys')
    .set({ status: null, answer: null, claimed_at: new Date(Date.now() - 61_000) })
    .execute()
  const again = await post(server, 'one')
  assert.equal(again.status, 409)
  assert.ok(String(Reflect.get(Object(again.body), 'message')).includes(String(Reflect.get(Object(made), 'id'))))
  assert.equal(await countKeys(server), 1)
})

test('a key that cannot be one is refused, and one without effect is not looked at', async (t) => {
  const server = await startTestServer(t)
  for (const key of ['', ' ', 'two words', 'x'.repeat(256)]) {
    const { status, body: refusal } = await post(server, key)
    assert.equal(status, 400, key)
    assert.deepEqual(Reflect.get(Object(refusal), 'validation'), { source: 'headers', keys: ['idempotency-key'] })
  }
  const headers = { 'idempotency-key': 'two words' }
  assert.equal((await server.send('GET', '/v1/checks', { headers })).status, 200)
})

test('after a day a key is forgotten', async (t) => {
  const server = await startTestServer(t)
  await post(server, 'one')
  await forgetOldRequests(server.db)
  assert.equal((await post(server, 'one')).headers.get('idempotency-replayed'), 'true')
  await server.db
    .updateTable('idempotency_keys')
    .set({ created_at: new Date(Date.now() - 86_401_000) })
    .execute()
  await forgetOldRequests(server.db)
  assert.equal((await post(server, 'one')).headers.get('idempotency-replayed'), null)
})
