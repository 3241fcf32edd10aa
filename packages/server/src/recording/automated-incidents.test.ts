import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiCheck, routes, type StatusPageIncident, type Verdict } from '@vedette/schema'
import { makeCheck, makeDue } from '../testing/checks.ts'
import { aReport, type FakeRunner, signInRunner } from '../testing/fake-runner.ts'
import { makeService } from '../testing/pages.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { followIncidents } from './automated-incidents.ts'

const TRIGGER = {
  severity: 'MAJOR',
  name: 'Shop is down',
  description: 'We look into it.',
  notifySubscribers: true,
} as const

async function aShop(t: Parameters<typeof startTestServer>[0]) {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const service = await makeService(server)
  const triggerIncident = { ...TRIGGER, serviceId: service.id }
  const check = await makeCheck(server, { triggerIncident })
  return { server, runner, service, check, triggerIncident }
}

async function ends(server: TestServer, runner: FakeRunner, check: ApiCheck, ...verdicts: Verdict[]): Promise<void> {
  for (const verdict of verdicts) {
    await makeDue(server, check)
    await runner.reportAll((await runner.lease()).map((run) => aReport(run, verdict)))
  }
}

async function incidents(server: TestServer): Promise<StatusPageIncident[]> {
  return (await server.call(routes.listStatusPageIncidents)).entries
}

/** The statuses of each incident, oldest first. */
async function told(server: TestServer): Promise<string[]> {
  const found = await incidents(server)
  return found.reverse().map(({ incidentUpdates }) =>
    incidentUpdates
      .map(({ status }) => status)
      .reverse()
      .join(' '),
  )
}

test('a failure that is told of opens an incident on the service, and the recovery closes it', async (t) => {
  const { server, runner, service, check } = await aShop(t)
  await ends(server, runner, check, 'passed', 'failed')
  const [open] = await incidents(server)
  assert.ok(open)
  assert.deepEqual(
    [open.name, open.severity, open.lastUpdateStatus, open.services.map(({ id }) => id)],
    ['Shop is down', 'MAJOR', 'INVESTIGATING', [service.id]],
  )
  const [first] = open.incidentUpdates
  assert.deepEqual([first?.description, first?.notifySubscribers], ['We look into it.', true])
  await ends(server, runner, check, 'failed', 'passed')
  assert.deepEqual(await told(server), ['INVESTIGATING RESOLVED'])
  assert.equal((await incidents(server))[0]?.incidentUpdates[0]?.notifySubscribers, true)
})

test('a check has one open at a time, opens another when it fails again, and says no more than once that it is over', async (t) => {
  const { server, runner, check } = await aShop(t)
  await ends(server, runner, check, 'failed', 'degraded', 'failed', 'passed', 'passed', 'failed')
  assert.deepEqual(await told(server), ['INVESTIGATING RESOLVED', 'INVESTIGATING'])
})

test('degradations, trouble of ours and muted checks open none; a check muted meanwhile closes its own', async (t) => {
  const { server, runner, check } = await aShop(t)
  const mute = (muted: boolean) => server.call(routes.updateApiCheck, { params: { id: check.id }, body: { muted } })
  await ends(server, runner, check, 'degraded', 'error', 'passed')
  await mute(true)
  await ends(server, runner, check, 'failed', 'passed')
  assert.deepEqual(await told(server), [])
  await mute(false)
  await ends(server, runner, check, 'failed')
  await mute(true)
  await ends(server, runner, check, 'passed')
  assert.deepEqual(await told(server), ['INVESTIGATING RESOLVED'])
})

test('what people closed is not closed again, and what they said to be later stays before the end', async (t) => {
  const { server, runner, check } = await aShop(t)
  const say = async (status: 'RESOLVED' | 'MONITORING', publicIncidentUpdateDate: string) =>
    server.call(routes.createIncidentUpdate, {
      params: { incidentId: (await incidents(server))[0]?.id ?? '' },
      body: { status, description: 'By hand.', notifySubscribers: false, publicIncidentUpdateDate },
    })
  const soon = new Date(Date.now() + 60_000).toISOString()
  await ends(server, runner, check, 'failed')
  await say('RESOLVED', soon)
  await ends(server, runner, check, 'passed', 'failed')
  await say('MONITORING', soon)
  await ends(server, runner, check, 'passed')
  assert.deepEqual(await told(server), ['INVESTIGATING RESOLVED', 'INVESTIGATING MONITORING RESOLVED'])
})

test('several turns of a check at once are taken in their order', async (t) => {
  const { server, check, triggerIncident } = await aShop(t)
  const { no, account_id } = await server.db
    .selectFrom('checks')
    .select(['no', 'account_id'])
    .where('id', '=', check.id)
    .executeTakeFirstOrThrow()
  const turns = (['opens', 'opens', 'closes', 'opens', 'closes', 'closes', 'opens'] as const).map((turn) => ({
    accountId: account_id,
    checkNo: no,
    turn,
    trigger: triggerIncident,
  }))
  await server.db.transaction().execute((tx) => followIncidents(tx, turns, server.recording.subscribers))
  assert.deepEqual((await told(server)).toSorted(), [
    'INVESTIGATING',
    'INVESTIGATING RESOLVED',
    'INVESTIGATING RESOLVED',
  ])
})

test('a service that is removed meanwhile keeps no result from being stored, and a removed check leaves its incident', async (t) => {
  const { server, runner, check, service } = await aShop(t)
  await ends(server, runner, check, 'failed')
  await server.call(routes.deleteCheck, { params: { id: check.id } })
  assert.deepEqual(await told(server), ['INVESTIGATING'])
  const gone = { accountId: '00000000-0000-0000-0000-000000000000', checkNo: 1, turn: 'opens' as const }
  await server.db
    .transaction()
    .execute((tx) =>
      followIncidents(tx, [{ ...gone, trigger: { ...TRIGGER, serviceId: service.id } }], server.recording.subscribers),
    )
  assert.deepEqual(await told(server), ['INVESTIGATING'])
})
