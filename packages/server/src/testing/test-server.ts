/**
 * The server on a real database and a free port, with nothing that moves by itself: no engine, no runner, no periodic
 * work, no delivery. Whatever happens in it, a test has asked for.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import {
  type AlertSettings,
  type AnswerOf,
  type BodyOf,
  DEFAULT_ALERT_SETTINGS,
  type ParamsOf,
  type QueryOf,
  type Role,
  type Route,
} from '@vedette/schema'
import { enqueueAlerts } from '../alerting/outbox.ts'
import type { AssetStore } from '../assets/asset-store.ts'
import { diskStore } from '../assets/disk-store.ts'
import { prepareInstallation } from '../auth/first-start.ts'
import { newKey } from '../auth/keys.ts'
import { readConfig } from '../config.ts'
import { type Db, openDatabase } from '../db/database.ts'
import { makePartitions } from '../db/partitions.ts'
import { type Signals, startSignals } from '../db/signals.ts'
import { createApp } from '../http/app.ts'
import { linksFrom } from '../links.ts'
import { createLog } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { RecordingParts } from '../recording/record-reports.ts'
import { Coverage } from '../results/coverage.ts'
import { postgresResults } from '../results/store.ts'
import { type LocationView, loadLocationView } from '../scheduling/location-view.ts'
import { dataKey } from '../secrets/seal.ts'
import { type Secrets, secretsWith } from '../secrets/secrets.ts'
import { noSubscribers, subscribersByMail } from '../subscribers/enqueue.ts'
import { migratedDatabase } from './migrated-database.ts'

/** What was answered, whatever it was. */
export interface Answer<T = unknown> {
  status: number
  headers: Headers
  body: T
}

export interface Parts<R extends Route> {
  params?: ParamsOf<R>
  query?: QueryOf<R>
  body?: BodyOf<R>
  /** Instead of the owner's. */
  key?: string
}

export interface TestServer {
  url: string
  databaseUrl: string
  db: Db
  signals: Signals
  recording: RecordingParts
  secrets: Secrets
  assets: AssetStore
  accountId: string
  /** Of an owner. */
  apiKey: string
  locations: () => Promise<LocationView>
  /** What was logged as a warning or worse. */
  log: string[]
  /** Calls an operation and expects success. */
  call<R extends Route>(route: R, parts?: Parts<R>): Promise<AnswerOf<R>>
  /** Calls whatever it is told to, without an opinion on the answer. */
  send(
    method: string,
    path: string,
    options?: {
      key?: string | null
      body?: unknown
      headers?: Record<string, string>
      text?: string | Uint8Array<ArrayBuffer>
    },
  ): Promise<Answer>
  /** A key that acts for the account, or another one, with a role. */
  keyFor(role: Role, accountId?: string): Promise<string>
  /** An account whose people are strangers to ours. */
  addAccount(): Promise<string>
  /** A member of our account, without a password. Answers the id. */
  addPerson(name: string, role: Role): Promise<string>
  setAlertSettings(settings: Partial<AlertSettings>): Promise<void>
  /** Stops answering. The database stays until the test ends. */
  stop(): Promise<void>
}

export interface TestServerOptions {
  env?: Record<string, string>
  /** Instead of one that nobody knows. */
  secretKey?: Buffer
  /** Instead of none. */
  mailer?: Mailer
  /** Instead of a folder of its own. */
  assets?: AssetStore
}

export async function startTestServer(
  t: TestContext,
  { env = {}, secretKey = randomBytes(32), mailer: givenMailer, assets: givenAssets }: TestServerOptions = {},
): Promise<TestServer> {
  const mailer = givenMailer ?? null
  const ends: (() => unknown)[] = []
  // Registered first, so that it runs before the database is dropped.
  t.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  const databaseUrl = await migratedDatabase(t)
  const apiKey = newKey('user').raw
  const accountId = randomUUID()
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: 'http://vedette.test',
    INITIAL_API_KEY: apiKey,
    INITIAL_ACCOUNT_ID: accountId,
    RATE_LIMIT: '0',
    ...env,
  })
  const secrets = secretsWith(dataKey(secretKey))
  const lines: string[] = []
  const log = createLog('warn', (line) => lines.push(line))
  const database = openDatabase(databaseUrl, () => {}, 10)
  ends.push(() => database.close())
  const { db } = database
  await makePartitions(db, Date.now())
  await prepareInstallation(db, { apiKey, accountId })
  const signals = await startSignals(database, log)
  ends.push(() => signals.stop())
  const links = linksFrom(config.publicUrl)
  // Loaded anew at every call: a test need not wait until a runner has been noticed.
  const locations = () => loadLocationView(db, config.builtInLocations)
  const recording: RecordingParts = {
    clock: { nowMs: () => Date.now() },
    db,
    results: postgresResults,
    locations,
    coverage: new Coverage(),
    secondOpinions: config.secondOpinions,
    secrets,
    log,
    subscribers: mailer === null ? noSubscribers(log) : subscribersByMail(),
    enqueueAlerts: async (tx, alerts, undue) => {
      await enqueueAlerts(tx, alerts, links.alert, undue)
    },
  }
  const assets = givenAssets ?? diskStore(await ownFolder(ends))
  const app = await createApp({
    config,
    db,
    signals,
    locations,
    recording,
    assets,
    links,
    secrets,
    mailer,
    ownRuntimes: [],
    log,
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  ends.push(() => app.close())

  const send: TestServer['send'] = async (method, path, { key = apiKey, body, headers = {}, text } = {}) => {
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    })
    const answered = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(answered) : answered }
  }
  return {
    url,
    databaseUrl,
    db,
    signals,
    recording,
    secrets,
    assets,
    accountId,
    apiKey,
    locations,
    log: lines,
    send,
    async call<R extends Route>(route: R, parts: Parts<R> = {}): Promise<AnswerOf<R>> {
      const { method }: Route = route
      const { key, body } = parts
      const response = await fetch(new URL(pathOf(route, parts), url), {
        method,
        headers: {
          authorization: `Bearer ${key ?? apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${pathOf(route, parts)}: ${response.status} ${text}`)
      return JSON.parse(text === '' ? 'null' : text)
    },
    async keyFor(role, ofAccount = accountId) {
      const key = newKey('service')
      await db
        .insertInto('api_keys')
        .values({ key_hash: key.hash, name: role, last_characters: key.lastCharacters, account_id: ofAccount, role })
        .execute()
      return key.raw
    },
    async addAccount() {
      const { id } = await db
        .insertInto('accounts')
        .values({ name: 'Strangers', alert_settings: JSON.stringify(DEFAULT_ALERT_SETTINGS) })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async addPerson(name, role) {
      const { id } = await db.insertInto('users').values({ name }).returning('id').executeTakeFirstOrThrow()
      await db.insertInto('memberships').values({ account_id: accountId, user_id: id, role }).execute()
      return id
    },
    async setAlertSettings(settings) {
      await db
        .updateTable('accounts')
        .set({ alert_settings: JSON.stringify({ ...DEFAULT_ALERT_SETTINGS, ...settings }) })
        .where('id', '=', accountId)
        .execute()
    },
    stop: () => app.close(),
  }
}

async function ownFolder(ends: (() => unknown)[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-assets-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The path of a route with its parameters, and its query. */
export function pathOf<R extends Route>(route: R, { params, query }: Parts<R>): string {
  const { path }: Route = route
  const given: Record<string, unknown> = { ...params }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) search.append(name, String(item))
  return search.size === 0 ? filled : `${filled}?${search}`
}
