import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck, resultsOf } from '../../testing/checks.ts'
import { type FakeRunner, signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

async function triggerOf(server: TestServer, checkId: string): Promise<string> {
  const { token } = await server.call(routes.createCheckTrigger, { params: { checkId } })
  return `/checks/${checkId}/trigger/${token}`
}

/** Takes the next run and reports it. */
async function answer(runner: FakeRunner, verdict: 'passed' | 'failed') {
  const run = await runner.leaseOne({ waitMs: 5000 })
  await runner.report(run, verdict)
  return run
}

test('the URL runs the check, answers by its outcome and notes the call; a switched-off check runs too', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { activated: false })
  const path = await triggerOf(server, check.id)
  for (const [method, url, verdict, status] of [
    ['GET', path, 'passed', 200],
    ['POST', `/v1${path}`, 'failed', 503],
  ] as const) {
    const called = server.send(method, url, { key: null })
    await answer(runner, verdict)
    const { status: answered, body } = await called
    assert.equal(answered, status)
    assert.deepEqual(body, { hasFailures: verdict === 'failed', responseTime: 40 })
  }
  assert.equal((await resultsOf(server, check)).length, 2, 'results count like any other')
  const trigger = await server.call(routes.getCheckTrigger, { params: { checkId: check.id } })
  assert.notEqual(trigger.called_at, null)
  const again = await server.call(routes.createCheckTrigger, { params: { checkId: check.id } })
  assert.equal(again.token, trigger.token)
})

test('a failed attempt is not repeated, whatever the check would do', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { activated: false, retryStrategy: { type: 'FIXED', maxRetries: 3 } })
  const called = server.send('GET', await triggerOf(server, check.id), { key: null })
  await answer(runner, 'failed')
  assert.equal((await called).status, 503)
})

test('a place and another host may be asked for', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { activated: false, locations: ['eu-west-1'] })
  const path = await triggerOf(server, check.id)
  const query = 'runLocation=ap-south-1&environmentUrl=https%3A%2F%2Fpreview.test&environmentName=preview&sha=abc'
  const called = server.send('GET', `${path}?${query}`, { key: null })
  const run = await answer(runner, 'passed')
  assert.equal((await called).status, 200)
  assert.ok(run.kind === 'API')
  assert.deepEqual([run.location, run.settings.request.url], ['ap-south-1', 'https://preview.test/'])
  const unknown = await server.send('GET', `${path}?runLocation=mars`, { key: null })
  assert.equal(unknown.status, 400)
  assert.deepEqual(Object(unknown.body).validation, { source: 'query', keys: ['runLocation'] })
})

test('a wrong token finds nothing, another method is refused, a deleted trigger is gone', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const path = await triggerOf(server, check.id)
  assert.equal((await server.send('GET', `/checks/${check.id}/trigger/wrong`, { key: null })).status, 404)
  assert.equal((await fetch(new URL(path, server.url), { method: 'HEAD' })).status, 405)
  for (const method of ['PUT', 'DELETE']) {
    assert.equal((await server.send(method, path, { key: null })).status, 405, method)
  }
  await server.call(routes.deleteCheckTrigger, { params: { checkId: check.id } })
  assert.equal((await server.send('GET', path, { key: null })).status, 404)
})

test('who may only read is not shown the token', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const { token } = await server.call(routes.createCheckTrigger, { params: { checkId: check.id } })
  const shown = async (role: 'READ_ONLY' | 'READ_RUN') =>
    (await server.call(routes.getCheckTrigger, { params: { checkId: check.id }, key: await server.keyFor(role) })).token
  assert.equal(await shown('READ_RUN'), token)
  assert.notEqual(await shown('READ_ONLY'), token)
})

test('a group runs in its order, so many at once as its concurrency, and fails if one fails', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shop', concurrency: 2 } })
  const order = { activated: false, groupId: group.id } as const
  await makeCheck(server, { name: 'third', ...order, groupOrder: 3 })
  await makeCheck(server, { name: 'first', ...order, groupOrder: 1 })
  await makeCheck(server, { name: 'second', ...order, groupOrder: 2 })
  const { token } = await server.call(routes.createGroupTrigger, { params: { groupId: group.id } })
  const called = server.send('GET', `/check-groups/${group.id}/trigger/${token}`, { key: null })
  const seen: number[] = []
  let left = 3
  while (left > 0) {
    const runs = await runner.lease({ waitMs: 5000 })
    seen.push(runs.length)
    left -= runs.length
    for (const run of runs) await runner.report(run, left === 0 ? 'failed' : 'passed')
  }
  const { status, body } = await called
  assert.equal(status, 503)
  assert.deepEqual(
    [body].flat().map((outcome) => Reflect.get(Object(outcome), 'name')),
    ['first', 'second', 'third'],
  )
  assert.ok(
    seen.every((count) => count <= 2),
    `at most two at once: ${seen}`,
  )
})
