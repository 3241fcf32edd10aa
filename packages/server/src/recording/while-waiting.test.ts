import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCheckForUpdate } from '../checks/store.ts'
import { alertsOf, makeCheck, makeDue, plannedFor } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { someoneWaits } from '../testing/someone-waits.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { until } from '../testing/until.ts'
import { recordGivenUp } from './record-reports.ts'

/** Silences the check as an update does, once the work that was begun meanwhile waits for the update. */
async function silenceBefore(server: TestServer, id: string, begin: () => Promise<unknown>): Promise<void> {
  const begun: Promise<unknown>[] = []
  await server.db.transaction().execute(async (tx) => {
    await findCheckForUpdate(tx, server.accountId, id)
    begun.push(begin())
    await until('it waits for the update', () => someoneWaits(server.db))
    await tx.updateTable('checks').set({ effective_muted: true }).where('id', '=', id).execute()
  })
  await Promise.all(begun)
}

test('a report that waited for a change of its check is judged by the changed settings', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  const run = await runner.leaseOne()
  await silenceBefore(server, check.id, () => runner.report(run, 'failed'))
  assert.deepEqual(await alertsOf(server, check), [])
  const [state] = await server.db.selectFrom('check_states').select('state').execute()
  assert.equal(state?.state, 'failing')
})

test('a run that is given up while its check is changed is judged by the changed settings', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { runParallel: true, locations: ['us-east-1', 'eu-west-1'] })
  await makeDue(server, check)
  const [here] = await runner.lease()
  assert.ok(here !== undefined)
  await runner.report(here, 'failed')
  const [{ no: checkNo } = { no: 0 }] = await server.db.selectFrom('checks').select('no').execute()
  const following = Math.max(...(await plannedFor(server, check)).map(({ dueAtMs }) => dueAtMs))
  await server.db
    .updateTable('schedule')
    .set({ lease_id: null, runner_id: null, check_run_id: null, due_at: new Date(following) })
    .where('lease_id', 'is not', null)
    .execute()
  await silenceBefore(server, check.id, () =>
    server.db
      .transaction()
      .execute((tx) => recordGivenUp(tx, server.recording, [{ checkNo, checkRunId: here.dueAtMs }])),
  )
  assert.deepEqual(await alertsOf(server, check), [])
  const [state] = await server.db.selectFrom('check_states').select('state').execute()
  assert.equal(state?.state, 'failing')
})
