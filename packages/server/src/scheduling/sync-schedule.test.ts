import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiCheckUpdate, routes } from '@vedette/schema'
import { makeCheck, makeDue, plannedFor, resultsOf } from '../testing/checks.ts'
import { type FakeRunner, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { FIRST_RUN_DELAY_MS } from './lanes.ts'

const MINUTE_MS = 60_000

function change(server: TestServer, { id }: { id: string }, body: ApiCheckUpdate) {
  return server.call(routes.updateApiCheck, { params: { id }, body })
}

/** Runs what is planned next and says where it was. */
async function runOnce(server: TestServer, runner: FakeRunner, check: { id: string }): Promise<string> {
  await makeDue(server, check)
  const run = await runner.leaseOne()
  await runner.report(run, 'passed')
  return run.location
}

test('a check that is switched off has nothing planned; switched on again, it runs at once and knows no alert', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  await change(server, check, { activated: false })
  assert.deepEqual(await plannedFor(server, check), [])

  await change(server, check, { activated: true })
  const [planned] = await plannedFor(server, check)
  assert.ok((planned?.dueAtMs ?? Number.POSITIVE_INFINITY) < Date.now() + FIRST_RUN_DELAY_MS + 500)
  const [state] = await server.db
    .selectFrom('check_states')
    .select(['state', 'notified_failure', 'has_failures'])
    .execute()
  assert.deepEqual(state, { state: 'passing', notified_failure: false, has_failures: true })
})

test('what a runner brings of a check that was switched off meanwhile is dropped', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  const run = await runner.leaseOne()
  await change(server, check, { activated: false })
  assert.equal((await runner.report(run, 'failed')).accepted, 0)
  assert.deepEqual(await resultsOf(server, check), [])
})

test('a check without any location is kept, and nothing is planned for it', async (t) => {
  const server = await startTestServer(t)
  assert.deepEqual(await plannedFor(server, await makeCheck(server, { locations: [] })), [])
})

test('another frequency counts at once, and the next run is at a slot of the new one', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { frequency: 1, frequencyOffset: 5 })
  await runOnce(server, runner, check)
  const dueAtMs = async () => (await plannedFor(server, check))[0]?.dueAtMs ?? 0

  await change(server, check, { frequency: 60, frequencyOffset: 100 })
  const hourly = (await dueAtMs()) % (60 * MINUTE_MS)
  assert.ok(hourly >= 10 * MINUTE_MS && hourly < 10 * MINUTE_MS + 6000, `${hourly}`)

  await change(server, check, { frequency: 1, frequencyOffset: 5 })
  assert.ok((await dueAtMs()) <= Date.now() + MINUTE_MS)

  const before = await dueAtMs()
  await change(server, check, { name: 'Another name' })
  assert.equal(await dueAtMs(), before)
})

test('a check that was changed before its first run still runs at once', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { frequency: 10 })
  await change(server, check, { frequency: 1440, frequencyOffset: 3 })
  const [planned] = await plannedFor(server, check)
  assert.ok((planned?.dueAtMs ?? Number.POSITIVE_INFINITY) < Date.now() + FIRST_RUN_DELAY_MS + 500)
})

test('another list of locations starts the rotation anew, and keeps a run in hand where it is', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { locations: ['us-east-1', 'eu-west-1', 'ap-south-1'] })
  assert.equal(await runOnce(server, runner, check), 'us-east-1')
  await change(server, check, { locations: ['sa-east-1', 'eu-west-1'] })
  assert.equal(await runOnce(server, runner, check), 'sa-east-1')
  assert.equal(await runOnce(server, runner, check), 'eu-west-1')

  await makeDue(server, check)
  const inHand = await runner.leaseOne()
  await change(server, check, { locations: ['me-south-1', 'us-west-1'] })
  assert.equal((await runner.report(inHand, 'passed')).accepted, 1)
  assert.equal((await resultsOf(server, check))[0]?.runLocation, inHand.location)
  assert.equal(await runOnce(server, runner, check), 'me-south-1')
})

test('a change that leaves the locations alone leaves the rotation alone', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { locations: ['us-east-1', 'eu-west-1'] })
  await runOnce(server, runner, check)
  await change(server, check, { name: 'Another name' })
  assert.equal(await runOnce(server, runner, check), 'eu-west-1')
})

test('a parallel check gains and loses the lanes of its locations, and a new one begins at the next slot', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { runParallel: true, locations: ['us-east-1', 'eu-west-1'] })
  await makeDue(server, check)
  for (const run of await runner.lease()) await runner.report(run, 'passed')
  await change(server, check, { locations: ['eu-west-1', 'ap-south-1'] })
  const planned = await plannedFor(server, check)
  assert.deepEqual(
    planned.map(({ location }) => location),
    ['eu-west-1', 'ap-south-1'],
  )
  assert.equal(new Set(planned.map(({ dueAtMs }) => dueAtMs)).size, 1)
})

test('the first run is not made when somebody runs the check before', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { frequency: 1440 })
  assert.deepEqual(await runner.lease({ horizonMs: 2500 }), [], 'a runner that looks ahead does not have it yet')
  await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const runs = await runner.lease({ horizonMs: FIRST_RUN_DELAY_MS + 1000 })
  assert.deepEqual(
    runs.map(({ keepDetail }) => keepDetail),
    [true],
  )
})
