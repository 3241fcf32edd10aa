import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type ApiCheck, routes } from '@vedette/schema'
import { alertsOf, makeCheck, makeDue, resultsOf } from '../testing/checks.ts'
import { type FakeRunner, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const SILENCE = { networkError: true, statusCode: null, phases: null, error: 'connect ETIMEDOUT' }

interface TwoPlaces {
  server: TestServer
  /** Serves us-east-1 from the installation’s own machine. */
  here: FakeRunner
  /** Serves eu-west-1. */
  there: FakeRunner
  check: ApiCheck
}

async function twoPlaces(t: TestContext, env: Record<string, string> = {}): Promise<TwoPlaces> {
  const server = await startTestServer(t, { env })
  const here = await signInRunner(server)
  const { rawKey } = await server.call(routes.createDataCenterKey, { params: { region: 'eu-west-1' } })
  const there = await signInRunner(server, rawKey)
  return { server, here, there, check: await makeCheck(server, { locations: ['us-east-1', 'eu-west-1'] }) }
}

/** Oldest first: type, verdict in one word, location. */
async function storyOf({ server, check }: TwoPlaces): Promise<string[]> {
  const results = (await resultsOf(server, check)).toReversed()
  return results.map(({ resultType, runLocation, hasFailures, hasErrors }) => {
    const verdict = hasErrors ? 'error' : hasFailures ? 'failed' : 'passed'
    return `${resultType} ${verdict} ${runLocation}`
  })
}

test('a first silence that another place confirms counts once, from the moment at which it was seen', async (t) => {
  const places = await twoPlaces(t)
  const { server, here, there, check } = places
  await makeDue(server, check)
  const first = await here.leaseOne()
  const startedAtMs = Date.now() - 5000
  await here.report(first, 'failed', { ...SILENCE, startedAtMs })
  assert.deepEqual(await alertsOf(server, check), [])
  await there.report(await there.leaseOne(), 'failed', SILENCE)
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  assert.deepEqual(await storyOf(places), ['ATTEMPT failed us-east-1', 'FINAL failed eu-west-1'])
  const { since } = await server.db.selectFrom('check_states').select('since').executeTakeFirstOrThrow()
  assert.equal(since.getTime(), startedAtMs)
})

test('a silence that another place contradicts does not count; the next one of that place does', async (t) => {
  const places = await twoPlaces(t)
  const { server, here, there, check } = places
  await makeDue(server, check)
  await here.report(await here.leaseOne(), 'failed', SILENCE)
  await there.report(await there.leaseOne(), 'passed')
  assert.deepEqual(await alertsOf(server, check), [])
  await makeDue(server, check)
  await there.report(await there.leaseOne(), 'passed')
  await makeDue(server, check)
  await here.report(await here.leaseOne(), 'failed', SILENCE)
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  assert.deepEqual(await storyOf(places), [
    'ATTEMPT failed us-east-1',
    'FINAL passed eu-west-1',
    'FINAL passed eu-west-1',
    'FINAL failed us-east-1',
  ])
})

test('another place that is in trouble itself hides nothing: the first one looks again and is believed', async (t) => {
  const places = await twoPlaces(t)
  const { server, here, there, check } = places
  await makeDue(server, check)
  await here.report(await here.leaseOne(), 'failed', SILENCE)
  await there.report(await there.leaseOne(), 'error')
  await here.report(await here.leaseOne(), 'failed', SILENCE)
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  assert.equal((await storyOf(places)).at(-1), 'FINAL failed us-east-1')
})

test('nobody else is asked about an answer that is wrong, from the same machine, or where it is switched off', async (t) => {
  const places = await twoPlaces(t)
  const { server, here, check } = places
  await makeDue(server, check)
  await here.report(await here.leaseOne(), 'failed')
  assert.deepEqual(await storyOf(places), ['FINAL failed us-east-1'])
  const sameMachine = await makeCheck(server, { locations: ['us-east-1', 'us-west-1'] })
  await makeDue(server, sameMachine)
  await here.report(await here.leaseOne(), 'failed', SILENCE)
  assert.deepEqual(await alertsOf(server, sameMachine), ['ALERT_FAILURE'])

  const off = await twoPlaces(t, { SECOND_OPINION: 'off' })
  await makeDue(off.server, off.check)
  await off.here.report(await off.here.leaseOne(), 'failed', SILENCE)
  assert.deepEqual(await storyOf(off), ['FINAL failed us-east-1'])
})

const GONE = 'none of its control targets can be reached'

test('a location in quarantine leaves its runs to another place, and takes them again once it is well', async (t) => {
  const places = await twoPlaces(t)
  const { server, here, there, check } = places
  await here.sayCutOff(GONE)
  await makeDue(server, check)
  assert.deepEqual(await here.lease(), [])
  await there.report(await there.leaseOne(), 'passed')
  assert.deepEqual(await storyOf(places), ['FINAL passed eu-west-1'])
  await makeDue(server, check)
  await there.report(await there.leaseOne(), 'passed')

  await here.sayCutOff(null)
  await makeDue(server, check)
  await there.report(await there.leaseOne(), 'passed')
  await makeDue(server, check)
  assert.equal((await here.leaseOne()).location, 'us-east-1')
})

test('what only a quarantined location can run ends in error with the reason, never failed', async (t) => {
  const { server, here } = await twoPlaces(t)
  const check = await makeCheck(server, { locations: ['us-west-1'] })
  await here.sayCutOff(GONE)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await makeDue(server, check)
    await here.report(await here.leaseOne(), 'failed', SILENCE)
  }
  const [result] = await resultsOf(server, check)
  assert.deepEqual([result?.hasErrors, result?.hasFailures, result?.resultType], [true, false, 'FINAL'])
  assert.match(result?.errorMessage ?? '', /in quarantine: none of its control targets .*ETIMEDOUT/)
  assert.deepEqual(await alertsOf(server, check), [])
  await here.sayCutOff(null)
  await makeDue(server, check)
  await here.report(await here.leaseOne(), 'failed', SILENCE)
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
})

test('of two runners of a location the one that is well goes on, and the location is believed', async (t) => {
  const { server, there } = await twoPlaces(t)
  const beside = await signInRunner(server, there.key)
  const check = await makeCheck(server, { locations: ['eu-west-1'] })
  await there.sayCutOff(GONE)
  await makeDue(server, check)
  assert.deepEqual(await there.lease(), [])
  await beside.report(await beside.leaseOne(), 'passed')
  const ireland = (await server.call(routes.listLocations)).find(({ region }) => region === 'eu-west-1')
  assert.equal(ireland?.quarantine, null)
})

test('quarantine is told with the locations and the runners', async (t) => {
  const { server, here, there } = await twoPlaces(t)
  const office = await server.call(routes.createPrivateLocation, { body: { name: 'Office', slugName: 'office' } })
  const inOffice = await signInRunner(server, office.keys[0]?.rawKey)
  for (const runner of [here, inOffice]) await runner.sayCutOff(GONE)
  const locations = await server.call(routes.listLocations)
  const quarantines = new Map(locations.map(({ region, quarantine }) => [region, quarantine]))
  assert.deepEqual([quarantines.get('us-east-1'), quarantines.get('eu-west-1')], [GONE, null])
  assert.equal((await server.call(routes.listPrivateLocations))[0]?.quarantine, GONE)
  const { runners } = await server.call(routes.getOperations)
  const quarantined = runners.filter(({ quarantinedSince }) => quarantinedSince !== null).map(({ id }) => id)
  assert.deepEqual(quarantined.toSorted(), [here.id, inOffice.id].toSorted())
  assert.ok(!quarantined.includes(there.id))
})
