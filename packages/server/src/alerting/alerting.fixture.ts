/** A database with checks, channels and subscriptions, and alerts to tell. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { TestContext } from 'node:test'
import { RETRY_TIMES, type RetrySchedule, type RetryTimes } from '@vedette/core'
import { type AlertMessage, DEFAULT_ALERT_SETTINGS, type WebhookConfig } from '@vedette/schema'
import { type Database, type Db, openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { createLog, type Log } from '../log.ts'
import { dataKey } from '../secrets/seal.ts'
import { type Secrets, secretsWith } from '../secrets/secrets.ts'
import { testDatabase } from '../testing/database.ts'
import type { ChannelSettings } from './channels/channel-settings.ts'
import type { DueAlert } from './due-alert.ts'

const MIGRATIONS = new URL('../db/migrations/', import.meta.url)

async function migrated() {
  const names = (await readdir(MIGRATIONS)).sort()
  const files = await Promise.all(names.map((name) => readFile(new URL(name, MIGRATIONS))))
  return {
    name: createHash('sha256').update(Buffer.concat(files)).digest('hex'),
    async build(url: string) {
      const database = openDatabase(url, () => {})
      await migrate(database.pool)
      await database.close()
    },
  }
}

export interface World {
  url: string
  db: Db
  secrets: Secrets
  accountId: string
  locationNo: number
  /** Opens the database once more, as another server would. */
  open(): Database
  /** Something to end before the database is dropped. */
  atEnd(end: () => Promise<unknown>): void
}

export async function aWorld(t: TestContext): Promise<World> {
  const ends: (() => Promise<unknown>)[] = []
  // Registered first, so that it runs before the database is dropped.
  t.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  const url = await testDatabase(t, await migrated())
  const open = () => {
    const database = openDatabase(url, () => {}, 10)
    ends.push(() => database.close().catch(() => undefined))
    return database
  }
  const { db } = open()
  const account = await db
    .insertInto('accounts')
    .values({ name: 'Alice’s account', alert_settings: JSON.stringify(DEFAULT_ALERT_SETTINGS) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const location = await db
    .insertInto('locations')
    .values({ slug: 'eu-west-1', name: 'Ireland' })
    .returning('no')
    .executeTakeFirstOrThrow()
  const secrets = secretsWith(dataKey(randomBytes(32)))
  const atEnd = (end: () => Promise<unknown>) => ends.push(end)
  return { url, db, secrets, accountId: account.id, locationNo: location.no, open, atEnd }
}

export async function aCheck({ db, accountId }: World, { muted = false } = {}): Promise<{ no: number; id: string }> {
  return db
    .insertInto('checks')
    .values({
      account_id: accountId,
      kind: 'API',
      name: 'Orders API',
      activated: true,
      muted,
      tags: ['team:orders'],
      settings: '{}',
      effective_activated: true,
      effective_muted: muted,
      effective_tags: ['team:orders'],
      effective_settings: '{}',
    })
    .returning(['no', 'id'])
    .executeTakeFirstOrThrow()
}

export interface ChannelOptions {
  config?: Partial<WebhookConfig>
  sendFailure?: boolean
  sendRecovery?: boolean
  sendDegraded?: boolean
}

/** A group with the checks as its members. */
export async function aGroup({ db, accountId }: World, members: readonly { no: number }[]): Promise<number> {
  const { id } = await db
    .insertInto('check_groups')
    .values({
      account_id: accountId,
      version: 2,
      name: 'Shop',
      activated: true,
      muted: false,
      tags: [],
      settings: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { no } of members) await db.updateTable('checks').set({ group_id: id }).where('no', '=', no).execute()
  return id
}

/** A webhook channel with a subscription for each of the checks. */
export async function aChannel(
  { db, accountId }: World,
  checks: readonly { no: number; activated?: boolean }[],
  { config, sendFailure = true, sendRecovery = true, sendDegraded = true }: ChannelOptions,
): Promise<number> {
  const { id } = await db
    .insertInto('alert_channels')
    .values({
      account_id: accountId,
      type: 'WEBHOOK',
      config: JSON.stringify({ name: 'ops', url: 'http://127.0.0.1:9/', method: 'POST', ...config }),
      send_failure: sendFailure,
      send_recovery: sendRecovery,
      send_degraded: sendDegraded,
      ssl_expiry: false,
      ssl_expiry_threshold: 30,
      auto_subscribe: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const subscriptions = checks.map(({ no, activated = true }) => ({ channel_id: id, check_no: no, activated }))
  if (subscriptions.length > 0) await db.insertInto('subscriptions').values(subscriptions).execute()
  return id
}

export function anAlert(world: World, check: { no: number; id: string }, facts: Partial<DueAlert> = {}): DueAlert {
  return {
    accountId: world.accountId,
    checkNo: check.no,
    checkId: check.id,
    checkName: 'Orders API',
    checkKind: 'API',
    checkDescription: '',
    tags: ['team:orders', 'production'],
    alertType: 'ALERT_FAILURE',
    episode: '1768032000100',
    reason: { rule: 'threshold-reached' },
    locationNo: world.locationNo,
    location: 'eu-west-1',
    locationName: 'Ireland',
    resultId: randomUUID(),
    responseTimeMs: 240,
    error: 'expected 500 to equal 201',
    statusCode: 500,
    startedAt: new Date('2026-01-10T08:00:00.100Z'),
    ...facts,
  }
}

export const aLink = (alert: DueAlert) => `https://vedette.test/results/${alert.resultId}`

export function aMessage(facts: Partial<AlertMessage> = {}): AlertMessage {
  return {
    ALERT_TITLE: 'Orders API has failed',
    ALERT_TYPE: 'ALERT_FAILURE',
    EPISODE_ID: '0a0c0e10-0000-8000-8000-000000000004',
    CHECK_ID: '0a0c0e10-0000-4000-8000-000000000001',
    CHECK_NAME: 'Orders API',
    CHECK_TYPE: 'API',
    CHECK_DESCRIPTION: '',
    CHECK_RESULT_ID: '0a0c0e10-0000-4000-8000-000000000002',
    CHECK_ERROR_MESSAGE: 'expected "500" to equal 201',
    API_CHECK_RESPONSE_STATUS_CODE: '500',
    API_CHECK_RESPONSE_STATUS_TEXT: 'Internal Server Error',
    GROUP_NAME: '',
    IS_REMINDER: false,
    REMINDER_SEQUENCE: 0,
    REGION: 'eu-west-1',
    RUN_LOCATION: 'Ireland',
    RESPONSE_TIME: 240,
    RESULT_LINK: 'https://vedette.test/results/2',
    ACKNOWLEDGE_LINK: '',
    HELD_CHECKS: '',
    SSL_DAYS_REMAINING: '',
    SSL_CHECK_DOMAIN: '',
    STARTED_AT: '2026-01-10T08:00:00.100Z',
    TAGS: ['team:orders', 'production'],
    IS_DIGEST: false,
    DIGEST_COUNT: 0,
    DIGEST_LIST: [],
    FALLBACK_FOR: '',
    DELIVERY_NOTE: '',
    ...facts,
  }
}

/** Nobody is reached: port 9 discards. */
export const noGateways: ChannelSettings = {
  phone: null,
  pagerdutyUrl: 'http://127.0.0.1:9',
  opsgenieUrl: 'http://127.0.0.1:9',
}

/** Every channel is tried again after so many milliseconds, as often as it is in earnest. */
export function retriesAfter(ms: number): RetryTimes {
  const one: RetrySchedule = { delaysMs: RETRY_TIMES.WEBHOOK.delaysMs.map(() => ms), spread: 0 }
  return { WEBHOOK: one, EMAIL: one, SLACK: one, SMS: one, CALL: one, PAGERDUTY: one, OPSGENIE: one }
}

/** With the first one. */
export const MOST_TRIES = RETRY_TIMES.WEBHOOK.delaysMs.length + 1

/** A log whose lines can be read. */
export function aLog(): Log & { lines: string[] } {
  const lines: string[] = []
  return { ...createLog('debug', (line) => lines.push(line)), lines }
}

/** Looks again and again until there is something. */
export async function eventually<T>(look: () => Promise<T | null | undefined | false>): Promise<T> {
  const until = performance.now() + 20_000
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found
    if (performance.now() > until) throw new Error('It did not happen')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
