import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BrowserCheck, type BrowserCheckCreate, type LeasedRun, type RunReport, routes } from '@vedette/schema'
import { sql } from 'kysely'
import { createLog } from '../log.ts'
import { INSPECTED_EVERY_MS, startInspections } from '../scheduling/inspections.ts'
import { alertsOf, makeCheck, makeDue, plannedFor, resultsOf } from '../testing/checks.ts'
import { aReport, type FakeRunner, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const DAY_MS = 86_400_000

function makeBrowserCheck(server: TestServer, settings: Partial<BrowserCheckCreate> = {}): Promise<BrowserCheck> {
  const body = { name: 'Checkout', script: '// look', sslCheckDomain: 'Shop.test', locations: ['us-east-1' as const] }
  return server.call(routes.createBrowserCheck, { body: { ...body, ...settings } })
}

interface Begun {
  started: number
  log: string[]
}

/** As the periodic work does. */
async function begin(server: TestServer): Promise<Begun> {
  const { db, secrets, locations } = server
  const log: string[] = []
  const started = await startInspections({ db, secrets, locations, log: createLog('warn', (line) => log.push(line)) })
  return { started, log }
}

const certificate = (fingerprint256: string, days: number): Partial<RunReport> => ({
  certificate: { fingerprint256, expiresAtMs: Date.now() + days * DAY_MS + 60_000 },
})

async function inspect(server: TestServer, runner: FakeRunner, fingerprint: string, days: number): Promise<LeasedRun> {
  assert.equal((await begin(server)).started, 1)
  const run = await runner.leaseOne()
  assert.equal((await runner.report(run, 'passed', certificate(fingerprint, days))).accepted, 1)
  return run
}

/** An hour passes, and more of them with a day. */
async function later(server: TestServer, ms = INSPECTED_EVERY_MS): Promise<void> {
  const before = sql`${ms} * interval '1 millisecond'`
  await sql`update certificate_inspections set due_at = due_at - ${before}`.execute(server.db)
  await sql`update check_certificates set seen_at = seen_at - ${before}`.execute(server.db)
  if (ms >= DAY_MS) await sql`update certificate_alerts set alerted_on = alerted_on - 1`.execute(server.db)
}

const daysLeft = async (server: TestServer, check: { id: string }) =>
  (await server.call(routes.getCheckStatus, { params: { checkId: check.id } })).sslDaysRemaining

const hostOf = (run: LeasedRun) => (run.kind === 'SSL' ? run.settings.request.sslConfig.hostname : run.kind)

test('the domain of a browser check is inspected by a runner, at once and every hour', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeBrowserCheck(server)
  assert.equal(await daysLeft(server, check), null)

  const run = await inspect(server, runner, 'AA', 40)
  assert.deepEqual(
    [run.kind, run.checkId, run.location, run.variables, run.scripts],
    ['SSL', check.id, 'us-east-1', [], null],
  )
  assert.deepEqual(run.kind === 'SSL' && run.settings.request.sslConfig, {
    hostname: 'shop.test',
    port: 443,
    skipChainValidation: true,
    securityBaseline: { enabled: false },
  })
  assert.equal(await daysLeft(server, check), 40)
  assert.equal((await begin(server)).started, 0)
  await later(server)
  await inspect(server, runner, 'BB', 90)
  assert.equal(await daysLeft(server, check), 90)
})

test('whatever the run found, only the certificate is taken of it', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeBrowserCheck(server)
  const status = () => server.call(routes.getCheckStatus, { params: { checkId: check.id } })
  const before = await status()
  const planned = await plannedFor(server, check)
  await begin(server)
  await runner.report(await runner.leaseOne(), 'failed', certificate('AA', -3))
  assert.deepEqual(await status(), { ...before, sslDaysRemaining: -3 })
  assert.deepEqual(await resultsOf(server, check), [])
  assert.deepEqual(await plannedFor(server, check), planned)
  assert.equal((await server.db.selectFrom('dry_runs').select('id').execute()).length, 0)
})

test('channels are told of it within their threshold, once a day, and led to the check', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const config = { name: 'hook', webhookType: null, url: 'http://hook.test/', method: 'POST' as const }
  const channel = { type: 'WEBHOOK' as const, config, sslExpiry: true, sslExpiryThreshold: 14 }
  const { id } = await server.call(routes.createAlertChannel, { body: channel })
  const check = await makeBrowserCheck(server, { alertChannelSubscriptions: [{ alertChannelId: id, activated: true }] })
  const messages = async () =>
    (await server.db.selectFrom('notifications').select('message').orderBy('created_at').execute()).map(
      ({ message }) => message,
    )
  await inspect(server, runner, 'AA', 20)
  assert.deepEqual(await messages(), [])
  await later(server, DAY_MS)
  await inspect(server, runner, 'AA', 10)
  await later(server)
  await inspect(server, runner, 'AA', 10)
  assert.deepEqual(await alertsOf(server, check), ['ALERT_SSL'])
  const [told, ...more] = await messages()
  assert.deepEqual(more, [])
  assert.equal(Reflect.get(Object(told), 'ALERT_TITLE'), 'The certificate of shop.test expires in 10 days')
  assert.ok(String(Reflect.get(Object(told), 'RESULT_LINK')).endsWith(`/checks/${check.id}`))
  await later(server, DAY_MS)
  await inspect(server, runner, 'AA', 9)
  assert.equal((await messages()).length, 2)
})

test('another domain is inspected at once, and what was under way for the old one is dropped', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeBrowserCheck(server)
  await inspect(server, runner, 'AA', 40)
  const change = (body: Partial<BrowserCheckCreate>) =>
    server.call(routes.updateBrowserCheck, { params: { id: check.id }, body })
  await change({ name: 'Renamed' })
  assert.equal((await begin(server)).started, 0)
  assert.equal(await daysLeft(server, check), 40)

  await change({ sslCheckDomain: 'old.test' })
  assert.equal(await daysLeft(server, check), null)
  await begin(server)
  const old = await runner.leaseOne()
  await change({ sslCheckDomain: 'new.test' })
  await begin(server)
  const run = await runner.leaseOne()
  assert.deepEqual([hostOf(old), hostOf(run)], ['old.test', 'new.test'])
  assert.deepEqual((await runner.report(old, 'passed', certificate('BB', 1))).dropped, [old.leaseId])
  assert.equal(await daysLeft(server, check), null)
  await runner.report(run, 'passed', certificate('CC', 60))
  assert.equal(await daysLeft(server, check), 60)

  await change({ sslCheckDomain: null })
  await later(server)
  assert.equal((await begin(server)).started, 0)
  assert.equal(await daysLeft(server, check), null)
})

test('what is switched off, by itself or by its group, is not inspected', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Group' } })
  const check = await makeBrowserCheck(server, { activated: false, groupId: group.id })
  const started = async () => (await begin(server)).started
  assert.equal(await started(), 0)
  const params = { id: check.id }
  await server.call(routes.updateBrowserCheck, { params, body: { activated: true } })
  assert.equal(await started(), 1)
  const run = await runner.leaseOne()
  await server.call(routes.updateCheckGroup, { params: { id: group.id }, body: { name: 'Group', activated: false } })
  assert.equal((await runner.report(run, 'passed', certificate('AA', 1))).accepted, 0)
  await later(server)
  assert.equal(await started(), 0)
  await server.call(routes.updateCheckGroup, { params: { id: group.id }, body: { name: 'Group', activated: true } })
  assert.equal(await started(), 1)
  await runner.leaseOne()
  await server.call(routes.deleteCheck, { params })
  await later(server)
  assert.equal(await started(), 0)
})

test('a failed inspection keeps the days, says why, and goes to the next location an hour later', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeBrowserCheck(server, { locations: ['us-east-1', 'eu-west-1'] })
  await inspect(server, runner, 'AA', 40)
  const places: string[] = []
  for (const error of ['the connection was refused', 'no such host', null]) {
    await later(server)
    await begin(server)
    const run = await runner.leaseOne()
    places.push(run.location)
    await runner.report(run, 'failed', error === null ? certificate('AA', 39) : { error })
    assert.equal((await begin(server)).started, 0)
    assert.equal(await daysLeft(server, check), error === null ? 39 : 40)
  }
  assert.deepEqual(places, ['us-east-1', 'eu-west-1', 'us-east-1'])
  const told = server.log.filter((line) => line.includes('could not be inspected'))
  assert.deepEqual(
    [told.length, told[0]?.includes('the connection was refused'), told[0]?.includes('shop.test')],
    [2, true, true],
  )
})

test('what is never reported is due again in minutes, and its report then comes too late', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeBrowserCheck(server)
  await begin(server)
  const lost = await runner.leaseOne()
  await later(server, 100_000)
  assert.equal((await begin(server)).started, 0, 'it may still be on its way')
  await later(server, 20_000)
  const { started, log } = await begin(server)
  assert.deepEqual([started, log.length], [1, 1])
  assert.match(log[0] ?? '', /was not reported/)
  const run = await runner.leaseOne()
  assert.deepEqual((await runner.report(lost, 'passed', certificate('AA', 3))).dropped, [lost.leaseId])
  assert.equal((await runner.report(run, 'passed', certificate('BB', 4))).accepted, 1)
  assert.equal((await runner.report(run, 'passed', certificate('CC', 5))).accepted, 0, 'and once only')
  assert.equal(await daysLeft(server, check), 4)

  // A crash of the database empties the table of what is under way.
  await later(server)
  await begin(server)
  await sql`truncate dry_runs`.execute(server.db)
  await later(server, 120_000)
  assert.equal((await begin(server)).started, 1)
})

test('when its runner is lost another one takes it', async (t) => {
  const server = await startTestServer(t)
  const first = await signInRunner(server)
  const check = await makeBrowserCheck(server)
  await begin(server)
  await first.leaseOne()
  await sql`update runners set last_seen_at = now() - interval '1 minute' where id = ${first.id}`.execute(server.db)
  const second = await signInRunner(server)
  await second.report(await second.leaseOne(), 'passed', certificate('AA', 7))
  assert.equal(await daysLeft(server, check), 7)
})

test('it waits for a runner that can, in whichever location of the check', async (t) => {
  const server = await startTestServer(t)
  const { keys } = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const key = keys[0]?.rawKey ?? ''
  const plain = { name: 'plain', version: 'test', kinds: ['API' as const] }
  await signInRunner(server)
  await server.call(routes.runnerSignIn, { body: plain, key })
  const check = await makeBrowserCheck(server, { locations: [], privateLocations: ['cellar'] })
  assert.equal((await begin(server)).started, 0)
  await later(server, 40_000)
  assert.equal((await begin(server)).started, 0)
  const able = await signInRunner(server, key)
  await later(server, 40_000)
  assert.equal((await begin(server)).started, 1)
  const run = await able.leaseOne()
  assert.equal(run.location, 'cellar')
  await able.report(run, 'passed', certificate('AA', 8))
  assert.equal(await daysLeft(server, check), 8)
})

test('of many, some are begun at a time, each once however many servers look', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  for (let n = 0; n < 45; n += 1) await makeBrowserCheck(server, { sslCheckDomain: `shop-${n}.test` })
  let started = 0
  for (let look = 0; look < 3; look += 1) {
    for (const { started: some } of await Promise.all([begin(server), begin(server)])) started += some
  }
  const runs = await runner.lease()
  assert.deepEqual([started, runs.length, new Set(runs.map(hostOf)).size], [45, 45, 45])
  const { accepted } = await runner.reportAll(runs.map((run) => aReport(run, 'passed', certificate(hostOf(run), 9))))
  assert.equal(accepted, 45)
})

test('reports of inspections, of checks and of nobody come in one batch', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const browser = await makeBrowserCheck(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  await begin(server)
  const runs = await runner.lease()
  const [inspection, run] = [runs.find(({ kind }) => kind === 'SSL'), runs.find(({ kind }) => kind === 'API')]
  assert.ok(inspection && run)
  const strange = { ...inspection, leaseId: 'dry.00000000-0000-4000-8000-000000000000' }
  const answer = await runner.reportAll([
    aReport(inspection, 'passed', certificate('AA', 7)),
    aReport(run, 'passed'),
    aReport(strange, 'passed', certificate('AA', 1)),
  ])
  assert.deepEqual(answer, { accepted: 2, dropped: [strange.leaseId] })
  assert.equal(await daysLeft(server, browser), 7)
  assert.equal((await resultsOf(server, check)).length, 1)
})
