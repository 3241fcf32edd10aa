import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { aMailer, refusal, startMailServer } from '../mail/mail-server.fixture.ts'
import type { Mailer } from '../mail/mailer.ts'
import {
  aCheck,
  aLink,
  aLog,
  anAlert,
  aWorld,
  eventually,
  MOST_TRIES,
  noGateways,
  retriesAfter,
  type World,
} from './alerting.fixture.ts'
import { type DeliveryParts, startDelivery } from './deliver.ts'
import { enqueueAlerts } from './outbox.ts'

/** A world in which an alert waits for an address, and a delivery that begins to deliver it. */
async function deliverTo(t: TestContext, mailer: Mailer | null, parts: Partial<DeliveryParts> = {}): Promise<World> {
  const world = await aWorld(t)
  const check = await aCheck(world)
  const { id } = await world.db
    .insertInto('alert_channels')
    .values({
      account_id: world.accountId,
      type: 'EMAIL',
      config: JSON.stringify({ address: 'ops@example.org' }),
      send_failure: true,
      send_recovery: true,
      send_degraded: true,
      ssl_expiry: false,
      ssl_expiry_threshold: 30,
      auto_subscribe: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await world.db.insertInto('subscriptions').values({ channel_id: id, check_no: check.no, activated: true }).execute()
  await enqueueAlerts(world.db, [anAlert(world, check)], aLink)
  const { secrets } = world
  const egress = { allow: [], deny: ['127.0.0.0/8'] }
  const unpaced = { messagesPerMinute: 0, alertsPage: 'https://vedette.test/alerts' }
  const own = { db: world.open().db, secrets, log: aLog(), egress, mailer, channels: noGateways, ...unpaced }
  const delivery = startDelivery({ ...own, retries: retriesAfter(10), ...parts })
  world.atEnd(() => delivery.stop())
  return world
}

const ended = ({ db }: World) =>
  eventually(async () => {
    const [row] = await db.selectFrom('notifications').selectAll().execute()
    return row !== undefined && row.status !== 'IN_PROGRESS' && row
  })

test('an alert is handed to the mail server, whose answer is kept', async (t) => {
  const server = await startMailServer(t)
  const row = await ended(await deliverTo(t, aMailer(t, server.port)))
  assert.deepEqual([row.status, row.tries, row.outcome], ['SUCCESS', 1, '250 2.0.0 Ok: queued as 1'])
  const [{ mail } = assert.fail()] = server.received
  assert.equal(mail.subject, 'Orders API has failed')
  assert.equal(mail.messageId, `<${row.id}@example.org>`)
  assert.equal(mail.inReplyTo, `<${row.message.EPISODE_ID}@example.org>`)
})

test('without a mail server it ends at once, and says so', async (t) => {
  const row = await ended(await deliverTo(t, null, { retries: retriesAfter(60_000) }))
  assert.deepEqual(
    [row.status, row.tries, row.outcome],
    ['FAILURE', 1, 'Not sent: no mail server is configured (SMTP_URL).'],
  )
})

test('a recipient that is refused for good is not tried again, and the server’s words are kept', async (t) => {
  const server = await startMailServer(t, { toRecipient: () => '550 5.1.1 No such user here' })
  const row = await ended(await deliverTo(t, aMailer(t, server.port)))
  assert.deepEqual(
    [row.status, row.tries, row.outcome],
    ['FAILURE', 1, 'The mail server refused the message: 550 5.1.1 No such user here'],
  )
})

test('a message that is put off is sent again until it is taken, as the same message', async (t) => {
  const server = await startMailServer(t, { toMessage: (count) => (count < 3 ? '451 4.7.1 Come back later' : null) })
  const row = await ended(await deliverTo(t, aMailer(t, server.port)))
  assert.deepEqual([row.status, row.tries, row.outcome], ['SUCCESS', 3, '250 2.0.0 Ok: queued as 3'])
})

test('a message that the mail server takes after a quarter of an hour says so', async (t) => {
  let isDown = true
  const server = await startMailServer(t, { toMessage: () => (isDown ? '451 4.3.0 Not now' : null) })
  const world = await deliverTo(t, aMailer(t, server.port), { retries: retriesAfter(50) })
  await eventually(async () => (await world.db.selectFrom('notifications').select('tries').execute())[0]?.tries)
  const past = new Date(Date.now() - 840_000)
  await world.db.updateTable('notifications').set({ decided_at: past, tries: 1 }).execute()
  isDown = false
  assert.equal((await ended(world)).status, 'SUCCESS')
  const { mail } = server.received.at(-1) ?? assert.fail()
  assert.match(mail.text ?? '', /\n\nDelivered 14 minutes late: the mail server could not be reached before\.\n/)
})

test('a server that hangs is left at the end of the try, and tried again', async (t) => {
  const sockets: Socket[] = []
  const hanging = createServer((socket) => sockets.push(socket.on('error', () => {})))
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    hanging.close()
  })
  const address = hanging.address()
  assert.ok(address !== null && typeof address === 'object')
  const row = await ended(await deliverTo(t, aMailer(t, address.port), { tryLimitMs: 50 }))
  assert.deepEqual(
    [row.status, row.tries, row.outcome],
    ['FAILURE', MOST_TRIES, 'No answer from the mail server in time'],
  )
  // On a busy machine a try may be over before the server has seen its connection.
  assert.ok(sockets.length > 0 && sockets.length <= MOST_TRIES, String(sockets.length))
})

test('a server that is down is tried again', async (t) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  await new Promise((resolve) => server.close(resolve))
  const row = await ended(await deliverTo(t, aMailer(t, address.port)))
  assert.equal(row.tries, MOST_TRIES)
  assert.equal(row.outcome, 'No answer from the mail server: the connection was refused (ECONNREFUSED)')
})

test('the password is in no log and no notification, whatever the server repeats', async (t) => {
  const log = aLog()
  const server = await startMailServer(
    t,
    {},
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(
          refusal(`535 5.7.8 ${username} ${password} ${Buffer.from(`\0${username}\0${password}`).toString('base64')}`),
        ),
    },
  )
  const world = await deliverTo(t, aMailer(t, server.port, { credentials: 'robot:canary-1@', log }), { log })
  const row = await ended(world)
  assert.equal(row.tries, MOST_TRIES)
  assert.match(row.outcome ?? '', /refused the sign-in: 535/)
  const told = JSON.stringify(row) + log.lines.join('')
  for (const secret of ['canary', 'robot', Buffer.from('\0robot\0canary-1').toString('base64')])
    assert.ok(!told.includes(secret), told)
  assert.ok(log.lines.some((line) => line.includes('The mail server does not take messages')))
})
