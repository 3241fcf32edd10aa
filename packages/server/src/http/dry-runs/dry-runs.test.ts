import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type BodyOf, type DryRun, type LeasedRun, type QueryOf, ROLES, type RunReport, routes } from '@vedette/schema'
import { sql } from 'kysely'
import { isAllowed } from '../../auth/caller.ts'
import { createLog } from '../../log.ts'
import { awaitDryRun, startDryRun } from '../../scheduling/dry-runs.ts'
import { selfSigned } from '../../testing/certificates.ts'
import { alertsOf, httpResultOf, makeCheck, makeDue, resultsOf } from '../../testing/checks.ts'
import { dumpOf } from '../../testing/dump.ts'
import { type FakeRunner, signInRunner } from '../../testing/fake-runner.ts'
import { pathOf, startTestServer, type TestServer } from '../../testing/test-server.ts'
import { until } from '../../testing/until.ts'

type Body = BodyOf<typeof routes.dryRunApiCheck>
type Query = QueryOf<typeof routes.dryRunApiCheck>

const CANARY = 'canary-4b1f-and-more'
const request = { method: 'GET' as const, url: 'http://shop.test/' }
const plain: Body = { name: 'Shop', request, retryStrategy: null }

const tryOut = (server: TestServer, body: Body = plain, query: Query = {}): Promise<DryRun> =>
  server.call(routes.dryRunApiCheck, { body, query })

async function leaseDry(runner: FakeRunner): Promise<LeasedRun> {
  const run = (await runner.lease({ waitMs: 10_000 })).find(({ leaseId }) => leaseId.startsWith('dry.'))
  if (run === undefined) throw new Error('No dry run was there.')
  return run
}

/** Asks, and has the runner report. */
async function triedOut(
  server: TestServer,
  runner: FakeRunner,
  body: Body,
  verdict: RunReport['verdict'],
  rest: Partial<RunReport> = {},
  query: Query = {},
): Promise<{ answer: DryRun; run: LeasedRun }> {
  const asked = tryOut(server, body, query)
  const run = await leaseDry(runner)
  const { accepted } = await runner.report(run, verdict, rest)
  assert.equal(accepted, 1)
  return { answer: await asked, run }
}

/** Everything that is stored but who was seen when, and who asked for what. */
async function stored(server: TestServer): Promise<string[]> {
  const lines = await dumpOf(server.db)
  return lines.filter((line) => !/^(?:audit_log|runners|api_keys|location_keys): /.test(line)).sort()
}

const refusal = async (server: TestServer, path: string, body: unknown, key?: string) => {
  const { status, body: answer } = await server.send('POST', path, { body, ...(key === undefined ? {} : { key }) })
  const keys: unknown = Reflect.get(Object(Reflect.get(Object(answer), 'validation')), 'keys')
  return { status, keys, message: String(Reflect.get(Object(answer), 'message')) }
}

test('a passing run is explained, and nothing of it stays', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const before = await stored(server)
  const { answer, run } = await triedOut(server, runner, plain, 'passed')
  assert.equal(run.keepDetail, true)
  assert.deepEqual([answer.verdict, answer.runLocation, answer.checkType], ['passed', 'us-east-1', 'API'])
  assert.deepEqual(answer.decision, {
    rule: 'all-is-well',
    blame: null,
    assertion: null,
    reason: 'the answer came in time, was acceptable, and nothing more is asserted of it',
  })
  assert.deepEqual([answer.retry.again, answer.retry.endedBy], [false, 'not-failed'])
  assert.deepEqual([answer.alert.when, answer.alert.alertType], ['never', 'NO_ALERT'])
  assert.deepEqual(
    answer.phases.map(({ name, duration }) => `${name} ${duration}`),
    ['responseTime 40', 'wait 0', 'dns 1', 'tcp 2', 'firstByte 30', 'download 7'],
  )
  assert.equal(answer.result.resultType, 'FINAL')
  assert.deepEqual(await stored(server), before)
})

test('a failing run says which assertion decided, how it would be tried again and when it would alert', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const body: Body = {
    ...plain,
    frequency: 5,
    muted: true,
    retryStrategy: { type: 'LINEAR', baseBackoffSeconds: 10, maxRetries: 3, sameRegion: false },
    useGlobalAlertSettings: false,
    alertSettings: { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 3 } },
  }
  const held = { source: 'STATUS_CODE', comparison: 'EQUALS', property: '', target: '200', regex: '', actual: 200 }
  const answered = { status: 200, statusText: 'OK', headers: {}, body: 'hello', timings: null, timingPhases: null }
  const { answer } = await triedOut(server, runner, body, 'failed', {
    rule: 'assertion-broken',
    error: 'body: expected "hello" to contain "world"',
    detail: {
      kind: 'API',
      content: {
        assertions: [
          { ...held, error: null },
          { ...held, source: 'TEXT_BODY', error: 'expected', actual: 'hello' },
        ],
        request: { method: 'GET', url: request.url, data: '', headers: {}, params: {} },
        response: answered,
        requestError: null,
        jobLog: null,
        jobAssets: null,
        pcapDataUrl: null,
      },
    },
  })
  assert.deepEqual(answer.decision, {
    rule: 'assertion-broken',
    blame: 'target',
    assertion: 1,
    reason: 'body: expected "hello" to contain "world"',
  })
  assert.deepEqual(
    answer.retry.attempts.map(({ attempt, delay, sameLocation }) => [attempt, delay, sameLocation]),
    [
      [2, 10_000, false],
      [3, 20_000, false],
      [4, 30_000, false],
    ],
  )
  assert.match(answer.retry.reason, /3 times, after 10 s, after 20 s and after 30 s, in another location/)
  assert.deepEqual(
    [answer.alert.when, answer.alert.runs, answer.alert.after, answer.alert.withheld],
    ['later', 3, 600_000, 'check-muted'],
  )
  assert.match(
    answer.alert.reason,
    /after 3 runs in a row like this one, 10 min after the first\. But the check is muted/,
  )
  assert.equal(httpResultOf(answer.result)?.response.body, 'hello')
  assert.equal(answer.result.hasFailures, true)
})

test('trouble of our own blames no target, alerts nobody and is tried again at once', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const { answer } = await triedOut(server, runner, plain, 'error')
  assert.deepEqual([answer.decision.rule, answer.decision.blame], ['our-trouble', 'ours'])
  assert.deepEqual([answer.alert.when, answer.retry.attempts.length], ['never', 1])
  assert.match(answer.retry.reason, /once, at once, in another location, where there is one, because the trouble/)
})

test('settings are those in force, with where each comes from', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const group = await server.call(routes.createCheckGroup, {
    body: {
      name: 'Shop',
      locations: ['eu-west-1'],
      apiCheckDefaults: { headers: [{ key: 'x-team', value: CANARY, locked: true }] },
    },
  })
  const { answer, run } = await triedOut(server, runner, { ...plain, groupId: group.id }, 'passed')
  assert.equal(answer.runLocation, 'eu-west-1')
  assert.deepEqual(answer.settings.locations, { value: ['eu-west-1'], from: ['group'] })
  assert.deepEqual(answer.settings.retryStrategy, { value: null, from: ['check'] })
  assert.deepEqual(answer.settings.alertSettings.from, ['account'])
  assert.ok(JSON.stringify(run.settings).includes(CANARY))
  assert.ok(!JSON.stringify(answer).includes(CANARY))
})

test('it is given what a run of the check would be given', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  await server.call(routes.createVariable, { body: { key: 'A', value: 'account' } })
  await server.call(routes.createVariable, { body: { key: 'B', value: 'account' } })
  await server.call(routes.createClientCertificate, { body: { host: 'shop.test', ...selfSigned() } })
  const snippet = (name: string, script: string) => server.call(routes.createSnippet, { body: { name, script } })
  const door = await snippet('door', "import './key.js'")
  await snippet('key', '// key')
  const group = await server.call(routes.createCheckGroup, {
    body: {
      name: 'Shop',
      setupSnippetId: door.id,
      localTearDownScript: '// close',
      environmentVariables: [{ key: 'B', value: CANARY, locked: false, secret: true }],
      apiCheckDefaults: {
        url: 'https://shop.test',
        headers: [{ key: 'x-team', value: 'shop', locked: false }],
        basicAuth: { username: 'monitor', password: CANARY },
        assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', property: '', target: '200', regex: '' }],
      },
    },
  })
  const body = {
    ...plain,
    name: 'Shop',
    groupId: group.id,
    request: { method: 'GET' as const, url: 'https://shop.test/{{CHECK_NAME}}/{{B}}' },
    locations: ['us-east-1' as const],
    localSetupScript: '// mine',
  }
  const check = await server.call(routes.createApiCheck, { body })
  await makeDue(server, check)
  const real = await runner.leaseOne()
  await runner.report(real, 'passed')
  assert.deepEqual(
    [
      real.scripts?.setUp.length,
      real.scripts?.tearDown.length,
      real.scripts?.snippets.length,
      real.certificates.length,
    ],
    [2, 1, 1, 1],
  )

  const itsOwn = ['CHECK_ID', 'CHECK_RESULT_ID', 'CHECK_RUN_ID']
  const given = ({ kind, settings, variables, scripts, certificates, location }: LeasedRun) => {
    const shared = variables.filter(({ key }) => !itsOwn.includes(key))
    return { kind, settings, variables: shared, scripts, certificates, location }
  }
  const variable = ({ variables }: LeasedRun, name: string) => variables.find(({ key }) => key === name)?.value
  const anew = await triedOut(server, runner, body, 'passed')
  assert.deepEqual(given(anew.run), given(real))
  assert.equal(variable(anew.run, 'CHECK_ID'), anew.answer.result.checkId)
  assert.equal(variable(anew.run, 'CHECK_RESULT_ID'), anew.answer.result.id)
  assert.deepEqual(anew.answer.settings.request?.from, ['check', 'group'])
  assert.ok(!JSON.stringify(anew.answer).includes(CANARY))

  const kept = await triedOut(server, runner, {}, 'passed', {}, { checkId: check.id })
  assert.deepEqual(given(kept.run), given(real))
  assert.equal(variable(kept.run, 'CHECK_ID'), check.id)

  const alone = await triedOut(server, runner, { groupId: null }, 'passed', {}, { checkId: check.id })
  assert.equal(variable(alone.run, 'B'), 'account')
  assert.deepEqual([alone.run.scripts?.setUp, variable(alone.run, 'GROUP_BASE_URL')], [['// mine'], ''])
})

test('it starts from a check, whose secrets, results, state and schedule stay as they are', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const locked = { key: 'x-door', value: CANARY, locked: true }
  const check = await makeCheck(server, { request: { ...request, headers: [locked] } })
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'passed')
  const before = await stored(server)
  const changes: Body = { degradedResponseTime: 10 }
  const query = { checkId: check.id, runLocation: 'eu-west-1' }
  const { answer, run } = await triedOut(server, runner, changes, 'failed', {}, query)
  assert.equal(run.checkId, check.id)
  assert.ok(JSON.stringify(run.settings).includes(CANARY))
  assert.equal(run.kind === 'API' && run.settings.degradedResponseTime, 10)
  assert.deepEqual([answer.runLocation, answer.result.checkId], ['eu-west-1', check.id])
  assert.ok(!JSON.stringify(answer).includes(CANARY))
  assert.deepEqual(await stored(server), before)
  assert.equal((await resultsOf(server, check)).length, 1)
  assert.deepEqual(await alertsOf(server, check), [])
})

test('while it waits its secrets are sealed, and its answer hides them as results do', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const headers = [
    { key: 'x-door', value: CANARY, locked: true },
    { key: 'authorization', value: `Bearer open-${CANARY}`, locked: false },
  ]
  const asked = tryOut(server, { ...plain, request: { ...request, headers } })
  const run = await leaseDry(runner)
  const dump = await dumpOf(server.db)
  assert.ok(dump.some((line) => line.startsWith('dry_runs: ')))
  assert.ok(!dump.some((line) => line.includes(CANARY)))
  await runner.report(run, 'passed')
  const answer = await asked
  assert.ok(!JSON.stringify(answer).includes(CANARY))
  assert.match(JSON.stringify(answer.settings.request), /"authorization","value":"\*{8}"/)
})

test('two at once are told apart, and each is leased before what is scheduled', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  const asked = ['one', 'two'].map((path) =>
    tryOut(server, { ...plain, request: { ...request, url: `http://shop.test/${path}` } }),
  )
  const runs: LeasedRun[] = []
  await until('both are there', async () => {
    runs.push(...(await runner.lease({ capacity: 1 })))
    return runs.filter(({ leaseId }) => leaseId.startsWith('dry.')).length === 2
  })
  for (const run of runs) {
    const url = run.kind === 'API' ? run.settings.request.url : ''
    await runner.report(run, 'failed', { error: `from ${url}` })
  }
  const reasons = (await Promise.all(asked)).map(({ decision }) => decision.reason)
  assert.deepEqual(reasons, ['from http://shop.test/one', 'from http://shop.test/two'])
})

test('when its runner is lost another one takes it, and the report of the first comes too late', async (t) => {
  const server = await startTestServer(t)
  const first = await signInRunner(server)
  const asked = tryOut(server)
  const lost = await leaseDry(first)
  assert.deepEqual(await first.lease(), [])
  await sql`update runners set last_seen_at = now() - interval '1 minute' where id = ${first.id}`.execute(server.db)
  const second = await signInRunner(server)
  const run = await leaseDry(second)
  assert.notEqual(run.leaseId, lost.leaseId)
  const late = await first.report(lost, 'failed')
  assert.deepEqual([late.accepted, late.dropped], [0, [lost.leaseId]])
  await second.report(run, 'passed')
  assert.equal((await asked).verdict, 'passed')
  const again = await second.report(run, 'passed')
  assert.deepEqual([again.accepted, again.dropped], [0, [run.leaseId]])
})

test('a lease whose answer never arrived is free once the runner says what it holds', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const asked = tryOut(server)
  const run = await leaseDry(runner)
  await sql`update dry_runs set leased_at = now() - interval '1 minute'`.execute(server.db)
  await runner.heartbeat([run.leaseId])
  assert.deepEqual(await runner.lease(), [])
  await runner.heartbeat([])
  await runner.report(await leaseDry(runner), 'degraded')
  assert.equal((await asked).decision.rule, 'over-degraded-response-time')
})

test('where no runner takes it, or brings it back, in time, it says where and leaves nothing', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const { locations, db, signals, secrets, accountId } = server
  await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const nobody = await refusal(server, '/v1/checks/api/dry-run?runLocation=cellar', plain)
  assert.equal(nobody.status, 503)
  assert.match(nobody.message, /No runner serves cellar/)

  const [locationNo = 0] = (await locations()).numbersOf(accountId, ['us-east-1'], [])
  const settings = (await makeCheckSettings(server)) as Parameters<typeof startDryRun>[2]['settings']
  const parts = { db, signals, secrets, log: createLog('error', () => {}) }
  const wish = { accountId, kind: 'API' as const, checkId: randomUUID(), checkName: '', groupId: null }
  const id = await startDryRun(db, secrets, { ...wish, settings, locationNo, runtimeId: null })
  const waiting = awaitDryRun(parts, id, 'API', 'us-east-1', new AbortController().signal, 100)
  await assert.rejects(waiting, /No runner of us-east-1 took the run within 0.1 seconds/)
  assert.deepEqual(await runner.lease(), [])
  assert.equal((await dumpOf(db)).filter((line) => line.startsWith('dry_runs')).length, 0)
})

async function makeCheckSettings(server: TestServer): Promise<unknown> {
  const check = await makeCheck(server, { activated: false })
  const row = await server.db
    .selectFrom('checks')
    .select('effective_settings')
    .where('id', '=', check.id)
    .executeTakeFirstOrThrow()
  return row.effective_settings
}

test('whoever hangs up takes the run away', async (t) => {
  const server = await startTestServer(t)
  await signInRunner(server)
  const hangUp = new AbortController()
  const asked = fetch(server.url + pathOf(routes.dryRunApiCheck, {}), {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(plain),
    signal: hangUp.signal,
  }).catch(() => 'hung up')
  const rows = async () => (await server.db.selectFrom('dry_runs').select('id').execute()).length
  await until('it waits', async () => (await rows()) === 1)
  hangUp.abort()
  assert.equal(await asked, 'hung up')
  await until('it is gone', async () => (await rows()) === 0)
})

test('what creating a check would refuse is refused, with the name of the field', async (t) => {
  const server = await startTestServer(t)
  await signInRunner(server)
  const other = await server.keyFor('OWNER', await server.addAccount())
  const strange = await server.call(routes.createCheckGroup, { body: { name: 'Theirs' }, key: other })
  const { id } = await makeCheck(server)
  const bad: [string, unknown][] = [
    ['name', { request }],
    ['request', { name: 'Shop' }],
    ['request.url', { ...plain, request: { url: 'ftp://shop.test/', method: 'GET' } }],
    ['request.url', { ...plain, request: { url: 'x'.repeat(3000), method: 'GET' } }],
    ['request.assertions.0.property', { ...plain, request: { ...request, assertions: [regexp] } }],
    ['groupId', { ...plain, groupId: 77 }],
    ['groupId', { ...plain, groupId: strange.id }],
    ['privateLocations', { ...plain, privateLocations: ['attic'] }],
    ['alertChannelSubscriptions', { ...plain, alertChannelSubscriptions: [{ alertChannelId: 9, activated: true }] }],
    ['locations', { ...plain, locations: [] }],
  ]
  for (const [field, body] of bad) {
    const { status, keys, message } = await refusal(server, '/v1/checks/api/dry-run', body)
    assert.deepEqual([status, keys], [400, [field]], `${field}: ${message}`)
  }
  const hostile = ['[]', '"x"', '{"__proto__": {"name": "x"}}', '{"name":"\\u0000"', `${'['.repeat(50_000)}`]
  for (const text of hostile) {
    const { status } = await server.send('POST', '/v1/checks/api/dry-run', { text })
    assert.equal(status, 400, text.slice(0, 40))
  }
  const where = async (query: string, key?: string) =>
    (await refusal(server, `/v1/checks/api/dry-run?${query}`, plain, key)).status
  assert.equal(await where('runLocation=moon-1'), 400)
  assert.equal(await where('checkId=42'), 400)
  assert.equal(await where(`checkId=${id}`, other), 404)
  assert.equal((await refusal(server, `/v1/checks/url/dry-run?checkId=${id}`, {})).status, 404)
  const heartbeat = { name: 'Nightly', heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } }
  const passive = await refusal(server, '/v1/checks/heartbeat/dry-run', heartbeat)
  assert.deepEqual([passive.status, passive.message], [409, 'A heartbeat is not run: it waits for pings.'])
  assert.equal((await server.db.selectFrom('dry_runs').select('id').execute()).length, 0)
})

const regexp = { source: 'TEXT_BODY', comparison: 'EQUALS', property: '(', target: '' }

test('who may write checks may try them, and nobody else', async (t) => {
  const server = await startTestServer(t)
  for (const role of ROLES) {
    const key = await server.keyFor(role)
    const { status } = await refusal(server, '/v1/checks/api/dry-run', {}, key)
    assert.equal(status, isAllowed(role, 'write') ? 400 : 403, role)
  }
})

test('ten a minute are enough for one key', async (t) => {
  const server = await startTestServer(t, { env: { RATE_LIMIT: '600' } })
  const statuses: number[] = []
  for (let n = 0; n < 11; n += 1) statuses.push((await refusal(server, '/v1/checks/api/dry-run', {})).status)
  assert.deepEqual(statuses.slice(0, 10), Array(10).fill(400))
  assert.equal(statuses[10], 429)
})
