import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck, makeDue, plannedFor } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { until } from '../testing/until.ts'
import { FIRST_RUN_DELAY_MS } from './lanes.ts'
import { readLeaseName } from './lease.ts'
import { freeLostLeases } from './lease-store.ts'
import { LOST_AFTER_MS } from './location-view.ts'

const MINUTE_MS = 60_000

test('runs a new check within seconds, and after that at its slots', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { frequency: 10, frequencyOffset: 30 })
  const [first] = await plannedFor(server, check)
  assert.ok(first !== undefined && first.dueAtMs - Date.now() < FIRST_RUN_DELAY_MS + 500)
  await runner.report(await runner.leaseOne({ horizonMs: 6000 }), 'passed')

  const [next] = await plannedFor(server, check)
  const phase = (next?.dueAtMs ?? 0) % (10 * MINUTE_MS)
  // 30 tenths of a minute, and less than one more by which checks with equal offsets are kept apart.
  assert.ok(phase >= 3 * MINUTE_MS && phase < 3 * MINUTE_MS + 6000, `${phase}`)
  assert.ok((next?.dueAtMs ?? 0) > Date.now())
})

test('a check that runs several times a minute counts its slots from its first run', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { frequency: 0, frequencyOffset: 20 })
  const [first] = await plannedFor(server, check)
  await runner.report(await runner.leaseOne({ horizonMs: 5000 }), 'passed')
  const [next] = await plannedFor(server, check)
  assert.equal((next?.dueAtMs ?? 0) - (first?.dueAtMs ?? 0), 20_000)
})

test('goes round the locations in the order in which they were stored, private ones last', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const { keys } = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const cellar = await signInRunner(server, keys[0]?.rawKey)
  const check = await makeCheck(server, { locations: ['eu-west-1', 'us-east-1'], privateLocations: ['cellar'] })
  const seen: string[] = []
  for (let turn = 0; turn < 4; turn += 1) {
    await makeDue(server, check)
    for (const one of [runner, cellar]) {
      const [run] = await one.lease()
      if (run === undefined) continue
      seen.push(run.location)
      await one.report(run, 'passed')
    }
  }
  assert.deepEqual(seen, ['eu-west-1', 'us-east-1', 'cellar', 'eu-west-1'])
})

test('passes over a private location that nobody serves', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const check = await makeCheck(server, { locations: ['eu-west-1', 'us-east-1'], privateLocations: ['cellar'] })
  const seen: string[] = []
  for (let turn = 0; turn < 4; turn += 1) {
    await makeDue(server, check)
    const run = await runner.leaseOne()
    seen.push(run.location)
    await runner.report(run, 'passed')
  }
  assert.deepEqual(seen, ['eu-west-1', 'us-east-1', 'eu-west-1', 'us-east-1'])
})

test('a parallel run falls due in all locations at the same instant and has one id', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  await makeCheck(server, { runParallel: true, locations: ['eu-west-1', 'us-east-1', 'ap-south-1'] })
  const runs = await runner.lease({ horizonMs: 5000 })
  assert.deepEqual(runs.map(({ location }) => location).sort(), ['ap-south-1', 'eu-west-1', 'us-east-1'])
  assert.equal(new Set(runs.map(({ dueAtMs }) => dueAtMs)).size, 1)
})

test('a run in hand is not handed out again, and its check waits for it', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { frequency: 0, frequencyOffset: 10 })
  await makeDue(server, check)
  await runner.leaseOne()
  assert.deepEqual(await runner.lease({ horizonMs: 30_000 }), [])
})

test('runners that lease at the same moment never get the same run', async (t) => {
  const server = await startTestServer(t)
  const runners = await Promise.all([1, 2, 3, 4].map(() => signInRunner(server)))
  for (let no = 0; no < 40; no += 1) await makeCheck(server, { name: `Check ${no}` })
  const rounds = await Promise.all(
    runners.map(async (runner) => [
      ...(await runner.lease({ horizonMs: 30_000, capacity: 7 })),
      ...(await runner.lease({ horizonMs: 30_000, capacity: 7 })),
      ...(await runner.lease({ horizonMs: 30_000 })),
    ]),
  )
  const leased = rounds.flat().map(({ checkId }) => checkId)
  assert.equal(leased.length, 40)
  assert.equal(new Set(leased).size, 40)
})

test('hands out what is most urgent first and no more than a runner can take', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const later = await makeCheck(server, { name: 'Later' })
  const sooner = await makeCheck(server, { name: 'Sooner' })
  await makeDue(server, later, 100)
  await makeDue(server, sooner, 5000)
  const runs = await runner.lease({ capacity: 1 })
  assert.deepEqual(
    runs.map(({ checkId }) => checkId),
    [sooner.id],
  )
})

test('a runner elsewhere takes its location over from the built-in one', async (t) => {
  const server = await startTestServer(t)
  const { rawKey } = await server.call(routes.createDataCenterKey, { params: { region: 'eu-west-1' } })
  const builtIn = await signInRunner(server)
  const check = await makeCheck(server, { locations: ['eu-west-1'] })
  await makeDue(server, check)
  const elsewhere = await signInRunner(server, rawKey)
  assert.deepEqual(await builtIn.lease(), [])
  assert.equal((await elsewhere.leaseOne()).checkId, check.id)
})

test('what a runner held that is not heard of any more goes to another one, and its report comes too late', async (t) => {
  const server = await startTestServer(t)
  const [lost, other] = await Promise.all([signInRunner(server), signInRunner(server)])
  const check = await makeCheck(server)
  await makeDue(server, check)
  const run = await lost.leaseOne()
  assert.deepEqual(await freeLostLeases(server.db, LOST_AFTER_MS), [])

  await fallSilent(server, lost.id)
  assert.equal((await freeLostLeases(server.db, LOST_AFTER_MS)).length, 1)
  const again = await other.leaseOne()
  assert.equal(again.checkId, check.id)
  assert.equal(again.dueAtMs, run.dueAtMs)
  assert.deepEqual(await lost.report(run, 'failed'), { accepted: 0, dropped: [run.leaseId] })
  assert.deepEqual(await other.report(again, 'passed'), { accepted: 1, dropped: [] })
})

test('a lease whose answer never arrived is free again once the runner says what it holds', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const [known, unknown] = [await makeCheck(server, { name: 'Known' }), await makeCheck(server, { name: 'Unknown' })]
  await makeDue(server, known)
  await makeDue(server, unknown)
  const runs = await runner.lease()
  const held = runs.filter(({ checkId }) => checkId === known.id).map(({ leaseId }) => leaseId)

  await runner.heartbeat(held)
  assert.deepEqual(await runner.lease(), [], 'the answer may still be on its way')
  await server.db
    .updateTable('schedule')
    .set({ leased_at: new Date(Date.now() - 20_000) })
    .execute()
  await runner.heartbeat(held)
  assert.deepEqual(
    (await runner.lease()).map(({ checkId }) => checkId),
    [unknown.id],
  )
})

test('a runner that signs out gives back what it holds', async (t) => {
  const server = await startTestServer(t)
  const [leaving, staying] = await Promise.all([signInRunner(server), signInRunner(server)])
  const check = await makeCheck(server)
  await makeDue(server, check)
  await leaving.leaseOne()
  await leaving.signOut()
  assert.equal((await staying.leaseOne()).checkId, check.id)
  await assert.rejects(leaving.lease(), /410/)
})

test('a waiting call is held until something falls due', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const askedAt = performance.now()
  assert.deepEqual(await runner.lease({ waitMs: 700 }), [])
  const waitedMs = performance.now() - askedAt
  assert.ok(waitedMs >= 690 && waitedMs < 1500, `${waitedMs}`)
})

test('a waiting call hears at once of a run on demand', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'passed')
  const waiting = runner.leaseOne({ waitMs: 10_000 })
  await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const triggeredAt = performance.now()
  assert.equal((await waiting).checkId, check.id)
  assert.ok(performance.now() - triggeredAt < 500)
})

test('a waiting call hears at once of a new check', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const waiting = runner.leaseOne({ waitMs: 10_000, horizonMs: 6000 })
  const check = await makeCheck(server)
  const madeAt = performance.now()
  assert.equal((await waiting).checkId, check.id)
  assert.ok(performance.now() - madeAt < 500)
})

test('a waiting call ends when its runner hangs up, and takes nothing with it', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const signedInAt = await seenAt(server, runner.id)
  const hangUp = new AbortController()
  const body = { runnerId: runner.id, capacity: 10, horizonMs: 2500, waitMs: 20_000 }
  const call = fetch(new URL('/runner/v1/lease', server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${runner.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: hangUp.signal,
  })
  const refused = assert.rejects(call, { name: 'AbortError' })
  await until('the call has come', async () => (await seenAt(server, runner.id)) !== signedInAt)
  hangUp.abort()
  await refused
  const check = await makeCheck(server)
  assert.equal((await runner.leaseOne({ horizonMs: 6000, waitMs: 2000 })).checkId, check.id)
})

test('names of leases that nobody gave out are understood as none', () => {
  for (const name of ['', 'x', '1.2', '1.2.3', `1.2.${'-'.repeat(36)}`, `1.${'0'.repeat(36)}`, `x.1.${'0'.repeat(36)}`])
    assert.equal(readLeaseName(name), null, name)
})

async function seenAt({ db }: TestServer, runnerId: number): Promise<number | undefined> {
  const row = await db.selectFrom('runners').select('last_seen_at').where('id', '=', runnerId).executeTakeFirst()
  return row?.last_seen_at.getTime()
}

async function fallSilent({ db }: TestServer, runnerId: number): Promise<void> {
  const longAgo = new Date(Date.now() - LOST_AFTER_MS - 1000)
  await db.updateTable('runners').set({ last_seen_at: longAgo }).where('id', '=', runnerId).execute()
}
