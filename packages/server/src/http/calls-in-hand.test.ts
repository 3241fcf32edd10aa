import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { lockConfiguration } from '../checks/store.ts'
import { makeCheck } from '../testing/checks.ts'
import { someoneWaits } from '../testing/someone-waits.ts'
import { startTestServer } from '../testing/test-server.ts'
import { until } from '../testing/until.ts'

test('a server that stops lets a change that has begun be made and answered', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  let stopped: Promise<void> | undefined
  const changed = await server.db.transaction().execute(async (tx) => {
    await lockConfiguration(tx, server.accountId)
    const answer = server.send('PUT', `/v1/checks/api/${check.id}`, { body: { name: 'Changed at the last moment' } })
    await until('the change waits', () => someoneWaits(server.db))
    stopped = server.stop()
    return { answer }
  })
  const { status, body } = await changed.answer
  assert.deepEqual([status, Reflect.get(Object(body), 'name')], [200, 'Changed at the last moment'])
  await stopped
  assert.deepEqual(server.log, [])
})

test('whoever waits for a run while the server stops is told at once to ask again', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const { sessions } = await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const { token } = await server.call(routes.createCheckTrigger, { params: { checkId: check.id } })
  const session = server.send('GET', `/v1/check-sessions/${sessions[0]?.checkSessionId}/completion`)
  const trigger = server.send('GET', `/checks/${check.id}/trigger/${token}`, { key: null })
  await until('the trigger has planned its run', async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from check_sessions`.execute(server.db)
    return rows[0]?.count === 2
  })
  const askedAt = performance.now()
  await server.stop()
  const took = performance.now() - askedAt
  const answers = await Promise.all([session, trigger])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [408, 503],
  )
  assert.match(JSON.stringify(answers[1].body), /stopping/)
  // They would have waited half a minute, and the stop for its patience.
  assert.ok(took < 4000, `${took} ms`)
  assert.deepEqual(server.log, [])
})
