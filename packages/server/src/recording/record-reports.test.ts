import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiCheck, type ApiCheckResult, type LeasedRun, routes, type Verdict } from '@vedette/schema'
import { alertsOf, httpResultOf, makeCheck, makeDue, plannedFor, resultsOf } from '../testing/checks.ts'
import { aReport, type FakeRunner, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const DEGRADED_LIMIT = { responseTimeMs: 6000 }

async function runOnce(server: TestServer, runner: FakeRunner, check: ApiCheck, verdict: Verdict): Promise<LeasedRun> {
  await makeDue(server, check)
  const run = await runner.leaseOne()
  await runner.report(run, verdict, verdict === 'degraded' ? DEGRADED_LIMIT : {})
  return run
}

/** A channel that hears of everything. */
const aWebhookFor = (server: TestServer) =>
  server.call(routes.createAlertChannel, {
    body: {
      type: 'WEBHOOK',
      config: { name: 'ops', url: 'http://127.0.0.1:9/' },
      sendDegraded: true,
      autoSubscribe: true,
    },
  })

/** A run in several locations: verdicts by location, in the order of reporting. */
async function runEverywhere(
  server: TestServer,
  runner: FakeRunner,
  check: ApiCheck,
  verdicts: Readonly<Record<string, Verdict>>,
): Promise<void> {
  await makeDue(server, check)
  const runs = await runner.lease()
  for (const [location, verdict] of Object.entries(verdicts)) {
    const run = runs.find((candidate) => candidate.location === location)
    assert.ok(run !== undefined, location)
    await runner.report(run, verdict)
  }
}

async function statusOf(server: TestServer, check: ApiCheck) {
  return server.call(routes.getCheckStatus, { params: { checkId: check.id } })
}

function aDetail(body: string): ApiCheckResult {
  return {
    assertions: [],
    request: { method: 'GET', url: 'http://shop.test/', data: '', headers: {}, params: {} },
    response: { status: 200, statusText: 'OK', headers: {}, body, timings: null, timingPhases: null },
    requestError: null,
    jobLog: null,
    jobAssets: null,
    pcapDataUrl: null,
  }
}

test('a report counts once, however often it comes', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  const run = await runner.leaseOne()
  const report = aReport(run, 'failed')
  const answers = await Promise.all([
    runner.reportAll([report, report]),
    runner.reportAll([report]),
    runner.reportAll([report]),
  ])
  assert.equal(
    answers.reduce((sum, { accepted }) => sum + accepted, 0),
    1,
  )
  assert.equal((await runner.reportAll([report])).dropped[0], run.leaseId)
  assert.equal((await resultsOf(server, check)).length, 1)
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  const [state] = await server.db.selectFrom('check_states').select('run_count').execute()
  assert.equal(state?.run_count, 1)
})

test('a report without a valid lease is dropped, and the others of its batch are taken', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  const run = await runner.leaseOne()
  const forged = [
    'nonsense',
    run.leaseId.replace(/^\d+/, '99'),
    run.leaseId.replace(/\.\d+\./, '.99.'),
    `${run.leaseId.slice(0, -1)}${run.leaseId.endsWith('0') ? '1' : '0'}`,
  ]
  const reports = [...forged.map((leaseId) => ({ ...aReport(run, 'failed'), leaseId })), aReport(run, 'passed')]
  assert.deepEqual(await runner.reportAll(reports), { accepted: 1, dropped: forged })
  assert.deepEqual(
    (await resultsOf(server, check)).map(({ hasFailures }) => hasFailures),
    [false],
  )
})

test('a failing attempt that is tried again is stored and changes nothing else; the last one is final', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, {
    locations: ['us-east-1', 'eu-west-1'],
    retryStrategy: { type: 'FIXED', baseBackoffSeconds: 5, maxRetries: 2, sameRegion: true },
  })
  const first = await runOnce(server, runner, check, 'failed')
  const [waiting] = await plannedFor(server, check)
  assert.deepEqual([waiting?.attempt, waiting?.location], [2, 'us-east-1'])
  assert.ok(Math.abs((waiting?.dueAtMs ?? 0) - Date.now() - 5000) < 1000)
  const { hasFailures, lastRunLocation } = await statusOf(server, check)
  assert.deepEqual([hasFailures, lastRunLocation], [false, null])

  await runOnce(server, runner, check, 'failed')
  await runOnce(server, runner, check, 'passed')
  const results = (await resultsOf(server, check)).reverse()
  assert.deepEqual(
    results.map(({ resultType, attempts, hasFailures }) => [resultType, attempts, hasFailures]),
    [
      ['ATTEMPT', 1, true],
      ['ATTEMPT', 2, true],
      ['FINAL', 3, false],
    ],
  )
  assert.equal(new Set(results.map(({ sequenceId }) => sequenceId)).size, 1)
  assert.equal(new Set(results.map(({ checkRunId }) => checkRunId)).size, 1)
  assert.equal(results[0]?.checkRunId, first.dueAtMs)
  assert.deepEqual(await alertsOf(server, check), [])
  assert.equal((await statusOf(server, check)).hasFailures, false)
  assert.equal((await plannedFor(server, check))[0]?.location, 'eu-west-1')
})

test('with sameRegion false the final result carries the location of the retry', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, {
    locations: ['us-east-1', 'eu-west-1'],
    retryStrategy: { type: 'SINGLE_RETRY', baseBackoffSeconds: 0, sameRegion: false },
  })
  await runOnce(server, runner, check, 'failed')
  await runOnce(server, runner, check, 'failed')
  const results = await resultsOf(server, check)
  assert.deepEqual(
    results.map(({ resultType, runLocation }) => [resultType, runLocation]),
    [
      ['FINAL', 'eu-west-1'],
      ['ATTEMPT', 'us-east-1'],
    ],
  )
  assert.equal((await statusOf(server, check)).lastRunLocation, 'eu-west-1')
})

test('trouble of our own is tried once more, then shown; no state, no alert and no uptime rests on it', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await runOnce(server, runner, check, 'passed')
  await runOnce(server, runner, check, 'error')
  assert.equal((await statusOf(server, check)).hasErrors, false, 'it is being tried again')
  await runOnce(server, runner, check, 'error')

  const { hasErrors, hasFailures, isDegraded } = await statusOf(server, check)
  assert.deepEqual({ hasErrors, hasFailures, isDegraded }, { hasErrors: true, hasFailures: false, isDegraded: false })
  assert.deepEqual(await alertsOf(server, check), [])
  const { availability } = await server.call(routes.checkTimeline, { params: { id: check.id } })
  assert.equal(availability, 100)
  assert.deepEqual(await server.call(routes.listErrorGroups, { params: { checkId: check.id } }), [])

  await runOnce(server, runner, check, 'failed')
  await runOnce(server, runner, check, 'error')
  await runOnce(server, runner, check, 'error')
  const failing = await statusOf(server, check)
  assert.deepEqual([failing.hasErrors, failing.hasFailures], [true, true], 'what was known of the target stays')
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
})

test('alerts and their thresholds follow the course of a check', async (t) => {
  const server = await startTestServer(t)
  await server.setAlertSettings({ runBasedEscalation: { failedRunThreshold: 2 } })
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const course: [Verdict, string[]][] = [
    ['passed', []],
    ['failed', []],
    ['failed', ['ALERT_FAILURE_REMAIN']],
    ['failed', []],
    ['failed', []],
    ['failed', []],
    ['failed', []],
    ['degraded', ['ALERT_FAILURE_DEGRADED']],
    ['passed', ['ALERT_DEGRADED_RECOVERY']],
    ['passed', []],
  ]
  const told: string[] = []
  for (const [verdict, expected] of course) {
    await runOnce(server, runner, check, verdict)
    told.push(...expected)
    assert.deepEqual(await alertsOf(server, check), told)
  }
})

test('all alerts of one trouble carry the same episode, its recovery included, and the next trouble has another', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  await aWebhookFor(server)
  const check = await makeCheck(server)
  const course: Verdict[] = [
    'passed',
    'degraded',
    'failed',
    'failed',
    'degraded',
    'passed',
    'passed',
    'failed',
    'passed',
  ]
  for (const verdict of course) await runOnce(server, runner, check, verdict)
  const told = await server.db.selectFrom('notifications').select('message').orderBy('created_at').execute()
  assert.deepEqual(
    told.map(({ message }) => message.ALERT_TYPE),
    [
      'ALERT_DEGRADED',
      'ALERT_DEGRADED_FAILURE',
      'ALERT_FAILURE_DEGRADED',
      'ALERT_DEGRADED_RECOVERY',
      'ALERT_FAILURE',
      'ALERT_RECOVERY',
    ],
  )
  const episodes = told.map(({ message }) => message.EPISODE_ID)
  const [first, , , , second] = episodes
  assert.notEqual(first, second)
  assert.deepEqual(episodes, [first, first, first, first, second, second])
})

test('a check’s own alert settings count only where it says so', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const alertSettings = { escalationType: 'RUN_BASED' as const, runBasedEscalation: { failedRunThreshold: 2 as const } }
  const own = await makeCheck(server, { alertSettings, useGlobalAlertSettings: false })
  const global = await makeCheck(server, { alertSettings })
  for (const check of [own, global]) await runOnce(server, runner, check, 'failed')
  assert.deepEqual([await alertsOf(server, own), await alertsOf(server, global)], [[], ['ALERT_FAILURE']])
})

test('a muted check goes through its states in silence', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { muted: true })
  await runOnce(server, runner, check, 'failed')
  assert.deepEqual(await alertsOf(server, check), [])
  assert.equal((await statusOf(server, check)).hasFailures, true)
})

const four = ['us-east-1', 'us-west-1', 'eu-west-1', 'ap-south-1'] as const

test('a parallel run is judged once, when all its locations have ended', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { runParallel: true, locations: [...four] })
  await makeDue(server, check)
  const runs = await runner.lease()
  for (const [index, run] of runs.entries()) {
    assert.deepEqual(await alertsOf(server, check), [])
    await runner.report(run, index === 0 ? 'failed' : 'passed')
  }
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  const results = await resultsOf(server, check)
  assert.equal(new Set(results.map(({ checkRunId }) => checkRunId)).size, 1)
  assert.equal(new Set(results.map(({ sequenceId }) => sequenceId)).size, 4)
})

test('the alert of a parallel run names a location that failed, not the one that happened to end last', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { runParallel: true, locations: ['us-east-1', 'eu-west-1', 'ap-south-1'] })
  await runEverywhere(server, runner, check, { 'eu-west-1': 'failed', 'us-east-1': 'passed', 'ap-south-1': 'passed' })
  const [alert] = await server.db
    .selectFrom('check_alerts as a')
    .innerJoin('locations as l', 'l.no', 'a.location_no')
    .select(['l.slug', 'a.error', 'a.status_code', 'a.result_id'])
    .execute()
  assert.deepEqual([alert?.slug, alert?.error, alert?.status_code], ['eu-west-1', 'the status code is 500', 500])
  const failed = (await resultsOf(server, check)).find(({ hasFailures }) => hasFailures)
  assert.equal(alert?.result_id, failed?.id)
})

test('below the share of locations that must fail a parallel run fails in its status and raises no alert', async (t) => {
  const server = await startTestServer(t)
  await server.setAlertSettings({ parallelRunFailureThreshold: { enabled: true, percentage: 50 } })
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { runParallel: true, locations: [...four] })
  const all = (failed: number): Record<string, Verdict> =>
    Object.fromEntries(four.map((location, index) => [location, index < failed ? 'failed' : 'passed']))
  await runEverywhere(server, runner, check, all(1))
  assert.equal((await statusOf(server, check)).hasFailures, true)
  assert.deepEqual(await alertsOf(server, check), [])
  await runEverywhere(server, runner, check, all(2))
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  await runEverywhere(server, runner, check, all(0))
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE', 'ALERT_RECOVERY'])
})

test('a location that is still at an earlier run does not speak for the check alone', async (t) => {
  const server = await startTestServer(t)
  await server.setAlertSettings({ parallelRunFailureThreshold: { enabled: true, percentage: 50 } })
  const runner = await signInRunner(server)
  const check = await makeCheck(server, {
    runParallel: true,
    locations: ['us-east-1', 'us-west-1', 'eu-west-1'],
    frequency: 0,
    frequencyOffset: 10,
  })
  await makeDue(server, check)
  const first = await runner.lease()
  const slow = first.find(({ location }) => location === 'eu-west-1')
  assert.ok(slow !== undefined)
  for (const run of first) if (run !== slow) await runner.report(run, 'passed')
  const second = await runner.lease({ horizonMs: 30_000 })
  assert.equal(second.length, 2)
  for (const run of second) await runner.report(run, 'passed')
  await runner.report(slow, 'failed')
  assert.deepEqual(await alertsOf(server, check), [], 'one of three is less than half')
  assert.equal((await statusOf(server, check)).lastCheckRunId, String(slow.dueAtMs))
})

test('a location that nobody serves does not keep a parallel check from being judged', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const check = await makeCheck(server, { runParallel: true, locations: ['us-east-1'], privateLocations: ['cellar'] })
  await runEverywhere(server, runner, check, { 'us-east-1': 'failed' })
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
})

test('a location that was added is not waited for before its first run', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { runParallel: true, locations: ['us-east-1'] })
  await makeDue(server, check)
  const run = await runner.leaseOne()
  await server.call(routes.updateApiCheck, {
    params: { id: check.id },
    body: { locations: ['us-east-1', 'eu-west-1'] },
  })
  await runner.report(run, 'failed')
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
})

test('results of all locations that come in one batch are judged as one run', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { runParallel: true, locations: [...four] })
  await makeDue(server, check)
  const runs = await runner.lease()
  await runner.reportAll(runs.map((run, index) => aReport(run, index === 1 ? 'failed' : 'passed')))
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
  const [state] = await server.db.selectFrom('check_states').select('run_count').execute()
  assert.equal(state?.run_count, 1)
})

test('the status of a check tells of its latest final result', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { locations: ['us-east-1', 'eu-west-1'] })
  const after = async (verdict: Verdict, responseTimeMs: number) => {
    await makeDue(server, check)
    const run = await runner.leaseOne()
    await runner.report(run, verdict, { responseTimeMs })
    const status = await statusOf(server, check)
    assert.equal(status.lastCheckRunId, String(run.dueAtMs))
    assert.equal(status.lastRunLocation, run.location)
    const { hasFailures, isDegraded, longestRun, shortestRun } = status
    return { hasFailures, isDegraded, longestRun, shortestRun }
  }
  assert.deepEqual(await after('passed', 200), {
    hasFailures: false,
    isDegraded: false,
    longestRun: 200,
    shortestRun: 200,
  })
  assert.deepEqual(await after('degraded', 6000), {
    hasFailures: false,
    isDegraded: true,
    longestRun: 6000,
    shortestRun: 200,
  })
  assert.deepEqual(await after('failed', 100), {
    hasFailures: true,
    isDegraded: false,
    longestRun: 6000,
    shortestRun: 100,
  })
})

test('failures with the same cleaned message form a group, attempts too; a new event brings it back', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { retryStrategy: { type: 'FIXED', baseBackoffSeconds: 0, maxRetries: 1 } })
  const params = { checkId: check.id }
  for (const error of ['answered after 1234 ms', 'answered after 98 ms', 'the status code is 503']) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), 'failed', { error })
  }
  const groups = await server.call(routes.listErrorGroups, { params })
  assert.deepEqual(groups.map(({ cleanedErrorMessage }) => cleanedErrorMessage).sort(), [
    'answered after <duration>',
    'the status code is <number>',
  ])
  const slow = groups.find(({ cleanedErrorMessage }) => cleanedErrorMessage.startsWith('answered'))
  assert.ok(slow !== undefined)
  assert.equal(slow.rawErrorMessage, 'answered after 98 ms')
  assert.ok(slow.firstSeen < slow.lastSeen)

  const archive = (body: { archivedUntilNextEvent?: boolean; archiveForEver?: boolean }) =>
    server.call(routes.updateErrorGroup, { params: { id: slow.id }, body })
  const seen = async () => (await server.call(routes.listErrorGroups, { params })).find(({ id }) => id === slow.id)
  await archive({ archivedUntilNextEvent: true })
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed', { error: 'answered after 7 ms' })
  assert.equal((await seen())?.archivedUntilNextEvent, false)
  await archive({ archiveForEver: true })
  assert.equal(await seen(), undefined)
})

test('an answer like the one kept last shares its detail; a failing one and one on demand bring their own', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  const report = async (verdict: Verdict, body: string | null, fingerprint: string) => {
    await makeDue(server, check)
    const run = await runner.leaseOne()
    await runner.report(run, verdict, {
      fingerprint,
      detail: body === null ? null : { kind: 'API', content: aDetail(body) },
    })
    return run
  }
  const first = await report('passed', 'hello', 'h')
  assert.equal(first.kept, null)
  const second = await report('passed', null, 'h')
  assert.equal(second.kept?.fingerprint, 'h')
  await report('failed', 'broken', 'b')
  const fourth = await report('passed', null, 'h')
  assert.equal(fourth.kept?.fingerprint, 'h', 'a failing answer is nothing to compare with')
  await report('passed', null, 'other')

  const [changed, again, broken, shared, own] = await resultsOf(server, check)
  assert.equal(httpResultOf(own)?.response.body, 'hello')
  assert.equal(own?.apiCheckResult?.response.sameAs, undefined)
  assert.equal(httpResultOf(shared)?.response.body, 'hello')
  assert.equal(shared?.apiCheckResult?.response.sameAs, own?.id)
  assert.equal(httpResultOf(broken)?.response.body, 'broken')
  assert.equal(again?.apiCheckResult?.response.sameAs, own?.id)
  assert.equal(changed?.apiCheckResult?.response.kept, false)

  await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const demanded = await runner.leaseOne()
  assert.equal(demanded.keepDetail, true)
})

test('a session goes from started to its end as its locations report', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, {
    runParallel: true,
    locations: ['us-east-1', 'us-west-1', 'eu-west-1'],
    retryStrategy: { type: 'FIXED', baseBackoffSeconds: 0, maxRetries: 1 },
  })
  const { sessions } = await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
  const checkSessionId = sessions[0]?.checkSessionId ?? ''
  const session = () => server.call(routes.getSession, { params: { checkSessionId } })
  assert.equal((await session()).status, 'STARTED')
  const [one, two, three] = await runner.lease()
  assert.ok(one !== undefined && two !== undefined && three !== undefined)
  assert.equal((await session()).status, 'PROGRESS')
  await runner.report(one, 'failed')
  assert.equal((await session()).status, 'PROGRESS', 'it is being tried again')
  await runner.report(await runner.leaseOne(), 'failed')
  assert.equal((await session()).status, 'PROGRESS_FAILED')
  await runner.report(two, 'passed')
  const waiting = server.call(routes.awaitSession, { params: { checkSessionId } })
  await runner.report(three, 'passed')
  const ended = await waiting
  assert.equal(ended.status, 'FAILED')
  assert.ok(ended.stoppedAt !== null)
  assert.deepEqual(ended.results?.map(({ resultType }) => resultType).sort(), ['ATTEMPT', 'FINAL', 'FINAL', 'FINAL'])
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE'])
})

for (const [verdict, status] of [
  ['passed', 'PASSED'],
  ['degraded', 'DEGRADED'],
  ['failed', 'FAILED'],
] as const)
  test(`a session whose one run has ${verdict} ends as ${status}`, async (t) => {
    const server = await startTestServer(t)
    const runner = await signInRunner(server)
    const check = await makeCheck(server)
    const { sessions } = await server.call(routes.triggerSessions, { body: { target: { checkId: check.id } } })
    await runner.report(await runner.leaseOne(), verdict)
    const params = { checkSessionId: sessions[0]?.checkSessionId ?? '' }
    assert.equal((await server.call(routes.awaitSession, { params })).status, status)
  })

test('a run that a fast clock puts into the future has ended when it was reported, in the result and in the decision', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  const run = await runner.leaseOne()
  await runner.report(run, 'failed', { startedAtMs: Date.now() + 60_000, durationMs: 40 })
  const [result] = await resultsOf(server, check)
  const [decision] = await server.call(routes.listAlertDecisions, { params: { id: check.id } })
  assert.ok(result !== undefined && Date.parse(result.stoppedAt) <= Date.now())
  assert.equal(decision?.at, result.stoppedAt)
})
