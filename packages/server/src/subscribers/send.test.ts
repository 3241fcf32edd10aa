import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import { aMailer, startMailServer } from '../mail/mail-server.fixture.ts'
import { makeCheck, makeDue } from '../testing/checks.ts'
import { aReport, signInRunner } from '../testing/fake-runner.ts'
import { makeService } from '../testing/pages.ts'
import { aPageWithReaders, linkIn, read, type Scene } from '../testing/subscribers.ts'
import { until } from '../testing/until.ts'
import { leaseMail } from './store.ts'

const received = ({ mails }: Scene) => mails.received.map(({ envelope }) => envelope.to.join()).sort()

test('everybody who has agreed hears once of each page that shows the service, and nobody else does', async (t) => {
  const scene = await aPageWithReaders(t)
  const { server, serviceId } = scene
  const other = await makeService(server, 'Search')
  const services = [{ id: serviceId }, { id: other.id }]
  const second = await server.call(routes.createStatusPage, {
    // The same service twice, and both of the incident.
    body: {
      name: 'Second',
      url: 'second',
      cards: [
        { name: 'A', services },
        { name: 'B', services },
      ],
    },
  })
  const third = await server.call(routes.createStatusPage, { body: { name: 'Third', url: 'third', cards: [] } })
  const agree = (statusPageId: string, ...addresses: string[]) => {
    const subscriptions = addresses.map((address) => ({ address }))
    return server.call(routes.createStatusPageSubscriptions, {
      params: { statusPageId },
      body: { subscriptions, autoVerify: true },
    })
  }
  await scene.addReaders('ann@example.org', 'bob@example.org')
  await agree(second.id, 'ann@example.org')
  await agree(third.id, 'cid@example.org')
  const account_id = server.accountId
  const pending = { account_id, page_id: scene.pageId, address: 'dan@example.org', status: 'PENDING' } as const
  await server.db.insertInto('status_page_subscriptions').values(pending).execute()

  const incidentId = await scene.openIncident({}, [serviceId, other.id])
  await scene.allSent()
  assert.deepEqual(received(scene), ['ann@example.org', 'ann@example.org', 'bob@example.org'])
  const ofFirst = scene.mails.received.filter(({ mail }) => mail.subject?.includes('(Lantern)'))
  for (const { mail } of ofFirst) assert.match(mail.text ?? '', /Services: Checkout\n/)
  const ofSecond = scene.mails.received.find(({ mail }) => mail.subject?.includes('(Second)'))
  assert.match(ofSecond?.mail.text ?? '', /Services: Checkout, Search\n/)

  const params = { incidentId }
  await server.call(routes.createIncidentUpdate, { params, body: { description: 'Quietly.' } })
  const { id } = await server.call(routes.createIncidentUpdate, {
    params,
    body: { description: 'Over.', status: 'RESOLVED', notifySubscribers: true },
  })
  const correct = { params: { incidentId, incidentUpdateId: id } }
  await scene.allSent()
  await server.call(routes.updateIncidentUpdate, {
    ...correct,
    body: { description: 'Corrected.', notifySubscribers: true },
  })
  await scene.allSent()
  const told = scene.mails.received.slice(3)
  assert.deepEqual(
    told.map(({ mail }) => mail.subject).sort(),
    ['(Lantern)', '(Lantern)', '(Second)'].map((page) => `Resolved: Orders are delayed ${page}`),
  )
  const threads = new Set(scene.mails.received.map(({ mail }) => `${mail.inReplyTo} ${mail.references}`))
  assert.deepEqual([...threads], [`<${incidentId}@example.org> <${incidentId}@example.org>`])
  assert.equal(new Set(scene.mails.received.map(({ mail }) => mail.messageId)).size, 6)
})

test('an incident that a check opens and closes is told, in the transaction of its result', async (t) => {
  const scene = await aPageWithReaders(t)
  const { server, serviceId } = scene
  await scene.addReaders('ann@example.org')
  const runner = await signInRunner(server)
  const trigger = {
    severity: 'CRITICAL',
    name: 'Shop is down',
    description: 'We look.',
    notifySubscribers: true,
  } as const
  const triggerIncident = { ...trigger, serviceId }
  const check = await makeCheck(server, { triggerIncident })
  for (const verdict of ['passed', 'failed', 'passed'] as const) {
    await makeDue(server, check)
    await runner.reportAll((await runner.lease()).map((run) => aReport(run, verdict)))
  }
  await scene.allSent()
  assert.deepEqual(scene.mails.received.map(({ mail }) => mail.subject).sort(), [
    'Investigating: Shop is down (Lantern)',
    'Resolved: Shop is down (Lantern)',
  ])
})

test('what is dated in the future is told then, and not at all when it is withdrawn before', async (t) => {
  const scene = await aPageWithReaders(t)
  const { server } = scene
  await scene.addReaders('ann@example.org')
  const publicIncidentUpdateDate = new Date(Date.now() + 3_600_000).toISOString()
  const incidentId = await scene.openIncident()
  await scene.nextMail()
  const plan = async (description: string) => {
    const body = { description, notifySubscribers: true, publicIncidentUpdateDate }
    const { id } = await server.call(routes.createIncidentUpdate, { params: { incidentId }, body })
    return { incidentId, incidentUpdateId: id }
  }
  const [moved, silenced, deleted] = [await plan('Moved.'), await plan('Silenced.'), await plan('Deleted.')]
  const waiting = () => server.db.selectFrom('status_page_mails').select('id').execute()
  assert.equal((await waiting()).length, 3)
  await server.call(routes.updateIncidentUpdate, {
    params: silenced,
    body: { description: 'Silenced.', notifySubscribers: false },
  })
  await server.call(routes.deleteIncidentUpdate, { params: deleted })
  assert.equal((await waiting()).length, 1)
  assert.equal(scene.mails.received.length, 1)
  await server.call(routes.updateIncidentUpdate, {
    params: moved,
    body: { description: 'Moved to now.', publicIncidentUpdateDate: new Date().toISOString() },
  })
  assert.match((await scene.nextMail()).mail.text ?? '', /Moved to now\./)
})

test('an address that is refused for good three times in a row is removed; one that is taken meanwhile stays', async (t) => {
  let isRefused = true
  const scene = await aPageWithReaders(t, {
    answers: {
      toRecipient: (address) =>
        address.startsWith('gone') || (address.startsWith('full') && isRefused)
          ? `550 5.1.1 <${address}> No such user`
          : null,
    },
  })
  const { server } = scene
  await scene.addReaders('gone@example.org', 'full@example.org')
  const params = { statusPageId: scene.pageId }
  const addresses = async () =>
    (await server.call(routes.listStatusPageSubscriptions, { params })).map(({ address }) => address).sort()
  for (const refused of [true, true, false, true]) {
    assert.ok((await addresses()).includes('full@example.org'))
    isRefused = refused
    await scene.openIncident()
    await scene.allSent()
  }
  assert.deepEqual(await addresses(), ['full@example.org'])
  const row = await server.db.selectFrom('status_page_subscriptions').selectAll().executeTakeFirstOrThrow()
  assert.equal(row.refusals, 1)
  assert.match(row.last_refusal ?? '', /550 5\.1\.1/)
  const log = server.log.join('')
  assert.match(log, /A subscriber was removed.*g…@example\.org/)
  assert.doesNotMatch(log, /gone@|full@|ss_[0-9a-f]/)
})

test('what the mail server puts off is sent later, to everybody', async (t) => {
  const scene = await aPageWithReaders(t, {
    answers: { toMessage: (count) => (count <= 20 ? '451 4.3.0 Not now' : null) },
  })
  const { db } = scene.server
  const addresses = Array.from({ length: 20 }, (_, index) => `reader-${index}@example.org`)
  await scene.addReaders(...addresses)
  await scene.openIncident()
  const waiting = () => db.selectFrom('status_page_mails').selectAll().execute()
  await until('all were put off', async () => (await waiting()).every(({ tries }) => tries === 1))
  for (const { due_at } of await waiting()) assert.ok(due_at.getTime() > Date.now() + 10_000)
  await db
    .updateTable('status_page_mails')
    .set({ due_at: new Date(0) })
    .execute()
  scene.sending.wake()
  await scene.allSent()
  assert.deepEqual(received(scene), addresses.toSorted())
})

test('a mail server that is away is not asked for every mail that waits', async (t) => {
  let connections = 0
  const busy = createServer((socket) => {
    connections += 1
    socket.on('error', () => {}).end('421 4.3.2 Not now\r\n')
  }).listen(0, '127.0.0.1')
  t.after(() => busy.close())
  await once(busy, 'listening')
  const address = busy.address()
  assert.ok(address !== null && typeof address === 'object')
  const mailer = aMailer(t, address.port)
  const { server, addReaders, openIncident, sending } = await aPageWithReaders(t, {
    mailer,
    times: { pauseMs: 600_000 },
  })
  await addReaders(...Array.from({ length: 20 }, (_, index) => `reader-${index}@example.org`))
  await openIncident()
  const tried = () => server.db.selectFrom('status_page_mails').select('id').where('tries', '>', 0).execute()
  await until('it was tried', async () => (await tried()).length > 0)
  await sending.stop()
  // Each of those that send at the same time can have had one in hand.
  assert.ok((await tried()).length <= 2)
  assert.ok(connections <= 2)
})

test('whoever ended it while the mail waited gets none', async (t) => {
  const scene = await aPageWithReaders(t)
  await scene.addReaders('ann@example.org', 'bob@example.org')
  const incidentId = await scene.openIncident()
  const firsts = [await scene.nextMail(), await scene.nextMail()]
  const annes = firsts.find(({ envelope }) => envelope.to[0] === 'ann@example.org')
  assert.ok(annes)
  const body = { description: 'Found.', notifySubscribers: true }
  const at = (ms: number) => ({ publicIncidentUpdateDate: new Date(Date.now() + ms).toISOString() })
  const params = { incidentId }
  const { id } = await scene.server.call(routes.createIncidentUpdate, { params, body: { ...body, ...at(3_600_000) } })
  await read(scene.server, linkIn(annes, 'unsubscribe'), { method: 'POST' })
  const now = { params: { incidentId, incidentUpdateId: id }, body: { ...body, ...at(0) } }
  await scene.server.call(routes.updateIncidentUpdate, now)
  await scene.allSent()
  assert.deepEqual(
    scene.mails.received.slice(2).map(({ envelope }) => envelope.to),
    [['bob@example.org']],
  )
})

test('all mails to a reader have the same links, whose secret is not stored as it is', async (t) => {
  const scene = await aPageWithReaders(t)
  await scene.addReaders('ann@example.org')
  await scene.openIncident()
  const first = linkIn(await scene.nextMail(), 'unsubscribe')
  await scene.openIncident()
  assert.equal(linkIn(await scene.nextMail(), 'unsubscribe'), first)
  const row = await scene.server.db.selectFrom('status_page_subscriptions').selectAll().executeTakeFirstOrThrow()
  assert.ok(row.sealed_token !== null && row.token_hash !== null)
  assert.ok(!JSON.stringify(row).includes(first.split('/').at(-2) ?? ''))
})

test('a page with few readers does not wait for one with many', async (t) => {
  const scene = await aPageWithReaders(t)
  const { server, serviceId } = scene
  await scene.sending.stop()
  await scene.addReaders(...Array.from({ length: 50 }, (_, index) => `reader-${index}@example.org`))
  const cards = [{ name: 'Shop', services: [{ id: serviceId }] }]
  const { id } = await server.call(routes.createStatusPage, { body: { name: 'Small', url: 'small', cards } })
  const body = { subscriptions: [{ address: 'ann@example.org' }], autoVerify: true }
  await server.call(routes.createStatusPageSubscriptions, { params: { statusPageId: id }, body })
  await scene.openIncident()
  const order = []
  for (;;) {
    const mail = await leaseMail(server.db, 'NEWS', 60_000)
    if (mail === undefined) break
    order.push(mail.page.name)
  }
  assert.equal(order.length, 51)
  assert.ok(order.indexOf('Small') < 2)
})

test('while the mail server keeps readers waiting, an alert goes out', async (t) => {
  const held: (() => void)[] = []
  const mails = await startMailServer(
    t,
    {},
    {
      onRcptTo: ({ address }, _session, done) => {
        if (address.startsWith('reader')) held.push(() => done())
        else done()
      },
    },
  )
  const mailer = aMailer(t, mails.port)
  const scene = await aPageWithReaders(t, { mailer })
  await scene.addReaders(...Array.from({ length: 20 }, (_, index) => `reader-${index}@example.org`))
  await scene.openIncident()
  await until('all hands are full', () => held.length === 2)
  const alert = { id: 'alert', threadId: null, subject: 'Shop has failed', text: 'x', html: 'x', headers: {} }
  await mailer.send({ ...alert, to: 'ops@example.org' }, AbortSignal.timeout(60_000))
  assert.deepEqual([mails.received.length, held.length], [1, 2])
  mailer.close()
})

test('who leaves at the moment in which something is told does not keep it from being told', async (t) => {
  const { server, addReaders, openIncident, allSent, mails } = await aPageWithReaders(t)
  await addReaders('ann@example.org', 'bob@example.org')
  let telling: Promise<unknown> = Promise.resolve()
  await server.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('status_page_subscriptions').where('address', '=', 'ann@example.org').execute()
    telling = openIncident()
    await until('the update waits for who leaves', async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(server.db)
      return rows.length > 0
    })
  })
  await telling
  await allSent()
  assert.deepEqual(
    mails.received.map(({ envelope }) => envelope.to),
    [['bob@example.org']],
  )
})
