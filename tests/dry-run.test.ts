/** Trying checks with the whole product: a real runner, real targets, and what goes wrong on the way. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import type { ApiCheckResult, CheckResult, DryRun } from '@vedette/schema'
import { Installation, isAlive } from './faults/installation.ts'
import { until } from './start-vedette.ts'

/** Of an API or a URL check. */
function httpResultOf({ apiCheckResult: told }: CheckResult): ApiCheckResult | undefined {
  return told !== null && isHttp(told) ? told : undefined
}
const isHttp = (told: NonNullable<CheckResult['apiCheckResult']>): told is ApiCheckResult => 'url' in told.request

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The target has no port')
  return `http://127.0.0.1:${address.port}/`
}

test('checks are tried by the real runner', async (t) => {
  const installation = await Installation.start(t)
  const { url: server, apiKey } = installation
  const post = (path: string, body: unknown) =>
    fetch(new URL(path, server), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const tryOut = async (kind: 'api' | 'url', body: object): Promise<DryRun> => {
    const response = await post(`/v1/checks/${kind}/dry-run`, { name: 'Draft', ...body })
    const text = await response.text()
    assert.equal(response.status, 200, text)
    return JSON.parse(text)
  }

  await t.test('two at once each have their own answer, with all that came back and without secrets', async (t) => {
    const target = await serve(t, (request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ path: request.url, door: request.headers['x-door'] }))
    })
    const headers = [{ key: 'x-door', value: 'open-sesame', locked: true }]
    const assertions = [
      { source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' },
      { source: 'JSON_BODY', property: '$.path', comparison: 'EQUALS', target: '/two' },
    ]
    const [one, two] = await Promise.all(
      ['one', 'two'].map((path) =>
        tryOut('api', { request: { method: 'GET', url: target + path, headers, assertions } }),
      ),
    )
    assert.ok(one && two)
    assert.deepEqual([one.verdict, one.decision.rule, one.decision.assertion], ['failed', 'assertion-broken', 1])
    assert.deepEqual([two.verdict, two.decision.rule], ['passed', 'all-is-well'])
    assert.deepEqual(
      one.result.apiCheckResult?.assertions.map(({ actual }) => actual),
      [200, '/one'],
    )
    assert.match(httpResultOf(two.result)?.response.body ?? '', /"path":"\/two"/)
    assert.equal(httpResultOf(two.result)?.request.headers['x-door'], '********')
    assert.ok(!JSON.stringify([one, two]).includes('open-sesame'))
    assert.ok(two.phases.length >= 5 && two.phases.every(({ duration }) => duration >= 0))
  })

  await t.test('a port where nobody listens is the fault of the target', async (t) => {
    const target = await serve(t, (_, response) => response.end())
    const gone = target.replace(/:\d+/, ':9')
    const { verdict, decision } = await tryOut('url', { request: { url: gone } })
    assert.deepEqual([verdict, decision.rule, decision.blame], ['failed', 'no-answer', 'target'])
    assert.match(decision.reason, /ECONNREFUSED/)
  })

  await t.test('when the runner is killed in the middle, the next one brings the answer', async (t) => {
    let asked = 0
    const target = await serve(t, (_, response) => {
      asked += 1
      if (asked > 1) response.end('second')
    })
    const answer = tryOut('url', { request: { url: target } })
    await until('the target was asked', () => asked === 1)
    const pid = await installation.runnerPid()
    assert.ok(pid !== undefined)
    process.kill(pid, 'SIGKILL')
    await until('the runner is gone', async () => !(await isAlive(pid)))
    const { verdict, result } = await answer
    assert.deepEqual([verdict, httpResultOf(result)?.response.body, asked], ['passed', 'second', 2])
  })

  await t.test('a target that never answers ends at the limit of an attempt', async (t) => {
    const target = await serve(t, () => {})
    const { verdict, decision, duration, retry } = await tryOut('url', { request: { url: target } })
    assert.deepEqual([verdict, decision.rule, retry.again], ['failed', 'no-answer', true])
    assert.ok(duration >= 29_900)
  })

  await t.test('nothing was kept of all this', async () => {
    const headers = { authorization: `Bearer ${apiKey}` }
    assert.equal(await (await fetch(new URL('/v1/checks', server), { headers })).text(), '[]')
    assert.equal(await (await fetch(new URL('/v1/check-alerts', server), { headers })).text(), '[]')
  })
})
