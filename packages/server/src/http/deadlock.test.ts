import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { makeCheck } from '../testing/checks.ts'
import { someoneWaits } from '../testing/someone-waits.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { until } from '../testing/until.ts'

/**
 * Takes what the call needs second, lets it take the first, and wants that as well. PostgreSQL undoes one of the two:
 * whoever has waited for a second when it looks.
 */
async function crossWith(server: TestServer, id: string, name: string) {
  const calls: ReturnType<TestServer['send']>[] = []
  const undone = await server.db
    .transaction()
    .execute(async (tx) => {
      await sql`select from check_states for update`.execute(tx)
      calls.push(server.send('PUT', `/v1/checks/api/${id}`, { body: { name } }))
      await until('the call waits', () => someoneWaits(server.db))
      await sql`select from accounts for update`.execute(tx)
      return 'the call' as const
    })
    .catch((error: unknown) => {
      if (Reflect.get(Object(error), 'code') !== '40P01') throw error
      return 'the test' as const
    })
  const [answer] = await Promise.all(calls)
  return { undone, answer }
}

test('a call whose transaction was undone to end a deadlock is carried out all the same, once', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeCheck(server)
  let met = false
  for (let round = 1; round <= 5 && !met; round += 1) {
    const { undone, answer } = await crossWith(server, id, `Name ${round}`)
    assert.equal(answer?.status, 200, `${undone} was undone`)
    met = undone === 'the call'
    assert.equal((await server.call(routes.getCheck, { params: { id } })).name, `Name ${round}`)
    const { rows } = await sql`select from audit_log where operation like 'PUT%'`.execute(server.db)
    assert.equal(rows.length, round)
  }
  assert.ok(met, 'the call was never the one that is undone')
  assert.deepEqual(server.log, [])
})
