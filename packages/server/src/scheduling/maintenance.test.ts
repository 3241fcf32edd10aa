import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiCheck, type MaintenanceWindowCreate, routes } from '@vedette/schema'
import { sql } from 'kysely'
import { makeCheck, makeDue, plannedFor, resultsOf } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { someoneWaits } from '../testing/someone-waits.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { until } from '../testing/until.ts'
import { moveOnLateRuns } from './late-runs.ts'
import { sampleLocations } from './location-samples-store.ts'
import { followMaintenance } from './maintenance.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** From so long ago until so long from now. */
function aWindow(server: TestServer, fromMs: number, untilMs: number, rest: Partial<MaintenanceWindowCreate> = {}) {
  const at = (shiftMs: number) => new Date(Date.now() + shiftMs).toISOString()
  const body = { name: 'Release', startsAt: at(fromMs), endsAt: at(untilMs), tags: ['shop'], ...rest }
  return server.call(routes.createMaintenanceWindow, { body })
}

const follow = (server: TestServer) => followMaintenance(server.db, Date.now())

async function nextDue(server: TestServer, check: ApiCheck): Promise<number> {
  const [lane] = await plannedFor(server, check)
  assert.ok(lane !== undefined)
  return lane.dueAtMs
}

async function missedOf(server: TestServer): Promise<number> {
  const rows = await server.db.selectFrom('missed_runs').select('slots').execute()
  return rows.reduce((sum, { slots }) => sum + slots, 0)
}

test('in maintenance a check does not run by itself, but for whoever asks', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: ['shop'], frequency: 1 })
  const other = await makeCheck(server, { tags: ['api'], frequency: 1 })
  const runner = await signInRunner(server)
  const window = await aWindow(server, -MINUTE_MS, HOUR_MS)
  await follow(server)
  await makeDue(server, check)
  await makeDue(server, other)
  assert.equal((await runner.leaseOne()).checkId, other.id)
  await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const asked = await runner.leaseOne()
  assert.equal(asked.checkId, check.id)
  await runner.report(asked, 'passed')

  assert.deepEqual(await follow(server), { paused: 1, resumed: { checks: 0, slots: 0 } })
  const resumesAt = await nextDue(server, check)
  assert.ok(resumesAt >= Date.parse(window.endsAt) && resumesAt < Date.parse(window.endsAt) + MINUTE_MS)
  assert.deepEqual(await runner.lease({ horizonMs: MINUTE_MS / 2 }), [])
  assert.equal((await resultsOf(server, check)).length, 1)
})

test('skipped slots are neither run nor missed, and are told when the pause is over', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: ['shop'], frequency: 1 })
  await aWindow(server, -10 * MINUTE_MS, MINUTE_MS / 2)
  await follow(server)
  await makeDue(server, check, 8 * MINUTE_MS)
  await follow(server)
  const late = { db: server.db, view: await server.locations(), onGivenUp: async () => {} }
  await moveOnLateRuns(late, Date.now())
  assert.equal(await missedOf(server), 0)
  const afterwards = await followMaintenance(server.db, Date.now() + MINUTE_MS)
  assert.equal(afterwards.paused, 0)
  assert.equal(afterwards.resumed.checks, 1)
  assert.ok([10, 11].includes(afterwards.resumed.slots), `${afterwards.resumed.slots} slots`)
})

test('of the slots that nobody ran, those in maintenance are not counted', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: ['shop'], frequency: 1 })
  await aWindow(server, -20 * MINUTE_MS, -2 * MINUTE_MS - 1)
  await followMaintenance(server.db, Date.now() - 10 * MINUTE_MS)
  await makeDue(server, check, 30 * MINUTE_MS)
  await moveOnLateRuns({ db: server.db, view: await server.locations(), onGivenUp: async () => {} }, Date.now())
  const missed = await missedOf(server)
  assert.ok(missed >= 11 && missed <= 14, `${missed} slots were missed`)
})

test('a slot in a pause to come is not handed out ahead of time, and moved past it', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: ['shop'] })
  const runner = await signInRunner(server)
  const window = await aWindow(server, MINUTE_MS / 6, 2 * HOUR_MS)
  await follow(server)
  await makeDue(server, check, -MINUTE_MS / 3)
  assert.deepEqual(await runner.lease({ horizonMs: MINUTE_MS / 2 }), [])
  assert.deepEqual(await follow(server), { paused: 0, resumed: { checks: 0, slots: 0 } })
  assert.ok((await nextDue(server, check)) >= Date.parse(window.endsAt))
  await makeDue(server, check, -MINUTE_MS / 12)
  assert.equal((await runner.lease({ horizonMs: MINUTE_MS / 2 })).length, 1)
})

test('a run that had begun goes on with its retries', async (t) => {
  const server = await startTestServer(t)
  const retryStrategy = { type: 'FIXED', baseBackoffSeconds: 0, maxRetries: 2, sameRegion: true } as const
  const check = await makeCheck(server, { tags: ['shop'], retryStrategy })
  const runner = await signInRunner(server)
  await makeDue(server, check)
  const first = await runner.leaseOne()
  await aWindow(server, -MINUTE_MS, HOUR_MS)
  await follow(server)
  await runner.report(first, 'failed')
  await follow(server)
  assert.equal((await runner.leaseOne()).attempt, 2)
})

test('a run that is late does not begin in the maintenance that has begun meanwhile', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: ['shop'] })
  const runner = await signInRunner(server)
  await aWindow(server, -1000, HOUR_MS)
  await follow(server)
  await makeDue(server, check, 3000)
  assert.deepEqual(await runner.lease(), [])
})

test('when maintenance is called off or cut short the check goes on with its next slot', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: ['shop'], frequency: 1 })
  const window = await aWindow(server, -MINUTE_MS, 5 * HOUR_MS)
  await makeDue(server, check)
  await follow(server)
  assert.ok((await nextDue(server, check)) > Date.now() + 4 * HOUR_MS)
  const endsAt = new Date(Date.now() + HOUR_MS).toISOString()
  await server.call(routes.updateMaintenanceWindow, { params: { id: window.id }, body: { endsAt } })
  await follow(server)
  const cutShort = await nextDue(server, check)
  assert.ok(cutShort >= Date.parse(endsAt) && cutShort <= Date.parse(endsAt) + MINUTE_MS)
  await server.call(routes.deleteMaintenanceWindow, { params: { id: window.id } })
  assert.equal((await follow(server)).resumed.checks, 1)
  assert.ok((await nextDue(server, check)) <= Date.now() + MINUTE_MS)
})

test('a check whose lane somebody holds when maintenance ends early goes on all the same', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: ['shop'], frequency: 1 })
  const window = await aWindow(server, -MINUTE_MS, 5 * HOUR_MS)
  await makeDue(server, check)
  await follow(server)
  await server.call(routes.deleteMaintenanceWindow, { params: { id: window.id } })
  const following: ReturnType<typeof follow>[] = []
  await server.db.transaction().execute(async (tx) => {
    await sql`select from schedule for update`.execute(tx)
    let over = false
    const outcome = follow(server)
    following.push(outcome.finally(() => (over = true)))
    await until('it waits, or passes the lane over', async () => over || (await someoneWaits(server.db)))
  })
  assert.deepEqual(
    (await Promise.all(following)).map(({ resumed }) => resumed.checks),
    [1],
  )
  assert.ok((await nextDue(server, check)) <= Date.now() + MINUTE_MS)
  // What was passed over would not be named again.
  assert.equal((await follow(server)).resumed.checks, 0)
})

test('a check that loses the tag goes on, and one that gets it stops', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: [], frequency: 1 })
  await aWindow(server, -MINUTE_MS, HOUR_MS)
  const due = async (tags: string[]) => {
    await server.call(routes.updateApiCheck, { params: { id: check.id }, body: { tags } })
    await makeDue(server, check)
    await follow(server)
    return (await nextDue(server, check)) > Date.now() + 30 * MINUTE_MS
  }
  assert.deepEqual([await due(['x']), await due(['x', 'shop']), await due(['x'])], [false, true, false])
})

test('a check in a group is paused by the tags of the group', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shop', tags: ['shop'] } })
  const check = await makeCheck(server, { groupId: group.id, frequency: 1 })
  await aWindow(server, -MINUTE_MS, HOUR_MS)
  await makeDue(server, check)
  assert.equal((await follow(server)).paused, 1)
  assert.ok((await nextDue(server, check)) > Date.now() + 30 * MINUTE_MS)
  await server.call(routes.updateCheckGroup, { params: { id: group.id }, body: { name: 'Shop', tags: [] } })
  assert.equal((await follow(server)).resumed.checks, 1)
  assert.ok((await nextDue(server, check)) <= Date.now() + MINUTE_MS)
})

test('a window for all checks pauses those of its account and nobody else’s', async (t) => {
  const server = await startTestServer(t)
  const stranger = await server.keyFor('OWNER', await server.addAccount())
  await makeCheck(server)
  await makeCheck(server, { runParallel: true, locations: ['us-east-1', 'eu-west-1'] })
  const body = { name: 'Theirs', request: { method: 'GET' as const, url: 'http://shop.test/' }, tags: ['shop'] }
  await server.call(routes.createApiCheck, { body, key: stranger })
  await aWindow(server, -MINUTE_MS, HOUR_MS, { tags: [], pauseAllChecks: true })
  assert.equal((await follow(server)).paused, 2)
})

test('a window without tags pauses nothing', async (t) => {
  const server = await startTestServer(t)
  await makeCheck(server, { tags: ['shop'] })
  await aWindow(server, -MINUTE_MS, HOUR_MS, { tags: [] })
  assert.equal((await follow(server)).paused, 0)
})

test('windows that overlap make one pause, and what recurs comes back', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server, { tags: ['shop'], frequency: 1 })
  await aWindow(server, -MINUTE_MS, HOUR_MS)
  const longer = await aWindow(server, 30 * MINUTE_MS, 2 * HOUR_MS)
  await makeDue(server, check)
  await follow(server)
  assert.ok((await nextDue(server, check)) >= Date.parse(longer.endsAt))
  assert.equal((await followMaintenance(server.db, Date.now() + 90 * MINUTE_MS)).paused, 1)

  const daily = await makeCheck(server, { tags: ['daily'], frequency: 1 })
  const yesterday = { startsAt: -24 * HOUR_MS - MINUTE_MS, endsAt: -23 * HOUR_MS }
  await aWindow(server, yesterday.startsAt, yesterday.endsAt, { tags: ['daily'], repeatUnit: 'DAY' })
  await makeDue(server, daily)
  await follow(server)
  const due = await nextDue(server, daily)
  assert.ok(due > Date.now() + 59 * MINUTE_MS && due < Date.now() + 62 * MINUTE_MS)
})

test('the queue of a private location is sampled, and the samples can be asked for', async (t) => {
  const server = await startTestServer(t)
  const { id } = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const check = await makeCheck(server, { locations: [], privateLocations: ['cellar'] })
  await makeDue(server, check, 90_000)
  await sampleLocations(server.db)
  await sampleLocations(server.db)
  const [from, to] = [Date.now() - HOUR_MS, Date.now() + MINUTE_MS].map((ms) => String(Math.floor(ms / 1000)))
  const query = { from: from ?? '', to: to ?? '' }
  const metrics = await server.call(routes.getLocationMetrics, { params: { id }, query })
  assert.deepEqual([metrics.timestamps.length, metrics.queueSize], [1, [1]])
  const [age = 0] = metrics.oldestScheduledCheckRun
  assert.ok(age >= 90 && age < 100)
})
