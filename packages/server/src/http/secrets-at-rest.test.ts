/** Secrets inside settings, from the request that brings them to the runner or receiver that needs them. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { type TestContext, test } from 'node:test'
import { type AlertChannelWrite, channelSetUp, routes } from '@vedette/schema'
import { sql } from 'kysely'
import { type Delivery, startDelivery } from '../alerting/deliver.ts'
import { type Receiver, startReceiver } from '../alerting/receiver.fixture.ts'
import { openCheck, openGroup } from '../checks/settings-secrets.ts'
import { findCheck, findGroup } from '../checks/store.ts'
import { createLog } from '../log.ts'
import { openSecrets } from '../secrets/open-secrets.ts'
import { dataKey } from '../secrets/seal.ts'
import { type Secrets, secretsWith } from '../secrets/secrets.ts'
import { makeDue } from '../testing/checks.ts'
import { dumpOf } from '../testing/dump.ts'
import { type FakeRunner, signInRunner } from '../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { until } from '../testing/until.ts'
import { findChannel } from './alert-channels/store.ts'
import { listPrivateLocations } from './locations/store.ts'

const CANARY = 'canary7f3a'
const secret = (name: string) => `${CANARY}${name}`
const locked = (key: string, value: string) => ({ key, value: secret(value), locked: true })
const open = (key: string) => ({ key, value: 'plain', locked: false })
const login = (password: string) => ({ username: 'ops', password: secret(password) })
const variables = (of: string) => [
  { key: 'HIDDEN', value: secret(`${of}hidden`), locked: false, secret: true },
  { key: 'LOCKED', value: secret(`${of}locked`), locked: true, secret: false },
  { key: 'OPEN', value: 'plain', locked: false, secret: false },
]
const shown = (of: string) => variables(of).map((item) => (item.secret ? { ...item, value: null } : item))

/** Channels of every type that has secrets; the webhook calls what is at the URL. */
function channelsFor(url: string): AlertChannelWrite[] {
  return [
    {
      type: 'WEBHOOK',
      config: {
        name: 'ops',
        webhookType: null,
        url: `${url}/hook?token=${secret('url')}`,
        method: 'POST',
        template: null,
        headers: [
          locked('x-one', 'header'),
          { ...open('authorization'), value: secret('authorization') },
          open('x-two'),
        ],
        queryParameters: [locked('q', 'parameter')],
        webhookSecret: secret('signing'),
      },
    },
    { type: 'SLACK', config: { url: `${url}/services/${secret('slack')}`, channel: null } },
    { type: 'PAGERDUTY', config: { account: null, serviceName: null, serviceKey: secret('pager') } },
    { type: 'OPSGENIE', config: { name: 'ops', apiKey: secret('genie'), region: 'EU', priority: 'P1' } },
  ]
}

interface Everything {
  groupId: number
  checkId: string
  scriptId: string
  locationId: string
  channels: { id: number; sent: AlertChannelWrite }[]
  runner: FakeRunner
}

/** A secret in every field that can hold one. */
async function everything(server: TestServer, receiverUrl: string): Promise<Everything> {
  const proxyUrl = `http://ops:${secret('proxy')}@proxy.test:3128/`
  const location = await server.call(routes.createPrivateLocation, {
    body: { name: 'Cellar', slugName: 'cellar', proxyUrl },
  })
  const channels: Everything['channels'] = []
  for (const sent of channelsFor(receiverUrl)) {
    channels.push({ id: (await server.call(routes.createAlertChannel, { body: sent })).id, sent })
  }
  const group = await server.call(routes.createCheckGroup, {
    body: {
      name: 'Shop',
      apiCheckDefaults: {
        headers: [locked('x-group', 'groupheader')],
        queryParameters: [locked('g', 'groupparameter')],
        basicAuth: login('grouppassword'),
      },
      environmentVariables: variables('group'),
    },
  })
  const check = await server.call(routes.createApiCheck, {
    body: {
      name: 'Orders',
      groupId: group.id,
      privateLocations: ['cellar'],
      frequency: 10,
      retryStrategy: null,
      request: {
        method: 'GET',
        url: 'http://shop.test/',
        headers: [locked('x-own', 'ownheader'), open('x-open')],
        queryParameters: [locked('o', 'ownparameter')],
        basicAuth: login('ownpassword'),
      },
    },
  })
  const script = await server.call(routes.createBrowserCheck, {
    body: { name: 'Steps', script: 'one()', environmentVariables: variables('script') },
  })
  const runner = await signInRunner(server, location.keys[0]?.rawKey ?? '')
  return {
    groupId: group.id,
    checkId: check.id,
    scriptId: script.id,
    locationId: location.id,
    channels,
    runner,
  }
}

async function assertNotStored(server: TestServer): Promise<void> {
  const found = (await dumpOf(server.db)).filter((row) => row.includes(CANARY))
  assert.deepEqual(found, [])
}

/** Whoever may read secrets finds them in the API, and a runner in what it leases. */
async function assertThereAgain(server: TestServer, made: Everything): Promise<void> {
  const key = await server.keyFor('READ_WRITE')
  const own = { headers: ['ownheader'], queryParameters: ['ownparameter'], password: 'ownpassword' }
  const check = await server.call(routes.getCheck, { params: { id: made.checkId }, key })
  assert.ok(check.checkType === 'API')
  assert.deepEqual(secretsOf(check.request), own)
  assert.deepEqual(check.request.headers?.[1], open('x-open'))

  const asItRuns = {
    ...own,
    headers: ['groupheader', 'ownheader'],
    queryParameters: ['groupparameter', 'ownparameter'],
  }
  const { request } = await server.call(routes.getEffectiveSettings, { params: { id: made.checkId }, key })
  const asText = JSON.stringify(request?.value)
  for (const name of Object.values(asItRuns).flat()) assert.ok(asText.includes(secret(name)), name)
  const member = { id: made.groupId, checkId: made.checkId, groupId: made.groupId }
  const inGroup = await server.call(routes.getGroupCheckV2, { params: member, key })
  assert.ok(inGroup.checkType === 'API')
  assert.deepEqual(secretsOf(inGroup.request), asItRuns)

  const group = await server.call(routes.getCheckGroup, { params: { id: made.groupId }, key })
  assert.deepEqual(secretsOf(group.apiCheckDefaults), {
    headers: ['groupheader'],
    queryParameters: ['groupparameter'],
    password: 'grouppassword',
  })
  assert.deepEqual(group.environmentVariables, shown('group'))
  const script = await server.call(routes.getCheck, { params: { id: made.scriptId }, key })
  assert.ok(script.checkType === 'BROWSER')
  assert.deepEqual(script.environmentVariables, shown('script'))

  for (const { id, sent } of made.channels) {
    const channel = await server.call(routes.getAlertChannel, { params: { id }, key })
    assert.deepEqual(channel.config, sent.config)
  }
  const location = await server.call(routes.getPrivateLocation, { params: { id: made.locationId }, key })
  assert.ok(location.proxyUrl?.includes(secret('proxy')))

  await makeDue(server, { id: made.checkId })
  const run = await made.runner.leaseOne()
  assert.ok(run.kind === 'API')
  assert.deepEqual(secretsOf(run.settings.request), asItRuns)
  assert.ok(run.proxyUrl?.includes(secret('proxy')))
  await made.runner.report(run, 'passed')
}

interface WithSecrets {
  headers?: { value: string; locked: boolean }[] | undefined
  queryParameters?: { value: string; locked: boolean }[] | undefined
  basicAuth?: { password: string } | null | undefined
}

function secretsOf({ headers = [], queryParameters = [], basicAuth }: WithSecrets) {
  const named = (text: string) => text.replace(CANARY, '')
  const ofItems = (items: { value: string; locked: boolean }[]) =>
    items.flatMap((item) => (item.locked ? [named(item.value)] : [])).sort()
  return {
    headers: ofItems(headers),
    queryParameters: ofItems(queryParameters),
    password: basicAuth && named(basicAuth.password),
  }
}

async function aServerWithEverything(t: TestContext, options: { secretKey?: Buffer } = {}) {
  const receiver = await startReceiver(t)
  const server = await startTestServer(t, options)
  return { server, receiver, made: await everything(server, receiver.url) }
}

/** All services are at the same address. */
function startDeliveryOn(t: TestContext, { db }: TestServer, secrets: Secrets, { url }: Receiver): Delivery {
  const delivery = startDelivery({
    db,
    secrets,
    log: createLog('error', () => {}),
    egress: { allow: [], deny: [] },
    mailer: null,
    channels: { phone: null, pagerdutyUrl: url, opsgenieUrl: url },
    messagesPerMinute: 0,
    alertsPage: 'https://vedette.test/alerts',
  })
  t.after(() => delivery.stop())
  return delivery
}

test('no secret of a setting is in the database, and each is there where it is needed', async (t) => {
  const { server, made } = await aServerWithEverything(t)
  await assertNotStored(server)
  await assertThereAgain(server, made)
  await assertNotStored(server)
})

test('changes of other fields keep the secrets, and a change of a secret counts', async (t) => {
  const { server, made } = await aServerWithEverything(t)
  const id = made.checkId
  await server.call(routes.updateApiCheck, { params: { id }, body: { name: 'Orders, renamed' } })
  await server.call(routes.updateBrowserCheck, {
    params: { id: made.scriptId },
    body: { environmentVariables: shown('script') },
  })
  await server.call(routes.updateCheckGroup, { params: { id: made.groupId }, body: { name: 'Shop, renamed' } })
  await server.call(routes.updatePrivateLocation, {
    params: { id: made.locationId },
    body: { name: 'Cellar, renamed' },
  })
  const reader = await server.keyFor('READ_ONLY')
  for (const channel of made.channels) {
    const { type, config } = await server.call(routes.getAlertChannel, { params: { id: channel.id }, key: reader })
    const body = channelSetUp(type, config)
    assert.ok(!JSON.stringify(body).includes(CANARY))
    await server.call(routes.updateAlertChannel, { params: { id: channel.id }, body })
  }
  await assertNotStored(server)
  await assertThereAgain(server, made)

  const apiCheckDefaults = { headers: [locked('x-group', 'changed')] }
  await server.call(routes.updateCheckGroup, { params: { id: made.groupId }, body: { name: 'Shop', apiCheckDefaults } })
  await makeDue(server, { id })
  const run = await made.runner.leaseOne()
  assert.ok(run.kind === 'API')
  assert.deepEqual(secretsOf(run.settings.request).headers, ['changed', 'ownheader'])
  await assertNotStored(server)

  const request = { method: 'GET' as const, url: 'http://shop.test/' }
  await server.call(routes.updateApiCheck, { params: { id }, body: { groupId: null, request } })
  const row = await server.db.selectFrom('checks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  assert.deepEqual([row.sealed, row.effective_sealed], [null, null])
})

test('a notification keeps its channel’s secrets sealed until they have been used', async (t) => {
  const { server, receiver, made } = await aServerWithEverything(t)
  await makeDue(server, { id: made.checkId })
  await made.runner.report(await made.runner.leaseOne(), 'failed')
  const notifications = () => server.db.selectFrom('notifications').select(['sealed', 'status']).execute()
  const waiting = await notifications()
  assert.equal(waiting.length, made.channels.length)
  assert.ok(waiting.every(({ sealed }) => sealed !== null))
  await assertNotStored(server)
  const told = await server.call(routes.listAlertNotifications)
  assert.ok(!JSON.stringify(told).includes(CANARY))

  const delivery = startDeliveryOn(t, server, server.secrets, receiver)
  const received = (await receiver.hasReceived(made.channels.length)).find(({ headers }) => 'x-one' in headers)
  assert.equal(received?.headers['x-one'], secret('header'))
  assert.equal(received?.headers.authorization, secret('authorization'))
  assert.ok(received?.path.includes(`token=${secret('url')}`) && received.path.includes(`q=${secret('parameter')}`))
  await until('all are tried', async () => (await notifications()).every(({ status }) => status !== 'IN_PROGRESS'))
  await delivery.stop()
  assert.ok((await notifications()).every(({ sealed }) => sealed === null))
  await assertNotStored(server)
})

test('a change of keys takes every sealed column along', async (t) => {
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const { server, receiver, made } = await aServerWithEverything(t, { secretKey: old })
  const value = { key: 'TOKEN', value: secret('variable'), secret: true }
  await server.call(routes.createVariable, { body: value })
  await makeDue(server, { id: made.checkId })
  await made.runner.report(await made.runner.leaseOne(), 'failed')
  const sealedUnder = async (key: Buffer) =>
    (await dumpOf(server.db)).filter((row) => row.includes(`${dataKey(key).id}.`)).map((row) => row.split(':')[0])
  const before = await sealedUnder(old)
  for (const table of ['alert_channels', 'check_groups', 'checks', 'locations', 'notifications', 'variables'])
    assert.ok(before.includes(table), table)

  const keys = { secretKey: fresh, previousSecretKey: old, dataDir: tmpdir(), databaseUrl: undefined }
  await (await openSecrets(server.db, keys, createLog('error'))).settle()
  assert.deepEqual(await sealedUnder(old), [])
  assert.deepEqual((await sealedUnder(fresh)).filter((table) => table !== 'installation').sort(), before.sort())

  const { db, accountId } = server
  const secrets = secretsWith(dataKey(fresh))
  const check = await findCheck(db, accountId, made.checkId)
  const group = await findGroup(db, accountId, made.groupId)
  assert.ok(check !== undefined && group !== undefined)
  const { settings, effective } = openCheck(secrets, check)
  assert.ok(JSON.stringify(settings).includes(secret('ownheader')))
  assert.ok(JSON.stringify(effective).includes(secret('groupheader')))
  assert.ok(JSON.stringify(openGroup(secrets, group)).includes(secret('grouppassword')))
  const [location] = await listPrivateLocations(db, secrets, accountId)
  assert.ok(location?.proxyUrl?.includes(secret('proxy')))
  for (const { id, sent } of made.channels) {
    assert.deepEqual((await findChannel(db, secrets, accountId, id))?.config, sent.config)
  }
  startDeliveryOn(t, server, secrets, receiver)
  const received = (await receiver.hasReceived(made.channels.length)).find(({ headers }) => 'x-one' in headers)
  assert.equal(received?.headers['x-one'], secret('header'))
})

test('a check whose secrets cannot be opened does not keep others from running', async (t) => {
  const { server, made } = await aServerWithEverything(t)
  const other = await server.call(routes.createApiCheck, {
    body: {
      name: 'Other',
      request: { method: 'GET', url: 'http://shop.test/' },
      privateLocations: ['cellar'],
      retryStrategy: null,
    },
  })
  await sql`update checks set effective_sealed = 'broken' where id = ${made.checkId}`.execute(server.db)
  await makeDue(server, { id: made.checkId })
  await makeDue(server, other)
  const run = await made.runner.leaseOne()
  assert.equal(run.checkId, other.id)
  assert.match(server.log.join(), new RegExp(`cannot be opened.*${made.checkId}`))
})
