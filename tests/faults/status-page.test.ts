/** Public pages while the database is away: readers are shown what was known, and how old it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startVedette, until } from '../start-vedette.ts'
import { send } from '../web/browser.ts'
import { DatabaseDoor } from './database-door.ts'

test('status pages and dashboards go on without their database, say how old they are, and are renewed afterwards', async (t) => {
  const door = await DatabaseDoor.open(t)
  const vedette = await startVedette(t, { env: { DATABASE_URL: door.url } })
  const { id } = await send<{ id: string }>(vedette, '/v1/status-pages/services', { name: 'Checkout' })
  const cards = [{ name: 'Shop', services: [{ id }] }]
  for (const url of ['seen', 'unseen']) await send(vedette, '/v1/status-pages', { name: 'Lantern', url, cards })
  await send(vedette, '/v1/checks/api', { name: 'Till', request: { method: 'GET', url: 'https://till.test' } })
  await send(vedette, '/v1/dashboards', { header: 'Wall', customUrl: 'wall' })
  const secret = await send<{ keys: { rawKey: string }[] }>(vedette, '/v1/dashboards', {
    ...{ header: 'Wall', customUrl: 'secret', isPrivate: true },
  })
  const shown = await fetch(`${vedette.url}/dashboard/secret`, {
    ...{ method: 'POST', redirect: 'manual' },
    body: new URLSearchParams({ key: secret.keys[0]?.rawKey ?? '' }),
  })
  const cookie = shown.headers.get('set-cookie')?.split(';')[0] ?? ''
  const look = (name: string, headers: Record<string, string> = {}) =>
    fetch(`${vedette.url}/dashboard/${name}`, { headers })
  assert.equal((await look('wall')).status, 200)
  assert.equal((await look('secret', { cookie })).status, 200)
  const read = (path: string) => fetch(`${vedette.url}/status/${path}`)
  assert.equal((await read('seen')).status, 200)
  assert.equal((await read('seen/feed.rss')).status, 200)

  await door.shut()
  await until(
    'the page says that it is old',
    async () => {
      const answer = await read('seen')
      assert.equal(answer.status, 200)
      const text = await answer.text()
      assert.ok(text.includes('Checkout'))
      return text.includes('What you see is old')
    },
    90_000,
  )
  assert.equal((await read('seen/feed.rss')).status, 200)
  await until('the dashboard says that it is old', async () => {
    const answer = await look('wall')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('refresh') ?? '', /^60;/)
    const text = await answer.text()
    assert.ok(text.includes('Till'))
    return text.includes('What you see is old')
  })
  assert.deepEqual([(await look('secret')).status, (await look('secret', { cookie })).status], [403, 200])
  const unseen = await read('unseen')
  assert.equal(unseen.status, 503)
  assert.match(unseen.headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(Number(unseen.headers.get('retry-after')) > 0)
  assert.ok((await unseen.text()).includes('cannot be shown for the moment'))

  await door.reopen()
  await until('the page is as new as ever', async () => !(await (await read('seen')).text()).includes('is old'))
  await until('the other page can be seen', async () => (await read('unseen')).status === 200)
})
