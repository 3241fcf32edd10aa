import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes, StatusPageWrite } from '@vedette/schema'
import fc from 'fast-check'
import { arbitraryOf } from '../../testing/arbitrary.ts'
import { makeIncident, makeService } from '../../testing/pages.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const link = fc.constantFrom(null, '', '/logo.png', 'https://example.org/logo.png')
const colour = fc.constantFrom('#000', '#0AF', '#12ABEF')
const COLOURS = [
  ...['bodyBackgroundColor', 'headerBackgroundColor', 'headerFontColor', 'titleFontColor', 'bodyFontColor'],
  ...['bodyFontColorMuted', 'navigationFontColor', 'linkFontColor', 'cardBackgroundColor', 'borderColor'],
  ...['primaryButtonBackgroundColor', 'primaryButtonFontColor'],
]
const colours = Object.fromEntries(COLOURS.map((name) => [name, '#0AF']))

const cardsOf = (cards: readonly { name: string; services: readonly { id: string }[] }[]) =>
  cards.map(({ name, services }) => ({ name, services: services.map(({ id }) => ({ id })) }))

async function makePage(server: TestServer, fields: object = {}) {
  const service = await makeService(server)
  const cards = [{ name: 'Shop', services: [{ id: service.id }] }]
  return server.call(routes.createStatusPage, { body: { name: 'Status', url: 'status', cards, ...fields } })
}

test('whatever a page is made of is read back, and an update touches nothing that it does not name', async (t) => {
  const server = await startTestServer(t)
  const known = [(await makeService(server)).id, (await makeService(server)).id, (await makeService(server)).id]
  const services = fc.subarray(known).chain((some) => fc.shuffledSubarray(some, { minLength: some.length }))
  const body = arbitraryOf(StatusPageWrite, {
    url: fc.uuid().map((id) => `Page-${id}`),
    customDomain: fc.option(fc.uuid().map((id) => `${id}.Example.ORG`)),
    'cards.*.services': services.map((some) => some.map((id) => ({ id }))),
    ...{ logo: link, logoDark: link, favicon: link, redirectTo: link },
    ...Object.fromEntries(
      COLOURS.flatMap((name) => [`light.${name}`, `dark.${name}`]).map((name) => [`themeColors.${name}`, colour]),
    ),
  })
  const asRead = (given: object) => {
    const { url, customDomain, cards, ...rest } = Object(given)
    return {
      ...rest,
      url: String(url).toLowerCase(),
      cards: cardsOf(cards),
      ...(customDomain === undefined ? {} : { customDomain: customDomain?.toLowerCase() ?? null }),
    }
  }
  await fc.assert(
    fc.asyncProperty(body, body, async (creation, change) => {
      const made = await server.send('POST', '/v1/status-pages', { body: creation })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const params = { statusPageId: String(Reflect.get(Object(made.body), 'id')) }
      const read = async () => {
        const page = await server.call(routes.getStatusPage, { params })
        return { ...page, cards: cardsOf(page.cards) }
      }
      const stored = await read()
      assert.deepEqual({ ...stored, ...asRead(Object(creation)) }, stored)
      const changed = await server.send('PUT', `/v1/status-pages/${params.statusPageId}`, { body: change })
      assert.equal(changed.status, 200, JSON.stringify(changed.body))
      const after = await read()
      assert.deepEqual(after, { ...stored, ...asRead(Object(change)), updated_at: after.updated_at })
      await server.call(routes.deleteStatusPage, { params })
    }),
    { numRuns: 15 },
  )
})

test('a page has a value for every field that was not given', async (t) => {
  const server = await startTestServer(t)
  const { id, created_at, cards, ...rest } = await makePage(server)
  assert.ok(id && created_at)
  assert.deepEqual(
    cards.map(({ name, services, updated_at }) => [name, services.length, updated_at]),
    [['Shop', 1, null]],
  )
  assert.deepEqual(rest, {
    accountId: server.accountId,
    name: 'Status',
    url: 'status',
    customDomain: null,
    logo: null,
    logoDark: null,
    favicon: null,
    redirectTo: null,
    description: null,
    defaultTheme: 'AUTO',
    themeColors: null,
    whiteLabel: true,
    incidents: [],
    updated_at: null,
  })
})

test('cards are replaced as a list; one that is named by its id stays the same', async (t) => {
  const server = await startTestServer(t)
  const page = await makePage(server)
  const other = await makePage(server, { url: 'other' })
  const [card] = page.cards
  const [foreign] = other.cards
  assert.ok(card && foreign)
  const { cards } = await server.call(routes.updateStatusPage, {
    params: { statusPageId: page.id },
    body: {
      name: 'Status',
      url: 'status',
      cards: [
        { name: 'New', services: [] },
        { id: card.id, name: 'Renamed', services: card.services },
        { id: card.id, name: 'Copied', services: [] },
        { id: foreign.id, name: 'Borrowed', services: [] },
        { id: '', name: 'Unnamed', services: [] },
      ],
    },
  })
  assert.deepEqual(
    cards.map(({ name }) => name),
    ['New', 'Renamed', 'Copied', 'Borrowed', 'Unnamed'],
  )
  assert.deepEqual([cards[1]?.id, cards[1]?.created_at], [card.id, card.created_at])
  assert.equal(new Set(cards.map(({ id }) => id)).size, 5)
  assert.ok(cards.every(({ id }) => id !== foreign.id))
  const { cards: untouched } = await server.call(routes.getStatusPage, { params: { statusPageId: other.id } })
  assert.deepEqual(untouched, other.cards)
})

test('a page shows the newest twenty incidents of the services on its cards', async (t) => {
  const server = await startTestServer(t)
  const page = await makePage(server)
  const serviceId = page.cards[0]?.services[0]?.id ?? ''
  await makeIncident(server)
  const made = []
  for (let index = 0; index < 22; index++) made.push((await makeIncident(server, serviceId)).id)
  const { entries } = await server.call(routes.listStatusPages)
  assert.deepEqual(
    entries[0]?.incidents.map(({ id }) => id),
    made.toReversed().slice(0, 20),
  )
})

test('a page that cannot be is refused, one that shows an unknown service with 404, and nothing changes', async (t) => {
  const server = await startTestServer(t)
  const page = await makePage(server)
  const good = { name: 'Status', url: 'status', cards: [] }
  const { bodyFontColor: _one, ...eleven } = Object(colours)
  const bad: [string, object][] = [
    ['name', { name: '' }],
    ['name', { name: undefined }],
    ['url', { url: undefined }],
    ['url', { url: '' }],
    ['url', { url: 'a.b' }],
    ['url', { url: 'a/b' }],
    ['cards', { cards: undefined }],
    ['cards.0.name', { cards: [{ services: [] }] }],
    ['cards.0.services', { cards: [{ name: 'Shop' }] }],
    ['customDomain', { customDomain: 'a b.example.org' }],
    ['logo', { logo: 'http://example.org/logo.png' }],
    ['redirectTo', { redirectTo: 'javascript:alert(1)' }],
    ['defaultTheme', { defaultTheme: 'PINK' }],
    ['description', { description: 'x'.repeat(501) }],
    ['themeColors.light.bodyFontColor', { themeColors: { light: eleven } }],
    ['themeColors.dark.borderColor', { themeColors: { dark: { ...colours, borderColor: '#0af' } } }],
    ['themeColors.dark.borderColor', { themeColors: { dark: { ...colours, borderColor: '#0AFF' } } }],
  ]
  for (const [field, change] of bad) {
    for (const [method, path] of [
      ['POST', '/v1/status-pages'],
      ['PUT', `/v1/status-pages/${page.id}`],
    ] as const) {
      const { status, body } = await server.send(method, path, { body: { ...good, ...change } })
      assert.equal(status, 400, `${method} ${field}`)
      assert.deepEqual(Reflect.get(Object(body), 'validation'), { source: 'payload', keys: [field] })
    }
  }
  const key = await server.keyFor('OWNER', await server.addAccount())
  const theirs = await server.call(routes.createStatusPageService, { key, body: { name: 'Theirs' } })
  for (const id of [theirs.id, '00000000-0000-4000-8000-000000000000']) {
    const body = { name: 'Status', url: 'another', cards: [{ name: 'Shop', services: [{ id }] }] }
    assert.equal((await server.send('POST', '/v1/status-pages', { body })).status, 404)
    assert.equal((await server.send('PUT', `/v1/status-pages/${page.id}`, { body })).status, 404)
  }
  assert.deepEqual((await server.call(routes.listStatusPages)).entries, [page])
  assert.equal((await server.send('POST', '/v1/status-pages', { key, body: good })).status, 409)
  assert.equal((await server.call(routes.listStatusPages, { key })).length, 0)
})

test('addresses are subscribed once, pending or verified, and deleted one by one', async (t) => {
  const server = await startTestServer(t)
  const page = await makePage(server)
  const params = { statusPageId: page.id }
  const subscribe = (addresses: string[], autoVerify = false) =>
    server.call(routes.createStatusPageSubscriptions, {
      params,
      body: { subscriptions: addresses.map((address) => ({ address })), autoVerify },
    })
  assert.deepEqual(await subscribe(['ann@example.org', 'ANN@example.org', 'bob@example.org']), {
    created: 2,
    skipped: 1,
    status: 'PENDING',
  })
  assert.deepEqual(await subscribe(['bob@example.org', 'cat@example.org'], true), {
    created: 1,
    skipped: 1,
    status: 'VERIFIED',
  })
  const list = async () => {
    const found = await server.call(routes.listStatusPageSubscriptions, { params })
    return found.map(({ type, address, status }) => `${type} ${address} ${status}`).toSorted()
  }
  assert.deepEqual(await list(), [
    'EMAIL ann@example.org PENDING',
    'EMAIL bob@example.org PENDING',
    'EMAIL cat@example.org VERIFIED',
  ])
  const all = await server.call(routes.listStatusPageSubscriptions, { params })
  const bob = all.find(({ address }) => address.startsWith('bob'))
  const other = await makePage(server, { url: 'other' })
  assert.equal((await server.send('DELETE', `/v1/status-pages/${other.id}/subscriptions/${bob?.id}`)).status, 404)
  const path = `/v1/status-pages/${page.id}/subscriptions`
  assert.equal((await server.send('DELETE', `${path}/${bob?.id}`)).status, 204)
  assert.equal((await list()).length, 2)
  for (const address of ['ann', 'ann@', 'a\r\nBcc: b@example.org', 'ann@example.org\r\nBcc: b@example.org', ''])
    assert.equal((await server.send('POST', `${path}/bulk`, { body: { subscriptions: [{ address }] } })).status, 400)
})
