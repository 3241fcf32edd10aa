import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LeasedRun, routes } from '@vedette/schema'
import { makeCheck } from '../testing/checks.ts'
import { signInRunner } from '../testing/fake-runner.ts'
import { startTestServer } from '../testing/test-server.ts'

const valuesOf = ({ variables }: LeasedRun) => Object.fromEntries(variables.map(({ key, value }) => [key, value]))
const hiddenOf = ({ variables }: LeasedRun) => variables.filter(({ hidden }) => hidden).map(({ key }) => key)

test('a run without templates or scripts is given no variables', async (t) => {
  const server = await startTestServer(t)
  await server.call(routes.createVariable, { body: { key: 'TOKEN', value: 'canary' } })
  const runner = await signInRunner(server)
  await makeCheck(server)
  const run = await runner.leaseOne({ horizonMs: 6000 })
  assert.deepEqual([run.variables, run.scripts], [[], null])
})

test('variables of the group replace those of the account, and nobody replaces the built-in ones', async (t) => {
  const server = await startTestServer(t)
  for (const [key, value, flags] of [
    ['A', 'account', {}],
    ['B', 'account', {}],
    ['SECRET', 'canary-secret', { secret: true }],
    ['LOCKED', 'canary-locked', { locked: true }],
    ['CHECK_NAME', 'mine', {}],
  ] as const) {
    await server.call(routes.createVariable, { body: { key, value, ...flags } })
  }
  const group = await server.call(routes.createCheckGroup, {
    body: {
      name: 'Group',
      apiCheckDefaults: { url: 'https://base.test' },
      environmentVariables: [
        { key: 'B', value: 'group', locked: true, secret: false },
        { key: 'REGION', value: 'mine', locked: false, secret: false },
      ],
    },
  })
  const runner = await signInRunner(server)
  const check = await makeCheck(server, {
    groupId: group.id,
    request: { method: 'GET', url: '{{GROUP_BASE_URL}}/x' },
  })
  const run = await runner.leaseOne({ horizonMs: 6000 })
  const { CHECK_RESULT_ID = '', CHECK_RUN_ID, ACCOUNT_ID, ...values } = valuesOf(run)
  assert.deepEqual(values, {
    A: 'account',
    B: 'group',
    SECRET: 'canary-secret',
    LOCKED: 'canary-locked',
    CHECK_ID: check.id,
    CHECK_NAME: 'Shop',
    CHECK_TYPE: 'API',
    ENVIRONMENT_NAME: '',
    ENVIRONMENT_URL: '',
    GROUP_BASE_URL: 'https://base.test',
    REGION: 'us-east-1',
    RUNTIME_VERSION: '2025.04',
  })
  assert.ok(run.leaseId.endsWith(CHECK_RESULT_ID) && CHECK_RESULT_ID.length === 36)
  assert.equal(Number(CHECK_RUN_ID), Math.round(run.dueAtMs))
  assert.ok(ACCOUNT_ID)
  assert.deepEqual(hiddenOf(run).sort(), ['B', 'LOCKED', 'SECRET'])
})

test('scripts of the group stand around those of the check, snippets before what is written there', async (t) => {
  const server = await startTestServer(t)
  const snippet = (name: string, script: string) => server.call(routes.createSnippet, { body: { name, script } })
  const first = await snippet('first', "import './second.js'")
  await snippet('second', '// second')
  await snippet('unrelated', '// unrelated')
  const group = await server.call(routes.createCheckGroup, {
    body: { name: 'Group', localSetupScript: 'group up', localTearDownScript: 'group down' },
  })
  const runner = await signInRunner(server)
  await makeCheck(server, { groupId: group.id, setupSnippetId: first.id, localSetupScript: 'check up' })
  const run = await runner.leaseOne({ horizonMs: 6000 })
  assert.deepEqual(run.scripts, {
    setUp: ['group up', "import './second.js'", 'check up'],
    tearDown: ['group down'],
    snippets: [{ name: 'second', script: '// second' }],
  })
})

test('a group with scripts is enough, and another host than the own is told nothing hidden', async (t) => {
  const server = await startTestServer(t)
  await server.call(routes.createVariable, { body: { key: 'SECRET', value: 'canary-secret', secret: true } })
  await server.call(routes.createVariable, { body: { key: 'OPEN', value: 'open' } })
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Group', localSetupScript: 'group up' } })
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { groupId: group.id })
  await runner.report(await runner.leaseOne({ horizonMs: 6000 }), 'passed')

  const { token } = await server.call(routes.createCheckTrigger, { params: { checkId: check.id } })
  const trigger = (environmentUrl: string) =>
    server.send(
      'GET',
      `/checks/${check.id}/trigger/${token}?environmentName=preview+7&environmentUrl=${encodeURIComponent(environmentUrl)}`,
      {
        key: null,
      },
    )
  const urls = ['http://shop.test', 'http://preview.test']
  const seen: unknown[] = []
  for (const url of urls) {
    // Whoever calls it waits for the result.
    const called = trigger(url)
    const run = await runner.leaseOne({ waitMs: 20_000 })
    seen.push([valuesOf(run).ENVIRONMENT_URL, valuesOf(run).ENVIRONMENT_NAME, valuesOf(run).SECRET, valuesOf(run).OPEN])
    await runner.report(run, 'passed')
    assert.equal((await called).status, 200)
  }
  assert.deepEqual(seen, [
    ['http://shop.test', 'preview 7', 'canary-secret', 'open'],
    ['http://preview.test', 'preview 7', undefined, 'open'],
  ])
})

test('the runtime is that of the check, else that of its group, else that of the account', async (t) => {
  const server = await startTestServer(t)
  await server.call(routes.updateMyAccount, { body: { runtimeId: '2024.02' } })
  const runner = await signInRunner(server)
  const request = { method: 'GET' as const, url: 'http://shop.test/{{RUNTIME_VERSION}}' }
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Group', runtimeId: '2024.09' } })
  const told: unknown[] = []
  for (const from of [{}, { groupId: group.id }, { groupId: group.id, runtimeId: '2023.09' as const }]) {
    await makeCheck(server, { ...from, request })
    const run = await runner.leaseOne({ horizonMs: 6000 })
    told.push(valuesOf(run).RUNTIME_VERSION)
    await runner.report(run, 'passed')
  }
  assert.deepEqual(told, ['2024.02', '2024.09', '2023.09'])
})
