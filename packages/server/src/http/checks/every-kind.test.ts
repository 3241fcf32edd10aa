import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { CHECK_KINDS, type CheckKind, checkKinds, routes } from '@vedette/schema'
import fc from 'fast-check'
import { arbitraryOf, type Instead } from '../../testing/arbitrary.ts'
import { BUNDLE_PATH, knowBundle } from '../../testing/bundles.ts'
import { assertContains } from '../../testing/contains.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const SEGMENT: { [K in CheckKind]: string } = {
  API: 'api',
  BROWSER: 'browser',
  MULTI_STEP: 'multistep',
  PLAYWRIGHT: 'playwright',
  TCP: 'tcp',
  URL: 'url',
  DNS: 'dns',
  HEARTBEAT: 'heartbeat',
  GRPC: 'grpc',
  ICMP: 'icmp',
  SSL: 'ssl',
}

/** The least that makes a check of each kind. */
const LEAST: { [K in CheckKind]: object } = {
  API: { name: 'Api', request: { url: 'http://shop.test/' } },
  BROWSER: { name: 'Browser', script: 'await page.goto("/")' },
  MULTI_STEP: { name: 'Steps', script: 'test("one")' },
  PLAYWRIGHT: { name: 'Suite', codeBundlePath: BUNDLE_PATH },
  TCP: { name: 'Port', request: { hostname: 'shop.test', port: 443 } },
  URL: { name: 'Page', request: { url: 'http://shop.test/' } },
  DNS: { name: 'Zone', request: { query: 'shop.test', recordType: 'A' }, heartbeat: {}, script: '' },
  GRPC: { name: 'Orders', request: { url: 'shop.test' } },
  HEARTBEAT: { name: 'Job', heartbeat: { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } },
  ICMP: { name: 'Gateway', request: { hostname: 'shop.test' } },
  SSL: { name: 'Certificate', request: { sslConfig: { hostname: 'shop.test' } } },
}

const nothing = fc.constant(undefined)
const texts = fc.uniqueArray(fc.constantFrom('a', 'b', 'team:red', 'Ä ö'), { maxLength: 3 })
const host = fc.constantFrom('shop.test', '192.0.2.1', '2001:db8::1', 'a_b.example')
/** What the rules beyond the shape want: addresses that can be read, things that are there. */
const INSTEAD: Instead = {
  tags: texts,
  locations: fc.uniqueArray(fc.constantFrom('us-east-1', 'eu-west-1', 'af-south-1'), { minLength: 1, maxLength: 2 }),
  privateLocations: fc.constantFrom(null, [], ['cellar']),
  groupId: fc.constant(null),
  alertChannelSubscriptions: fc.constant([]),
  triggerIncident: fc.constant(null),
  setupSnippetId: fc.constant(null),
  tearDownSnippetId: fc.constant(null),
  frequencyOffset: nothing,
  runtimeId: fc.constantFrom(null, '2025.04', '2023.09'),
  'retryStrategy.onlyOn': fc.constant(['NETWORK_ERROR']),
  'retryStrategy.type': fc.constantFrom('FIXED', 'LINEAR', 'EXPONENTIAL'),
  'request.url': fc.constantFrom('http://shop.test/', 'https://shop.test/a?b=c', '{{{GROUP_BASE_URL}}}/x'),
  'request.hostname': host,
  'request.nameServer': nothing,
  'request.port': fc.integer({ min: 1, max: 65_535 }),
  'request.body': fc.constantFrom('', '{"a":1}'),
  'request.assertions.*.property': fc.constantFrom('', '$.a'),
  'request.assertions.*.regex': fc.constantFrom('', null, 'a+'),
  // Which checks there are is tested elsewhere.
  dependsOn: fc.constant([]),
  sslCheckDomain: fc.constantFrom(null, 'shop.test'),
  dependencies: fc.constantFrom(null, [], [{ path: 'lib/one.ts', content: 'export {}' }]),
  environmentVariables: fc.constantFrom(
    [],
    [{ key: 'USER', value: 'ada', locked: false, secret: false }],
    [{ key: 'PIN', value: '1234', locked: true, secret: false }],
  ),
  'request.query': fc.constantFrom('shop.test', '_dmarc.shop.test.'),
  'request.protocol': fc.constantFrom('UDP', 'TCP'),
  'request.path': fc.constantFrom('/dns-query', '/ask?who=me'),
  'heartbeat.period': fc.integer({ min: 30, max: 300 }),
  'heartbeat.grace': fc.integer({ min: 0, max: 300 }),
  'heartbeat.schedule': fc.constant({ cron: '30 4 * * mon-fri', timezone: 'Europe/Berlin' }),
  'heartbeat.pingToken': nothing,
}
const METADATA = [{ key: 'x-a', value: 'b', locked: true }]
const OF_GRPC: Instead = {
  'request.url': host,
  'request.grpcConfig': fc.constantFrom(
    { mode: 'HEALTH', tls: false, service: 'shop.Orders', metadata: METADATA },
    { mode: 'BEHAVIOR', method: 'shop.Orders/Get', message: '{"id":1}' },
    { mode: 'BEHAVIOR', method: '/Orders/Get', serviceDefinition: 'PROTO_FILE', protoContent: 'syntax = "proto3";' },
  ),
}
const OF_SSL: Instead = {
  'request.sslConfig.hostname': host,
  'request.sslConfig.serverName': fc.constantFrom(null, 'shop.test', 'www.shop.test'),
  'request.sslConfig.clientCertificateMode': fc.constant('auto'),
  'request.assertions.*.source': fc.constantFrom('RESPONSE_TIME', 'JSON_RESPONSE'),
}
const OF_PLAYWRIGHT: Instead = {
  codeBundlePath: fc.constant(BUNDLE_PATH),
  testCommand: fc.constantFrom(null, '', 'npx playwright test --project=shop', "playwright test 'a b'"),
  installCommand: fc.constantFrom('', ' '),
  browsers: fc.constantFrom([], ['chromium']),
  playwrightVersion: fc.constantFrom(null, '1.65.1', '1.65'),
  workingDir: fc.constantFrom(null, '', '.', './', 'e2e', './packages/shop/'),
  engine: fc.constantFrom(null, 'node'),
  engineVersion: fc.constantFrom(null, '24', 'v24.1.0'),
}
const OWN_INSTEAD: { [K in CheckKind]?: Instead } = { GRPC: OF_GRPC, SSL: OF_SSL, PLAYWRIGHT: OF_PLAYWRIGHT }
const insteadOf = (kind: CheckKind): Instead => ({ ...INSTEAD, ...OWN_INSTEAD[kind] })

/** Not kept by the kind, or kept under another name. */
const APART: { [K in CheckKind]?: readonly string[] } = {
  DNS: ['heartbeat', 'script', 'scriptPath', 'sslCheckDomain', 'environmentVariables', 'setupSnippetId'].concat([
    'tearDownSnippetId',
    'localSetupScript',
    'localTearDownScript',
  ]),
}

async function send(server: TestServer, method: string, path: string, body?: object) {
  const answer = await server.send(method, path, body === undefined ? {} : { body })
  return { status: answer.status, body: Object(answer.body) }
}

/** A name server needs its port and the other way round; nulls in lists of places mean none. */
function readable(kind: CheckKind, body: object): Record<string, unknown> {
  // What is undefined is not sent.
  const copy: Record<string, unknown> = JSON.parse(JSON.stringify(body))
  if (kind === 'DNS' && copy.request) Reflect.deleteProperty(Object(copy.request), 'port')
  if (kind === 'TCP' && copy.request) {
    Reflect.deleteProperty(Object(copy.request), 'url')
    Reflect.deleteProperty(Object(copy.request), 'body')
    Object.assign(Object(copy.request), { hostname: 'shop.test' })
  }
  return copy
}

function kept(kind: CheckKind, body: Record<string, unknown>): Record<string, unknown> {
  const copy = { ...body }
  for (const name of APART[kind] ?? []) Reflect.deleteProperty(copy, name)
  if (copy.privateLocations === null) copy.privateLocations = []
  if (copy.locations === null) copy.locations = []
  // Who wants settings of the check's own has some.
  if (copy.alertSettings === null) Reflect.deleteProperty(copy, 'alertSettings')
  return copy
}

for (const kind of CHECK_KINDS) {
  const path = `/v1/checks/${SEGMENT[kind]}`
  test(`${kind}: any body that its schema accepts is kept and read back as it was given`, async (t) => {
    const server = await startTestServer(t)
    await knowBundle(server)
    await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
    const bodies = arbitraryOf(checkKinds[kind].create, insteadOf(kind)).map((body) => readable(kind, Object(body)))
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const made = await send(server, 'POST', path, body)
        assert.equal(made.status, 201, JSON.stringify([body, made.body]))
        assertContains(made.body, kept(kind, body))
        const read = await send(server, 'GET', `/v1/checks/${made.body.id}?includeDependencies=true`)
        assert.deepEqual(read.body, made.body)
      }),
      { numRuns: 25 },
    )
  })

  test(`${kind}: an update touches the fields that it names and no other`, async (t) => {
    const server = await startTestServer(t)
    await knowBundle(server)
    await server.call(routes.createPrivateLocation, { body: { name: 'Cellar', slugName: 'cellar' } })
    // The operation of this kind alone wants the name every time.
    const always = kind === 'DNS' ? { name: 'Zone' } : {}
    const updates = arbitraryOf(checkKinds[kind].update, insteadOf(kind)).map((body) =>
      readable(kind, { ...always, ...Object(body) }),
    )
    const { body: made } = await send(server, 'POST', path, LEAST[kind])
    let before: object = made
    await fc.assert(
      fc.asyncProperty(updates, async (update) => {
        const after = await send(server, 'PUT', `${path}/${made.id}`, update)
        assert.equal(after.status, 200, JSON.stringify([update, after.body]))
        const changes = kept(kind, update)
        assertContains(after.body, changes)
        // Who wants settings of the check's own from now on has some.
        const given = new Set([...Object.keys(changes), 'updated_at', 'frequencyOffset', 'alertSettings'])
        for (const [name, value] of Object.entries(before)) {
          if (!given.has(name)) assert.deepEqual(after.body[name], value, name)
        }
        before = after.body
      }),
      { numRuns: 25 },
    )
  })

  test(`${kind}: is found by its kind, and by no other operation of a kind`, async (t) => {
    const server = await startTestServer(t)
    await knowBundle(server)
    const { body: made } = await send(server, 'POST', '/v1/checks', { checkType: kind, ...LEAST[kind] })
    assert.equal(made.checkType, kind)
    const ofKind = await server.call(routes.listChecks, { query: { checkType: kind } })
    assert.deepEqual(
      ofKind.map(({ id }) => id),
      [made.id],
    )
    for (const other of CHECK_KINDS) {
      const body = other === 'DNS' ? { name: 'x' } : {}
      const { status } = await send(server, 'PUT', `/v1/checks/${SEGMENT[other]}/${made.id}`, body)
      assert.equal(status, other === kind ? 200 : 404, other)
    }
    assert.equal((await send(server, 'PUT', `/v1/checks/${made.id}`, { name: 'Renamed' })).body.name, 'Renamed')
    assert.equal((await send(server, 'DELETE', `/v1/checks/${made.id}`)).status, 204)
  })
}

test('what the shape alone does not say is refused by the field’s name, and nothing is made', async (t) => {
  const server = await startTestServer(t)
  await knowBundle(server)
  const table: [CheckKind, object, string][] = [
    ['TCP', { request: { port: 1 } }, 'request.hostname'],
    ['TCP', { request: { hostname: 'a/b', port: 1 } }, 'request.hostname'],
    ['TCP', { request: { hostname: 'shop.test', port: 0 } }, 'request.port'],
    ['ICMP', { request: { hostname: 'a/b' } }, 'request.hostname'],
    ['ICMP', { request: { hostname: 'shop.test', pingCount: 51 } }, 'request.pingCount'],
    ['ICMP', { maxPacketLossThreshold: 0 }, 'maxPacketLossThreshold'],
    ['SSL', { request: { sslConfig: { hostname: 'a/b' } } }, 'request.sslConfig.hostname'],
    ['SSL', { request: { sslConfig: { hostname: '{{HOST}}' } } }, 'request.sslConfig.hostname'],
    ['SSL', { request: { sslConfig: { ...toShop, port: 0 } } }, 'request.sslConfig.port'],
    ['SSL', { request: { sslConfig: { ...toShop, serverName: '192.0.2.1' } } }, 'request.sslConfig.serverName'],
    ['SSL', { request: { sslConfig: { ...toShop, serverName: '[2001:db8::1]' } } }, 'request.sslConfig.serverName'],
    ['SSL', { request: { sslConfig: { ...toShop, serverName: '' } } }, 'request.sslConfig.serverName'],
    ['SSL', { request: { sslConfig: { ...toShop, serverName: 'two words' } } }, 'request.sslConfig.serverName'],
    ['SSL', { request: { sslConfig: explicit } }, 'request.sslClientCertificateId'],
    [
      'SSL',
      { request: { sslConfig: explicit, sslClientCertificateId: randomUUID() } },
      'request.sslClientCertificateId',
    ],
    [
      'SSL',
      { request: { sslConfig: toShop, assertions: [about('CERTIFICATE', '')] } },
      'request.assertions.0.property',
    ],
    [
      'SSL',
      { request: { sslConfig: toShop, assertions: [about('CONNECTION', 'daysUntilExpiry')] } },
      'request.assertions.0.property',
    ],
    [
      'SSL',
      { request: { sslConfig: { ...toShop, securityBaseline: { sctPresent: { severity: 'panic' } } } } },
      'request.sslConfig.securityBaseline.sctPresent.severity',
    ],
    ['URL', { request: { url: 'ftp://shop.test/' } }, 'request.url'],
    ['URL', { request: { url: 'http://a.test', method: 'POST' } }, 'request.method'],
    ['DNS', { request: { query: 'a.test', recordType: 'A', nameServer: '192.0.2.1' } }, 'request.port'],
    ['DNS', { request: { query: 'a.test', recordType: 'A', port: 53 } }, 'request.nameServer'],
    ['DNS', { request: { query: 'a.test', recordType: 'A', nameServer: 'x@y', port: 53 } }, 'request.nameServer'],
    ['DNS', { request: { query: 'two words', recordType: 'A' } }, 'request.query'],
    ['DNS', { request: { query: 'a..test', recordType: 'A' } }, 'request.query'],
    ['DNS', { request: { query: 'a.test', recordType: 'A', protocol: 'DOT' } }, 'request.nameServer'],
    ['DNS', { request: { query: 'a.test', recordType: 'A', path: 'dns query' } }, 'request.path'],
    ['MULTI_STEP', { runtimeId: '2022.10' }, 'runtimeId'],
    ['MULTI_STEP', { frequency: 0 }, 'frequency'],
    ['BROWSER', { frequency: 0 }, 'frequency'],
    ['BROWSER', { dependencies: [{ path: '../x', content: '' }] }, 'dependencies.0.path'],
    ['BROWSER', { dependencies: [{ path: '/etc/passwd', content: '' }] }, 'dependencies.0.path'],
    ['BROWSER', { environmentVariables: [{ key: 'A', value: null }] }, 'environmentVariables.0.value'],
    ['PLAYWRIGHT', { frequency: 0 }, 'frequency'],
    ['PLAYWRIGHT', { codeBundlePath: 'suite.tgz' }, 'codeBundlePath'],
    ['PLAYWRIGHT', { codeBundlePath: BUNDLE_PATH.replace('ab', 'cd') }, 'codeBundlePath'],
    ['PLAYWRIGHT', { testCommand: 'npm test' }, 'testCommand'],
    ['PLAYWRIGHT', { testCommand: 'npx playwright test; id' }, 'testCommand'],
    ['PLAYWRIGHT', { installCommand: 'npm ci' }, 'installCommand'],
    ['PLAYWRIGHT', { browsers: ['chromium', 'webkit'] }, 'browsers'],
    ['PLAYWRIGHT', { playwrightVersion: '1.2.3' }, 'playwrightVersion'],
    ['PLAYWRIGHT', { playwrightVersion: '1' }, 'playwrightVersion'],
    ['PLAYWRIGHT', { workingDir: '../x' }, 'workingDir'],
    ['PLAYWRIGHT', { workingDir: '/etc' }, 'workingDir'],
    ['PLAYWRIGHT', { engine: 'bun' }, 'engine'],
    ['PLAYWRIGHT', { engineVersion: '18' }, 'engineVersion'],
    ['HEARTBEAT', { heartbeat: { period: 1, periodUnit: 'seconds', grace: 0, graceUnit: 'days' } }, 'heartbeat.period'],
    ['HEARTBEAT', { heartbeat: { period: 366, periodUnit: 'days', grace: 0, graceUnit: 'days' } }, 'heartbeat.period'],
    ['HEARTBEAT', { heartbeat: { period: 1, periodUnit: 'days', grace: 366, graceUnit: 'days' } }, 'heartbeat.grace'],
    ['API', { groupId: 4711 }, 'groupId'],
    ['API', { privateLocations: ['nowhere'] }, 'privateLocations'],
    ['API', { triggerIncident: { ...incident, serviceId: randomUUID() } }, 'triggerIncident.serviceId'],
    ['URL', { triggerIncident: { ...incident, severity: 'HUGE' } }, 'triggerIncident.severity'],
  ]
  for (const [kind, wrong, field] of table) {
    const { status, body } = await send(server, 'POST', `/v1/checks/${SEGMENT[kind]}`, { ...LEAST[kind], ...wrong })
    assert.equal(status, 400, `${kind} ${JSON.stringify(wrong)}`)
    assert.deepEqual(body.validation, { source: 'payload', keys: [field] })
  }
  assert.equal((await send(server, 'POST', '/v1/checks', LEAST.API)).body.validation.keys[0], 'checkType')
  assert.deepEqual(await server.call(routes.listChecks), [])
})

test('a TCP check has two names for its host and two for what it sends', async (t) => {
  const server = await startTestServer(t)
  const body = { name: 'Port', request: { url: 'shop.test', port: 25, body: 'HELO' } }
  const { request } = await server.call(routes.createTcpCheck, { body })
  assert.deepEqual([request.hostname, request.data], ['shop.test', 'HELO'])
})

test('a DNS check wants what older clients leave out, unless the installation is kind to them', async (t) => {
  const { heartbeat: _one, script: _two, ...short } = Object.assign({ heartbeat: {}, script: '' }, LEAST.DNS)
  const strict = await startTestServer(t)
  assert.equal((await send(strict, 'POST', '/v1/checks/dns', short)).status, 400)
  const kind = await startTestServer(t, { env: { CLIENT_COMPAT: 'true' } })
  const { status, body } = await send(kind, 'POST', '/v1/checks/dns', short)
  assert.equal(status, 201)
  assert.ok(!('script' in body) && !('heartbeat' in body))
})

test('secret variables are never shown again and survive an update that does not name their value', async (t) => {
  const server = await startTestServer(t)
  const secret = { key: 'PIN', value: 'canary-pin', locked: false, secret: true }
  const made = await server.call(routes.createBrowserCheck, {
    body: { name: 'Browser', script: '', environmentVariables: [secret] },
  })
  assert.deepEqual(made.environmentVariables, [{ ...secret, value: null }])
  const [shown] = made.environmentVariables ?? []
  const changed = await server.call(routes.updateBrowserCheck, {
    params: { id: made.id },
    body: { environmentVariables: shown ? [{ ...shown, secret: false }] : [] },
  })
  assert.deepEqual(changed.environmentVariables, [{ ...secret, value: null }])
  const row = await server.db.selectFrom('checks').select('settings').where('id', '=', made.id).executeTakeFirst()
  const { environmentVariables } = Object(row?.settings)
  assert.equal(environmentVariables.length, 1)
})

test('the ping token of a heartbeat is made, may be chosen, and is nobody else’s', async (t) => {
  const server = await startTestServer(t)
  const made = await server.call(routes.createHeartbeatCheck, { body: { name: 'Job', heartbeat: daily } })
  const { pingToken, pingUrl } = made.heartbeat
  assert.equal(pingUrl, `http://vedette.test/ping/${pingToken}`)
  const taken = await send(server, 'POST', '/v1/checks/heartbeat', {
    name: 'Other',
    heartbeat: { ...daily, pingToken },
  })
  assert.equal(taken.status, 409)
  const renamed = await server.call(routes.updateHeartbeatCheck, { params: { id: made.id }, body: { name: 'Renamed' } })
  assert.equal(renamed.heartbeat.pingToken, pingToken)
  const read = await server.call(routes.getCheck, { params: { id: made.id }, key: await server.keyFor('READ_ONLY') })
  assert.ok(read.checkType === 'HEARTBEAT')
  assert.deepEqual([read.heartbeat.pingToken, read.heartbeat.pingUrl], [null, null])
})

const incident = {
  serviceId: randomUUID(),
  severity: 'MAJOR',
  name: 'Shop is down',
  description: 'We look into it.',
  notifySubscribers: false,
}

const toShop = { hostname: 'shop.test' }
const explicit = { ...toShop, clientCertificateMode: 'explicit' }
const about = (source: string, property: string) => ({ source, property, comparison: 'EQUALS', target: 'x' })

const daily = { period: 1, periodUnit: 'days', grace: 1, graceUnit: 'hours' } as const
