import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RUNTIMES, routes } from '@vedette/schema'
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
  assert.ok(runtimes.every(({ description }) => description.includes(process.version)))
  assert.equal((await server.send('GET', '/v1/runtimes/1999.01', { key: null })).status, 404)
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
