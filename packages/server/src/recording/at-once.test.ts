import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { endLateSessions } from '../scheduling/late-sessions.ts'
import { freeLostLeases } from '../scheduling/lease-store.ts'
import { makeCheck, makeDue } from '../testing/checks.ts'
import { aReport, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer } from '../testing/test-server.ts'

test('people and runners who work on the same checks at the same moment do not block each other', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const checks = await Promise.all(Array.from({ length: 12 }, (_, no) => makeCheck(server, { name: `Check ${no}` })))
  for (let round = 0; round < 6; round += 1) {
    await Promise.all(checks.map((check) => makeDue(server, check)))
    const runs = await runner.lease()
    const shuffled = runs.toSorted(() => Math.random() - 0.5)
    const half = Math.ceil(shuffled.length / 2)
    await server.db
      .updateTable('check_sessions')
      .set({ deadline_at: new Date(0) })
      .execute()
    await Promise.all([
      runner.reportAll(shuffled.slice(0, half).map((run) => aReport(run, 'failed', { error: `failure ${round}` }))),
      ...shuffled.slice(half).map((run) => runner.report(run, 'failed', { error: `failure ${round}` })),
      ...checks.map(({ id }, no) =>
        server.call(routes.updateApiCheck, {
          params: { id },
          body: no % 3 === round % 3 ? { activated: false } : { activated: true, name: `Changed ${round}` },
        }),
      ),
      server.call(routes.triggerSessions, { body: {} }),
      freeLostLeases(server.db, 0),
      endLateSessions(server.db),
    ])
  }
  for (const { id } of checks) {
    await makeDue(server, { id })
    const runs = await runner.lease()
    await Promise.all([
      ...runs.map((run) => runner.report(run, 'failed')),
      server.call(routes.deleteCheck, { params: { id } }),
      server.call(routes.updateApiCheck, { params: { id }, body: { activated: true } }).catch(() => undefined),
    ])
  }
  assert.deepEqual(server.log, [])
})
