import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { RETRY_TIMES } from '@vedette/core'
import {
  aChannel,
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
import { type Delivery, type DeliveryParts, startDelivery } from './deliver.ts'
import { enqueueAlerts } from './outbox.ts'
import { PAGERDUTY_KEY, startPagerduty } from './providers.fixture.ts'
import { startReceiver } from './receiver.fixture.ts'

const everywhere = { allow: [], deny: [] }

function startOn(world: World, parts: Partial<DeliveryParts> = {}): Delivery {
  const { secrets } = world
  const [db, log, channels] = [world.open().db, aLog(), noGateways]
  const unpaced = { messagesPerMinute: 0, alertsPage: 'https://vedette.test/alerts' }
  const own = { db, secrets, log, egress: everywhere, mailer: null, channels, ...unpaced, retries: retriesAfter(10) }
  const delivery = startDelivery({ ...own, ...parts })
  world.atEnd(() => delivery.stop())
  return delivery
}

const all = ({ db }: World) => db.selectFrom('notifications').selectAll().orderBy('created_at').orderBy('id').execute()

const ended = (world: World, count = 1) =>
  eventually(async () => {
    const rows = await all(world)
    return rows.length === count && rows.every(({ status }) => status !== 'IN_PROGRESS') && rows
  })

/** A world in which so many alerts wait for a channel at each of the URLs. */
async function aWorldWithWaiting(t: TestContext, urls: readonly string[], alerts = 1) {
  const world = await aWorld(t)
  const checks = await Promise.all(Array.from({ length: alerts }, () => aCheck(world)))
  const channels: number[] = []
  for (const url of urls) channels.push(await aChannel(world, checks, { config: { url } }))
  await enqueueAlerts(
    world.db,
    checks.map((check) => anAlert(world, check)),
    aLink,
  )
  return { ...world, checks, channels }
}

test('what waits is sent, and then recorded', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorldWithWaiting(t, [receiver.url])
  startOn(world)
  const [row] = await ended(world)
  assert.equal(row?.status, 'SUCCESS')
  assert.equal(row?.outcome, 'HTTP 200: ok')
  assert.equal(row?.tries, 1)
  assert.ok(row?.tried_at)
  assert.equal(receiver.received[0]?.headers['x-service-delivery-id'], row?.id)
})

test('what is put in later is sent when delivery is woken', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const check = await aCheck(world)
  await aChannel(world, [check], { config: { url: receiver.url } })
  const delivery = startOn(world)
  await enqueueAlerts(world.db, [anAlert(world, check)], aLink)
  delivery.wake()
  await receiver.hasReceived(1)
  await ended(world)
})

test('a refused message is tried again until it is accepted, under the same id and with the same body', async (t) => {
  const receiver = await startReceiver(t, (_, response) => {
    response.writeHead(receiver.received.length < 3 ? 500 : 200).end(`answer ${receiver.received.length}`)
  })
  const world = await aWorldWithWaiting(t, [receiver.url])
  startOn(world)
  const [row] = await ended(world)
  assert.equal(row?.status, 'SUCCESS')
  assert.equal(row?.outcome, 'HTTP 200: answer 3')
  assert.equal(row?.tries, 3)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery-id'])).size, 1)
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
})

test('after five more tries it is given up, with the last answer kept', async (t) => {
  const receiver = await startReceiver(t, (_, response) => {
    response.writeHead(503).end(`no ${receiver.received.length}`)
  })
  const world = await aWorldWithWaiting(t, [receiver.url])
  startOn(world)
  const [row] = await ended(world)
  assert.equal(row?.status, 'FAILURE')
  assert.equal(row?.outcome, 'HTTP 503: no 6')
  assert.equal(row?.tries, MOST_TRIES)
  assert.equal(receiver.received.length, 6)
})

test('between tries it stays in progress, and a receiver that asks for time gets it', async (t) => {
  const receiver = await startReceiver(t, (_, response) => response.writeHead(429, { 'retry-after': '60' }).end())
  const world = await aWorldWithWaiting(t, [receiver.url])
  startOn(world, { retries: RETRY_TIMES })
  const row = await eventually(async () => (await all(world)).find(({ tries }) => tries === 1))
  assert.equal(row.status, 'IN_PROGRESS')
  assert.equal(row.leased_until, null)
  assert.equal(row.due_at.getTime() - (row.tried_at?.getTime() ?? 0), 60_000)
})

test('without a wish of the receiver the next try is due after the delay', async (t) => {
  const world = await aWorldWithWaiting(t, ['http://127.0.0.1:1/'])
  startOn(world, { retries: RETRY_TIMES })
  const row = await eventually(async () => (await all(world)).find(({ tries }) => tries === 1))
  assert.equal(row.due_at.getTime() - (row.tried_at?.getTime() ?? 0), 20_000)
})

test('an address that is not allowed fails at once', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorldWithWaiting(t, [receiver.url])
  startOn(world, { egress: { allow: [], deny: ['127.0.0.0/8'] } })
  const [row] = await ended(world)
  assert.equal(row?.status, 'FAILURE')
  assert.match(row?.outcome ?? '', /address not allowed/)
  assert.equal(row?.tries, 1)
  assert.equal(receiver.received.length, 0)
})

test('a channel that hangs delays no other, and holds only a few tries', async (t) => {
  const hanging: ServerResponse[] = []
  const slow = await startReceiver(t, (_, response) => hanging.push(response))
  const quick = await startReceiver(t)
  const world = await aWorldWithWaiting(t, [slow.url, quick.url], 20)
  startOn(world)
  await quick.hasReceived(20)
  await eventually(async () => (await all(world)).filter(({ status }) => status === 'SUCCESS').length === 20)
  assert.equal(slow.received.length, 4)
  const inHand = (await all(world)).filter(({ leased_until }) => leased_until !== null)
  assert.equal(inHand.length, 4)
  for (const response of hanging) response.end()
})

test('a try that takes too long is ended', async (t) => {
  const slow = await startReceiver(t, () => {})
  const world = await aWorldWithWaiting(t, [slow.url])
  startOn(world, { tryLimitMs: 50 })
  const [row] = await ended(world)
  assert.equal(row?.outcome, 'No answer: No answer in time')
  assert.equal(row?.tries, MOST_TRIES)
})

test('what a server had sent but not recorded when it died is sent again under the same id', async (t) => {
  const world = await aWorld(t)
  const dying = world.open()
  const receiver = await startReceiver(t, async (_, response) => {
    // The first server loses its database while the receiver has the message and has not answered yet.
    if (receiver.received.length === 1) await dying.close()
    response.end('ok')
  })
  const check = await aCheck(world)
  await aChannel(world, [check], { config: { url: receiver.url } })
  await enqueueAlerts(world.db, [anAlert(world, check)], aLink)

  const log = aLog()
  startOn(world, { db: dying.db, log, leaseMs: 300 })
  await receiver.hasReceived(1)
  startOn(world)
  const [row] = await ended(world)
  assert.equal(row?.status, 'SUCCESS')
  assert.equal(receiver.received.length, 2)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery-id'])).size, 1)
  await eventually(async () => log.lines.some((line) => line.includes('cannot be recorded')))
})

test('a late failure of a server whose lease has ended changes nothing', async (t) => {
  let first: ServerResponse | undefined
  const receiver = await startReceiver(t, (_, response) => {
    if (first === undefined) first = response
    else response.end('ok')
  })
  const world = await aWorldWithWaiting(t, [receiver.url])
  const late = startOn(world, { leaseMs: 200 })
  await receiver.hasReceived(1)
  const stopping = late.stop()
  startOn(world)
  const [row] = await ended(world)
  assert.equal(row?.outcome, 'HTTP 200: ok')
  first?.writeHead(500).end()
  await stopping
  const [after] = await all(world)
  assert.deepEqual(after, row)
})

test('two servers share the work and send nothing twice', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorldWithWaiting(t, [`${receiver.url}/a`, `${receiver.url}/b`], 60)
  startOn(world)
  startOn(world)
  await ended(world, 120)
  assert.equal(receiver.received.length, 120)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery-id'])).size, 120)
})

test('stopping waits for the tries under way and records them', async (t) => {
  let held: ServerResponse | undefined
  const receiver = await startReceiver(t, (_, response) => {
    held = response
  })
  const world = await aWorldWithWaiting(t, [receiver.url])
  const delivery = startOn(world)
  await receiver.hasReceived(1)
  const stopping = delivery.stop()
  held?.end('ok')
  await stopping
  const [row] = await all(world)
  assert.equal(row?.status, 'SUCCESS')
})

test('after a long outage only the latest news of a check is sent', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const check = await aCheck(world)
  await aChannel(world, [check], { config: { url: receiver.url, webhookSecret: 'canary' } })
  const send = async (alertType: 'ALERT_FAILURE' | 'ALERT_RECOVERY', minutesAgo: number) => {
    const alert = anAlert(world, check, { alertType })
    await enqueueAlerts(world.db, [alert], aLink)
    const createdAt = new Date(Date.now() - minutesAgo * 60_000)
    await world.db
      .updateTable('notifications')
      .set({ created_at: createdAt })
      .where('result_id', '=', alert.resultId)
      .execute()
  }
  await send('ALERT_FAILURE', 50)
  await send('ALERT_RECOVERY', 40)
  await send('ALERT_FAILURE', 30)
  await send('ALERT_RECOVERY', 20)
  startOn(world)
  const rows = await ended(world, 4)
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['FAILURE', 'FAILURE', 'FAILURE', 'SUCCESS'],
  )
  assert.match(rows[0]?.outcome ?? '', /later news/)
  assert.equal(receiver.received.length, 1)
  assert.ok(!JSON.stringify(rows).includes('canary'))
})

test('once a notification has ended, its secrets are gone from the log and from the database', async (t) => {
  const receiver = await startReceiver(t, ({ headers, path }, response) =>
    response.writeHead(400).end(`${headers.authorization} ${headers['x-plain']} ${path}`),
  )
  const world = await aWorld(t)
  const check = await aCheck(world)
  const config = {
    url: `${receiver.url.replace('://', '://alice:canary-1@')}/hook/canary2canary2canary2?token=canary-3`,
    webhookSecret: 'canary-4',
    headers: [{ key: 'X-Plain', value: 'canary-5', locked: true }],
    queryParameters: [{ key: 'q', value: 'canary-6', locked: true }],
  }
  await aChannel(world, [check], { config })
  await enqueueAlerts(world.db, [anAlert(world, check)], aLink)
  const log = aLog()
  startOn(world, { log })
  const rows = await ended(world)
  assert.equal(receiver.received.length, MOST_TRIES)
  assert.match(receiver.received[0]?.path ?? '', /canary-3.*canary-6/)
  assert.ok(!JSON.stringify(rows).includes('canary'), JSON.stringify(rows))
  assert.ok(!log.lines.join('').includes('canary'), log.lines.join(''))
  assert.ok(log.lines.some((line) => line.includes('could not be delivered')))
})

test('a service that wants patience gets it, and its keys are neither in the log nor in the database', async (t) => {
  const service = await startPagerduty(t)
  service.failWith({ status: 503, body: `overloaded, ${PAGERDUTY_KEY}` }, { status: 429, body: 'slower' })
  const world = await aWorld(t)
  const check = await aCheck(world)
  const id = await aChannel(world, [check], {})
  const config = JSON.stringify({ serviceKey: PAGERDUTY_KEY })
  await world.db.updateTable('alert_channels').set({ type: 'PAGERDUTY', config }).where('id', '=', id).execute()
  await enqueueAlerts(world.db, [anAlert(world, check)], aLink)
  const log = aLog()
  startOn(world, { log, channels: { ...noGateways, pagerdutyUrl: service.url } })
  const [row] = await ended(world)
  assert.deepEqual([row?.status, row?.tries], ['SUCCESS', 3])
  assert.match(row?.outcome ?? '', /^HTTP 202: .*Event processed/)
  assert.equal(new Set(service.received.map(({ body }) => body)).size, 1)
  assert.ok(!JSON.stringify(row).includes(PAGERDUTY_KEY), JSON.stringify(row))
  assert.ok(!log.lines.join('').includes(PAGERDUTY_KEY))
})

test('what a service refuses for good, or nobody can carry, ends at once', async (t) => {
  const service = await startPagerduty(t)
  const world = await aWorld(t)
  const check = await aCheck(world)
  const wrongKey = JSON.stringify({ serviceKey: 'canary'.repeat(6) })
  const number = JSON.stringify({ number: '+351210000000' })
  const rows = [
    { type: 'PAGERDUTY', config: wrongKey },
    { type: 'SMS', config: number },
    { type: 'CALL', config: number },
  ] as const
  for (const row of rows) {
    const id = await aChannel(world, [check], {})
    await world.db.updateTable('alert_channels').set(row).where('id', '=', id).execute()
  }
  await enqueueAlerts(world.db, [anAlert(world, check)], aLink)
  startOn(world, { channels: { ...noGateways, pagerdutyUrl: service.url }, retries: retriesAfter(60_000) })
  const told = await ended(world, 3)
  assert.deepEqual(
    told.map(({ status, tries }) => [status, tries]),
    rows.map(() => ['FAILURE', 1]),
  )
  const outcomes = told.map(({ outcome }) => outcome ?? '').sort()
  assert.match(outcomes[0] ?? '', /^HTTP 400: .*invalid event/)
  for (const outcome of outcomes.slice(1)) assert.match(outcome, /^Not sent: no telephone gateway is set up/)
  assert.ok(!JSON.stringify(told).includes('canary'), JSON.stringify(told))
})
