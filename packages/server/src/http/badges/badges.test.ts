import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer } from '../../testing/test-server.ts'

test('a badge is a picture for everybody that says how the check is doing now', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const check = await makeCheck(server, { name: 'Shop & <till>' })
  const badge = async (query = '') => server.send('GET', `/v1/badges/checks/${check.id}${query}`, { key: null })
  const first = await badge()
  assert.equal(first.status, 200)
  assert.equal(first.headers.get('content-type'), 'image/svg+xml; charset=utf-8')
  assert.equal(first.headers.get('cache-control'), 'public, max-age=60')
  assert.match(String(first.body), /<title>Shop &amp; &lt;till&gt;: unknown<\/title>/)
  for (const [verdict, word] of [
    ['passed', 'passing'],
    ['degraded', 'degraded'],
    ['failed', 'failing'],
  ] as const) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict)
    assert.match(String((await badge()).body), new RegExp(`: ${word}</title>`))
  }
  assert.match(String((await badge('?responseTime=true&style=social&theme=dark')).body), /: failing · \d+ ms<\/title>/)
})

test('a group shows its worst check', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shops' } })
  const badge = async () => String((await server.send('GET', `/v1/badges/groups/${group.id}`, { key: null })).body)
  assert.match(await badge(), /<title>Shops: unknown<\/title>/)
  for (const [verdict, word] of [
    ['passed', 'passing'],
    ['failed', 'failing'],
    ['degraded', 'failing'],
  ] as const) {
    const check = await makeCheck(server, { groupId: group.id })
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict)
    assert.match(await badge(), new RegExp(`Shops: ${word}</title>`))
  }
  assert.equal((await server.send('GET', `/v1/badges/groups/${group.id + 1}`, { key: null })).status, 404)
})

test('an account that shows no badges has none to be found', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeCheck(server)
  const { id: groupId } = await server.call(routes.createCheckGroup, { body: { name: 'Shops' } })
  const statuses = async () =>
    Promise.all(
      [`checks/${id}`, `groups/${groupId}`].map(
        async (what) => (await server.send('GET', `/v1/badges/${what}`, { key: null })).status,
      ),
    )
  assert.deepEqual(await statuses(), [200, 200])
  await server.db
    .updateTable('accounts')
    .set({ settings: JSON.stringify({ allowBadges: false }) })
    .execute()
  assert.deepEqual(await statuses(), [404, 404])
})

test('styles and themes that are none are refused, checks that are none are not found', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeCheck(server)
  for (const query of ['style=round', 'theme=pink', 'responseTime=perhaps'])
    assert.equal((await server.send('GET', `/v1/badges/checks/${id}?${query}`, { key: null })).status, 400, query)
  const unknown = '/v1/badges/checks/00000000-0000-4000-8000-000000000000'
  assert.equal((await server.send('GET', unknown, { key: null })).status, 404)
})
