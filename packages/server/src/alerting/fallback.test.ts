/** Who hears of trouble in place of a channel that cannot be reached: of all of it, once, in time, and of its end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertType } from '@vedette/schema'
import {
  aChannel,
  aLink,
  aLog,
  anAlert,
  aWorld,
  eventually,
  noGateways,
  retriesAfter,
  type World,
} from './alerting.fixture.ts'
import type { Delivery } from './deliver.ts'
import {
  ALERTS_PAGE,
  all,
  aPatient,
  checksOf,
  ended,
  minutesLater,
  setFallback,
  startOn,
  tell,
} from './delivering.fixture.ts'
import { makeDigests } from './digest-store.ts'
import { fallBackOverdue } from './fallback-store.ts'
import { enqueueAlerts } from './outbox.ts'
import { PAGERDUTY_KEY, startPagerduty } from './providers.fixture.ts'
import { type Received, startReceiver } from './receiver.fixture.ts'
import { leaseNotifications, listNotifications } from './store.ts'

const HOUR_MS = 3_600_000

async function aPager(world: World): Promise<number> {
  const id = await aChannel(world, [], {})
  const config = JSON.stringify({ serviceKey: PAGERDUTY_KEY })
  await world.db.updateTable('alert_channels').set({ type: 'PAGERDUTY', config }).where('id', '=', id).execute()
  return id
}

const ago = (ms: number) => new Date(Date.now() - ms)

interface PagerEvent {
  event_action: string
  dedup_key: string
}
const eventOf = ({ body }: Received): PagerEvent => JSON.parse(body)

interface Body {
  check_id: string
  alert_type: AlertType
  fallback_for?: string
}
const bodyOf = ({ body }: Received): Body => JSON.parse(body)

/** What has failed is tried again, now. */
async function tryAgain(world: World, delivery: Delivery): Promise<void> {
  await world.db.updateTable('notifications').set({ due_at: new Date() }).where('status', '=', 'IN_PROGRESS').execute()
  delivery.wake()
}

test('the fallback hears the end of what it was told, though the channel is back by then, and of nothing else', async (t) => {
  const service = await startPagerduty(t)
  const patient = await aPatient(t)
  const world = await aWorld(t)
  const [first, second] = await checksOf(world, 2)
  assert.ok(first && second)
  const ops = await aChannel(world, [first, second], { config: { url: patient.url } })
  const pager = await aPager(world)
  await setFallback(world, ops, pager)
  const parts = { channels: { ...noGateways, pagerdutyUrl: service.url }, retries: retriesAfter(HOUR_MS) }
  const delivery = startOn(world, parts)
  await tell(world, [first])
  await service.hasReceived(1)
  patient.mend()
  await tryAgain(world, delivery)
  await ended(world)
  // Another check fails and recovers while the channel is well.
  await tell(world, [second])
  await tell(world, [second], 'ALERT_RECOVERY')
  await tell(world, [first], 'ALERT_RECOVERY')
  delivery.wake()
  const rows = await ended(world)
  assert.deepEqual(
    service.received.map(eventOf).map(({ event_action, dedup_key }) => [event_action, dedup_key]),
    [
      ['trigger', `vedette-${first.id}`],
      ['resolve', `vedette-${first.id}`],
    ],
  )
  assert.equal(rows.filter(({ channel_id }) => channel_id === pager).length, 2)
})

test('the fallback hears the end of each trouble, whether it was told or is over in digests', async (t) => {
  const service = await startPagerduty(t)
  const chat = await startReceiver(t)
  const patient = await aPatient(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 6)
  const url = patient.url
  const [first, second] = [
    await aChannel(world, checks, { config: { url } }),
    await aChannel(world, checks, { config: { url } }),
  ]
  const pager = await aPager(world)
  const room = await aChannel(world, [], { config: { url: chat.url } })
  await setFallback(world, first, pager)
  await setFallback(world, second, room)
  const channels = { ...noGateways, pagerdutyUrl: service.url }
  const delivery = startOn(world, { channels, messagesPerMinute: 2, retries: retriesAfter(HOUR_MS) })
  await tell(world, checks)
  // Two and a digest.
  await Promise.all([service.hasReceived(6), chat.hasReceived(3)])
  patient.mend()
  await tryAgain(world, delivery)
  await ended(world)
  await minutesLater(world)
  await tell(world, checks, 'ALERT_RECOVERY')
  const rows = await eventually(async () => {
    delivery.wake()
    const now = await all(world)
    return now.every(({ status }) => status !== 'IN_PROGRESS') && now
  })
  const resolved = service.received.map(eventOf).filter(({ event_action }) => event_action === 'resolve')
  assert.deepEqual(
    new Set(resolved.map(({ dedup_key }) => dedup_key)),
    new Set(checks.map(({ id }) => `vedette-${id}`)),
  )
  const heard = rows.filter(({ channel_id, message }) => channel_id === room && message.ALERT_TYPE === 'ALERT_RECOVERY')
  assert.equal(heard.filter(({ carries }) => carries === null).length, 6)
})

test('that a certificate grows old makes no failure pointless, neither for a channel nor for its fallback', async (t) => {
  const receiver = await startReceiver(t)
  const refusing = await startReceiver(t, (_, response) => response.writeHead(500).end())
  const world = await aWorld(t)
  const checks = await checksOf(world, 1)
  const well = await aChannel(world, checks, { config: { url: receiver.url } })
  const dead = await aChannel(world, checks, { config: { url: refusing.url } })
  const other = await startReceiver(t)
  const third = await aChannel(world, [], { config: { url: other.url } })
  await setFallback(world, dead, third)
  await tell(world, checks)
  await world.db
    .updateTable('notifications')
    .set({ created_at: ago(1_200_000), decided_at: ago(1_200_000) })
    .execute()
  const certificate = { domain: 'shop.example', daysRemaining: 3 }
  await world.db.updateTable('alert_channels').set({ ssl_expiry: true }).execute()
  await world.db
    .insertInto('subscriptions')
    .values({ channel_id: third, check_no: checks[0]?.no ?? 0, activated: true })
    .execute()
  await enqueueAlerts(
    world.db,
    checks.map((check) => anAlert(world, check, { alertType: 'ALERT_SSL', certificate })),
    aLink,
  )
  startOn(world)
  const rows = await ended(world)
  assert.deepEqual(
    rows.filter(({ channel_id }) => channel_id === well).map(({ status }) => status),
    ['SUCCESS', 'SUCCESS'],
  )
  const told = other.received.map(bodyOf).map(({ alert_type }) => alert_type)
  assert.deepEqual(told.sort(), ['ALERT_FAILURE', 'ALERT_SSL'])
})

test('what waits untried behind a failing channel goes to the fallback in time', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 3)
  const ops = await aChannel(world, checks, {})
  const calm = await aChannel(world, checks, {})
  const room = await aChannel(world, [], { config: { url: receiver.url } })
  await setFallback(world, ops, room)
  await setFallback(world, calm, room)
  await tell(world, checks)
  const [tried, untried] = (await all(world)).filter(({ channel_id }) => channel_id === ops)
  assert.ok(tried && untried)
  // Nothing is due: the one was tried, the others wait for their turn, and the third is young.
  await world.db
    .updateTable('notifications')
    .set({ due_at: new Date(Date.now() + HOUR_MS) })
    .execute()
  await world.db.updateTable('notifications').set({ tries: 1 }).where('id', '=', tried.id).execute()
  await world.db
    .updateTable('notifications')
    .set({ decided_at: ago(180_000) })
    .where((eb) => eb.or([eb('id', 'in', [tried.id, untried.id]), eb('channel_id', '=', calm)]))
    .execute()
  startOn(world)
  await receiver.hasReceived(2)
  const rows = await eventually(async () => {
    const now = (await all(world)).filter(({ fallback_of }) => fallback_of !== null)
    return now.every(({ status }) => status === 'SUCCESS') && now
  })
  assert.deepEqual(
    rows.map(({ fallback_of }) => fallback_of),
    [tried.id, untried.id],
  )
  assert.equal(await fallBackOverdue(world.db, 120_000), 0, 'once')
})

test('the time until the fallback is told counts from the decision, however often a digest is replaced meanwhile', async (t) => {
  const world = await aWorld(t)
  const checks = await checksOf(world, 8)
  await aChannel(world, checks, {})
  const times = { perMinute: 2, minuteMs: 60_000, gatherMs: 0, supersedeAfterMs: 600_000 }
  const wish = {
    leaseMs: HOUR_MS,
    limit: 100,
    perChannel: 100,
    room: new Map<number, number>(),
    supersedeAfterMs: 600_000,
  }
  await tell(world, checks.slice(0, 4))
  await leaseNotifications(world.db, { ...wish, pace: times })
  assert.equal(await makeDigests(world.db, times, ALERTS_PAGE), 1)
  const past = { created_at: ago(100_000), decided_at: ago(100_000) }
  await world.db.updateTable('notifications').set(past).where('carries', 'is not', null).execute()
  await tell(world, checks.slice(4))
  assert.equal(await makeDigests(world.db, times, ALERTS_PAGE), 1)
  const [digest] = await leaseNotifications(world.db, { ...wish, pace: times })
  assert.ok(digest?.message.IS_DIGEST)
  assert.ok(digest.waitedMs >= 100_000, String(digest.waitedMs))
})

test('a digest reaches the end of a chain of fallbacks, as it is or one by one', async (t) => {
  const service = await startPagerduty(t)
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 6)
  const [first, second] = [await aChannel(world, checks, {}), await aChannel(world, checks, {})]
  const between = [await aChannel(world, [], {}), await aChannel(world, [], {})] as const
  const pager = await aPager(world)
  const room = await aChannel(world, [], { config: { url: receiver.url } })
  await setFallback(world, first, between[0])
  await setFallback(world, between[0], pager)
  await setFallback(world, second, between[1])
  await setFallback(world, between[1], room)
  await tell(world, checks)
  startOn(world, { messagesPerMinute: 2, channels: { ...noGateways, pagerdutyUrl: service.url } })
  await ended(world)
  assert.deepEqual(
    new Set(service.received.map((one) => eventOf(one).dedup_key)),
    new Set(checks.map(({ id }) => `vedette-${id}`)),
  )
  assert.equal(service.received.length, 6)
  assert.equal(receiver.received.length, 3)
  const query = { fromMs: 0, toMs: Date.now() + HOUR_MS, channelId: room, hasFailures: null, limit: 10, offset: 0 }
  const { rows } = await listNotifications(world.db, world.accountId, query)
  assert.deepEqual(rows.map(({ digestOf }) => digestOf ?? 0).sort(), [0, 0, 4])
})

test('the same news comes to a fallback once, whether it is subscribed or the fallback of several', async (t) => {
  const receiver = await startReceiver(t)
  const other = await startReceiver(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 1)
  // Made first: of one alert, it is the first to be told.
  const room = await aChannel(world, checks, { config: { url: receiver.url } })
  const shared = await aChannel(world, [], { config: { url: other.url } })
  const [first, second, third] = [
    await aChannel(world, checks, {}),
    await aChannel(world, checks, {}),
    await aChannel(world, checks, {}),
  ]
  await setFallback(world, first, room)
  await setFallback(world, second, shared)
  await setFallback(world, third, shared)
  await tell(world, checks)
  startOn(world)
  await ended(world)
  assert.equal(receiver.received.length, 1)
  assert.equal(other.received.length, 1)
})

test('a message goes without its link when that cannot be made', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 1)
  await aChannel(world, checks, { config: { url: receiver.url } })
  await tell(world, checks)
  const log = aLog()
  startOn(world, {
    log,
    acknowledgeLink() {
      throw new Error('no key')
    },
  })
  const rows = await ended(world)
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['SUCCESS'],
  )
  assert.ok(log.lines.some((line) => line.includes('without its link') && line.includes('no key')))
})
