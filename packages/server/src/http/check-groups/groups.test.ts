import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CheckGroupV1Create, CheckGroupV2Create, routes } from '@vedette/schema'
import fc from 'fast-check'
import { sql } from 'kysely'
import { arbitraryOf, type Instead } from '../../testing/arbitrary.ts'
import { alertsOf, makeCheck, makeDue, plannedFor } from '../../testing/checks.ts'
import { assertContains } from '../../testing/contains.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const INSTEAD: Instead = {
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'team:red'), { maxLength: 3 }),
  locations: fc.uniqueArray(fc.constantFrom('us-east-1', 'eu-west-1'), { maxLength: 2 }),
  privateLocations: fc.constantFrom(null, [], ['cellar']),
  'retryStrategy.onlyOn': fc.constant(['NETWORK_ERROR']),
  'retryStrategy.type': fc.constantFrom('FIXED', 'LINEAR', 'EXPONENTIAL'),
  alertChannelSubscriptions: fc.constant([]),
  setupSnippetId: fc.constant(null),
  tearDownSnippetId: fc.constant(null),
  apiCheckDefaults: fc.constantFrom(
    {},
    { url: 'https://shop.test', headers: [{ key: 'a', value: 'b', locked: false }] },
    { assertions: [{ source: 'STATUS_CODE', comparison: 'EQUALS', target: '200' }] },
  ),
  environmentVariables: fc.constantFrom([], [{ key: 'USER', value: 'ada', locked: true, secret: false }]),
}

for (const [version, shape, segment] of [
  [1, CheckGroupV1Create, '/v1/check-groups'],
  [2, CheckGroupV2Create, '/v2/check-groups'],
] as const) {
  test(`any group of version ${version} is kept as it was given, and an update touches no other field`, async (t) => {
    const server = await startTestServer(t)
    await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
    const bodies = arbitraryOf(shape, INSTEAD).map((body) => JSON.parse(JSON.stringify(body)))
    await fc.assert(
      fc.asyncProperty(bodies, bodies, fc.nat(), async (body, other, pick) => {
        const { status, body: made } = await server.send('POST', segment, { body })
        assert.equal(status, 201, JSON.stringify([body, made]))
        assertContains(made, { ...body, retryStrategy: body.retryStrategy ?? Object(made).retryStrategy })
        const { id } = Object(made)
        const [name = 'muted', value = true] = Object.entries(other)[pick % Object.keys(other).length] ?? []
        const change = { name: Object(made).name, [name]: value }
        const after = await server.send('PUT', `${segment}/${id}`, { body: change })
        assert.equal(after.status, 200, JSON.stringify([change, after.body]))
        assertContains(after.body, { ...Object(made), ...Object(after.body), ...change })
        for (const [field, before] of Object.entries(Object(made))) {
          if (field === name || field === 'updated_at') continue
          assert.deepEqual(Object(after.body)[field], before, field)
        }
      }),
      { numRuns: 25 },
    )
  })
}

test('lists groups by tag and by name, with their members in order', async (t) => {
  const server = await startTestServer(t)
  const one = await server.call(routes.createCheckGroup, { body: { name: 'One', tags: ['x'] } })
  await server.call(routes.createCheckGroup, { body: { name: 'Two', tags: ['y'] } })
  const last = await makeCheck(server, { name: 'last', groupId: one.id })
  const second = await makeCheck(server, { name: 'second', groupId: one.id, groupOrder: 2 })
  const first = await makeCheck(server, { name: 'first', groupId: one.id, groupOrder: 1 })
  const [found, ...more] = await server.call(routes.listCheckGroups, { query: { tag: ['x', 'z'] } })
  assert.deepEqual(more, [])
  assert.deepEqual(found?.checks, [first.id, second.id, last.id])
  const named = await server.call(routes.listCheckGroups, { query: { name: ['Two', 'On'] } })
  assert.deepEqual(
    named.map(({ name }) => name),
    ['Two'],
  )
  const members = await server.call(routes.listGroupChecks, { params: { id: one.id }, query: { limit: 2 } })
  assert.deepEqual(
    members.map(({ name }) => name),
    ['first', 'second'],
  )
})

test('a group that still has checks is not deleted', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Busy' } })
  const check = await makeCheck(server, { groupId: group.id })
  const path = `/v1/check-groups/${group.id}`
  assert.equal((await server.send('DELETE', path)).status, 409)
  await server.call(routes.updateApiCheck, { params: { id: check.id }, body: { groupId: null } })
  assert.equal((await server.send('DELETE', path)).status, 204)
  assert.equal((await server.send('GET', path)).status, 404)
})

async function shownAs(server: TestServer, id: string, applyGroupSettings: boolean) {
  const check = await server.call(routes.getCheck, { params: { id }, query: { applyGroupSettings } })
  assert.ok(check.checkType === 'API')
  return check
}

test('a check runs by the settings of its group, and its own are not written over', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, {
    body: {
      name: 'Shop',
      tags: ['shop'],
      locations: ['eu-west-1', 'eu-west-2'],
      runParallel: true,
      retryStrategy: { type: 'SINGLE_RETRY' },
      apiCheckDefaults: { headers: [{ key: 'X-Team', value: 'red', locked: true }] },
    },
  })
  const check = await makeCheck(server, { tags: ['own'], groupId: group.id })
  const own = await shownAs(server, check.id, false)
  assert.deepEqual([own.locations, own.tags, own.retryStrategy], [['us-east-1'], ['own'], null])
  const inForce = await shownAs(server, check.id, true)
  assert.deepEqual(
    [inForce.locations, inForce.tags, inForce.runParallel],
    [['eu-west-1', 'eu-west-2'], ['own', 'shop'], true],
  )
  assert.equal(inForce.retryStrategy?.type, 'SINGLE_RETRY')
  assert.deepEqual(inForce.request.headers, [{ key: 'X-Team', value: 'red', locked: true }])
  assert.deepEqual(
    await server.call(routes.getGroupCheck, { params: { groupId: group.id, checkId: check.id } }),
    inForce,
  )
  assert.deepEqual(
    (await plannedFor(server, check)).map(({ location }) => location),
    ['eu-west-1', 'eu-west-2'],
  )
  const effective = await server.call(routes.getEffectiveSettings, { params: { id: check.id } })
  assert.deepEqual(effective.locations, { value: ['eu-west-1', 'eu-west-2'], from: ['group'] })
  assert.deepEqual(effective.alertSettings.from, ['account'])
  assert.deepEqual(effective.request?.from, ['check', 'group'])

  const runner = await signInRunner(server)
  await makeDue(server, check)
  const [run] = await runner.lease()
  assert.ok(run?.kind === 'API')
  assert.deepEqual(run.settings.request.headers, [{ key: 'X-Team', value: 'red', locked: true }])
  for (const tag of ['shop', 'own']) {
    assert.equal((await server.call(routes.listChecks, { query: { tag: [tag] } })).length, 1, tag)
  }
})

test('variables of the group count below those of its checks, and secrets stay secret', async (t) => {
  const server = await startTestServer(t)
  const variable = (key: string, value: string, rest = {}) => ({ key, value, locked: false, secret: false, ...rest })
  const group = await server.call(routes.createCheckGroup, {
    body: {
      name: 'Shop',
      environmentVariables: [
        variable('USER', 'group'),
        variable('PIN', 'canary-pin', { locked: true }),
        variable('TOKEN', 'canary-token', { secret: true }),
      ],
    },
  })
  const own = [variable('USER', 'check'), variable('PAGE', '/')]
  const params = {
    id: (
      await server.call(routes.createBrowserCheck, {
        body: { name: 'Buy', script: '', groupId: group.id, environmentVariables: own },
      })
    ).id,
  }
  const shown = async (key?: string) => {
    const check = await server.call(routes.getCheck, {
      params,
      query: { applyGroupSettings: true },
      ...(key === undefined ? {} : { key }),
    })
    assert.ok(check.checkType === 'BROWSER')
    return check.environmentVariables
  }
  const token = variable('TOKEN', '', { secret: true, value: null })
  assert.deepEqual(await shown(), [variable('PIN', 'canary-pin', { locked: true }), token, ...own])
  const reader = await server.keyFor('READ_ONLY')
  assert.deepEqual(await shown(reader), [variable('PIN', '********', { locked: true }), token, ...own])
  const written = await server.call(routes.getCheck, { params })
  assert.ok(written.checkType === 'BROWSER')
  assert.deepEqual(written.environmentVariables, own)
  const { environmentVariables } = await server.call(routes.getEffectiveSettings, { params })
  assert.deepEqual(environmentVariables, { value: await shown(), from: ['check', 'group'] })
  const rows = await server.db.selectFrom('checks').select('effective_settings').execute()
  assert.doesNotMatch(JSON.stringify(rows), /canary/)

  await server.call(routes.updateCheckGroup, {
    params: { id: group.id },
    body: { name: 'Shop', environmentVariables: [variable('USER', 'group')] },
  })
  assert.deepEqual(await shown(), own)
  const plain = await server.call(routes.createApiCheck, {
    body: { name: 'Api', groupId: group.id, request: { method: 'GET', url: 'http://shop.test/' } },
  })
  const settings = await server.call(routes.getEffectiveSettings, { params: { id: plain.id } })
  assert.equal(settings.environmentVariables, undefined)
})

test('what changes in a group changes its checks at once', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shop' } })
  const check = await makeCheck(server, { groupId: group.id, locations: ['us-east-1'] })
  const change = (body: object) =>
    server.call(routes.updateCheckGroup, { params: { id: group.id }, body: { name: 'Shop', ...body } })
  const places = async () => (await plannedFor(server, check)).map(({ location }) => location)
  assert.deepEqual(await places(), ['us-east-1'])
  await change({ locations: ['eu-west-1'] })
  assert.deepEqual(await places(), ['eu-west-1'])
  await change({ activated: false })
  assert.deepEqual(await places(), [])
  await change({ activated: true, locations: [] })
  assert.deepEqual(await places(), ['us-east-1'])
  const other = await server.call(routes.createCheckGroup, { body: { name: 'Other', activated: false } })
  await server.call(routes.updateApiCheck, { params: { id: check.id }, body: { groupId: other.id } })
  assert.deepEqual(await places(), [])
})

test('a group of version 1 overrides until it is written as version 2', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroupV1, { body: { name: 'Older', runParallel: false } })
  const check = await makeCheck(server, { groupId: group.id, runParallel: true, locations: ['us-east-1', 'eu-west-1'] })
  assert.equal((await shownAs(server, check.id, true)).runParallel, false)
  const body = { name: 'Newer', runParallel: null, retryStrategy: 'FALLBACK' as const }
  const written = await server.call(routes.updateCheckGroup, { params: { id: group.id }, body })
  assert.equal(written.version, 2)
  assert.equal((await shownAs(server, check.id, true)).runParallel, true)
})

test('a silent group keeps its checks quiet, and a check of a group alerts by the settings of the group', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, {
    body: {
      name: 'Shop',
      useGlobalAlertSettings: false,
      alertSettings: { escalationType: 'RUN_BASED', runBasedEscalation: { failedRunThreshold: 2 } },
    },
  })
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { groupId: group.id })
  const fail = async () => {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), 'failed')
  }
  await fail()
  assert.deepEqual(await alertsOf(server, check), [])
  await fail()
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE_REMAIN'])
  await server.call(routes.updateCheckGroup, { params: { id: group.id }, body: { name: 'Shop', muted: true } })
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'passed')
  assert.deepEqual(await alertsOf(server, check), ['ALERT_FAILURE_REMAIN'])
})

test('a change of a group leaves members alone that it does not change', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shop', tags: ['shop'] } })
  const check = await makeCheck(server, { groupId: group.id, runtimeId: '2025.04', locations: ['us-east-1'] })
  await makeDue(server, check, -90_000)
  /** With the transactions that wrote them last: whoever writes the same again is seen, too. */
  const rows = async () => {
    const { rows: found } = await sql<Record<string, unknown>>`
      select c.*, c.xmin::text as written, s.due_at, s.location_no, s.xmin::text as planned
      from checks c join schedule s on s.check_no = c.no where c.id = ${check.id}`.execute(server.db)
    return found
  }
  const before = await rows()
  const change = (body: object) =>
    server.call(routes.updateCheckGroup, { params: { id: group.id }, body: { name: 'Shop', ...body } })
  // Words of its own, what the check says itself, what has no bearing on its kind, what is there already.
  await change({ name: 'Shop again', description: 'All of it', concurrency: 5 })
  await change({ runtimeId: '2024.02', tags: ['shop'], muted: false })
  await change({ environmentVariables: [{ key: 'A', value: '1', locked: false, secret: false }] })
  assert.deepEqual(await rows(), before)
  // What decides neither where nor whether it runs is passed on and moves nothing in the schedule.
  await change({ muted: true, tags: ['shop', 'sale'] })
  const [row] = before
  const [passedOn] = await rows()
  assert.deepEqual([passedOn?.effective_muted, passedOn?.effective_tags], [true, ['shop', 'sale']])
  assert.deepEqual([passedOn?.planned, passedOn?.due_at], [row?.planned, row?.due_at])
  assert.equal(passedOn?.updated_at, row?.updated_at)
})

test('members and group change together however many hands are at work', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shop' } })
  const checks = await Promise.all(Array.from({ length: 6 }, () => makeCheck(server, { groupId: group.id })))
  const regions = ['eu-west-1', 'eu-west-2', 'eu-west-3'] as const
  await Promise.all([
    ...regions.map((region) =>
      server.call(routes.updateCheckGroup, { params: { id: group.id }, body: { name: 'Shop', locations: [region] } }),
    ),
    ...checks.map(({ id }) => server.call(routes.updateApiCheck, { params: { id }, body: { muted: true } })),
  ])
  const { locations } = await server.call(routes.getCheckGroup, { params: { id: group.id } })
  for (const { id } of checks) {
    const { value } = (await server.call(routes.getEffectiveSettings, { params: { id } })).locations
    assert.deepEqual(value, locations)
    assert.deepEqual((await shownAs(server, id, true)).locations, locations)
  }
})
