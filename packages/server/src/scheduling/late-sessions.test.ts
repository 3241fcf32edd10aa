import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { startTestServer } from '../testing/test-server.ts'
import { endLateSessions } from './late-sessions.ts'

test('a session whose time is up ends, its runs are not wanted any more, and whoever waits hears of it', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { runParallel: true, locations: ['us-east-1', 'eu-west-1'] })
  const { sessions } = await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const params = { checkSessionId: sessions[0]?.checkSessionId ?? '' }
  const [one, other] = await runner.lease()
  assert.ok(one !== undefined && other !== undefined)
  await runner.report(one, 'passed')
  const waiting = server.call(routes.awaitSession, { params })

  await endLateSessions(server.db)
  assert.equal((await server.call(routes.getSession, { params })).status, 'PROGRESS')
  await server.db
    .updateTable('check_sessions')
    .set({ deadline_at: new Date(Date.now() - 1000) })
    .execute()
  await endLateSessions(server.db)
  assert.equal((await waiting).status, 'TIMED_OUT')
  assert.equal((await runner.report(other, 'failed')).accepted, 0)
  assert.equal((await server.call(routes.getSession, { params })).status, 'TIMED_OUT')
})
