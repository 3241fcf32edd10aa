import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RUNTIMES, type RunnerRuntime, type RuntimeId, routes } from '@vedette/schema'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer } from '../../testing/test-server.ts'

test('every runtime that a check may ask for is in the catalogue, for anybody to read', async (t) => {
  const server = await startTestServer(t)
  const { status, body } = await server.send('GET', '/v1/runtimes', { key: null })
  assert.equal(status, 200)
  const runtimes = await server.call(routes.listRuntimes)
  assert.deepEqual(body, runtimes)
  assert.deepEqual(
    runtimes.map(({ name }) => name),
    RUNTIMES,
  )
  for (const runtime of runtimes)
    assert.deepEqual(await server.call(routes.getRuntime, { params: { id: runtime.name } }), runtime)
  assert.ok(runtimes.every(({ description }) => description.includes('Not installed here')))
  assert.equal((await server.send('GET', '/v1/runtimes/1999.01', { key: null })).status, 404)
})

test('a runtime is told of as the runners there have it: what all of them have, in all their versions', async (t) => {
  const server = await startTestServer(t)
  const installed = (id: RuntimeId, packages: Record<string, string>, playwright = '1.65.1'): RunnerRuntime => ({
    ...{ id, playwright, node: 'v24.21.0', engine: 'plain', packages },
  })
  const get = (id: RuntimeId) => server.call(routes.getRuntime, { params: { id } })
  const first = await signInRunner(server, undefined, {
    runtimes: [installed('2025.04', { axios: '1.21.1', ws: '8.0.0' }), installed('2024.09', {}, '1.48.2')],
  })
  assert.deepEqual((await get('2025.04')).dependencies, { axios: '1.21.1', ws: '8.0.0' })
  const { key: rawKey } = first
  await signInRunner(server, rawKey, { runtimes: [installed('2025.04', { axios: '1.20.0', zod: '4.0.0' })] })
  const current = await get('2025.04')
  assert.deepEqual(current.dependencies, { axios: '1.20.0 || 1.21.1' })
  assert.deepEqual([current.nodeJsVersion, current.stage, current.runtimeEndOfLife], ['v24.21.0', 'CURRENT', ''])
  assert.match(
    current.description,
    /^Stands for Playwright 1\.51\.1 .* runs with Playwright 1\.65\.1 on Node\.js v24\.21\.0/,
  )
  assert.match((await get('2024.09')).description, /runs with this Playwright on Node\.js v24\.21\.0/)
  const missing = await get('2022.10')
  assert.deepEqual([missing.dependencies, missing.nodeJsVersion], [{}, 'v16.20.2'])
  assert.match(missing.description, /vedette runtime install 2022\.10/)
})

test('what the runners of a private location have is not told to everybody', async (t) => {
  const server = await startTestServer(t)
  const { keys } = await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
  await signInRunner(server, keys[0]?.rawKey)
  const runtimes = await server.call(routes.listRuntimes)
  assert.ok(runtimes.every(({ dependencies }) => Object.keys(dependencies).length === 0))
})

test('the addresses of checks are listed in six forms', async (t) => {
  const STATIC_IPS = '{"us-east-1": ["203.0.113.7", "2001:db8::/56"], "eu-west-1": ["203.0.113.8"]}'
  const server = await startTestServer(t, { env: { STATIC_IPS } })
  const get = async (path: string) => {
    const { status, body, headers } = await server.send('GET', path, { key: null })
    assert.equal(status, 200, path)
    return [body, headers.get('content-type')]
  }
  const json = 'application/json; charset=utf-8'
  const text = 'text/plain; charset=utf-8'
  assert.deepEqual(await get('/v1/static-ips'), [['203.0.113.7', '203.0.113.8'], json])
  const byRegion = { 'us-east-1': ['203.0.113.7'], 'eu-west-1': ['203.0.113.8'] }
  assert.deepEqual(await get('/v1/static-ips-by-region'), [byRegion, json])
  assert.deepEqual(await get('/v1/static-ips.txt'), ['203.0.113.7\n203.0.113.8\n', text])
  assert.deepEqual(await get('/v1/static-ipv6s'), [['2001:db8::/56'], json])
  assert.deepEqual(await get('/v1/static-ipv6s-by-region'), [{ 'us-east-1': ['2001:db8::/56'] }, json])
  assert.deepEqual(await get('/v1/static-ipv6s.txt'), ['2001:db8::/56\n', text])
})

test('without addresses the lists are empty', async (t) => {
  const server = await startTestServer(t)
  const bodies = await Promise.all(
    ['ips', 'ips-by-region', 'ips.txt', 'ipv6s', 'ipv6s-by-region', 'ipv6s.txt'].map(
      async (form) => (await server.send('GET', `/v1/static-${form}`, { key: null })).body,
    ),
  )
  assert.deepEqual(bodies, [[], {}, '', [], {}, ''])
})
