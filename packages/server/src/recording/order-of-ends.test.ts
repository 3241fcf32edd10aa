import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiCheck, type LeasedRun, type RunReport, routes, type Verdict } from '@vedette/schema'
import fc from 'fast-check'
import { type GivenUpRun, moveOnLateRuns } from '../scheduling/late-runs.ts'
import { alertsOf, makeCheck, makeDue, resultsOf } from '../testing/checks.ts'
import { aReport, type FakeRunner, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { recordGivenUp } from './record-reports.ts'

/** A run of the schedule in each location, and runs on demand beside them: all in hand at the same time. */
async function besideEachOther(
  server: TestServer,
  runner: FakeRunner,
  check: ApiCheck,
): Promise<{ scheduled: LeasedRun[]; demanded: LeasedRun[] }> {
  await makeDue(server, check)
  const scheduled = await runner.lease()
  await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  return { scheduled, demanded: await runner.lease() }
}

const only = (runs: readonly LeasedRun[]): LeasedRun => {
  const [run] = runs
  assert.ok(run !== undefined && runs.length === 1)
  return run
}

/** As one that ended so long ago. */
const ended = (run: LeasedRun, verdict: Verdict, msAgo: number): RunReport =>
  aReport(run, verdict, { startedAtMs: Date.now() - msAgo - 40, durationMs: 40 })

async function statusOf(server: TestServer, check: ApiCheck) {
  const status = await server.call(routes.getCheckStatus, { params: { checkId: check.id } })
  const { hasFailures, hasErrors, lastCheckRunId, longestRun } = status
  return { hasFailures, hasErrors, lastCheckRunId: Number(lastCheckRunId), longestRun }
}

test('a failure that had ended before the newest run and is recorded after it is stored, and tells nobody', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const { scheduled, demanded } = await besideEachOther(server, runner, check)
  const [late, newest] = [only(scheduled), only(demanded)]
  const lateReport = { ...ended(late, 'failed', 5000), responseTimeMs: 900 }
  await runner.reportAll([ended(newest, 'passed', 100)])
  await runner.reportAll([lateReport])
  assert.deepEqual(await alertsOf(server, check), [])
  const [passed, failed] = (await resultsOf(server, check)).toSorted(
    (a, b) => (a.hasFailures ? 1 : 0) - (b.hasFailures ? 1 : 0),
  )
  assert.ok(passed?.hasFailures === false && failed?.hasFailures === true)
  assert.deepEqual(await statusOf(server, check), {
    hasFailures: false,
    hasErrors: false,
    lastCheckRunId: passed.checkRunId,
    longestRun: 900,
  })
})

test('a recovery that had ended before the newest failure does not end the trouble', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const { scheduled, demanded } = await besideEachOther(server, runner, check)
  await runner.reportAll([ended(only(demanded), 'failed', 100)])
  await runner.reportAll([ended(only(scheduled), 'passed', 5000)])
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  assert.equal((await statusOf(server, check)).hasFailures, true)
})

test('a run that was due earlier and ended later is the news: it took its time, or was tried again', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const { scheduled, demanded } = await besideEachOther(server, runner, check)
  await runner.reportAll([ended(only(demanded), 'passed', 5000)])
  await runner.reportAll([ended(only(scheduled), 'failed', 100)])
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  assert.equal((await statusOf(server, check)).lastCheckRunId, only(scheduled).dueAtMs)
})

test('what comes in one batch is judged in the order in which it ended', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  for (const [first, second, told, failing] of [
    ['scheduled', 'demanded', ['ALERT_FAILURE', 'ALERT_RECOVERY'], false],
    ['demanded', 'scheduled', ['ALERT_FAILURE', 'ALERT_RECOVERY'], false],
  ] as const) {
    const check = await makeCheck(server)
    const { scheduled, demanded } = await besideEachOther(server, runner, check)
    const runs = { scheduled: only(scheduled), demanded: only(demanded) }
    await runner.reportAll([ended(runs[second], 'passed', 100), ended(runs[first], 'failed', 5000)])
    assert.deepEqual(await alertsOf(server, check), told, `${first} first`)
    assert.equal((await statusOf(server, check)).hasFailures, failing)
  }
})

test('trouble of our own is no news of the target: what was seen before it still counts', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const { scheduled, demanded } = await besideEachOther(server, runner, check)
  await runner.reportAll([ended(only(demanded), 'error', 1000)])
  await runner.reportAll([ended(only(await runner.lease()), 'error', 100)])
  assert.equal((await statusOf(server, check)).hasErrors, true)
  await runner.reportAll([ended(only(scheduled), 'failed', 5000)])
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
})

test('a runner whose clock is ahead does not make later results old news', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const { scheduled, demanded } = await besideEachOther(server, runner, check)
  await runner.reportAll([ended(only(scheduled), 'passed', -3_600_000)])
  await runner.reportAll([aReport(only(demanded), 'failed', { startedAtMs: Date.now(), durationMs: 40 })])
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
})

test('in whatever order and batches results come, the newest end decides and every alert follows from the one before', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const verdict = fc.constantFrom<Verdict>('passed', 'failed')
  const courses = fc.array(fc.record({ verdict, place: fc.nat(), batch: fc.integer({ min: 0, max: 2 }) }), {
    minLength: 2,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(courses, async (course) => {
      const check = await makeCheck(server)
      const runs: LeasedRun[] = []
      for (const _ of course) {
        await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
        runs.push(...(await runner.lease()).filter(({ checkId }) => checkId === check.id))
      }
      const nowMs = Date.now()
      // A second apart, in the order of the course; told in that of `batch` and `place`.
      const reports = course.flatMap(({ verdict, ...order }, index) => {
        const run = runs[index]
        const startedAtMs = nowMs - (course.length - index) * 1000
        return run === undefined ? [] : [{ ...order, report: aReport(run, verdict, { startedAtMs, durationMs: 40 }) }]
      })
      const told = reports.toSorted((a, b) => a.place - b.place)
      for (const batch of [0, 1, 2]) {
        const some = told.filter((entry) => entry.batch === batch).map(({ report }) => report)
        if (some.length > 0) await runner.reportAll(some)
      }
      assert.equal((await statusOf(server, check)).hasFailures, course.at(-1)?.verdict === 'failed')
      const alerts = await alertsOf(server, check)
      assert.deepEqual(
        alerts,
        alerts.map((_, place) => (place % 2 === 0 ? 'ALERT_FAILURE' : 'ALERT_RECOVERY')),
      )
      assert.equal(alerts.length % 2 === 1, course.at(-1)?.verdict === 'failed')
    }),
    { numRuns: 15 },
  )
})

async function giveUp(server: TestServer): Promise<void> {
  await server.db
    .updateTable('schedule')
    .set({ lease_id: null, runner_id: null, leased_at: null, losses: 3, due_at: new Date(Date.now() - 6000) })
    .where('lease_id', 'is not', null)
    .where('session_id', 'is', null)
    .execute()
  const { db, locations, recording } = server
  const onGivenUp = (tx: typeof db, runs: readonly GivenUpRun[]) => recordGivenUp(tx, recording, runs)
  await moveOnLateRuns({ db, view: await locations(), onGivenUp }, Date.now())
}

const TWO = { runParallel: true, locations: ['us-east-1', 'eu-west-1'] } satisfies Partial<ApiCheck>

test('a parallel run that is given up in one location is judged also when a run on demand went by meanwhile', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, TWO)
  const { scheduled, demanded } = await besideEachOther(server, runner, check)
  await runner.reportAll(demanded.map((run) => ended(run, 'passed', 5000)))
  assert.deepEqual(await alertsOf(server, check), [])
  const [here] = scheduled
  assert.ok(here !== undefined)
  await runner.reportAll([ended(here, 'failed', 100)])
  assert.deepEqual(await alertsOf(server, check), [], 'the other location may still bring a result')
  await giveUp(server)
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  assert.equal((await statusOf(server, check)).lastCheckRunId, here.dueAtMs)
})

test('what a given up run had found before a newer run passed is old news', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, TWO)
  const { scheduled, demanded } = await besideEachOther(server, runner, check)
  const [here] = scheduled
  assert.ok(here !== undefined)
  await runner.reportAll([ended(here, 'failed', 5000)])
  await runner.reportAll(demanded.map((run) => ended(run, 'passed', 100)))
  await giveUp(server)
  assert.deepEqual(await alertsOf(server, check), [])
  assert.equal((await statusOf(server, check)).hasFailures, false)
})

test('a run that was judged without a location that nobody served is not judged again when it is given up there', async (t) => {
  const server = await startTestServer(t)
  await server.setAlertSettings({ runBasedEscalation: { failedRunThreshold: 2 } })
  await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const runner = await signInRunner(server)
  for (const verdict of ['failed', 'error'] as const) {
    const check = await makeCheck(server, {
      runParallel: true,
      locations: ['us-east-1'],
      privateLocations: ['cellar'],
    })
    const state = () => server.call(routes.getCheckStatus, { params: { checkId: check.id } })
    await makeDue(server, check, 3_600_000)
    await runner.reportAll([ended(await runner.leaseOne(), verdict, 100)])
    // Trouble of our own is tried once more; the next slot of the check before may be as near.
    if (verdict === 'error') {
      const retries = (await runner.lease({ horizonMs: 30_000 })).filter(({ checkId }) => checkId === check.id)
      await runner.reportAll([ended(only(retries), verdict, 50)])
    }
    const before = await state()
    assert.ok(before.updated_at !== null)
    await giveUp(server)
    const { missed } = await server.call(routes.checkTimeline, { params: { id: check.id } })
    assert.ok(missed.some(({ location }) => location === 'cellar'))
    assert.deepEqual(await state(), before, verdict)
    assert.deepEqual(await alertsOf(server, check), [])
  }
})
