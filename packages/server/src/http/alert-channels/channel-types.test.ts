import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertChannelWrite, CHANNEL_TYPES, type ChannelType, routes } from '@vedette/schema'
import fc from 'fast-check'
import { makeCheck, makeDue } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const CANARY = 'canary00canary00canary00'
const slackUrl = `https://hooks.slack.com/services/T000/B000/${CANARY}`
const webhookUrl = `https://alice:${CANARY}@hooks.test/${CANARY}?token=${CANARY}`

/** A body of each type with a secret wherever it has a place for one, and the configuration as readers see it. */
const samples: { [T in ChannelType]: { body: AlertChannelWrite; shown: object } } = {
  EMAIL: {
    body: { type: 'EMAIL', config: { address: 'ops@example.org' } },
    shown: { address: 'ops@example.org' },
  },
  SLACK: {
    body: { type: 'SLACK', config: { url: slackUrl, channel: '#ops' } },
    shown: { url: 'https://hooks.slack.com/services/T000/B000/***', channel: '#ops' },
  },
  WEBHOOK: {
    body: {
      type: 'WEBHOOK',
      config: {
        name: 'Pager',
        webhookType: null,
        url: webhookUrl,
        method: 'PUT',
        template: '{{ALERT_TITLE}}',
        headers: [
          { key: 'x-team', value: 'shop', locked: false },
          { key: 'x-plain', value: CANARY, locked: true },
          { key: 'Authorization', value: CANARY, locked: false },
        ],
        queryParameters: [{ key: 'api_key', value: CANARY, locked: false }],
        webhookSecret: CANARY,
      },
    },
    shown: {
      name: 'Pager',
      webhookType: null,
      url: 'https://***@hooks.test/***?token=***',
      method: 'PUT',
      template: '{{ALERT_TITLE}}',
      headers: [
        { key: 'x-team', value: 'shop', locked: false },
        { key: 'x-plain', value: '***', locked: true },
        { key: 'Authorization', value: '***', locked: false },
      ],
      queryParameters: [{ key: 'api_key', value: '***', locked: false }],
      webhookSecret: '***',
    },
  },
  SMS: {
    body: { type: 'SMS', config: { name: 'Alice', number: '+351210000000' } },
    shown: { name: 'Alice', number: '+351210000000' },
  },
  CALL: { body: { type: 'CALL', config: { name: null, number: '+15' } }, shown: { name: null, number: '+15' } },
  PAGERDUTY: {
    body: { type: 'PAGERDUTY', config: { account: 'shop', serviceName: null, serviceKey: CANARY } },
    shown: { account: 'shop', serviceName: null, serviceKey: '***' },
  },
  OPSGENIE: {
    body: { type: 'OPSGENIE', config: { name: 'Ops', apiKey: CANARY, region: 'EU', priority: 'P2' } },
    shown: { name: 'Ops', apiKey: '***', region: 'EU', priority: 'P2' },
  },
}
const all = CHANNEL_TYPES.map((type) => ({ type, ...samples[type] }))

const create = (server: TestServer, body: AlertChannelWrite) => server.call(routes.createAlertChannel, { body })
const get = (server: TestServer, id: number, key = server.apiKey) =>
  server.call(routes.getAlertChannel, { params: { id }, key })

test('a channel of each type is kept as it was sent', async (t) => {
  const server = await startTestServer(t)
  for (const { type, body } of all) {
    const made = await create(server, body)
    assert.equal(made.type, type)
    assert.deepEqual(made.config, body.config)
    assert.deepEqual(await get(server, made.id), made)
  }
  const { body } = await server.send('GET', '/v1/alert-channels')
  assert.deepEqual(
    Array.isArray(body) && body.map((channel) => channel.type),
    all.map(({ type }) => type),
  )
})

test('what a configuration leaves out is there as null or empty', async (t) => {
  const server = await startTestServer(t)
  const rows: [AlertChannelWrite, object][] = [
    [
      { type: 'SLACK', config: { url: slackUrl } },
      { url: slackUrl, channel: null },
    ],
    [
      { type: 'SMS', config: { number: '+15' } },
      { number: '+15', name: null },
    ],
    [
      { type: 'PAGERDUTY', config: { serviceKey: 'k' } },
      { serviceKey: 'k', account: null, serviceName: null },
    ],
    [
      { type: 'WEBHOOK', config: { name: 'n', url: 'http://a.test' } },
      {
        name: 'n',
        url: 'http://a.test',
        webhookType: null,
        method: 'POST',
        template: null,
        headers: [],
        queryParameters: [],
        webhookSecret: null,
      },
    ],
  ]
  for (const [body, config] of rows) assert.deepEqual((await create(server, body)).config, config)
})

test('a channel that cannot be is refused by name, and nothing is kept', async (t) => {
  const server = await startTestServer(t)
  const opsgenie = { name: 'Ops', apiKey: 'k', region: 'EU', priority: 'P1' }
  const rows: [field: string, body: unknown, reason: RegExp][] = [
    ['type', { config: {} }, /is required/],
    ['type', { type: 'SLACK_APP', config: {} }, /must be one of EMAIL, SLACK, WEBHOOK, SMS, PAGERDUTY, OPSGENIE, CALL/],
    ['config', { type: 'EMAIL' }, /is required/],
    ['config.address', { type: 'EMAIL', config: {} }, /is required/],
    ['config.address', { type: 'EMAIL', config: { address: 'ops' } }, /must be a valid email/],
    ['config.address', { type: 'EMAIL', config: { address: 'a@b.test, c@d.test' } }, /must be a valid email/],
    ['config.address', { type: 'EMAIL', config: { address: 'a@b.test\r\nBcc: c@d.test' } }, /must be a valid email/],
    ['config.url', { type: 'SLACK', config: { url: 'hooks.slack.com/x' } }, /must begin with http/],
    ['config.url', { type: 'SLACK', config: { url: '{{#if' } }, /./],
    ['config.number', { type: 'SMS', config: { number: '0049 30 123' } }, /must look like \+351210000000/],
    ['config.number', { type: 'CALL', config: { number: '+1234567890123456' } }, /must look like/],
    ['config.number', { type: 'CALL', config: { number: '+15\n' } }, /must look like/],
    ['config.serviceKey', { type: 'PAGERDUTY', config: { account: 'x' } }, /is required/],
    ['config.serviceKey', { type: 'PAGERDUTY', config: { serviceKey: '' } }, /must not be empty/],
    ['config.region', { type: 'OPSGENIE', config: { ...opsgenie, region: 'APAC' } }, /must be one of EU, US/],
    ['config.priority', { type: 'OPSGENIE', config: { ...opsgenie, priority: 'P6' } }, /P1, P2, P3, P4, P5/],
    ['config.apiKey', { type: 'OPSGENIE', config: { ...opsgenie, apiKey: '***' } }, /the secret itself/],
    ['config.method', { type: 'WEBHOOK', config: { name: 'n', url: 'http://a.test', method: 'BREW' } }, /one of/],
    ['config.url', { type: 'WEBHOOK', config: { name: 'n', url: 'http://a.test/***' } }, /the secret itself/],
    ['sslExpiryThreshold', { ...samples.EMAIL.body, sslExpiryThreshold: 31 }, /30 or less/],
    ['subscriptions.0.activated', { ...samples.EMAIL.body, subscriptions: [{ checkId: null }] }, /is required/],
  ]
  const kept = await create(server, samples.OPSGENIE.body)
  const targets = [
    ['POST', '/v1/alert-channels'],
    ['PUT', `/v1/alert-channels/${kept.id}`],
  ] as const
  for (const [method, path] of targets) {
    for (const [field, body, reason] of rows) {
      if (method === 'PUT' && field === 'config.apiKey') continue
      const answer = await server.send(method, path, { body })
      const what = `${method} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`
      assert.equal(answer.status, 400, what)
      assert.deepEqual(Reflect.get(Object(answer.body), 'validation'), { source: 'payload', keys: [field] }, what)
      assert.match(String(Reflect.get(Object(answer.body), 'message')), reason, what)
    }
  }
  assert.deepEqual(await server.call(routes.listAlertChannels), [kept])
})

test('secrets are masked for whoever may not write, and everywhere in the audit log', async (t) => {
  const server = await startTestServer(t)
  const reader = await server.keyFor('READ_ONLY')
  const writer = await server.keyFor('READ_WRITE')
  const check = await makeCheck(server)
  for (const { body, shown } of all) {
    const { id } = await create(server, { ...body, subscriptions: [{ checkId: check.id, activated: true }] })
    assert.deepEqual((await get(server, id, writer)).config, body.config)
    assert.deepEqual((await get(server, id, reader)).config, shown)
    await server.call(routes.updateAlertChannel, { params: { id }, body })
  }
  for (const key of [reader, await server.keyFor('READ_RUN')]) {
    for (const path of ['/v1/alert-channels', '/v1/checks', `/v1/checks/${check.id}`]) {
      const { status, body } = await server.send('GET', path, { key })
      assert.equal(status, 200)
      assert.ok(!JSON.stringify(body).includes(CANARY), JSON.stringify(body))
    }
  }
  const { alertChannels } = await server.call(routes.getCheck, { params: { id: check.id } })
  assert.deepEqual(
    [alertChannels?.email, alertChannels?.slack, alertChannels?.sms],
    [[{ address: 'ops@example.org' }], [{ url: slackUrl }], [{ number: '+351210000000', name: 'Alice' }]],
  )
  for (const { id } of await server.call(routes.listAlertChannels))
    await server.call(routes.deleteAlertChannel, { params: { id } })
  const entries = await server.db.selectFrom('audit_log').selectAll().execute()
  assert.ok(!JSON.stringify(entries).includes(CANARY))
})

test('a mask that is sent back keeps the secret that it stands for', async (t) => {
  const server = await startTestServer(t)
  const reader = await server.keyFor('READ_ONLY')
  for (const { type, body } of all) {
    const { id } = await create(server, body)
    const shown = await get(server, id, reader)
    const sent = await server.send('PUT', `/v1/alert-channels/${id}`, { body: { ...shown, sendDegraded: true } })
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    const after = await get(server, id)
    assert.deepEqual([after.config, after.sendDegraded], [body.config, true], type)
  }
})

test('headers keep their secrets by name, whatever becomes of the others', async (t) => {
  const server = await startTestServer(t)
  const config = { name: 'Pager', url: 'http://pager.test/' }
  const header = (key: string, value: string) => ({ key, value, locked: true })
  const { id } = await create(server, {
    type: 'WEBHOOK',
    config: { ...config, headers: [header('a', '1'), header('b', '2'), header('b', '3')] },
  })
  const put = (headers: object[]) =>
    server.send('PUT', `/v1/alert-channels/${id}`, { body: { type: 'WEBHOOK', config: { ...config, headers } } })
  const masks = [header('b', '***'), header('c', '4'), header('b', '***')]
  assert.equal((await put(masks)).status, 200)
  assert.deepEqual(Reflect.get((await get(server, id)).config, 'headers'), [
    header('b', '2'),
    header('c', '4'),
    header('b', '3'),
  ])
  const refused = await put([header('a', '***')])
  assert.equal(refused.status, 400)
  assert.deepEqual(Reflect.get(Object(refused.body), 'validation').keys, ['config.headers.0.value'])
})

test('a channel that becomes another type needs what that type needs', async (t) => {
  const server = await startTestServer(t)
  const { id } = await create(server, samples.OPSGENIE.body)
  const path = `/v1/alert-channels/${id}`
  const masked = { type: 'PAGERDUTY', config: { serviceKey: '***' } }
  assert.equal((await server.send('PUT', path, { body: masked })).status, 400)
  const changed = await server.call(routes.updateAlertChannel, { params: { id }, body: samples.EMAIL.body })
  assert.deepEqual([changed.type, changed.config], ['EMAIL', { address: 'ops@example.org' }])
})

test('every change is in the audit log once, with what it was and what it became', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const { id } = await create(server, samples.EMAIL.body)
  const params = { id }
  const changed: AlertChannelWrite = { type: 'EMAIL', config: { address: 'night@example.org' } }
  await server.call(routes.updateAlertChannel, { params, body: changed })
  await server.call(routes.subscribe, { params, body: { checkId: check.id, activated: true } })
  await server.call(routes.subscribe, { params, body: { checkId: check.id, activated: false } })
  await server.call(routes.deleteAlertChannel, { params })
  const entries = await server.db
    .selectFrom('audit_log')
    .selectAll()
    .where('operation', 'like', '%/v1/alert-channels%')
    .orderBy('id')
    .execute()
  const address = (entry: unknown) => Reflect.get(Object(Reflect.get(Object(entry), 'config')), 'address') ?? null
  const activated = (entry: unknown) => Reflect.get(Object(entry), 'activated') ?? null
  assert.deepEqual(
    entries.map(({ operation, subject, before, after }) => [
      operation,
      subject,
      address(before) ?? activated(before),
      address(after) ?? activated(after),
    ]),
    [
      ['POST /v1/alert-channels', String(id), null, 'ops@example.org'],
      ['PUT /v1/alert-channels/{id}', String(id), 'ops@example.org', 'night@example.org'],
      ['PUT /v1/alert-channels/{id}/subscriptions', String(id), null, true],
      ['PUT /v1/alert-channels/{id}/subscriptions', String(id), true, false],
      ['DELETE /v1/alert-channels/{id}', String(id), 'night@example.org', null],
    ],
  )
})

test('the notifications of a channel show none of its secrets', async (t) => {
  const server = await startTestServer(t)
  const runner = await signInRunner(server)
  for (const { body } of all) await create(server, body)
  const check = await makeCheck(server)
  await makeDue(server, check)
  await runner.report(await runner.leaseOne(), 'failed')
  const told = await server.call(routes.listAlertNotifications)
  assert.deepEqual(told.map(({ type }) => type).sort(), [...CHANNEL_TYPES].sort())
  assert.ok(!JSON.stringify(told).includes(CANARY))
})

/** Text without braces, masks, NULs and halves of surrogate pairs. */
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((s) => !/[{}\0]|\*\*\*/.test(s))
const label = fc.option(text)
const digits = fc.integer({ min: 10, max: 999_999_999_999_999 })
const address = fc.tuple(fc.webUrl({ withQueryParameters: true })).map(([url]) => url)
const items = fc.array(fc.record({ key: text, value: text, locked: fc.boolean() }), { maxLength: 3 })
const phone = fc.record({ name: label, number: digits.map((number) => `+${number}`) })

const config: { [T in ChannelType]: fc.Arbitrary<object> } = {
  EMAIL: fc.record({ address: fc.stringMatching(/^[a-z0-9]{1,20}@[a-z0-9]{1,20}\.test$/) }),
  SLACK: fc.record({ url: address, channel: label }),
  WEBHOOK: fc.record({
    name: text,
    webhookType: label,
    url: address,
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
    template: label,
    headers: items,
    queryParameters: items,
    webhookSecret: label,
  }),
  SMS: phone,
  CALL: phone,
  PAGERDUTY: fc.record({ account: label, serviceName: label, serviceKey: text }),
  OPSGENIE: fc.record({
    name: text,
    apiKey: text,
    region: fc.constantFrom('EU', 'US'),
    priority: fc.constantFrom('P1', 'P2', 'P3', 'P4', 'P5'),
  }),
}
const wishes = fc.record({
  sendRecovery: fc.boolean(),
  sendFailure: fc.boolean(),
  sendDegraded: fc.boolean(),
  sslExpiry: fc.boolean(),
  sslExpiryThreshold: fc.integer({ min: 1, max: 30 }),
  autoSubscribe: fc.boolean(),
})
const bodies = fc
  .constantFrom(...CHANNEL_TYPES)
  .chain((type) => fc.record({ type: fc.constant(type), config: config[type], wishes }))
  // As it arrives: without the prototypes of the generator.
  .map(({ wishes: flags, ...channel }): object => JSON.parse(JSON.stringify({ ...channel, ...flags })))

test('any body that is taken is read back as it was sent; one that is refused changes nothing', async (t) => {
  const server = await startTestServer(t)
  let id: number | null = null
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom('type', 'config'), async (body, missing) => {
      const { status, body: answer } =
        id === null
          ? await server.send('POST', '/v1/alert-channels', { body })
          : await server.send('PUT', `/v1/alert-channels/${id}`, { body })
      assert.equal(status, id === null ? 201 : 200, JSON.stringify(answer))
      id ??= Number(Reflect.get(Object(answer), 'id'))
      const before = await get(server, id)
      for (const [name, value] of Object.entries(body)) assert.deepEqual(Reflect.get(before, name), value, name)
      const broken = Object.fromEntries(Object.entries(body).filter(([name]) => name !== missing))
      assert.equal((await server.send('PUT', `/v1/alert-channels/${id}`, { body: broken })).status, 400)
      assert.deepEqual(await get(server, id), before)
    }),
    { numRuns: 100 },
  )
})
