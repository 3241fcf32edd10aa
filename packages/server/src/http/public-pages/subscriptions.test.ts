import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { forgetUnanswered } from '../../subscribers/store.ts'
import { makeService } from '../../testing/pages.ts'
import { aPageWithReaders, linkIn, read } from '../../testing/subscribers.ts'
import { startTestServer } from '../../testing/test-server.ts'

const ann = 'ann@example.org'
const subscribe = (server: Parameters<typeof read>[0], address: string, headers: Record<string, string> = {}) =>
  read(server, '/status/lantern/subscribe', { form: { address }, headers })

test('somebody asks for news, says yes, hears of an incident and ends it', async (t) => {
  const scene = await aPageWithReaders(t)
  const { server } = scene
  const params = { statusPageId: scene.pageId }
  const listed = async () =>
    (await server.call(routes.listStatusPageSubscriptions, { params })).map(({ address, status }) => [address, status])

  const page = await read(server, '/status/lantern')
  assert.match(page.text, /<form method="post" action="\/status\/lantern\/subscribe">/)
  assert.match(String(page.headers['content-security-policy']), /form-action 'self';/)
  const asked = await subscribe(server, `  ${ann} `)
  assert.equal(asked.status, 200)
  assert.match(asked.text, /<h1>Look into your mailbox<\/h1>/)
  assert.equal(asked.headers['cache-control'], 'no-store')
  assert.deepEqual(await listed(), [[ann, 'PENDING']])

  const question = await scene.nextMail()
  assert.deepEqual(question.envelope.to, [ann])
  assert.equal(question.mail.subject, 'Please confirm: news of Lantern by mail')
  const verify = linkIn(question, 'verify')
  assert.match(verify, /^http:\/\/vedette\.test\/subscriptions\/ss_[0-9a-f]{32}\/verify$/)
  assert.equal((await read(server, verify, { method: 'HEAD' })).status, 404)
  assert.deepEqual(await listed(), [[ann, 'PENDING']])
  for (const _time of ['first', 'second']) {
    const verified = await read(server, verify)
    assert.deepEqual([verified.status, /<h1>You are subscribed<\/h1>/.test(verified.text)], [200, true])
  }
  assert.deepEqual(await listed(), [[ann, 'VERIFIED']])
  assert.equal((await subscribe(server, 'ANN@example.org')).text.replace('ANN', 'ann'), asked.text)

  const incidentId = await scene.openIncident()
  const { mail, header } = await scene.nextMail()
  assert.equal(mail.subject, 'Investigating: Orders are delayed (Lantern)')
  const unsubscribe = linkIn({ ...question, mail }, 'unsubscribe')
  assert.equal(header('list-unsubscribe'), `<${unsubscribe}>`)
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  for (const words of ['Lantern', 'Orders are delayed', 'Major', 'Investigating', 'Checkout', 'We look into it.']) {
    assert.ok(mail.text?.includes(words), words)
    assert.ok(mail.html?.includes(words), words)
  }
  assert.ok(mail.text?.includes(`http://vedette.test/status/lantern/incidents/${incidentId}`))

  const offered = await read(server, unsubscribe)
  assert.deepEqual([offered.status, /<button>Unsubscribe<\/button>/.test(offered.text)], [200, true])
  assert.match(String(offered.headers['content-security-policy']), /form-action 'self';/)
  assert.deepEqual(await listed(), [[ann, 'VERIFIED']])
  // Whoever does it twice is not subscribed either way.
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const done = await read(server, unsubscribe, {
      method: 'POST',
      headers: { 'content-type': type, 'content-length': '0' },
    })
    assert.deepEqual(
      [done.status, /<h1>You are (unsubscribed|not subscribed)<\/h1>/.test(done.text)],
      [200, true],
      type,
    )
  }
  assert.deepEqual(await listed(), [])
  assert.equal((await read(server, verify)).status, 404)
  await server.call(routes.createIncidentUpdate, {
    params: { incidentId },
    body: { description: 'Found.', notifySubscribers: true },
  })
  await scene.allSent()
  assert.equal(scene.mails.received.length, 2)
  assert.ok(!server.log.join('').includes('ann@'))
})

test('an address that waits is not asked again at once, and can be taken back before it was confirmed', async (t) => {
  const scene = await aPageWithReaders(t)
  const { server } = scene
  const first = await subscribe(server, ann)
  const question = await scene.nextMail()
  assert.equal((await subscribe(server, ann)).text, first.text)
  await scene.allSent()
  assert.equal(scene.mails.received.length, 1)

  const age = (interval: string) =>
    sql`update status_page_subscriptions set asked_at = now() - ${interval}::interval`.execute(server.db)
  await age('11 minutes')
  await subscribe(server, ann)
  const again = await scene.nextMail()
  assert.equal(linkIn(again, 'verify'), linkIn(question, 'verify'))
  assert.equal((await read(server, linkIn(again, 'unsubscribe'), { method: 'POST' })).status, 200)
  assert.equal((await read(server, linkIn(again, 'verify'))).status, 404)

  await subscribe(server, ann)
  const late = await scene.nextMail()
  await age('49 hours')
  assert.equal((await read(server, linkIn(late, 'verify'))).status, 404)
})

test('those whom nobody could ask wait, those who did not answer are forgotten', async (t) => {
  const { server, pageId, allSent, mails } = await aPageWithReaders(t)
  const params = { statusPageId: pageId }
  const bulk = (address: string, autoVerify: boolean) =>
    server.call(routes.createStatusPageSubscriptions, { params, body: { subscriptions: [{ address }], autoVerify } })
  assert.deepEqual(await bulk('asked@example.org', false), { created: 1, skipped: 0, status: 'PENDING' })
  assert.deepEqual(await bulk('agreed@example.org', true), { created: 1, skipped: 0, status: 'VERIFIED' })
  await allSent()
  assert.deepEqual(
    mails.received.map(({ envelope }) => envelope.to),
    [['asked@example.org']],
  )
  await sql`update status_page_subscriptions set asked_at = now() - interval '49 hours' where asked_at is not null`.execute(
    server.db,
  )
  const account_id = server.accountId
  const unasked = { account_id, page_id: pageId, address: 'unasked@example.org', status: 'PENDING' } as const
  await server.db.insertInto('status_page_subscriptions').values(unasked).execute()
  await forgetUnanswered(server.db)
  const left = await server.call(routes.listStatusPageSubscriptions, { params })
  assert.deepEqual(left.map(({ address }) => address).sort(), ['agreed@example.org', 'unasked@example.org'])
})

test('on a domain of its own, form and links are on that domain', async (t) => {
  const scene = await aPageWithReaders(t, { customDomain: 'status.lantern.test' })
  const { server } = scene
  const headers = { host: 'status.lantern.test' }
  assert.match((await read(server, '/', { headers })).text, /<form method="post" action="\/subscribe">/)
  assert.equal((await read(server, '/subscribe', { headers, form: { address: ann } })).status, 200)
  const question = await scene.nextMail()
  const link = linkIn(question, 'verify')
  assert.match(link, /^https:\/\/status\.lantern\.test\/subscriptions\/ss_/)
  const verified = await read(server, link, { headers })
  assert.deepEqual([verified.status, verified.text.includes('<a href="/">Back to the status</a>')], [200, true])
  await scene.openIncident()
  const { mail } = await scene.nextMail()
  assert.match(mail.text ?? '', /https:\/\/status\.lantern\.test\/incidents\//)
  for (const host of ['vedette.test', 'other.test'])
    assert.equal((await read(server, '/subscribe', { headers: { host }, form: { address: ann } })).status, 404)
})

test('what is no address, no form or from elsewhere is refused, and nothing is sent', async (t) => {
  const { server, allSent, mails } = await aPageWithReaders(t)
  for (const address of ['', 'ann', 'ann@example.org, bob@example.org', 'a@b\r\nBcc: c@d', `"><b>@x y`]) {
    const { status, text } = await subscribe(server, address)
    assert.equal(status, 400, address)
    assert.match(text, /role="alert">This is not an address/)
    assert.ok(!text.includes('<b>'))
  }
  assert.equal((await subscribe(server, ann, { 'sec-fetch-site': 'cross-site' })).status, 403)
  assert.equal((await subscribe(server, 'x'.repeat(5000))).status, 413)
  const json = { 'content-type': 'application/json' }
  assert.equal((await read(server, '/status/lantern/subscribe', { method: 'POST', headers: json })).status, 400)
  assert.equal((await read(server, '/status/unknown/subscribe', { form: { address: ann } })).status, 404)
  for (const token of ['ss_00000000000000000000000000000000', 'x', '%00'])
    assert.equal((await read(server, `/subscriptions/${token}/verify`)).status, 404, token)
  assert.equal((await subscribe(server, ann, { 'sec-fetch-site': 'same-origin' })).status, 200)
  await allSent()
  assert.equal(mails.received.length, 1)
})

test('one who asks again and again is told to wait, however the limits of the API are set', async (t) => {
  const { server } = await aPageWithReaders(t)
  const statuses = []
  for (let index = 0; index < 12; index++)
    statuses.push((await subscribe(server, `reader-${index}@example.org`)).status)
  assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429])
  const { headers, text } = await subscribe(server, ann)
  assert.ok(Number(headers['retry-after']) > 0)
  assert.match(text, /<h1>Not now<\/h1>/)
})

test('the pages of one address are few when nobody has them yet, and as many as it likes when they are kept', async (t) => {
  const { server } = await aPageWithReaders(t, { env: { RATE_LIMIT: '600' } })
  await read(server, '/status/lantern')
  let refused: Awaited<ReturnType<typeof read>> | undefined
  for (let index = 0; refused === undefined && index < 400; index++) {
    const answer = await read(server, `/status/unknown-${index}`)
    if (answer.status !== 404) refused = answer
  }
  assert.equal(refused?.status, 429)
  assert.match(refused.text, /<h1>Too many requests<\/h1>/)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await read(server, '/status/lantern')).status, 200)
})

test('without a mail server nobody is offered mail, and nothing is put aside', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeService(server)
  const cards = [{ name: 'Shop', services: [{ id }] }]
  const page = await server.call(routes.createStatusPage, { body: { name: 'Lantern', url: 'lantern', cards } })
  const { text, headers } = await read(server, '/status/lantern')
  assert.doesNotMatch(text, /<form|by mail/)
  assert.match(String(headers['content-security-policy']), /form-action 'none';/)
  assert.equal((await read(server, '/status/lantern/subscribe')).status, 404)
  const params = { statusPageId: page.id }
  const bulk = (address: string, autoVerify: boolean) =>
    server.call(routes.createStatusPageSubscriptions, { params, body: { subscriptions: [{ address }], autoVerify } })
  assert.equal((await bulk('asked@example.org', false)).status, 'PENDING')
  assert.equal((await bulk('agreed@example.org', true)).status, 'VERIFIED')
  await server.call(routes.createStatusPageIncident, {
    body: {
      name: 'Orders are delayed',
      severity: 'MAJOR',
      services: [{ id }],
      incidentUpdates: [{ description: 'We look into it.', notifySubscribers: true }],
    },
  })
  assert.deepEqual(await server.db.selectFrom('status_page_mails').selectAll().execute(), [])
  assert.deepEqual(await server.db.selectFrom('status_page_news').selectAll().execute(), [])
})

test('unsubscribing does not depend on whether the page can be shown', async (t) => {
  const scene = await aPageWithReaders(t, { env: { RATE_LIMIT: '600' } })
  const { server } = scene
  await scene.addReaders(ann, 'bob@example.org')
  await scene.openIncident()
  const links = [linkIn(await scene.nextMail(), 'unsubscribe'), linkIn(await scene.nextMail(), 'unsubscribe')]
  const left = () => server.db.selectFrom('status_page_subscriptions').select('id').execute()

  await sql`alter table status_page_cards rename to away`.execute(server.db)
  const broken = await read(server, links[0] ?? '', { method: 'POST' })
  await sql`alter table away rename to status_page_cards`.execute(server.db)
  assert.deepEqual([broken.status, /<h1>You are unsubscribed<\/h1>/.test(broken.text)], [200, true])
  assert.equal((await left()).length, 1)

  let strangers = 404
  for (let index = 0; strangers === 404; index++) strangers = (await read(server, `/status/unknown-${index}`)).status
  assert.equal(strangers, 429)
  const refused = await read(server, links[1] ?? '', { method: 'POST' })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [200, undefined])
  assert.match(refused.text, /<h1>You are unsubscribed<\/h1>/)
  assert.deepEqual(await left(), [])
})

test('a link that was cut or changed is not said to have unsubscribed anybody', async (t) => {
  const scene = await aPageWithReaders(t)
  const { server } = scene
  await scene.addReaders(ann)
  await scene.openIncident()
  const link = linkIn(await scene.nextMail(), 'unsubscribe')
  const cut = link.replace(/.{3}\/unsubscribe$/, '/unsubscribe')
  const changed = link.replace(/.\/unsubscribe$/, (end) => `${end.startsWith('0') ? '1' : '0'}/unsubscribe`)
  for (const method of ['GET', 'POST']) {
    const ofCut = await read(server, cut, { method })
    assert.deepEqual([ofCut.status, /<h1>This link is not whole<\/h1>/.test(ofCut.text)], [404, true])
    const ofChanged = await read(server, changed, { method })
    assert.deepEqual([ofChanged.status, /<h1>You are not subscribed<\/h1>/.test(ofChanged.text)], [200, true])
  }
  assert.equal((await server.db.selectFrom('status_page_subscriptions').select('id').execute()).length, 1)
})

test('one mailbox is asked six times an hour, whatever is added to its address', async (t) => {
  const { server, allSent, mails } = await aPageWithReaders(t)
  for (let index = 0; index < 9; index++)
    assert.equal((await subscribe(server, `Ann+${index}@example.org`)).status, 200)
  await allSent()
  assert.equal(mails.received.length, 6)
})
