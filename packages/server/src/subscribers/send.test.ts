import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { aMailer, startMailServer } from '../mail/mail-server.fixture.ts'
import { lookAround } from '../self-watch/store.ts'
import { makeCheck, makeDue } from '../testing/checks.ts'
import { aReport, signInRunner } from '../testing/fake-runner.ts'
import { makeService } from '../testing/pages.ts'
import { aPageWithReaders, linkIn, read, type Scene } from '../testing/subscribers.ts'
import { until } from '../testing/until.ts'
import { dropOldNews, leaseMail, postponeMail, recordSent } from './store.ts'
import { writeMails } from './write.ts'

async function writeAll(db: Db, portion?: number): Promise<void> {
  while (await writeMails(db, portion));
}

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
  const waiting = () => server.db.selectFrom('status_page_news').select('update_id').execute()
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
  await until('all were put off', async () => {
    const mails = await waiting()
    return mails.length === 20 && mails.every(({ tries }) => tries === 1)
  })
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
  await writeAll(server.db)
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

test('who leaves at the moment in which something is told gets none, and the others get theirs', async (t) => {
  const { server, addReaders, openIncident, allSent, mails } = await aPageWithReaders(t)
  await addReaders('ann@example.org', 'bob@example.org')
  await server.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('status_page_subscriptions').where('address', '=', 'ann@example.org').execute()
    await openIncident()
    await until('the mails wait for who leaves', async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(server.db)
      return rows.length > 0
    })
  })
  await allSent()
  assert.deepEqual(
    mails.received.map(({ envelope }) => envelope.to),
    [['bob@example.org']],
  )
})

test('the transaction that tells something writes a row for a page, however many read it', async (t) => {
  const { server, sending, addReaders, openIncident, pageId } = await aPageWithReaders(t)
  await sending.stop()
  await addReaders('ann@example.org', 'bob@example.org', 'cid@example.org')
  await openIncident()
  assert.deepEqual(await server.db.selectFrom('status_page_mails').select('id').execute(), [])
  const news = await server.db.selectFrom('status_page_news').select(['page_id', 'place']).execute()
  assert.deepEqual(news, [{ page_id: pageId, place: 0 }])
})

test('whoever agrees before an update is public hears of it, whoever agrees after it was due does not', async (t) => {
  const scene = await aPageWithReaders(t)
  const { server } = scene
  await scene.addReaders('ann@example.org')
  await scene.openIncident({ publicIncidentUpdateDate: new Date(Date.now() + 3_600_000).toISOString() })
  await scene.addReaders('bob@example.org')
  await scene.sending.stop()
  await sql`update status_page_news set due_at = now()`.execute(server.db)
  await scene.addReaders('cid@example.org')
  await writeAll(server.db)
  const { rows } = await sql<{ address: string }>`
    select address from status_page_mails m join status_page_subscriptions s on s.id = m.subscription_id
    order by address`.execute(server.db)
  assert.deepEqual(rows, [{ address: 'ann@example.org' }, { address: 'bob@example.org' }])
})

test('mails are written in portions, each reader’s once, whoever writes them and whatever is sent or left meanwhile', async (t) => {
  const { server, sending, addReaders, openIncident } = await aPageWithReaders(t)
  const { db } = server
  await sending.stop()
  const addresses = Array.from({ length: 9 }, (_, index) => `reader-${index}@example.org`)
  await addReaders(...addresses)
  await openIncident()
  const sent: string[] = []
  const sendAll = async () => {
    for (;;) {
      const mail = await leaseMail(db, 'NEWS', 60_000)
      if (mail === undefined) return
      sent.push(mail.subscription.address)
      await recordSent(db, mail)
    }
  }
  assert.equal(await writeMails(db, 2), true)
  await sendAll()
  assert.equal(sent.length, 2)
  // One that dies in the middle of a portion leaves it as it was.
  const dying = db.transaction().execute(async (tx) => {
    await sql`update status_page_news set place = place + 2`.execute(tx)
    throw new Error('Killed.')
  })
  await assert.rejects(dying, /Killed/)
  const left = await db
    .deleteFrom('status_page_subscriptions')
    .where('id', 'in', (q) => q.selectFrom('status_page_subscriptions').select('id').orderBy('id').offset(3).limit(1))
    .returning('address')
    .executeTakeFirstOrThrow()
  await Promise.all([writeAll(db, 2), writeAll(db, 2), sendAll()])
  await writeAll(db, 2)
  await sendAll()
  assert.deepEqual(
    sent.toSorted(),
    addresses.filter((address) => address !== left.address),
  )
})

test('an update that waits for another try is told before what came after it', async (t) => {
  const { server, sending, addReaders, openIncident } = await aPageWithReaders(t)
  const { db } = server
  await sending.stop()
  await addReaders('ann@example.org')
  const params = { incidentId: await openIncident() }
  await server.call(routes.createIncidentUpdate, {
    params,
    body: { description: 'Over.', status: 'RESOLVED', notifySubscribers: true },
  })
  await writeAll(db)
  const lease = () => leaseMail(db, 'NEWS', 60_000)
  const first = await lease()
  assert.equal(first?.news?.status, 'INVESTIGATING')
  assert.equal(await lease(), undefined, 'while it is in hand')
  await postponeMail(db, first.id, 3_600_000)
  assert.equal(await lease(), undefined, 'while it waits')
  await postponeMail(db, first.id, 0)
  assert.equal((await lease())?.id, first.id)
  await recordSent(db, first)
  assert.equal((await lease())?.news?.status, 'RESOLVED')
})

test('late readers of an update do not wait until early ones have had the next ones, and nobody hears the end first', async (t) => {
  const { server, sending, addReaders, openIncident } = await aPageWithReaders(t)
  const { db } = server
  await sending.stop()
  await addReaders(...Array.from({ length: 20 }, (_, index) => `reader-${index}@example.org`))
  await sql`update status_page_subscriptions set created_at = '2026-01-01'`.execute(db)
  const writeAsOf = async (at: string) => {
    await sql`update status_page_news set due_at = ${at}`.execute(db)
    await writeAll(db)
  }
  const params = { incidentId: await openIncident() }
  await writeAsOf('2026-01-02T00:00:00Z')
  // Those who are left have earlier turns than before.
  await sql`delete from status_page_subscriptions
    where id in (select id from status_page_subscriptions order by id limit 10)`.execute(db)
  const body = { description: 'Over.', status: 'RESOLVED', notifySubscribers: true } as const
  await server.call(routes.createIncidentUpdate, { params, body })
  await writeAsOf('2026-01-02T00:00:00.500Z')
  const order: string[] = []
  for (;;) {
    const mail = await leaseMail(db, 'NEWS', 60_000)
    if (mail === undefined) break
    order.push(`${mail.news?.status} ${mail.subscription.address}`)
    await recordSent(db, mail)
  }
  assert.equal(order.length, 20)
  for (const end of order.filter((told) => told.startsWith('RESOLVED'))) {
    const beginning = end.replace('RESOLVED', 'INVESTIGATING')
    assert.ok(order.indexOf(beginning) < order.indexOf(end), end)
  }
  const again = { description: 'Once more.', notifySubscribers: true }
  await server.call(routes.createIncidentUpdate, { params, body: again })
  await writeAsOf('2026-01-03T00:00:00Z')
  await server.call(routes.createIncidentUpdate, { params, body: again })
  await writeAsOf('2026-01-03T00:00:00.500Z')
  const toldBefore = new Map<string, number>()
  for (let sent = 0; sent < 10; sent++) {
    const mail = await leaseMail(db, 'NEWS', 60_000)
    assert.ok(mail)
    toldBefore.set(mail.subscription.address, (toldBefore.get(mail.subscription.address) ?? 0) + 1)
    await recordSent(db, mail)
  }
  assert.ok(toldBefore.size > 5, 'not all updates to half of the readers')
})

test('readers whose mails are not written yet count as mails that wait, once they are due', async (t) => {
  const { server, sending, addReaders, openIncident } = await aPageWithReaders(t)
  const { db } = server
  await sending.stop()
  await addReaders('ann@example.org', 'bob@example.org', 'cid@example.org')
  const waiting = async () => (await lookAround(db, await server.locations(), 0, 60_000)).queues['mails to subscribers']
  await openIncident({ publicIncidentUpdateDate: new Date(Date.now() + 3_600_000).toISOString() })
  assert.equal(await waiting(), 0)
  await openIncident()
  assert.equal(await waiting(), 3)
  await writeMails(db, 2)
  assert.equal(await waiting(), 3)
})

test('what could not be sent for a day is dropped and counted, and questions wait on', async (t) => {
  const { server, sending, addReaders, openIncident, pageId } = await aPageWithReaders(t)
  const { db } = server
  await sending.stop()
  await addReaders('ann@example.org', 'bob@example.org')
  const body = { subscriptions: [{ address: 'cid@example.org' }] }
  await server.call(routes.createStatusPageSubscriptions, { params: { statusPageId: pageId }, body })
  await openIncident()
  await writeAll(db)
  await openIncident()
  // Put off again and again: what counts is when it was to be told.
  await sql`update status_page_mails set due_at = now(), turn_at = turn_at - interval '23 hours'`.execute(db)
  await sql`update status_page_news set due_at = due_at - interval '23 hours'`.execute(db)
  assert.deepEqual(await dropOldNews(db), { mails: 0, updates: 0 })
  await sql`update status_page_mails set turn_at = turn_at - interval '2 hours'`.execute(db)
  await sql`update status_page_news set due_at = due_at - interval '2 hours'`.execute(db)
  assert.deepEqual(await dropOldNews(db), { mails: 2, updates: 1 })
  const left = await db.selectFrom('status_page_mails').select('update_id').execute()
  assert.deepEqual(left, [{ update_id: null }])
})
