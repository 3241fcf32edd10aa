import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck, makeDue, plannedFor } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { startTestServer } from '../testing/test-server.ts'
import { restoreLostLanes } from './lost-lanes.ts'

test('a check that has lost its place in the schedule runs again; others are left alone', async (t) => {
  const server = await startTestServer(t)
  const lost = await makeCheck(server)
  const well = await makeCheck(server)
  await makeCheck(server, { activated: false })
  await makeCheck(server, { locations: [] })
  await server.call(routes.createBrowserCheck, { body: { name: 'Browser', script: '' } })
  const planned = await plannedFor(server, well)
  await server.db
    .deleteFrom('schedule')
    .where('check_no', 'in', (eb) => eb.selectFrom('checks').select('no').where('id', '=', lost.id))
    .execute()
  assert.deepEqual(await restoreLostLanes(server.db, Date.now()), [lost.id])
  assert.equal((await plannedFor(server, lost)).length, 1)
  assert.deepEqual(await plannedFor(server, well), planned)
  assert.deepEqual(await restoreLostLanes(server.db, Date.now()), [])
})

test('a location is not deleted while a run in it has not ended, so that no check loses its place', async (t) => {
  const server = await startTestServer(t)
  const location = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const check = await makeCheck(server, { locations: [], privateLocations: ['cellar'] })
  const runner = await signInRunner(server, location.keys[0]?.rawKey)
  await makeDue(server, check)
  const run = await runner.leaseOne()
  const body = { locations: ['us-east-1' as const], privateLocations: [] }
  await server.call(routes.updateApiCheck, { params: { id: check.id }, body })
  const path = `/v1/private-locations/${location.id}`
  assert.equal((await server.send('DELETE', path)).status, 409)
  await runner.report(run, 'passed')
  assert.equal((await server.send('DELETE', path)).status, 204)
  assert.deepEqual(
    (await plannedFor(server, check)).map((planned) => planned.location),
    ['us-east-1'],
  )
})
