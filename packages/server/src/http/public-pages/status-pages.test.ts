import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeIncident, makeService } from '../../testing/pages.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { read } from './visitor.fixture.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
const EVIL = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>&{{7*7}}]]>\u0007`
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;'

async function makePage(server: TestServer, fields: object = {}, names: readonly string[] = ['Checkout']) {
  const services = []
  for (const name of names) services.push(await makeService(server, name))
  const cards = [{ name: 'Shop', services: services.map(({ id }) => ({ id })) }]
  const page = await server.call(routes.createStatusPage, {
    body: { name: 'Lantern', url: 'lantern', cards, ...fields },
  })
  return { page, services }
}

/** Told step by step: the status and how long ago. */
async function tell(
  server: TestServer,
  serviceIds: readonly string[],
  steps: readonly (readonly ['INVESTIGATING' | 'IDENTIFIED' | 'MONITORING' | 'RESOLVED', number, string?])[],
  { name = 'Orders delayed', severity = 'MAJOR' as const } = {},
) {
  const [first, ...others] = steps.map(([status, agoMs, description = `It is ${status}.`]) => ({
    ...{ status, description },
    publicIncidentUpdateDate: ago(agoMs),
  }))
  assert.ok(first)
  const services = serviceIds.map((id) => ({ id }))
  const body = { name, severity, services, incidentUpdates: [first] }
  const incident = await server.call(routes.createStatusPageIncident, { body })
  const params = { incidentId: incident.id }
  for (const update of others) await server.call(routes.createIncidentUpdate, { params, body: update })
  return incident
}

test('a page says how its services are, to everybody and in words', async (t) => {
  const server = await startTestServer(t)
  const { services } = await makePage(server, { description: 'Everything that sells.' }, ['Checkout', 'Search'])
  const [checkout, search] = services
  assert.ok(checkout && search)
  const hidden = await makeService(server, 'Secret cellar')
  await tell(
    server,
    [checkout.id, hidden.id],
    [
      ['INVESTIGATING', 2 * HOUR, 'We look.'],
      ['IDENTIFIED', HOUR, 'We know.'],
      ['RESOLVED', -HOUR, 'Told in an hour.'],
    ],
  )
  await tell(
    server,
    [search.id],
    [
      ['INVESTIGATING', 3 * DAY],
      ['RESOLVED', 2 * DAY],
    ],
    { name: 'Search was slow' },
  )
  await tell(
    server,
    [search.id],
    [
      ['INVESTIGATING', 40 * DAY],
      ['RESOLVED', 31 * DAY],
    ],
    { name: 'Long ago' },
  )
  await tell(server, [hidden.id], [['INVESTIGATING', HOUR]], { name: 'Not for here' })

  const { status, headers, text } = await read(server, '/status/lantern')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.match(String(headers['cache-control']), /^public, max-age=\d+$/)
  for (const words of ['Lantern', 'Everything that sells.', '<h1>Major outage</h1>', 'Shop', 'Search was slow'])
    assert.ok(text.includes(words), words)
  for (const words of ['Secret cellar', 'Not for here', 'Told in an hour', 'Long ago'])
    assert.ok(!text.includes(words), words)
  assert.ok(text.indexOf('We know.') < text.indexOf('We look.'), 'newest first')
  assert.match(text, /<h3>Checkout<\/h3><b class="bad">Major outage<\/b>/)
  assert.match(text, /<h3>Search<\/h3><b class="good">Working<\/b>/)
  // Ten days of ninety.
  assert.ok(text.includes('88.88 % over the last 90 days'), text.match(/[\d.]+ % over[^<]+/g)?.join())
  assert.match(text, /: no data<\/li>/)
  assert.match(text, /Data as of <time datetime="\d{4}-\d\d-\d\dT\d\d:\d\dZ">[^<]+ UTC<\/time>/)
  assert.ok(Buffer.byteLength(text) < 100_000)
})

test('no script, no inline attribute, and a policy that would refuse them', async (t) => {
  const server = await startTestServer(t)
  const service = await makeService(server, EVIL)
  const cards = [{ name: EVIL, services: [{ id: service.id }] }]
  await server.call(routes.createStatusPage, { body: { name: EVIL, url: 'evil', description: EVIL, cards } })
  const { id } = await tell(server, [service.id], [['INVESTIGATING', 0, EVIL]], { name: EVIL })
  // What no body could bring in, should it ever be stored.
  const evilSettings = {
    ...{
      logo: 'javascript:alert(1)',
      logoDark: '"><script>',
      favicon: '//evil.test/x',
      redirectTo: 'data:text/html,x',
    },
    ...{ description: EVIL, defaultTheme: 'AUTO' },
    themeColors: { light: { bodyFontColor: '#FFF}</style><script>alert(1)</script>' } },
  }
  await server.db
    .updateTable('status_pages')
    .set({ settings: JSON.stringify(evilSettings) })
    .where('url', '=', 'evil')
    .execute()
  for (const path of ['', '/history', `/incidents/${id}`]) {
    const { status, text, headers } = await read(server, `/status/evil${path}`)
    assert.equal(status, 200, path)
    assert.ok(text.includes(ESCAPED), path)
    assert.doesNotMatch(text, /<script|<img|javascript:|evil\.test|data:text|[^\P{Cc}\n]/iu, path)
    const withoutValues = text.replace(/"[^"]*"/g, '""')
    assert.doesNotMatch(withoutValues, /<[^>]+\s(style|on\w+)=/i, path)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self' https: data:;/)
    assert.match(policy, /frame-ancestors 'none'/)
  }
  for (const feed of ['feed.rss', 'feed.atom']) {
    const { text } = await read(server, `/status/evil/${feed}`)
    assert.doesNotMatch(text, /<script|<img|[^\P{Cc}\n]/iu, feed)
    assert.ok(text.includes('&amp;lt;script&amp;gt;'), 'content is markup as text')
  }
  const { text } = await read(server, '/status/evil/feed.json')
  const [item] = JSON.parse(text).items
  assert.doesNotMatch(item.content_html, /<script|<img/)
})

test('HEAD and conditional requests are answered without the content', async (t) => {
  const server = await startTestServer(t)
  await makePage(server)
  const full = await read(server, '/status/lantern/feed.rss')
  const head = await read(server, '/status/lantern/feed.rss', { method: 'HEAD' })
  assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', full.headers.etag])
  const again = await read(server, '/status/lantern/feed.rss', { 'if-none-match': String(full.headers.etag) })
  assert.deepEqual([again.status, again.text], [304, ''])
  assert.equal((await read(server, '/status/lantern', { method: 'HEAD' })).status, 200)
  const packed = await read(server, '/status/lantern', { 'accept-encoding': 'gzip' })
  assert.equal(packed.headers['content-encoding'], 'gzip')
})

test('a page is at the root of its own domain, in any case and with any port, and nowhere else', async (t) => {
  const server = await startTestServer(t)
  const { services } = await makePage(server, { customDomain: 'status.lantern.test' })
  const [service] = services
  assert.ok(service)
  const { id } = await tell(server, [service.id], [['INVESTIGATING', 0]])
  for (const host of ['status.lantern.test', 'STATUS.Lantern.test:8443', 'status.lantern.test.']) {
    for (const [path, words] of [
      ['/', 'Data as of'],
      ['/history', 'History of incidents'],
      [`/incidents/${id}`, 'It is INVESTIGATING.'],
      ['/feed.atom', 'urn:uuid:'],
    ] as const) {
      const { status, text } = await read(server, path, { host })
      assert.equal(status, 200, `${host}${path}`)
      assert.ok(text.includes(words), `${host}${path}`)
      assert.doesNotMatch(text, /href="\/status\//)
    }
    const unknown = await read(server, '/settings', { host })
    assert.deepEqual([unknown.status, unknown.text.includes('no status page')], [404, true])
  }
  const { text } = await read(server, '/status/LANTERN')
  assert.ok(text.includes('<link rel="canonical" href="https://status.lantern.test">'))
  assert.ok(text.includes('href="/status/lantern/history"'))
  for (const host of ['other.test', 'localhost', '127.0.0.1', 'vedette.test'])
    assert.ok(!(await read(server, '/', { host })).text.includes('Lantern'), host)
})

test('no page can stand where the application or the API is', async (t) => {
  const server = await startTestServer(t)
  await makePage(server, { url: 'v1', customDomain: 'vedette.test' })
  for (const path of ['/', '/history', '/feed.rss'])
    assert.ok(!(await read(server, path, { host: 'vedette.test' })).text.includes('Lantern'), path)
  assert.equal((await read(server, '/v1/checks', { host: 'vedette.test' })).status, 401)
  assert.equal((await read(server, '/status/v1')).status, 200)
})

test('what does not exist is answered with 404, as a page', async (t) => {
  const server = await startTestServer(t)
  const { services } = await makePage(server)
  assert.ok(services)
  const foreign = await makeIncident(server)
  for (const path of [
    '/status/unknown',
    '/status/unknown/feed.rss',
    '/status/unknown/history',
    '/status/a.b',
    '/status/%3Cscript%3E',
    '/status/lantern/nothing',
    '/status/lantern/history?page=0',
    '/status/lantern/history?page=2',
    '/status/lantern/history?page=1&page=1',
    '/status/lantern/incidents/1',
    `/status/lantern/incidents/${foreign.id}`,
  ]) {
    const { status, headers, text } = await read(server, path)
    assert.equal(status, 404, path)
    assert.match(String(headers['content-type']), /^text\/html/, path)
    assert.match(text, /<h1>Not found<\/h1>/)
    assert.ok(headers['content-security-policy'])
  }
})

test('the history has everything, twenty to a page, and each incident a page of its own', async (t) => {
  const server = await startTestServer(t)
  const { services } = await makePage(server)
  const ids = services.map(({ id }) => id)
  for (let index = 0; index < 25; index++) {
    const days = index * 10
    await tell(
      server,
      ids,
      [
        ['INVESTIGATING', days * DAY + 2 * HOUR],
        ['RESOLVED', days * DAY + HOUR],
      ],
      {
        name: `Trouble ${index}.`,
      },
    )
  }
  const namesOn = async (path: string) =>
    [...(await read(server, path)).text.matchAll(/>(Trouble \d+)\./g)].map(([, name]) => name)
  const all = Array.from({ length: 25 }, (_, index) => `Trouble ${index}`)
  assert.deepEqual(await namesOn('/status/lantern/history'), all.slice(0, 20))
  assert.deepEqual(await namesOn('/status/lantern/history?page=2'), all.slice(20))
  assert.deepEqual(await namesOn('/status/lantern'), all.slice(0, 2))
  const { text } = await read(server, '/status/lantern/history')
  assert.ok(text.includes('href="/status/lantern/history?page=2"'))
})

test('feeds name each incident by an id that stays, and say when something was told last', async (t) => {
  const server = await startTestServer(t)
  const { services } = await makePage(server)
  const incident = await tell(
    server,
    services.map(({ id }) => id),
    [
      ['INVESTIGATING', 2 * HOUR, 'One & two\nlines'],
      ['RESOLVED', HOUR],
    ],
  )
  const home = 'http://vedette.test/status/lantern'
  const types = {
    'feed.rss': 'application/rss+xml',
    'feed.atom': 'application/atom+xml',
    'feed.json': 'application/feed+json',
  }
  const page = await read(server, '/status/lantern')
  for (const [file, type] of Object.entries(types)) {
    const { headers, text } = await read(server, `/status/lantern/${file}`)
    assert.equal(headers['content-type'], `${type}; charset=utf-8`)
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
    assert.ok(text.includes(`urn:uuid:${incident.id}`) && text.includes(`${home}/incidents/${incident.id}`))
    assert.match(page.text, new RegExp(`<link rel="alternate" type="${type.replace('+', '\\+')}"`))
  }
  const feed = JSON.parse((await read(server, '/status/lantern/feed.json')).text)
  assert.deepEqual(
    [feed.version, feed.title, feed.home_page_url, feed.feed_url],
    ['https://jsonfeed.org/version/1.1', 'Lantern', home, `${home}/feed.json`],
  )
  assert.ok(feed.items[0].content_html.includes('One &amp; two<br>lines'))
  assert.ok(feed.items[0].date_published < feed.items[0].date_modified)
  const atom = (await read(server, '/status/lantern/feed.atom')).text
  assert.ok(atom.includes(`<updated>${feed.items[0].date_modified}</updated>`))
})

test('maintenance that keeps the checks of a service from running is announced, without what it is called', async (t) => {
  const server = await startTestServer(t)
  const { services } = await makePage(server, {}, ['Checkout', 'Search'])
  const [checkout] = services
  assert.ok(checkout)
  await server.call(routes.createApiCheck, {
    body: {
      name: 'Pays',
      tags: ['pays'],
      request: { method: 'GET', url: 'https://example.org' },
      triggerIncident: {
        ...{ serviceId: checkout.id, name: 'Down', severity: 'MAJOR', description: 'It is down.' },
        notifySubscribers: false,
      },
    },
  })
  const window = (name: string, tags: string[], startsIn: number) => ({
    ...{ name, tags, startsAt: ago(-startsIn), endsAt: ago(-startsIn - 2 * HOUR) },
  })
  for (const body of [
    window('Secret names', ['pays'], -HOUR),
    window('Later', ['pays'], DAY),
    window('Other', ['x'], 0),
  ])
    await server.call(routes.createMaintenanceWindow, { body })
  const { text } = await read(server, '/status/lantern')
  assert.ok(text.includes('<h1>Maintenance is under way</h1>'))
  assert.deepEqual(
    [...text.matchAll(/(Under way|Planned): ([^<]+)/g)].map(([words]) => words),
    ['Under way: Checkout', 'Planned: Checkout'],
  )
  assert.ok(!text.includes('Secret names'))
})

test('themes become variables: one of them when it is fixed, both when the reader decides', async (t) => {
  const server = await startTestServer(t)
  const { page } = await makePage(server, { defaultTheme: 'DARK', logo: '/l.png', logoDark: 'https://cdn.test/d.png' })
  assert.ok(page.id)
  const dark = await read(server, '/status/lantern')
  assert.match(dark.text, /<style>:root\{color-scheme:dark;/)
  assert.doesNotMatch(dark.text, /@media\(prefers-color-scheme/)
  assert.ok(dark.text.includes('<img src="https://cdn.test/d.png" alt="">'))
  await makePage(server, { url: 'auto', logo: '/l.png', logoDark: 'https://cdn.test/d.png' })
  const auto = await read(server, '/status/auto')
  assert.match(auto.text, /:root\{color-scheme:light;.*@media\(prefers-color-scheme:dark\)\{:root\{color-scheme:dark;/)
  assert.match(
    auto.text,
    /<source media="\(prefers-color-scheme: dark\)" srcset="https:\/\/cdn.test\/d.png"><img src="\/l.png"/,
  )
})

test('a page with fifty services weighs less than 100 kB', async (t) => {
  const server = await startTestServer(t)
  const names = Array.from({ length: 50 }, (_, index) => `Service number ${index}`)
  const { services } = await makePage(server, {}, names)
  const ids = services.map(({ id }) => id)
  for (const days of [3, 20, 50])
    await tell(server, ids.slice(0, 25), [
      ['INVESTIGATING', days * DAY],
      ['RESOLVED', days * DAY - HOUR],
    ])
  const { text } = await read(server, '/status/lantern')
  assert.ok(names.every((name) => text.includes(`<h3>${name}</h3>`)))
  assert.ok(Buffer.byteLength(text) < 100_000, `${Buffer.byteLength(text)} bytes`)
  t.diagnostic(`${Buffer.byteLength(text)} bytes`)
})
