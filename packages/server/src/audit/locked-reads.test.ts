import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { startTestServer } from '../testing/test-server.ts'
import { lockedReads } from './locked-reads.ts'

const request = {
  method: 'GET' as const,
  url: 'http://shop.test/',
  headers: [{ key: 'authorization', value: 'Bearer 7', locked: true }],
}

test('whoever reads a locked value is noted once an hour for each thing, in lists too', async (t) => {
  const server = await startTestServer(t)
  const one = await server.call(routes.createApiCheck, { body: { name: 'One', request } })
  const two = await server.call(routes.createApiCheck, { body: { name: 'Two', request } })
  await server.call(routes.createApiCheck, { body: { name: 'Open', request: { ...request, headers: [] } } })
  const key = await server.keyFor('READ_WRITE')
  const noted = async (operation: string) => {
    const { entries } = await server.call(routes.listAuditLog, { query: { operation } })
    return entries.map(({ subject, actor }) => `${actor.name} ${subject}`).sort()
  }
  for (let i = 0; i < 3; i++) {
    await server.call(routes.getCheck, { key, params: { id: one.id } })
    await server.call(routes.listChecks, { key })
  }
  assert.deepEqual(await noted('GET /v1/checks/{id}'), [`READ_WRITE ${one.id}`])
  assert.deepEqual(await noted('GET /v1/checks'), [`READ_WRITE ${one.id}`, `READ_WRITE ${two.id}`].sort())
  await server.call(routes.getCheck, { key: await server.keyFor('READ_ONLY'), params: { id: one.id } })
  assert.equal((await noted('GET /v1/checks/{id}')).length, 1, 'who sees a mask has read nothing')
  await server.call(routes.getCheck, { params: { id: one.id } })
  assert.equal((await noted('GET /v1/checks/{id}')).length, 2)
  assert.deepEqual(await noted('GET /v1/audit-log'), [])
})

test('an hour later it is noted again', async (t) => {
  const { db, accountId } = await startTestServer(t)
  let nowMs = Date.UTC(2026, 0, 1)
  const note = lockedReads(db, () => nowMs)
  const caller = { accountId, role: 'OWNER', isOperator: false, userId: null, keyId: null, session: null } as const
  const answer = { headers: request.headers }
  const read = async () => {
    await note({ route: routes.getCheck, caller, address: '', subject: 'x', answer, text: JSON.stringify(answer) })
    return (await db.selectFrom('audit_log').select('id').execute()).length
  }
  const counts = [await read(), await read()]
  nowMs += 3_600_000
  assert.deepEqual([...counts, await read()], [1, 1, 2])
})
