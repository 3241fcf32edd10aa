import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BrowserCheckCreate, type MultiStepCheckCreate, routes } from '@vedette/schema'
import { makeCheck, makeDue, plannedFor } from '../testing/checks.ts'
import { ALL_ABILITIES, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { moveOnLateRuns } from './late-runs.ts'
import { nextDueInMs } from './lease-store.ts'

const [CURRENT, ...OLDER] = ALL_ABILITIES.runtimes ?? []
const onlyCurrent = { runtimes: CURRENT === undefined ? [] : [CURRENT] }
const strict = { level: 'strict' as const, layers: [] }

const makeMultiStep = (server: TestServer, settings: Partial<MultiStepCheckCreate> = {}) =>
  server.call(routes.createMultiStepCheck, {
    body: { name: 'Steps', script: 'test("one")', locations: ['us-east-1'], frequency: 10, ...settings },
  })
const makeBrowser = (server: TestServer, settings: Partial<BrowserCheckCreate> = {}) =>
  server.call(routes.createBrowserCheck, {
    body: { name: 'Pages', script: 'test("one")', locations: ['us-east-1'], frequency: 10, ...settings },
  })

const cannotRun = async (server: TestServer, { id }: { id: string }) => {
  const { cannotRun } = await server.call(routes.getCheckStatus, { params: { checkId: id } })
  const query = { checkId: id }
  const [overview] = await server.call(routes.overviewChecks, { query })
  assert.equal(overview?.cannotRun, cannotRun)
  return cannotRun
}

async function runOnDemand(server: TestServer, { id }: { id: string }) {
  const { status, body } = await server.send('POST', '/v1/check-sessions/trigger', {
    body: { target: { checkId: id } },
  })
  return { status, message: String(Reflect.get(Object(body), 'message')) }
}

async function privateRunner(server: TestServer) {
  const { keys } = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  const runner = await signInRunner(server, keys[0]?.rawKey)
  return runner
}

test('a script is leased only to a runner that has its runtime, a page only to one with a browser', async (t) => {
  const server = await startTestServer(t)
  const current = await signInRunner(server, undefined, { ...onlyCurrent, kinds: ['API', 'MULTI_STEP'], browser: null })
  const old = await signInRunner(server, current.key, { kinds: ['MULTI_STEP', 'BROWSER'], runtimes: OLDER })
  const steps = await makeMultiStep(server, { timeout: 20 })
  const oldSteps = await makeMultiStep(server, { runtimeId: '2024.09' })
  const pages = await makeBrowser(server, { runtimeId: '2023.02' })
  const shop = await makeCheck(server)
  for (const check of [steps, oldSteps, pages, shop]) await makeDue(server, check)
  const limits = new Map<string, unknown>()
  const leased = async (runner: typeof old) =>
    (await runner.lease())
      .map(({ checkId, settings }) => {
        if ('limitMs' in settings) limits.set(checkId, settings.limitMs)
        return checkId
      })
      .sort()
  assert.deepEqual(await leased(old), [oldSteps.id, pages.id].sort())
  assert.deepEqual(await leased(current), [steps.id, shop.id].sort())
  assert.deepEqual(
    [steps, oldSteps, pages].map(({ id }) => limits.get(id)),
    [20_000, 240_000, 240_000],
  )
})

test('runs that a runner cannot execute do not keep it asking', async (t) => {
  const server = await startTestServer(t)
  await signInRunner(server, undefined, { kinds: ['API'] })
  await makeDue(server, await makeMultiStep(server), 5000)
  const locations = (await server.locations()).numbersOf(server.accountId, ['us-east-1'], [])
  const next = () => nextDueInMs(server.db, locations, 500)
  assert.equal(await next(), null)
  await makeDue(server, await makeCheck(server), -60_000)
  const inMs = (await next()) ?? 0
  assert.ok(inMs > 30_000 && inMs <= 61_000, `${inMs}`)
})

test('the runtime in force is that of the check, else of its group, else of its account, and is told to the script', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Old ones', runtimeId: '2024.02' } })
  const inForce = async (settings: Partial<MultiStepCheckCreate>) => {
    const check = await makeMultiStep(server, settings)
    await makeDue(server, check)
    const run = await runner.leaseOne()
    await server.call(routes.deleteCheck, { params: { id: check.id } })
    assert.ok(run.kind === 'MULTI_STEP')
    const told = run.variables.find(({ key }) => key === 'RUNTIME_VERSION')?.value
    assert.equal(told, run.settings.runtimeId)
    return told
  }
  assert.equal(await inForce({}), '2025.04', 'of an account that chose none')
  await server.call(routes.updateMyAccount, { body: { runtimeId: '2023.09' } })
  assert.equal(await inForce({}), '2023.09')
  assert.equal(await inForce({ groupId: group.id }), '2024.02')
  assert.equal(await inForce({ groupId: group.id, runtimeId: '2024.09' }), '2024.09')
})

test('slots that no runner can execute are missed with what is missing, and the check says so', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server, undefined, onlyCurrent)
  await runner.sayIsolation(strict)
  const check = await makeMultiStep(server, { runtimeId: '2024.09' })
  const reason = 'No runner can execute this: the runtime 2024.09 is not installed there.'
  assert.equal(await cannotRun(server, check), reason)
  await makeDue(server, check, 11 * 60_000)
  assert.deepEqual(await runner.lease(), [])
  const late = { db: server.db, view: await server.locations(), onGivenUp: async () => {} }
  const { missed } = await moveOnLateRuns(late, Date.now())
  assert.deepEqual(
    missed.map((run) => run.reason),
    [reason],
  )
  await runner.sayAbilities(ALL_ABILITIES)
  assert.equal(await cannotRun(server, check), null)
  await makeDue(server, check)
  assert.equal((await runner.leaseOne()).checkId, check.id)
})

test('a check that another of its locations can execute moves there', async (t) => {
  const server = await startTestServer(t)
  await signInRunner(server, undefined, onlyCurrent)
  const cellar = await privateRunner(server)
  const check = await makeMultiStep(server, { runtimeId: '2024.09', privateLocations: ['cellar'] })
  assert.equal(await cannotRun(server, check), null)
  await makeDue(server, check, 6000)
  const late = { db: server.db, view: await server.locations(), onGivenUp: async () => {} }
  const { missed, moved } = await moveOnLateRuns(late, Date.now())
  assert.deepEqual([missed.length, moved], [0, 1])
  assert.deepEqual(
    (await plannedFor(server, check)).map(({ location }) => location),
    ['cellar'],
  )
  assert.equal((await cellar.leaseOne()).checkId, check.id)
})

test('who asks for a run while its runner finds out what it can execute is given it then', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server, undefined, { kinds: ['API'], runtimes: [], browser: null })
  const check = await makeMultiStep(server)
  const { status } = await runOnDemand(server, check)
  assert.equal(status, 201)
  assert.deepEqual(await runner.lease(), [])
  await runner.sayIsolation(strict)
  await runner.sayAbilities(ALL_ABILITIES)
  assert.equal((await runner.leaseOne()).checkId, check.id)
  const other = await makeMultiStep(server)
  await runner.sayAbilities({ runtimes: [] })
  assert.equal((await runOnDemand(server, other)).status, 503, 'now it is known that it cannot')
})

test('who asks for a run that no runner can execute is told at once', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server, undefined, { kinds: ['API', 'MULTI_STEP'], browser: null })
  await runner.sayIsolation(strict)
  const check = await makeBrowser(server)
  const asked = await runOnDemand(server, check)
  assert.deepEqual([asked.status, /Pages: .*there is no browser/.test(asked.message)], [503, true])
  const { status, body } = await server.send('POST', '/v1/checks/browser/dry-run', {
    body: { name: 'Pages', script: 'test("one")', locations: ['us-east-1'] },
  })
  assert.equal(status, 503)
  assert.match(String(Reflect.get(Object(body), 'message')), /there is no browser/)
  assert.equal(
    await cannotRun(server, check),
    'No runner can execute this: there is no browser there (install Chromium).',
  )
})

test('what was not found out yet or nobody is there for is told apart from what cannot be', async (t) => {
  const server = await startTestServer(t)
  const check = await makeBrowser(server)
  assert.equal(await cannotRun(server, check), null, 'a runner may come')
  const runner = await signInRunner(server, undefined, { kinds: ['API'], runtimes: [], browser: null })
  assert.match((await cannotRun(server, check)) ?? '', /not been found out yet/)
  await runner.sayIsolation({ level: 'none', layers: [] })
  assert.match((await cannotRun(server, check)) ?? '', /install bubblewrap/)
  const locations = await server.call(routes.listLocations)
  assert.equal(locations.find(({ region }) => region === 'us-east-1')?.scripts, null)
  await runner.sayAbilities(ALL_ABILITIES)
  assert.equal(await cannotRun(server, check), null)
  const [found] = (await server.call(routes.listLocations)).filter(({ region }) => region === 'us-east-1')
  assert.equal(found?.scripts?.runtimes.length, ALL_ABILITIES.runtimes?.length)
  assert.deepEqual([found?.scripts?.browser, found?.scripts?.recordsVideo], [ALL_ABILITIES.browser, true])
})

test('a private location tells what its runners execute scripts with', async (t) => {
  const server = await startTestServer(t)
  const runner = await privateRunner(server)
  const scripts = async () => (await server.call(routes.listPrivateLocations))[0]?.scripts
  assert.equal((await scripts())?.runtimes[0]?.id, '2025.04')
  await runner.sayAbilities({ runtimes: [] })
  assert.equal(await scripts(), null)
})
