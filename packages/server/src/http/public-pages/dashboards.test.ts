import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DashboardCreate, routes } from '@vedette/schema'
import { sql } from 'kysely'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { makeService } from '../../testing/pages.ts'
import { addResults } from '../../testing/results.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { until } from '../../testing/until.ts'
import { type Read, read } from './visitor.fixture.ts'

const HOUR = 3_600_000
const EVIL = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`

/** With a name of its own each: what is read is kept for seconds. */
function makeDashboard(server: TestServer, customUrl: string, fields: Partial<DashboardCreate> = {}) {
  return server.call(routes.createDashboard, { body: { header: 'Lantern', customUrl, ...fields } })
}

const namesOn = ({ text }: Read) => [...text.matchAll(/<span class="name">([^<]+)</g)].map(([, name]) => name)

test('a dashboard shows how checks are doing, how available they were and how fast', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const now = Date.now()
  for (const [name, verdict] of [
    ['Checkout', 'passed'],
    ['Search', 'failed'],
    ['Basket', 'degraded'],
  ] as const) {
    const check = await makeCheck(server, { name, tags: ['shop'] })
    // A hundred over the last hours, of which four failed; from 1 to 100 ms.
    await addResults(
      server,
      check,
      Array.from({ length: 100 }, (_, index) => ({
        atMs: now - 20 * HOUR + index * 60_000,
        verdict: index < 4 ? ('failed' as const) : ('passed' as const),
        responseTimeMs: index + 1,
        location: 'us-east-1',
      })),
    )
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), verdict, { responseTimeMs: 50 })
  }
  await makeCheck(server, { name: 'New' })
  await makeCheck(server, { name: 'Asleep', activated: false })
  await makeDashboard(server, 'lantern', { description: 'On the wall.' })
  const page = await read(server, '/dashboard/lantern')
  assert.equal(page.status, 200)
  assert.match(String(page.headers['cache-control']), /^public, max-age=\d+$/)
  assert.deepEqual(namesOn(page), ['Asleep', 'Basket', 'Checkout', 'New', 'Search'])
  assert.ok(page.text.includes('<strong>1 of 4 checks is failing</strong>'), page.text.match(/<strong>[^<]+/)?.[0])
  assert.ok(page.text.includes('<h1>Lantern</h1>') && page.text.includes('On the wall.'))
  for (const [name, words] of [
    ['Checkout', 'Passing'],
    ['Search', 'Failing'],
    ['Basket', 'Degraded'],
    ['New', 'No result yet'],
    ['Asleep', 'Switched off'],
  ] as const)
    assert.match(page.text, new RegExp(`>${name}</span><span class="about"><span class="state">${words}`))
  // 97 of 101; the ninety-fifth of them is at 95 ms, give or take half a percent.
  assert.ok(page.text.includes('<small>24 hours</small>96.03 %'), page.text.match(/24 hours<\/small>[^<]+/g)?.join())
  assert.ok(page.text.includes('<small>30 days</small>96.03 %'))
  assert.match(page.text, /<small>p95<\/small>9[456] ms/)
  assert.match(page.text, /<small>p99<\/small>(98|99|100) ms/)
  assert.match(page.text, /Data as of <time datetime="\d{4}-\d\d-\d\dT\d\d:\d\dZ">/)
})

test('tags say which checks are shown: any of them, or all, those of groups too; without tags all are', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Shops', tags: ['shop'] } })
  await makeCheck(server, { name: 'Both', tags: ['shop', 'eu'] })
  await makeCheck(server, { name: 'One', tags: ['eu'] })
  await makeCheck(server, { name: 'By its group', groupId: group.id })
  await makeCheck(server, { name: 'Neither', tags: ['us'] })
  const stranger = await server.addAccount()
  await server.db.updateTable('checks').set({ account_id: stranger }).where('name', '=', 'Neither').execute()
  await makeDashboard(server, 'any', { tags: ['shop', 'eu'], showGroupNames: false })
  await makeDashboard(server, 'every', { tags: ['shop', 'eu'], useTagsAndOperator: true })
  await makeDashboard(server, 'all', { showGroupNames: false })
  await makeDashboard(server, 'none', { tags: ['nowhere'] })
  assert.deepEqual(namesOn(await read(server, '/dashboard/any')), ['Both', 'By its group', 'One'])
  assert.deepEqual(namesOn(await read(server, '/dashboard/every')), ['Both'])
  assert.deepEqual(namesOn(await read(server, '/dashboard/all')), ['Both', 'By its group', 'One'])
  const none = await read(server, '/dashboard/none')
  assert.deepEqual(namesOn(none), [])
  assert.ok(none.text.includes('No check has the tags'))
})

test('each setting can be seen', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  const group = await server.call(routes.createCheckGroup, { body: { name: 'Alpha shops' } })
  const well = await makeCheck(server, { name: 'Well', groupId: group.id, tags: ['eu'] })
  const ill = await makeCheck(server, { name: 'Zill', tags: ['eu'] })
  await makeDue(server, ill)
  await runner.report(await runner.leaseOne(), 'failed')
  await makeDashboard(server, 'usual')
  const usual = await read(server, '/dashboard/usual')
  assert.deepEqual(namesOn(usual), ['Well', 'Zill'])
  for (const words of ['<small>p95', '<small>p99', 'class="tag">eu<', 'class="group">Alpha shops<', '<h1>Lantern'])
    assert.ok(usual.text.includes(words), words)
  for (const words of [' narrow', '<details open', 'latest run', well.id, '<img', 'rel="stylesheet"'])
    assert.ok(!usual.text.includes(words), words)
  assert.equal(usual.headers.refresh, '60; url=/dashboard/usual')
  assert.match(String(usual.headers['content-security-policy']), /img-src 'self'; .*form-action 'none'/)

  await makeDashboard(server, 'other', {
    ...{ showP95: false, showP99: false, hideTags: true, showGroupNames: false, showHeader: false },
    ...{ width: '960PX', expandChecks: true, showCheckRunLinks: true, sortByStatus: true, refreshRate: 300 },
    ...{
      logo: 'https://cdn.test/logo.png',
      favicon: '/icon.png',
      link: 'https://lantern.test/home',
      description: 'Hidden.',
    },
  })
  const other = await read(server, '/dashboard/other')
  assert.deepEqual(namesOn(other), ['Zill', 'Well'])
  for (const words of ['<small>p95', '<small>p99', 'class="tag"', 'class="group"', '<h1>Lantern', 'Hidden.'])
    assert.ok(!other.text.includes(words), words)
  for (const words of [
    ...['class="dashboard narrow"', '<details open', '<h1 class="skip">Lantern</h1>'],
    ...['<a href="https://lantern.test/home"><img src="https://cdn.test/logo.png" alt="Lantern"></a>'],
    ...['<link rel="icon" href="/icon.png">', `/accounts/${server.accountId}/checks/${ill.id}/results/`],
    ...[`/accounts/${server.accountId}/checks/${well.id}">The check<`],
  ])
    assert.ok(other.text.includes(words), words)
  assert.equal(other.headers.refresh, '300; url=/dashboard/other')
  assert.match(String(other.headers['content-security-policy']), /img-src 'self' https:\/\/cdn\.test;/)
})

test('pages turn by themselves, by hand, or not at all', async (t) => {
  const server = await startTestServer(t)
  for (let index = 1; index <= 5; index++) await makeCheck(server, { name: `Check ${index}` })
  await makeDashboard(server, 'pages', { checksPerPage: 2, paginationRate: 300, refreshRate: 60 })
  const first = await read(server, '/dashboard/pages')
  assert.deepEqual(namesOn(first), ['Check 1', 'Check 2'])
  for (const words of ['Page 1 of 3', 'href="/dashboard/pages?page=2">Next', 'href="/dashboard/pages?stay=1">Stay'])
    assert.ok(first.text.includes(words), words)
  const refreshAt = async (query: string) => (await read(server, `/dashboard/pages${query}`)).headers.refresh
  // It is renewed every minute and turned after five.
  assert.equal(first.headers.refresh, '60; url=/dashboard/pages?shown=60')
  assert.equal(await refreshAt('?shown=60'), '60; url=/dashboard/pages?shown=120')
  assert.equal(await refreshAt('?shown=240'), '60; url=/dashboard/pages?page=2')
  assert.equal(await refreshAt('?page=2&shown=240'), '60; url=/dashboard/pages?page=3')
  assert.equal(await refreshAt('?page=3&shown=240'), '60; url=/dashboard/pages')
  assert.equal(await refreshAt('?page=2&stay=1'), '60; url=/dashboard/pages?page=2&stay=1')
  const last = await read(server, '/dashboard/pages?page=3')
  assert.deepEqual(namesOn(last), ['Check 5'])
  // There were more checks once: a screen that has got there goes on.
  const beyond = await read(server, '/dashboard/pages?page=9')
  assert.deepEqual([beyond.status, namesOn(beyond), beyond.headers.refresh], [200, ['Check 5'], last.headers.refresh])
  for (const query of ['?page=0', '?page=x', '?page=1&page=2', '?shown=-1', '?shown=99999'])
    assert.equal((await read(server, `/dashboard/pages${query}`)).status, 404, query)

  await makeDashboard(server, 'whole', { checksPerPage: 2, paginate: false })
  const whole = await read(server, '/dashboard/whole')
  assert.equal(namesOn(whole).length, 5)
  assert.ok(!whole.text.includes('Page 1'))
})

test('incidents that are active are shown with the last that was told of them', async (t) => {
  const server = await startTestServer(t)
  const { id: dashboardId } = await makeDashboard(server, 'told', { enableIncidents: true })
  const { id: silent } = await makeDashboard(server, 'silent')
  const tell = (name: string, rest: object = {}, status: 'INVESTIGATING' | 'RESOLVED' = 'INVESTIGATING') =>
    server.call(routes.createDashboardIncident, {
      body: { name, dashboardId, incidentUpdates: [{ status, description: `About ${name}.` }], ...rest },
    })
  const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
  await tell('Active', { impact: 'MAJOR' })
  await tell('Planned works', { impact: 'MAINTENANCE', startedAt: at(-1), stoppedAt: at(1) })
  await tell('Over', { startedAt: at(-3), stoppedAt: at(-1) })
  await tell('To come', { startedAt: at(1) })
  await tell('Resolved', {}, 'RESOLVED')
  await tell('Elsewhere', { dashboardId: silent })
  const { text } = await read(server, '/dashboard/told')
  for (const words of ['<h2>Active</h2>', 'About Active.', 'Major, since', '<h2>Planned works</h2>', 'Investigating'])
    assert.ok(text.includes(words), words)
  for (const words of ['Over', 'To come', 'Resolved', 'Elsewhere']) assert.ok(!text.includes(`<h2>${words}`), words)
  assert.ok(!(await read(server, '/dashboard/silent')).text.includes('Elsewhere'))
})

test('a private dashboard tells nothing without its key, takes it once, and is closed when the key goes', async (t) => {
  const server = await startTestServer(t)
  await makeCheck(server, { name: 'Checkout' })
  const dashboard = await makeDashboard(server, 'secret', { isPrivate: true, customCSS: '.name{color:red}' })
  const [key] = dashboard.keys
  assert.ok(key)
  const path = '/dashboard/secret'
  const tryKey = (raw: string) =>
    read(server, path, { method: 'POST', body: new URLSearchParams({ key: raw }).toString() })

  const closed = await read(server, path)
  assert.equal(closed.status, 403)
  assert.equal(closed.headers['cache-control'], 'private, no-store')
  assert.match(String(closed.headers['content-security-policy']), /form-action 'self'/)
  for (const words of ['Checkout', 'Lantern', 'stylesheet']) assert.ok(!closed.text.includes(words), words)
  assert.ok(closed.text.includes('<form method="post" action="/dashboard/secret">'))

  const wrong = await tryKey('da_00000000000000000000000000000000')
  assert.deepEqual([wrong.status, wrong.headers['set-cookie']], [403, undefined])
  assert.ok(wrong.text.includes('does not open'))

  const right = await tryKey(` ${key.rawKey} `)
  assert.deepEqual([right.status, right.headers.location], [303, path])
  const [cookie = ''] = [right.headers['set-cookie']].flat()
  assert.match(cookie, /^vedette_dashboard_\w{8}=[\w-]{43}; Max-Age=\d+; Path=\/dashboard; HttpOnly; SameSite=Lax$/)
  assert.ok(!cookie.includes(key.rawKey))

  const visit = { cookie: cookie.split(';')[0] ?? '' }
  const open = await read(server, path, visit)
  assert.deepEqual([open.status, namesOn(open)], [200, ['Checkout']])
  assert.match(String(open.headers['cache-control']), /^private/)
  assert.match(String(open.headers.vary), /cookie/)
  assert.ok(open.text.includes('noindex'))
  const [, sheet = ''] = /rel="stylesheet" href="([^"]+)"/.exec(open.text) ?? []
  assert.equal((await read(server, sheet)).status, 404)
  const style = await read(server, sheet, visit)
  assert.deepEqual([style.status, style.headers['content-type']], [200, 'text/css; charset=utf-8'])
  assert.match(String(style.headers['cache-control']), /^private/)
  const others: Record<string, string>[] = [
    { cookie: `${visit.cookie}x` },
    { cookie: visit.cookie.replace(/=.*/, '=') },
    { authorization: `Bearer ${key.rawKey}` },
  ]
  for (const other of others) assert.equal((await read(server, path, other)).status, 403)
  assert.equal((await read(server, `${path}?key=${key.rawKey}`)).status, 403)

  // Another one's cookie is another one's.
  const second = await makeDashboard(server, 'second', { isPrivate: true })
  const stolen = visit.cookie.replace(dashboard.dashboardId, second.dashboardId)
  assert.equal((await read(server, '/dashboard/second', { cookie: stolen })).status, 403)

  // A key that is younger than what is kept in memory opens at once.
  const params = { dashboardId: dashboard.dashboardId }
  const younger = await server.call(routes.createDashboardKey, { params })
  const [fresh = ''] = [(await tryKey(younger.rawKey)).headers['set-cookie']].flat()
  assert.equal((await read(server, path, { cookie: fresh.split(';')[0] ?? '' })).status, 200)

  await server.call(routes.deleteDashboardKey, { params: { ...params, keyId: key.id } })
  await until('the cookie of the key opens nothing', async () => (await read(server, path, visit)).status === 403)
  assert.equal((await read(server, path, { cookie: fresh.split(';')[0] ?? '' })).status, 200)

  assert.doesNotMatch(server.log.join('\n'), new RegExp(`${key.rawKey}|${visit.cookie.split('=')[1]}`))
})

test('wrong keys are slowed down, and keep nobody out who has a right one or a password', async (t) => {
  const server = await startTestServer(t, { env: { RATE_LIMIT: '600' } })
  const { dashboardId } = await makeDashboard(server, 'locked', { isPrivate: true })
  const key = await server.call(routes.createDashboardKey, { params: { dashboardId } })
  const tryKey = (raw: string) =>
    read(server, '/dashboard/locked', { method: 'POST', body: new URLSearchParams({ key: raw }).toString() })
  const tries: Read[] = []
  for (let count = 0; count < 70; count++) tries.push(await tryKey('da_wrong'))
  const statuses = tries.map(({ status }) => status)
  assert.deepEqual([statuses[0], statuses.at(-1)], [403, 429])
  const slowed = tries.at(-1)
  assert.match(String(slowed?.headers['content-type']), /^text\/html/)
  assert.ok(Number(slowed?.headers['retry-after']) > 0)
  assert.equal((await tryKey(key.rawKey)).status, 303)
  const person = { name: 'bob', password: 'correct horse battery' }
  const { token } = await server.call(routes.createInvitation, {
    params: { accountId: 'me' },
    body: { role: 'READ_ONLY' },
  })
  const accept = { key: null, body: { token, ...person } }
  assert.equal((await server.send('POST', '/web/invitations/accept', accept)).status, 201)
  assert.equal((await server.send('POST', '/web/sign-in', { key: null, body: person })).status, 200)
})

test('pages beyond the end are the last one, and not made anew for each number', async (t) => {
  const server = await startTestServer(t, { env: { RATE_LIMIT: '600' } })
  for (const name of ['One', 'Two', 'Three']) await makeCheck(server, { name })
  await makeDashboard(server, 'beyond', { checksPerPage: 2 })
  const seen = new Set<string>()
  for (let page = 2; page < 300; page++) {
    const answer = await read(server, `/dashboard/beyond?page=${page}`)
    seen.add(`${answer.status} ${namesOn(answer)}`)
  }
  assert.deepEqual([...seen], ['200 Two'])
})

test('a screen on a wall comes back by itself, whatever was wrong', async (t) => {
  const server = await startTestServer(t, { env: { RATE_LIMIT: '600' } })
  await makeDashboard(server, 'wall')
  await sql`alter table checks rename to elsewhere`.execute(server.db)
  const broken = await read(server, '/dashboard/wall')
  await sql`alter table elsewhere rename to checks`.execute(server.db)
  assert.deepEqual([broken.status, broken.headers.refresh], [500, '60'])
  for (let count = 0; count < 250; count++) await read(server, `/dashboard/none-${count}`)
  const refused = await read(server, '/dashboard/wall')
  assert.deepEqual([refused.status, refused.headers.refresh], [429, '60'])
  assert.equal(refused.headers['cache-control'], 'no-store')
})

test('a dashboard is at the root of its own domain, and a status page at the root of another', async (t) => {
  const server = await startTestServer(t)
  await makeCheck(server, { name: 'Checkout' })
  await makeDashboard(server, 'wall', { customDomain: 'wall.lantern.test', customCSS: '.name{color:red}' })
  const { id } = await makeService(server)
  const page = { name: 'Told', url: 'told', cards: [{ name: 'Shop', services: [{ id }] }] }
  await server.call(routes.createStatusPage, { body: { ...page, customDomain: 'status.lantern.test' } })
  const taken = await server.send('POST', '/v1/dashboards', {
    body: { header: 'Another', customDomain: 'status.lantern.test' },
  })
  assert.equal(taken.status, 409)
  const host = 'WALL.lantern.test:8443'
  const wall = await read(server, '/', { host })
  assert.deepEqual([wall.status, namesOn(wall)], [200, ['Checkout']])
  assert.equal(wall.headers.refresh, '60; url=/')
  assert.ok(wall.text.includes('<link rel="canonical" href="https://wall.lantern.test">'))
  const [, sheet = ''] = /rel="stylesheet" href="([^"]+)"/.exec(wall.text) ?? []
  assert.match(sheet, /^\/style\/[0-9a-f]{16}\.css$/)
  const style = await read(server, sheet, { host })
  assert.deepEqual([style.status, style.text], [200, '.dashboard .name{color:red}'])
  assert.equal(style.headers['cache-control'], 'public, max-age=300')
  assert.equal(style.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  assert.match(String(wall.headers['content-security-policy']), /style-src 'sha256-[\w+/=]+' 'self';/)
  const unknown = await read(server, '/history', { host })
  assert.deepEqual([unknown.status, unknown.text.includes('no dashboard')], [404, true])
  assert.ok((await read(server, '/', { host: 'status.lantern.test' })).text.includes('Told'))
  assert.equal((await read(server, sheet, { host: 'status.lantern.test' })).status, 404)
  for (const path of ['/dashboard/none', '/dashboard/wall/x', '/dashboard/a.b', '/dashboard/wall/style/0.css']) {
    const { status, text } = await read(server, path)
    assert.deepEqual([status, text.includes('no dashboard')], [404, true], path)
  }
})

test('no script and no inline style, whatever was written, and little to load', async (t) => {
  const server = await startTestServer(t)
  const group = await server.call(routes.createCheckGroup, { body: { name: EVIL } })
  const check = await makeCheck(server, { name: EVIL, tags: [EVIL], groupId: group.id })
  const { id } = await makeDashboard(server, 'evil', { header: EVIL, description: EVIL, enableIncidents: true })
  const incidentUpdates = [{ status: 'MONITORING' as const, description: EVIL }]
  await server.call(routes.createDashboardIncident, { body: { name: EVIL, dashboardId: id, incidentUpdates } })
  const { text, headers } = await read(server, '/dashboard/evil')
  assert.doesNotMatch(text, /<script|<img|onerror=alert\(1\)>[^&]/i)
  assert.doesNotMatch(text.replace(/"[^"]*"/g, '""'), /<[^>]+\s(style|on\w+)=/i)
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'none'$/)

  await sql`
    insert into checks (account_id, kind, name, activated, muted, tags, settings, effective_activated, effective_muted,
      effective_tags, effective_settings)
    select account_id, kind, 'A check with a name as long as most', activated, muted, tags, settings, effective_activated,
      effective_muted, effective_tags, effective_settings
    from checks, generate_series(1, 150) where id = ${check.id}`.execute(server.db)
  await makeDashboard(server, 'heavy', { paginate: false, hideTags: true })
  const heavy = await read(server, '/dashboard/heavy')
  t.diagnostic(`${namesOn(heavy).length} checks: ${Buffer.byteLength(heavy.text)} bytes`)
  assert.ok(namesOn(heavy).length === 30)
  assert.ok(Buffer.byteLength(heavy.text) < 100_000, `${Buffer.byteLength(heavy.text)} bytes`)
})
