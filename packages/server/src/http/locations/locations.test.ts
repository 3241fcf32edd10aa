import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer } from '../../testing/test-server.ts'
import { until } from '../../testing/until.ts'

const cellar = { name: 'Cellar', slugName: 'cellar' }

test('a location has two keys at most, each shown once', async (t) => {
  const server = await startTestServer(t)
  const made = await server.call(routes.createPrivateLocation, { body: cellar })
  const params = { id: made.id }
  assert.match(made.keys[0]?.rawKey ?? '', /^pl_[0-9a-f]{32}$/)
  const second = await server.call(routes.createLocationKey, { params })
  const third = await server.send('POST', `/v1/private-locations/${made.id}/keys`)
  assert.equal(third.status, 409)
  const { keys } = await server.call(routes.getPrivateLocation, { params })
  assert.deepEqual(
    keys.map(({ rawKey }) => rawKey),
    ['', ''],
  )
  assert.equal(keys[1]?.maskedKey, `...${second.rawKey.slice(-4)}`)
  await server.call(routes.deleteLocationKey, { params: { id: made.id, keyId: second.id } })
  await server.call(routes.createLocationKey, { params })
})

test('a deleted key stops its runner within seconds, and what it held goes back', async (t) => {
  const server = await startTestServer(t)
  const { id, keys } = await server.call(routes.createPrivateLocation, { body: cellar })
  const runner = await signInRunner(server, keys[0]?.rawKey)
  const check = await makeCheck(server, { locations: [], privateLocations: ['cellar'] })
  await makeDue(server, check)
  const run = await runner.leaseOne()
  const waiting = runner.lease({ waitMs: 20_000 })
  const deletedAt = performance.now()
  const refused = assert.rejects(waiting, /410/)
  await server.call(routes.deleteLocationKey, { params: { id, keyId: keys[0]?.id ?? '' } })
  await refused
  await until('the key is refused', () =>
    runner.report(run, 'failed').then(
      () => false,
      (error) => /401/.test(String(error)),
    ),
  )
  await until('nobody can sign in with it', () =>
    signInRunner(server, runner.key).then(
      () => false,
      () => true,
    ),
  )
  assert.ok(performance.now() - deletedAt < 10_000)
  assert.deepEqual(server.log, [])
})

test('a location that checks still use is not deleted', async (t) => {
  const server = await startTestServer(t)
  const { id } = await server.call(routes.createPrivateLocation, { body: cellar })
  const check = await makeCheck(server, { privateLocations: ['cellar'] })
  const [location] = await server.call(routes.listPrivateLocations)
  assert.deepEqual(
    location?.checkAssignments.map(({ checkId }) => checkId),
    [check.id],
  )
  const path = `/v1/private-locations/${id}`
  assert.equal((await server.send('DELETE', path)).status, 409)
  await server.call(routes.updateApiCheck, { params: { id: check.id }, body: { privateLocations: [] } })
  assert.equal((await server.send('DELETE', path)).status, 204)
  assert.equal((await server.send('DELETE', path)).status, 404)
})

test('a location that groups still use is not deleted', async (t) => {
  const server = await startTestServer(t)
  const { id } = await server.call(routes.createPrivateLocation, { body: cellar })
  const body = { name: 'Shop', privateLocations: ['cellar'] }
  const group = await server.call(routes.createCheckGroup, { body })
  await server.call(routes.createCheckGroup, { body: { name: 'Elsewhere' } })
  const location = await server.call(routes.getPrivateLocation, { params: { id } })
  assert.deepEqual(
    location.groupAssignments.map(({ groupId, privateLocationId }) => [groupId, privateLocationId]),
    [[group.id, id]],
  )
  assert.equal((await server.send('DELETE', `/v1/private-locations/${id}`)).status, 409)
  await server.call(routes.deleteCheckGroup, { params: { id: group.id } })
  assert.equal((await server.send('DELETE', `/v1/private-locations/${id}`)).status, 204)
})

test('slugs that are taken or look like a region are refused', async (t) => {
  const server = await startTestServer(t)
  await server.call(routes.createPrivateLocation, { body: cellar })
  const status = async (slugName: string) =>
    (await server.send('POST', '/v1/private-locations', { body: { name: 'x', slugName } })).status
  assert.equal(await status('cellar'), 409)
  for (const slug of ['us-east-1', 'eu-west-99', '', 'a b', '../etc', 'x'.repeat(31)])
    assert.equal(await status(slug), 400, slug)
})

test('a location says who serves it now and when it was last heard of', async (t) => {
  const server = await startTestServer(t, { env: { LOCATIONS: 'us-east-1, eu-west-1' } })
  const servedBy = async (region: string) =>
    (await server.call(routes.listLocations)).find((location) => location.region === region)?.servedBy
  assert.equal(await servedBy('us-east-1'), 'nobody')
  await signInRunner(server)
  assert.deepEqual([await servedBy('us-east-1'), await servedBy('ap-south-1')], ['built-in', 'nobody'])
  const { rawKey } = await server.call(routes.createDataCenterKey, { params: { region: 'ap-south-1' } })
  const elsewhere = await signInRunner(server, rawKey)
  assert.equal(await servedBy('ap-south-1'), 'runner')
  await elsewhere.signOut()
  assert.equal(await servedBy('ap-south-1'), 'nobody')

  const { id, keys } = await server.call(routes.createPrivateLocation, { body: cellar })
  const get = () => server.call(routes.getPrivateLocation, { params: { id } })
  assert.deepEqual([(await get()).lastSeen, (await get()).agentCount], [null, 0])
  await signInRunner(server, keys[0]?.rawKey)
  assert.equal((await get()).agentCount, 1)
  assert.ok(Math.abs(Date.parse((await get()).lastSeen ?? '') - Date.now()) < 5000)
})

test('the keys of a data-center location can be listed and deleted, so that it is never locked out', async (t) => {
  const server = await startTestServer(t)
  const params = { region: 'ap-south-1' } as const
  const first = await server.call(routes.createDataCenterKey, { params })
  await server.call(routes.createDataCenterKey, { params })
  assert.equal((await server.send('POST', '/v1/locations/ap-south-1/keys')).status, 409)
  const listed = await server.call(routes.listDataCenterKeys, { params })
  assert.deepEqual(listed[0], { ...first, rawKey: '' })
  await server.call(routes.deleteDataCenterKey, { params: { ...params, keyId: first.id } })
  assert.equal((await server.call(routes.listDataCenterKeys, { params })).length, 1)
  assert.equal((await server.send('DELETE', `/v1/locations/eu-west-1/keys/${listed[1]?.id}`)).status, 404)
})

test('the credentials of a proxy are shown to those who may write, and to nobody else', async (t) => {
  const server = await startTestServer(t)
  const proxyUrl = 'http://ops:canary@proxy.test:3128/'
  const { id } = await server.call(routes.createPrivateLocation, { body: { ...cellar, proxyUrl } })
  for (const role of ['ADMIN', 'READ_WRITE', 'READ_RUN', 'READ_ONLY'] as const) {
    const key = await server.keyFor(role)
    const shown = role === 'ADMIN' || role === 'READ_WRITE' ? proxyUrl : 'http://********@proxy.test:3128/'
    assert.equal((await server.call(routes.getPrivateLocation, { params: { id }, key })).proxyUrl, shown, role)
    const [listed] = await server.call(routes.listPrivateLocations, { key })
    assert.equal(listed?.proxyUrl, shown, role)
  }
  const update = (proxyUrl: string) =>
    server.call(routes.updatePrivateLocation, { params: { id }, body: { name: 'Cellar', proxyUrl } })
  const key = await server.keyFor('READ_ONLY')
  for (const [given, shown] of [
    ['http://proxy.test:3128', 'http://proxy.test:3128'],
    ['ops:canary@proxy.test', '********'],
  ] as const) {
    await update(given)
    assert.equal((await server.call(routes.getPrivateLocation, { params: { id }, key })).proxyUrl, shown)
  }
})

test('every change of a location and its keys is in the audit log, without keys and credentials', async (t) => {
  const server = await startTestServer(t)
  const proxyUrl = 'http://ops:canary@proxy.test:3128/'
  const { id, keys } = await server.call(routes.createPrivateLocation, { body: { ...cellar, proxyUrl } })
  const params = { id }
  await server.call(routes.updatePrivateLocation, { params, body: { name: 'Vault' } })
  const second = await server.call(routes.createLocationKey, { params })
  await server.call(routes.deleteLocationKey, { params: { id, keyId: second.id } })
  await server.call(routes.deletePrivateLocation, { params })
  const region = 'eu-west-1' as const
  const third = await server.call(routes.createDataCenterKey, { params: { region } })
  await server.call(routes.deleteDataCenterKey, { params: { region, keyId: third.id } })
  const entries = await server.db.selectFrom('audit_log').selectAll().orderBy('id').execute()
  assert.deepEqual(
    entries.map(({ operation, subject }) => [operation.split(' ')[0], subject]),
    [
      ['POST', id],
      ['PUT', id],
      ['POST', `${id}/${second.id}`],
      ['DELETE', `${id}/${second.id}`],
      ['DELETE', id],
      ['POST', `${region}/${third.id}`],
      ['DELETE', `${region}/${third.id}`],
    ],
  )
  const text = JSON.stringify(entries)
  for (const secret of ['canary', ...[...keys, second, third].map(({ rawKey }) => rawKey)])
    assert.ok(!text.includes(secret))
})

test('metrics want both ends, of less than 15 days ago', async (t) => {
  const server = await startTestServer(t)
  const { id } = await server.call(routes.createPrivateLocation, { body: cellar })
  const daysAgo = (days: number) => Math.floor(Date.now() / 1000 - days * 86_400)
  const answer = async (query: string) => {
    const { status, body } = await server.send('GET', `/v1/private-locations/${id}/metrics?${query}`)
    return [status, Reflect.get(Object(Reflect.get(Object(body), 'validation')), 'keys')?.[0]]
  }
  assert.deepEqual(await answer(`to=${daysAgo(0)}`), [400, 'from'])
  assert.deepEqual(await answer(`from=${daysAgo(1)}`), [400, 'to'])
  assert.deepEqual(await answer(`from=x&to=${daysAgo(0)}`), [400, 'from'])
  assert.deepEqual(await answer(`from=${daysAgo(1)}&to=${daysAgo(1)}`), [400, 'from'])
  assert.deepEqual(await answer(`from=${daysAgo(15)}&to=${daysAgo(0)}`), [400, 'from'])
  assert.deepEqual((await answer(`from=${daysAgo(14.9)}&to=${daysAgo(0)}`))[0], 200)
})

test('a location tells how scripts are kept apart there: as the weakest of its runners does', async (t) => {
  const server = await startTestServer(t)
  const { id, keys } = await server.call(routes.createPrivateLocation, { body: cellar })
  const key = keys[0]?.rawKey
  const isolation = async () => (await server.call(routes.getPrivateLocation, { params: { id } })).isolation
  assert.equal(await isolation(), null)
  const strong = await signInRunner(server, key)
  assert.equal(await isolation(), null)
  await strong.sayIsolation({ level: 'strict', layers: ['seccomp', 'cgroup'] })
  assert.deepEqual(await isolation(), { level: 'strict', layers: ['seccomp', 'cgroup'] })
  // What it says next, as after a restart, counts; beats that say nothing change nothing.
  await strong.sayIsolation({ level: 'strict', layers: ['seccomp'] })
  await strong.heartbeat()
  assert.deepEqual(await isolation(), { level: 'strict', layers: ['seccomp'] })
  const weak = await signInRunner(server, key)
  await weak.sayIsolation({ level: 'reduced', layers: [] })
  assert.deepEqual(await isolation(), { level: 'reduced', layers: [] })
  const { runners } = await server.call(routes.getOperations)
  const said = new Map(runners.map((runner) => [runner.id, runner.isolation?.level]))
  assert.deepEqual([said.get(strong.id), said.get(weak.id)], ['strict', 'reduced'])
  await weak.signOut()
  assert.deepEqual(await isolation(), { level: 'strict', layers: ['seccomp'] })

  const builtIn = await signInRunner(server)
  await builtIn.sayIsolation({ level: 'namespaces', layers: [] })
  await until('data centers tell it as well', async () => {
    const locations = await server.call(routes.listLocations)
    return locations.every((location) => location.isolation?.level === 'namespaces')
  })
})
