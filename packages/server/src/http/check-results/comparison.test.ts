import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  consoleMessage,
  failedRequest,
  scriptError,
  scriptRun,
  scriptStep,
  scriptTest,
  seenPage,
} from '@vedette/core/testing/script-runs'
import { routes, type ScriptRun, type Verdict } from '@vedette/schema'
import { makeCheck, makeDue, resultsOf } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { scriptReport } from '../../testing/script-reports.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const places = { locations: ['us-east-1' as const, 'eu-west-1' as const], retryStrategy: null }

/** Runs it once for each report, at its locations in turn. Answers the ids of the results. */
async function ranAs(
  server: TestServer,
  check: { id: string },
  kind: 'BROWSER' | 'MULTI_STEP',
  runs: readonly [Verdict, ScriptRun][],
): Promise<{ id: string; location: string }[]> {
  const runner = await signInRunner(server)
  for (const [verdict, run] of runs) {
    await makeDue(server, check)
    const leased = await runner.leaseOne()
    await runner.report(leased, verdict, scriptReport(kind, run))
  }
  return (await resultsOf(server, check)).toReversed().map(({ id, runLocation }) => ({ id, location: runLocation }))
}

const well = scriptRun({
  tests: [scriptTest('buys', [scriptStep('open the shop'), scriptStep('press the button')])],
  pages: [seenPage('http://shop.test/')],
})
const failed = scriptRun({
  status: 'failed',
  endTime: well.endTime + 3000,
  tests: [
    scriptTest(
      'buys',
      [scriptStep('open the shop'), scriptStep('press the button', { error: scriptError('no such button') })],
      { status: 'failed', errors: [scriptError('no such button')] },
    ),
  ],
  pages: [seenPage('http://shop.test/', [100, 400, 5000, 0.02, 50])],
  console: [consoleMessage('price is undefined')],
  failedRequests: [failedRequest('http://shop.test/api/price/17')],
})

test('a failing run is compared with the last one that passed, at the same location if there is one', async (t) => {
  const server = await startTestServer(t)
  const check = await server.call(routes.createBrowserCheck, {
    body: { name: 'Checkout', script: '// look', ...places },
  })
  const slow = { ...well, endTime: well.endTime + 500 }
  const ran = await ranAs(server, check, 'BROWSER', [
    ['passed', well],
    ['passed', slow],
    ['failed', failed],
    ['degraded', well],
  ])
  const [first, second, third, fourth] = ran
  assert.ok(first && second && third && fourth)
  const compare = (checkResultId: string, query: { with?: string } = {}) =>
    server.call(routes.compareCheckResult, { params: { checkId: check.id, checkResultId }, query })
  const told = await compare(third.id)
  const expected = [first, second].find(({ location }) => location === third.location)
  assert.deepEqual([told.result.id, told.with.id], [third.id, expected?.id])
  assert.deepEqual([told.result.verdict, told.result.duration], ['failed', 4200])
  assert.deepEqual([told.result.runLocation, told.with.runLocation], [third.location, third.location])
  assert.deepEqual([told.firstStep?.difference, told.firstStep?.path], ['FAILED', ['press the button']])
  assert.equal(told.firstStep?.result?.error?.message, 'no such button')
  assert.deepEqual(
    told.tests.map(({ title, result, with: before }) => [title, result, before]),
    [[['buys'], 'failed', 'passed']],
  )
  assert.deepEqual([told.consoleErrors[0]?.text, told.consoleErrors[0]?.times], ['price is undefined', 1])
  assert.equal(told.failedRequests[0]?.url, 'http://shop.test/api/price/17')
  assert.deepEqual([told.pages[0]?.webVitals[0]?.name, told.pages.length], ['LCP', 1])
  assert.deepEqual(told.screenshots, [])

  const chosen = await compare(first.id, { with: third.id })
  assert.equal(chosen.firstStep?.difference, 'RECOVERED')
  const same = await compare(third.id, { with: third.id })
  assert.deepEqual([same.firstStep, same.tests, same.consoleErrors], [null, [], []])
})

test('another location will do where this one has never passed', async (t) => {
  const server = await startTestServer(t)
  const check = await server.call(routes.createMultiStepCheck, {
    body: { name: 'Orders', script: '// ask', ...places },
  })
  const [first, second] = await ranAs(server, check, 'MULTI_STEP', [
    ['passed', well],
    ['failed', failed],
  ])
  assert.ok(first && second && first.location !== second.location)
  const params = { checkId: check.id, checkResultId: second.id }
  const told = await server.call(routes.compareCheckResult, { params })
  assert.deepEqual([told.with.id, told.with.runLocation], [first.id, first.location])
})

test('without a good run before, and of other kinds, there is nothing to compare', async (t) => {
  const server = await startTestServer(t)
  const check = await server.call(routes.createBrowserCheck, {
    body: { name: 'Checkout', script: '// look', ...places },
  })
  const [first] = await ranAs(server, check, 'BROWSER', [['failed', failed]])
  const ofApi = await makeCheck(server)
  const runner = await signInRunner(server)
  for (const verdict of ['passed', 'failed'] as const) {
    await makeDue(server, ofApi)
    await runner.report(await runner.leaseOne(), verdict)
  }
  const [last] = await resultsOf(server, ofApi)
  assert.ok(first && last)
  const stranger = await server.keyFor('READ_ONLY', await server.addAccount())
  const path = `/v1/check-results/${check.id}/${first.id}/comparison`
  const refused: [path: string, options?: { key: string }][] = [
    [path],
    [`${path}?with=${last.id}`],
    [`/v1/check-results/${ofApi.id}/${last.id}/comparison`],
    [`/v1/check-results/${check.id}/${last.id}/comparison`],
    [`${path}?with=${first.id}`, { key: stranger }],
  ]
  for (const [path, options] of refused) assert.equal((await server.send('GET', path, options)).status, 404, path)
  assert.equal((await server.send('GET', `${path}?with=${first.id}`)).status, 200)
  assert.equal((await server.send('GET', `${path}?with=yesterday`)).status, 400)
})
