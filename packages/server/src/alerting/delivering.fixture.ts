/** Deliveries on receivers that misbehave: what the tests of order, limits, digests and fallbacks share. */
import type { TestContext } from 'node:test'
import type { AlertType } from '@vedette/schema'
import { sql } from 'kysely'
import { aCheck, aLink, aLog, anAlert, eventually, noGateways, retriesAfter, type World } from './alerting.fixture.ts'
import { type Delivery, type DeliveryParts, startDelivery } from './deliver.ts'
import { enqueueAlerts } from './outbox.ts'
import { startReceiver } from './receiver.fixture.ts'

export const ALERTS_PAGE = 'https://vedette.test/alerts'

/** In quick time: a digest waits for nobody, and a minute is long enough for the test to end in it. */
export function startOn(world: World, parts: Partial<DeliveryParts> = {}): Delivery {
  const { secrets } = world
  const delivery = startDelivery({
    ...{ secrets, db: world.open().db, log: aLog(), egress: { allow: [], deny: [] }, mailer: null },
    channels: noGateways,
    messagesPerMinute: 20,
    alertsPage: ALERTS_PAGE,
    retries: retriesAfter(10),
    gatherMs: 0,
    ...parts,
  })
  world.atEnd(() => delivery.stop())
  return delivery
}

export const all = ({ db }: World) => db.selectFrom('notifications').selectAll().orderBy('seq').execute()

/** The notifications, once none is under way and there are so many. */
export const ended = (world: World, count?: number) =>
  eventually(async () => {
    const rows = await all(world)
    return rows.length === (count ?? rows.length) && rows.every(({ status }) => status !== 'IN_PROGRESS') && rows
  })

/** What a channel got has left its limit, and the time for another digest has come. */
export const minutesLater = ({ db }: World) =>
  sql`update notifications set created_at = created_at - interval '2 minutes',
    handed_at = handed_at - interval '2 minutes'`.execute(db)

export const checksOf = async (world: World, count: number) => {
  const checks: Awaited<ReturnType<typeof aCheck>>[] = []
  for (let made = 0; made < count; made += 1) checks.push(await aCheck(world))
  return checks
}

export const tell = (
  world: World,
  checks: readonly { no: number; id: string }[],
  alertType: AlertType = 'ALERT_FAILURE',
) =>
  enqueueAlerts(
    world.db,
    checks.map((check) => anAlert(world, check, { alertType, checkName: `Check ${check.no}` })),
    aLink,
  )

/** A receiver that refuses until it is mended. */
export async function aPatient(t: TestContext, status = 503) {
  let isWell = false
  const receiver = await startReceiver(t, (_, response) => response.writeHead(isWell ? 200 : status).end())
  return Object.assign(receiver, {
    mend: () => {
      isWell = true
    },
  })
}

export const setFallback = ({ db }: World, channel: number, fallback: number) =>
  db.updateTable('alert_channels').set({ fallback_channel_id: fallback }).where('id', '=', channel).execute()
