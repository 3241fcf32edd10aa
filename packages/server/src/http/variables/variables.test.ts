import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const CANARY = 'canary-7f3a'

function create(server: TestServer, body: Record<string, unknown>) {
  return server.send('POST', '/v1/variables', { body })
}

async function auditOf(server: TestServer): Promise<string> {
  const { rows } = await sql`select operation, subject, before::text, after::text from audit_log order by id`.execute(
    server.db,
  )
  return JSON.stringify(rows)
}

test('a variable is answered with four fields, a secret never with its value', async (t) => {
  const server = await startTestServer(t)
  const bodies = [{}, { locked: true }, { secret: true }, { locked: true, secret: true }]
  for (const [index, flags] of bodies.entries()) {
    const { status, body } = await create(server, { key: `K${index}`, value: CANARY, ...flags })
    assert.equal(status, 201)
    const secret = flags.secret ?? false
    const expected = { key: `K${index}`, value: secret ? null : CANARY, locked: flags.locked ?? false, secret }
    assert.deepEqual(body, expected)
    assert.deepEqual(await server.call(routes.getVariable, { params: { key: `K${index}` } }), expected)
  }
  const listed = await server.call(routes.listVariables)
  assert.deepEqual(
    listed.map(({ key, value }) => [key, value]),
    [
      ['K0', CANARY],
      ['K1', CANARY],
      ['K2', null],
      ['K3', null],
    ],
  )
})

test('a locked value is shown to those who may write, and to nobody else', async (t) => {
  const server = await startTestServer(t)
  await create(server, { key: 'TOKEN', value: CANARY, locked: true })
  await create(server, { key: 'PLAIN', value: 'plain' })
  for (const role of ['OWNER', 'ADMIN', 'READ_WRITE', 'READ_RUN', 'READ_ONLY'] as const) {
    const key = await server.keyFor(role)
    const { value } = await server.call(routes.getVariable, { params: { key: 'TOKEN' }, key })
    assert.equal(value, role.startsWith('READ_') && role !== 'READ_WRITE' ? '********' : CANARY, role)
    const listed = await server.call(routes.listVariables, { key })
    assert.deepEqual(
      listed.map((variable) => variable.value),
      [value, 'plain'],
    )
  }
})

test('neither the database nor the audit log holds a locked or secret value', async (t) => {
  const server = await startTestServer(t)
  await create(server, { key: 'LOCKED', value: CANARY, locked: true })
  await create(server, { key: 'SECRET', value: CANARY, secret: true })
  await server.call(routes.updateVariable, { params: { key: 'SECRET' }, body: { value: `${CANARY}-2` } })
  await server.call(routes.deleteVariable, { params: { key: 'LOCKED' } })
  const { rows } = await sql`select v::text from variables v`.execute(server.db)
  const audit = await auditOf(server)
  assert.ok(!JSON.stringify(rows).includes('canary'))
  assert.ok(!audit.includes('canary'))
  assert.equal(audit.match(/\/v1\/variables/g)?.length, 4)
})

test('an update keeps what it does not name, and a secret stays one', async (t) => {
  const server = await startTestServer(t)
  await create(server, { key: 'A', value: 'one', locked: true })
  const update = (body: { value: string; locked?: boolean; secret?: boolean }) =>
    server.call(routes.updateVariable, { params: { key: 'A' }, body })
  assert.deepEqual(await update({ value: 'two' }), { key: 'A', value: 'two', locked: true, secret: false })
  assert.deepEqual(await update({ value: 'two', locked: false }), {
    key: 'A',
    value: 'two',
    locked: false,
    secret: false,
  })
  const secret = { key: 'A', value: null, locked: false, secret: true }
  assert.deepEqual(await update({ value: 'three', secret: true }), secret)
  assert.deepEqual(await update({ value: 'four', secret: false }), secret)
  const gone = await server.send('PUT', '/v1/variables/B', { body: { value: 'x' } })
  assert.equal(gone.status, 404)
})

test('a key is unique in its account and free in others', async (t) => {
  const server = await startTestServer(t)
  assert.equal((await create(server, { key: 'HOST', value: 'a' })).status, 201)
  assert.equal((await create(server, { key: 'HOST', value: 'b' })).status, 409)
  const stranger = await server.keyFor('OWNER', await server.addAccount())
  const theirs = await server.send('POST', '/v1/variables', { key: stranger, body: { key: 'HOST', value: 'c' } })
  assert.equal(theirs.status, 201)
  assert.equal((await server.call(routes.getVariable, { params: { key: 'HOST' } })).value, 'a')
  await server.call(routes.deleteVariable, { params: { key: 'HOST' } })
  assert.equal((await server.send('DELETE', '/v1/variables/HOST')).status, 404)
  assert.equal((await server.call(routes.getVariable, { params: { key: 'HOST' }, key: stranger })).value, 'c')
})

const refused: [field: string, body: Record<string, unknown>][] = [
  ['key', { value: 'x' }],
  ['value', { key: 'A' }],
  ['value', { key: 'A', value: '' }],
  ['value', { key: 'A', value: 7 }],
  ['key', { key: '', value: 'x' }],
  ['key', { key: '1A', value: 'x' }],
  ['key', { key: 'A-B', value: 'x' }],
  ['key', { key: 'A B', value: 'x' }],
  ['key', { key: 'a'.repeat(201), value: 'x' }],
  ['locked', { key: 'A', value: 'x', locked: 'yes' }],
  ['secret', { key: 'A', value: 'x', secret: 1 }],
]

test('what is no variable is refused by the name of the field', async (t) => {
  const server = await startTestServer(t)
  for (const [field, body] of refused) {
    const { status, body: answer } = await create(server, body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.deepEqual(Reflect.get(Object(answer), 'validation'), { source: 'payload', keys: [field] })
  }
  assert.deepEqual(await server.call(routes.listVariables), [])
  assert.equal((await create(server, { key: '_a1', value: 'x', stale: 1, id: '' })).status, 201)
})
