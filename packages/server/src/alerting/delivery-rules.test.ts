/** Order, limits, digests, fallbacks and lateness, on receivers that misbehave. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertType } from '@vedette/schema'
import { aChannel, aLink, anAlert, aWorld, eventually, noGateways, retriesAfter } from './alerting.fixture.ts'
import { listDecisions, type NewDecision } from './decision-store.ts'
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
import { enqueueAlerts } from './outbox.ts'
import { PAGERDUTY_KEY, startPagerduty } from './providers.fixture.ts'
import { type Received, startReceiver } from './receiver.fixture.ts'

interface Body {
  event: string
  alert_type: AlertType
  check_id: string
  check_error_message: string
  link: string
  digest?: { checks: number; list: string[] }
  fallback_for?: string
  delivery_note?: string
}
const bodyOf = ({ body }: Received): Body => JSON.parse(body)

test('news of a check arrives in the order in which it was decided, through two servers and whatever is refused', async (t) => {
  const accepted: Body[] = []
  let requests = 0
  const refusals = new Map<unknown, number>()
  const receiver = await startReceiver(t, (request, response) => {
    requests += 1
    // Every third is refused, but none until it is given up; and answers overtake one another.
    const id = request.headers['x-service-delivery-id']
    const refused = requests % 3 === 1 && (refusals.get(id) ?? 0) < 3
    if (refused) refusals.set(id, (refusals.get(id) ?? 0) + 1)
    if (!refused) accepted.push(bodyOf(request))
    setTimeout(() => response.writeHead(refused ? 500 : 200).end(), (requests * 7) % 20)
  })
  const world = await aWorld(t)
  const checks = await checksOf(world, 8)
  await aChannel(world, checks, { config: { url: receiver.url } })
  const course: AlertType[] = ['ALERT_FAILURE', 'ALERT_RECOVERY', 'ALERT_DEGRADED', 'ALERT_DEGRADED_RECOVERY']
  for (const alertType of course) await tell(world, checks, alertType)
  startOn(world, { messagesPerMinute: 0 })
  startOn(world, { messagesPerMinute: 0 })
  const rows = await ended(world, 32)
  assert.ok(rows.some(({ tries }) => tries > 1))
  for (const { id } of checks) {
    const told = accepted.filter(({ check_id }) => check_id === id).map(({ alert_type }) => alert_type)
    assert.deepEqual(told, course)
  }
})

test('what a dead server has in hand keeps its place until the lease ends; other checks go on', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const [first, second] = await checksOf(world, 2)
  assert.ok(first && second)
  await aChannel(world, [first, second], { config: { url: receiver.url } })
  await tell(world, [first])
  await tell(world, [first, second], 'ALERT_RECOVERY')
  // As a server leaves it that died before it could send.
  const [row] = await all(world)
  const inHand = { leased_until: new Date(Date.now() + 3_600_000), handed_at: new Date() }
  await world.db
    .updateTable('notifications')
    .set(inHand)
    .where('id', '=', row?.id ?? '')
    .execute()
  const delivery = startOn(world)
  await eventually(async () => (await all(world)).some(({ status }) => status === 'SUCCESS'))
  await world.db
    .updateTable('notifications')
    .set({ leased_until: new Date() })
    .where('status', '=', 'IN_PROGRESS')
    .execute()
  delivery.wake()
  await ended(world, 3)
  assert.deepEqual(
    receiver.received.map((one) => [bodyOf(one).check_id, bodyOf(one).alert_type]),
    [
      [second.id, 'ALERT_RECOVERY'],
      [first.id, 'ALERT_FAILURE'],
      [first.id, 'ALERT_RECOVERY'],
    ],
  )
})

test('an old failure that waits for its next try gives way to the recovery', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 1)
  await aChannel(world, checks, { config: { url: receiver.url } })
  await tell(world, checks)
  await world.db
    .updateTable('notifications')
    .set({ created_at: new Date(Date.now() - 1_200_000), due_at: new Date(Date.now() + 1_800_000), tries: 5 })
    .execute()
  await tell(world, checks, 'ALERT_RECOVERY')
  startOn(world)
  const rows = await ended(world, 2)
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['FAILURE', 'SUCCESS'],
  )
  assert.match(rows[0]?.outcome ?? '', /later news/)
  assert.equal(receiver.received.length, 1)
})

test('of a hundred failures at once, twenty are told one by one and the rest in one digest, all of them recorded', async (t) => {
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 100)
  const channel = await aChannel(world, checks, { config: { url: receiver.url, webhookSecret: 'canary' } })
  await enqueueAlerts(
    world.db,
    checks.map((check) => {
      const alert = anAlert(world, check, { checkName: `Check ${check.no}` })
      return { ...alert, decision: aDecision(check.no, alert.resultId) }
    }),
    aLink,
  )
  startOn(world)
  startOn(world)
  const rows = await ended(world, 101)
  assert.equal(receiver.received.length, 21)
  const digest = rows.find(({ carries }) => carries !== null) ?? assert.fail()
  const heldBack = rows.filter(({ status }) => status === 'RATE_LIMITED')
  assert.deepEqual([heldBack.length, digest.status, digest.channel_id], [80, 'SUCCESS', channel])
  for (const row of heldBack) {
    assert.equal(row.digest_id, digest.id)
    assert.equal(row.outcome, `Held back: the channel takes 20 messages a minute. The digest ${digest.id} tells of it.`)
  }
  assert.ok(!JSON.stringify(rows).includes('canary'))
  const told = receiver.received.map(bodyOf).find((body) => body.digest !== undefined) ?? assert.fail()
  assert.equal(told.event, '80 checks: 80 failing')
  assert.equal(told.link, ALERTS_PAGE)
  assert.equal(told.digest?.checks, 80)
  assert.equal(told.digest?.list.at(-1), 'and 60 more')

  // Each check can say how it was told.
  const [held] = heldBack
  const window = { fromMs: 0, toMs: Date.now() + 60_000, limit: 10, offset: 0 }
  const { decisions } = await listDecisions(world.db, held?.check_no ?? 0, window)
  assert.deepEqual(decisions[0]?.channels, [
    { channelId: channel, type: 'WEBHOOK', because: 'over-limit', digestId: digest.id },
  ])
  const byItself = rows.find(({ status, carries }) => status === 'SUCCESS' && carries === null)
  const other = await listDecisions(world.db, byItself?.check_no ?? 0, window)
  assert.deepEqual(other.decisions[0]?.channels, [
    { channelId: channel, type: 'WEBHOOK', because: null, digestId: null },
  ])
})

function aDecision(checkNo: number, resultId: string): NewDecision {
  const inputs = { runCount: 1, minutes: 0, threshold: { unit: 'runs' as const, amount: 1 } }
  const states = { from: 'passing' as const, to: 'failing' as const, alertType: 'ALERT_FAILURE' as const }
  const base = { checkNo, atMs: Date.now(), checkRunId: 1, resultId, due: true, muted: false }
  return { ...base, ...states, rule: 'threshold-reached', inputs }
}

test('a digest has one minute, waits for others, and is made once however many look', async (t) => {
  const world = await aWorld(t)
  const checks = await checksOf(world, 12)
  await aChannel(world, checks, {})
  await tell(world, checks.slice(0, 6))
  const times = { perMinute: 2, minuteMs: 60_000, gatherMs: 30_000, supersedeAfterMs: 600_000 }
  assert.equal(await makeDigests(world.db, times, ALERTS_PAGE), 0)
  const due = { ...times, gatherMs: 0 }
  const [db, other] = [world.open().db, world.open().db]
  const made = await Promise.all([makeDigests(db, due, ALERTS_PAGE), makeDigests(other, due, ALERTS_PAGE)])
  assert.equal(made[0] + made[1], 1)
  await tell(world, checks.slice(6))
  assert.equal(await makeDigests(world.db, due, ALERTS_PAGE), 0)
  assert.equal(await makeDigests(world.db, { ...due, perMinute: 0 }, ALERTS_PAGE), 0)
  const rows = await all(world)
  assert.equal(rows.filter(({ status }) => status === 'RATE_LIMITED').length, 4)
})

test('while a channel is away its digests become one, which tells the latest of each check when it is back', async (t) => {
  const receiver = await aPatient(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 10)
  await aChannel(world, checks, { config: { url: receiver.url } })
  // What has failed is tried again in an hour.
  const parts = { messagesPerMinute: 2, retries: retriesAfter(3_600_000), supersedeAfterMs: 3_600_000 }
  const delivery = startOn(world, parts)
  const heldBack = (count: number) =>
    eventually(async () => {
      delivery.wake()
      const rows = await all(world)
      const waiting = rows.filter(({ status, carries }) => status === 'IN_PROGRESS' && carries !== null)
      const isTried = waiting.length === 1 && waiting[0]?.tries === 1
      return (
        isTried && rows.filter(({ status, carries }) => status === 'RATE_LIMITED' && carries === null).length === count
      )
    })
  await tell(world, checks)
  await heldBack(8)
  await minutesLater(world)
  await tell(world, checks.slice(5), 'ALERT_RECOVERY')
  await heldBack(13)
  const rows = await all(world)
  const [first, second] = rows.filter(({ carries }) => carries !== null)
  assert.deepEqual([first?.status, first?.digest_id], ['RATE_LIMITED', second?.id])
  const carried = rows.filter(({ status, carries }) => status === 'RATE_LIMITED' && carries === null)
  assert.ok(carried.every(({ digest_id }) => digest_id === second?.id))

  receiver.mend()
  const past = new Date(Date.now() - 840_000)
  await world.db
    .updateTable('notifications')
    .set({ due_at: new Date(), decided_at: past })
    .where('status', '=', 'IN_PROGRESS')
    .execute()
  delivery.wake()
  await ended(world, 17)
  const told = receiver.received.map(bodyOf).findLast(({ digest }) => digest !== undefined)
  assert.equal(told?.event, '8 checks: 3 failing, 5 recovered')
  assert.equal(told?.delivery_note, 'Delivered 14 minutes late: the receiver did not take it before.')
})

test('news of a check that a digest tells of waits for the digest', async (t) => {
  const receiver = await aPatient(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 3)
  const [, , third] = checks
  assert.ok(third)
  await aChannel(world, checks, { config: { url: receiver.url } })
  const delivery = startOn(world, { messagesPerMinute: 2, retries: retriesAfter(3_600_000) })
  await tell(world, checks)
  await eventually(async () => (await all(world)).some(({ carries, tries }) => carries !== null && tries === 1))
  await tell(world, [third], 'ALERT_RECOVERY')
  // There is room for it now, but not before the digest.
  await delivery.stop()
  const rest = startOn(world, { messagesPerMinute: 0 })
  await eventually(async () => (await all(world)).length === 5)
  receiver.mend()
  await world.db.updateTable('notifications').set({ due_at: new Date() }).where('tries', '=', 1).execute()
  rest.wake()
  await ended(world, 5)
  const told = receiver.received.map(bodyOf)
  const digest = told.findLastIndex(({ digest: one }) => one !== undefined)
  const recovery = told.findIndex(({ alert_type }) => alert_type === 'ALERT_RECOVERY')
  assert.ok(digest >= 0 && recovery > digest, JSON.stringify(told))
})

test('services that keep track of troubles hear of each, whatever the limit', async (t) => {
  const service = await startPagerduty(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 10)
  const id = await aChannel(world, checks, {})
  const config = JSON.stringify({ serviceKey: PAGERDUTY_KEY })
  await world.db.updateTable('alert_channels').set({ type: 'PAGERDUTY', config }).where('id', '=', id).execute()
  await tell(world, checks)
  startOn(world, { messagesPerMinute: 2, channels: { ...noGateways, pagerdutyUrl: service.url } })
  const rows = await ended(world, 10)
  assert.ok(rows.every(({ status }) => status === 'SUCCESS'))
})

test('what a channel refuses goes once to its fallback, which says why, also when the server dies in between', async (t) => {
  const world = await aWorld(t)
  const dying = world.open()
  const dead = await startReceiver(t, async (_, response) => {
    // The first server loses its database after its last try and before it can record it.
    if (dead.received.length === 6) await dying.close()
    response.writeHead(500).end()
  })
  const receiver = await startReceiver(t)
  const checks = await checksOf(world, 1)
  const first = await aChannel(world, checks, { config: { name: 'the ops room', url: dead.url } })
  const second = await aChannel(world, [], { config: { url: receiver.url } })
  await setFallback(world, first, second)
  await tell(world, checks)
  startOn(world, { db: dying.db, leaseMs: 300 })
  await dead.hasReceived(6)
  startOn(world)
  const rows = await ended(world, 2)
  assert.deepEqual(
    rows.map(({ channel_id, status, fallback_of }) => [channel_id, status, fallback_of]),
    [
      [first, 'FAILURE', null],
      [second, 'SUCCESS', rows[0]?.id],
    ],
  )
  assert.equal(dead.received.length, 7)
  assert.equal(receiver.received.length, 1)
  const [told] = receiver.received.map(bodyOf)
  assert.equal(told?.fallback_for, 'the ops room')
  assert.equal(told?.delivery_note, 'the ops room could not be reached, so this comes here.')
  assert.equal(told?.event, `Check ${checks[0]?.no} has failed`)
})

test('a fallback is told before the last try when that would be too late, and a chain has no channel twice', async (t) => {
  const patient = await aPatient(t)
  const dead = await startReceiver(t, (_, response) => response.writeHead(500).end())
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 1)
  const first = await aChannel(world, checks, { config: { name: 'first', url: patient.url } })
  const second = await aChannel(world, [], { config: { name: 'second', url: dead.url } })
  const third = await aChannel(world, [], { config: { name: 'third', url: receiver.url } })
  await setFallback(world, first, second)
  await setFallback(world, second, third)
  await tell(world, checks)
  const delivery = startOn(world, { retries: retriesAfter(3_600_000) })
  await receiver.hasReceived(1)
  assert.equal(bodyOf(receiver.received[0] ?? assert.fail()).fallback_for, 'second')
  // The first is still tried.
  patient.mend()
  await world.db.updateTable('notifications').set({ due_at: new Date() }).where('tries', '=', 1).execute()
  delivery.wake()
  const rows = await eventually(async () => {
    const now = await all(world)
    return now.some(({ channel_id, status }) => channel_id === first && status === 'SUCCESS') && now
  })
  assert.deepEqual(
    rows.map(({ channel_id }) => channel_id),
    [first, second, third],
  )
})

test('a digest that cannot be delivered goes to the fallback, and one by one where each is wanted', async (t) => {
  const service = await startPagerduty(t)
  const receiver = await startReceiver(t)
  const world = await aWorld(t)
  const checks = await checksOf(world, 6)
  const channels = [aChannel(world, checks, {}), aChannel(world, checks, {})]
  const [first = 0, second = 0] = await Promise.all(channels)
  const chat = await aChannel(world, [], { config: { url: receiver.url } })
  const pager = await aChannel(world, [], {})
  const config = JSON.stringify({ serviceKey: PAGERDUTY_KEY })
  await world.db.updateTable('alert_channels').set({ type: 'PAGERDUTY', config }).where('id', '=', pager).execute()
  await setFallback(world, first, chat)
  await setFallback(world, second, pager)
  await tell(world, checks)
  startOn(world, { messagesPerMinute: 2, channels: { ...noGateways, pagerdutyUrl: service.url } })
  // Of each channel six and a digest; then two and a digest for the one, six for the other.
  const rows = await ended(world, 14 + 3 + 6)
  assert.equal(rows.filter(({ channel_id, status }) => channel_id === pager && status === 'SUCCESS').length, 6)
  const told = receiver.received.map(bodyOf)
  assert.deepEqual(told.map(({ digest }) => digest?.checks ?? 0).sort(), [0, 0, 4])
  assert.ok(told.every(({ fallback_for }) => fallback_for === 'ops'))
})
