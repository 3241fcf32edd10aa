import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Route, routes } from '@vedette/schema'
import { samplesOfPages } from '../testing/pages.ts'
import { type Parts, pathOf, startTestServer } from '../testing/test-server.ts'

test('each change of a page is noted once, with what it was and what it became', async (t) => {
  const server = await startTestServer(t)
  const { lasting, ending } = await samplesOfPages(server)
  const entries = () =>
    server.db.selectFrom('audit_log').select(['operation', 'before', 'after']).orderBy('id').execute()
  const served = new Map<string, Route>(Object.entries(routes))
  for (const [name, sample] of Object.entries({ ...lasting, ...ending })) {
    const route = served.get(name)
    assert.ok(route)
    const count = (await entries()).length
    const path = pathOf(route, Object.assign<Parts<Route>, object>({}, sample))
    const { status } = await server.send(route.method, path, 'body' in sample ? { body: sample.body } : {})
    assert.ok(status < 300, name)
    const [entry, ...others] = (await entries()).slice(count)
    assert.deepEqual(others, [], name)
    if (route.method === 'GET') {
      assert.equal(entry, undefined, name)
      continue
    }
    assert.equal(entry?.operation, `${route.method} ${route.path}`)
    assert.equal(entry?.before !== null, route.method !== 'POST', name)
    assert.equal(entry?.after !== null, route.method !== 'DELETE', name)
  }
})
