import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RunReport, routes } from '@vedette/schema'
import { httpResultOf, makeCheck, makeDue, resultsOf } from '../testing/checks.ts'
import { dumpOf } from '../testing/dump.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const SECRET = 'canary-secret-9f'
const LOCKED = 'canary locked "7c"'
const OF_GROUP = 'canary-of-group-3d'

async function hide(server: TestServer): Promise<void> {
  await server.call(routes.createVariable, { body: { key: 'SECRET', value: SECRET, secret: true } })
  await server.call(routes.createVariable, { body: { key: 'LOCKED', value: LOCKED, locked: true } })
  await server.call(routes.createVariable, { body: { key: 'OPEN', value: 'open-value' } })
  const environmentVariables = [{ key: 'GROUP', value: OF_GROUP, locked: false, secret: true }]
  await server.call(routes.createCheckGroup, { body: { name: 'Group', environmentVariables } })
}

/** What a target tells that has heard it all somewhere else. */
function telling(text: string, error: string | null = null): Partial<RunReport> {
  const request = { method: 'GET' as const, url: 'http://shop.test/', data: '', headers: {}, params: {} }
  const response = { status: 200, statusText: 'OK', headers: { 'x-seen': text }, body: text, timings: null }
  return {
    error,
    detail: {
      kind: 'API',
      content: {
        assertions: [],
        request,
        response: { ...response, timingPhases: null },
        requestError: null,
        jobLog: null,
        jobAssets: null,
        pcapDataUrl: null,
      },
    },
  }
}

const SPELLINGS = [
  SECRET,
  OF_GROUP,
  JSON.stringify(LOCKED).slice(1, -1),
  encodeURIComponent(LOCKED),
  Buffer.from(SECRET).toString('hex'),
  Buffer.from(`user:${SECRET}`).toString('base64'),
]

test('what the account hides is taken out of reports, whatever the runner made of them', async (t) => {
  const server = await startTestServer(t)
  await hide(server)
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  const text = `${SPELLINGS.join(' and ')} and open-value`
  await runner.report(await runner.leaseOne(), 'failed', telling(text, `expected ${text}`))
  const [result] = await resultsOf(server, check)
  assert.ok(result)
  const told = httpResultOf(result)
  assert.match(told?.response.body ?? '', /^\*{8} and \*{8} and .* and open-value$/)
  const dump = (await dumpOf(server.db)).join('\n')
  const answers = JSON.stringify([result, await server.call(routes.listErrorGroups, { params: { checkId: check.id } })])
  for (const spelling of SPELLINGS.slice(0, 5))
    assert.ok(!dump.includes(spelling) && !answers.includes(spelling), spelling)
})

test('a dry run is told without it too', async (t) => {
  const server = await startTestServer(t)
  await hide(server)
  const runner = await signInRunner(server)
  const body = { name: 'Shop', request: { method: 'GET' as const, url: 'http://shop.test/' } }
  const asked = server.call(routes.dryRunApiCheck, { body, query: {} })
  await runner.report(await runner.leaseOne({ waitMs: 20_000 }), 'failed', telling(SECRET, `saw ${SECRET}`))
  const answer = await asked
  assert.equal(answer.decision.reason, 'saw ********')
  assert.ok(!JSON.stringify(answer).includes(SECRET))
})

test('other accounts’ secrets are nobody’s business', async (t) => {
  const server = await startTestServer(t)
  const theirs = await server.keyFor('OWNER', await server.addAccount())
  await server.call(routes.createVariable, { body: { key: 'S', value: 'theirs-alone', secret: true }, key: theirs })
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed', telling('theirs-alone', 'theirs-alone'))
  const [result] = await resultsOf(server, check)
  assert.ok(result)
  assert.equal(httpResultOf(result)?.response.body, 'theirs-alone')
})

test('a secret that is a word of ours costs the detail, not the result', async (t) => {
  const server = await startTestServer(t)
  await server.call(routes.createVariable, { body: { key: 'S', value: 'timingPhases', secret: true } })
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed', telling('anything', 'broken'))
  const [result] = await resultsOf(server, check)
  assert.ok(result)
  assert.deepEqual([result.hasFailures, result.apiCheckResult], [true, null])
})

test('what cannot be opened does not keep results from being recorded', async (t) => {
  const server = await startTestServer(t)
  await hide(server)
  await server.db.updateTable('variables').set({ sealed_value: 'nonsense' }).where('key', '=', 'LOCKED').execute()
  const runner = await signInRunner(server)
  const check = await makeCheck(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed', telling(SECRET, SECRET))
  const [result] = await resultsOf(server, check)
  assert.ok(result)
  assert.equal(httpResultOf(result)?.response.body, '********')
  assert.ok(server.log.some((line) => line.includes('A hidden value cannot be opened')))
})
