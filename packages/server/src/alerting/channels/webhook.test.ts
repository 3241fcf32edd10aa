import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { egressPolicy } from '@vedette/core'
import type { WebhookConfig } from '@vedette/schema'
import { aMessage, noGateways } from '../alerting.fixture.ts'
import { startReceiver } from '../receiver.fixture.ts'
import { type DeliveryContext, DeliveryError } from './channel.ts'
import { webhook } from './webhook.ts'

const aContext = (more: Partial<DeliveryContext> = {}): DeliveryContext => ({
  deliveryId: '0a0c0e10-0000-8000-8000-000000000003',
  now: new Date('2026-01-10T08:00:01.500Z'),
  egress: egressPolicy('channel'),
  mailer: null,
  signal: AbortSignal.timeout(20_000),
  settings: noGateways,
  ...more,
})
const aConfig = (config: Partial<WebhookConfig>): WebhookConfig => ({
  name: 'ops',
  url: 'http://127.0.0.1:9/',
  ...config,
})

const deliver = (config: Partial<WebhookConfig>, more: Partial<DeliveryContext> = {}, message = aMessage()) =>
  webhook.deliver(message, aConfig(config), aContext(more))

async function refusal(config: Partial<WebhookConfig>, more: Partial<DeliveryContext> = {}): Promise<DeliveryError> {
  const error: unknown = await deliver(config, more).then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof DeliveryError, `not a DeliveryError: ${error}`)
  return error
}

async function startListener(t: TestContext, talk: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return `http://127.0.0.1:${address.port}/`
}

test('without a template it posts the facts as JSON', async (t) => {
  const receiver = await startReceiver(t)
  const { outcome } = await deliver({ url: `${receiver.url}/hook` })
  assert.equal(outcome, 'HTTP 200: ok')
  const [request] = receiver.received
  assert.equal(request?.method, 'POST')
  assert.equal(request?.path, '/hook')
  assert.equal(request?.headers['content-type'], 'application/json')
  const { uuid, ...body } = JSON.parse(request?.body ?? '')
  assert.match(uuid, /^[0-9a-f-]{36}$/)
  assert.deepEqual(body, {
    event: 'Orders API has failed',
    alert_type: 'ALERT_FAILURE',
    check_name: 'Orders API',
    group_name: '',
    check_id: '0a0c0e10-0000-4000-8000-000000000001',
    check_type: 'API',
    check_result_id: '0a0c0e10-0000-4000-8000-000000000002',
    check_error_message: 'expected "500" to equal 201',
    response_time: 240,
    api_check_response_status_code: '500',
    api_check_response_status_text: 'Internal Server Error',
    run_location: 'Ireland',
    ssl_days_remaining: '',
    ssl_check_domain: '',
    started_at: '2026-01-10T08:00:00.100Z',
    tags: ['team:orders', 'production'],
    link: 'https://vedette.test/results/2',
    region: 'eu-west-1',
  })
})

test('templates are filled in wherever they may stand, each as its place needs it', async (t) => {
  const receiver = await startReceiver(t)
  const message = aMessage({ CHECK_NAME: 'a "b" & c/d\r\nx-evil: 1' })
  await deliver(
    {
      url: `${receiver.url}/hook/{{CHECK_NAME}}`,
      method: 'PUT',
      template: '{"name": "{{CHECK_NAME}}", "tags": [{{#each TAGS}}"{{this}}"{{#unless @last}},{{/unless}}{{/each}}]}',
      headers: [
        { key: 'X-Check', value: '{{CHECK_NAME}}', locked: false },
        { key: 'X-Raw', value: '{{{CHECK_NAME}}}', locked: false },
        { key: 'X-Accent', value: 'é', locked: false },
      ],
      queryParameters: [{ key: 'name', value: '{{CHECK_NAME}}', locked: false }],
    },
    {},
    message,
  )
  const [request] = receiver.received
  assert.equal(request?.method, 'PUT')
  const url = new URL(request?.path ?? '', receiver.url)
  assert.equal(decodeURIComponent(url.pathname), `/hook/${message.CHECK_NAME}`)
  assert.equal(url.searchParams.get('name'), message.CHECK_NAME)
  assert.deepEqual(JSON.parse(request?.body ?? ''), { name: message.CHECK_NAME, tags: message.TAGS })
  assert.equal(request?.headers['x-check'], 'a "b" & c/d x-evil: 1')
  assert.equal(request?.headers['x-raw'], 'a "b" & c/d x-evil: 1')
  assert.equal(request?.headers['x-evil'], undefined)
  assert.equal(Buffer.from(String(request?.headers['x-accent']), 'latin1').toString(), 'é')
})

test('a body of another type is encoded for that type', async (t) => {
  const receiver = await startReceiver(t)
  const headers = [{ key: 'Content-Type', value: 'application/x-www-form-urlencoded', locked: false }]
  await deliver(
    { url: receiver.url, headers, template: 'text={{CHECK_NAME}}&x=1' },
    {},
    aMessage({ CHECK_NAME: 'a&b=c' }),
  )
  assert.equal(receiver.received[0]?.body, 'text=a%26b%3Dc&x=1')
  assert.equal(receiver.received[0]?.headers['content-type'], 'application/x-www-form-urlencoded')
})

test('GET and HEAD carry no body', async (t) => {
  const receiver = await startReceiver(t)
  for (const method of ['GET', 'HEAD'] as const) {
    const { outcome } = await deliver({ url: receiver.url, method, template: 'text', webhookSecret: 'shh' })
    assert.match(outcome, /^HTTP 200/)
  }
  for (const { body, headers } of receiver.received) {
    assert.equal(body, '')
    assert.equal(headers['content-length'], undefined)
    assert.equal(headers['x-service-signature'], createHmac('sha256', 'shh').update('').digest('hex'))
  }
})

test('a message is dated, named and signed', async (t) => {
  const receiver = await startReceiver(t)
  await deliver({ url: receiver.url, webhookSecret: 'shh' })
  const [request] = receiver.received
  assert.ok(request)
  const hmac = (text: string) => createHmac('sha256', 'shh').update(text).digest('hex')
  const { headers, body } = request
  assert.equal(headers['x-service-timestamp'], '1768032001500')
  assert.equal(headers['x-service-delivery-id'], aContext().deliveryId)
  assert.equal(headers['x-service-signature'], hmac(body))
  assert.equal(
    headers['x-service-signature-v2'],
    `t=1768032001,v1=${hmac(`${aContext().deliveryId}.1768032001.${body}`)}`,
  )
})

test('without a secret nothing is signed', async (t) => {
  const receiver = await startReceiver(t)
  await deliver({ url: receiver.url, webhookSecret: null })
  assert.equal(receiver.received[0]?.headers['x-service-signature'], undefined)
  assert.equal(receiver.received[0]?.headers['x-service-signature-v2'], undefined)
})

test('a repeated message says the same, ids that it draws included', async (t) => {
  const receiver = await startReceiver(t)
  const template = '{{$UUID}} {{$UUID}} {{$RANDOM_NUMBER}}'
  await deliver({ url: receiver.url, template })
  await deliver({ url: receiver.url, template })
  await deliver({ url: receiver.url, template }, { deliveryId: 'another' })
  const [first, second, third] = receiver.received.map(({ body }) => body)
  assert.equal(first, second)
  assert.notEqual(first, third)
  assert.equal(new Set(first?.split(' ')).size, 3)
})

test('headers of the transport cannot be set, the host can', async (t) => {
  const receiver = await startReceiver(t)
  const item = (key: string, value: string) => ({ key, value, locked: false })
  await deliver({
    url: receiver.url,
    headers: [
      item('Content-Length', '1'),
      item('Transfer-Encoding', 'chunked'),
      item('Connection', 'upgrade'),
      item('Host', 'a.test'),
    ],
  })
  const headers = receiver.received[0]?.headers
  assert.equal(headers?.host, 'a.test')
  assert.equal(headers?.['transfer-encoding'], undefined)
  assert.equal(headers?.['content-length'], String(Buffer.byteLength(receiver.received[0]?.body ?? '')))
})

test('credentials of the URL are sent as basic authorization', async (t) => {
  const receiver = await startReceiver(t)
  await deliver({ url: receiver.url.replace('://', '://alice:p%40ss@') })
  const basic = Buffer.from('alice:p@ss').toString('base64')
  assert.equal(receiver.received[0]?.headers.authorization, `Basic ${basic}`)
})

test('a status above 399 is a failure worth another try, with the answer as the outcome', async (t) => {
  const receiver = await startReceiver(t, (_, response) =>
    response.writeHead(503, { 'retry-after': '7' }).end('unavailable'),
  )
  const error = await refusal({ url: receiver.url })
  assert.equal(error.message, 'HTTP 503: unavailable')
  assert.equal(error.retry, true)
  assert.equal(error.retryAfterMs, 7000)
})

test('what Retry-After asks for is honoured up to five minutes', async (t) => {
  const values = ['86400', 'Sat, 10 Jan 2026 08:01:01 GMT', 'soon']
  const receiver = await startReceiver(t, (_, response) =>
    response.writeHead(429, { 'retry-after': values[receiver.received.length - 1] ?? '' }).end(),
  )
  const asked = []
  for (const _ of values) asked.push((await refusal({ url: receiver.url })).retryAfterMs)
  assert.deepEqual(asked, [300_000, 59_500, null])
})

test('a redirect is not followed', async (t) => {
  const receiver = await startReceiver(t, (_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  const { outcome } = await deliver({ url: receiver.url })
  assert.equal(outcome, 'HTTP 302')
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/'],
  )
})

test('an address that is not allowed is refused for good, and never connected to', async () => {
  for (const host of [
    '169.254.169.254',
    '[fe80::1]',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '224.0.0.1',
    '0x7f.1.1.1@2852039166',
  ]) {
    const error = await refusal({ url: `http://${host}:9/` })
    assert.match(error.message, /address not allowed/, host)
    assert.equal(error.retry, false, host)
  }
})

test('a denied address is refused by name as well', async (t) => {
  const receiver = await startReceiver(t)
  const egress = egressPolicy('channel', { deny: ['127.0.0.0/8', '::1/128'] })
  for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '2130706433', '0x7f000001', '127.1', '[::1]']) {
    const error = await refusal({ url: receiver.url.replace('127.0.0.1', host) }, { egress })
    assert.match(error.message, /address not allowed/, host)
  }
  assert.equal(receiver.received.length, 0)
})

test('a name on loopback is reached', async (t) => {
  const receiver = await startReceiver(t)
  const { outcome } = await deliver({ url: receiver.url.replace('127.0.0.1', 'localhost') })
  assert.equal(outcome, 'HTTP 200: ok')
})

test('a configuration that makes no request is refused for good', async () => {
  const item = (key: string, value = '') => [{ key, value, locked: false }]
  const configs: Partial<WebhookConfig>[] = [
    { url: 'ftp://example.test/' },
    { url: 'not a url' },
    { url: '{{CHECK_NAME' },
    { url: '{{UNKNOWN}}' },
    { headers: item('a b') },
    { template: '{{#if A}}' },
    { template: '{{#each TAGS}}{{frobnicate this}}{{/each}}' },
  ]
  for (const config of configs) {
    const error = await refusal(config)
    assert.equal(error.retry, false, JSON.stringify(config))
    assert.match(error.message, /^Not sent: /)
  }
})

test('no answer is a failure worth another try', async (t) => {
  const closed = await startListener(t, (socket) => socket.destroy())
  const garbage = await startListener(t, (socket) => socket.end('this is no HTTP\r\n\r\n'))
  for (const url of [closed, garbage, 'http://127.0.0.1:1/']) {
    const error = await refusal({ url })
    assert.match(error.message, /^No answer: /)
    assert.equal(error.retry, true)
  }
})

test('a receiver that is silent, or never ends its head, is given up at the deadline', async (t) => {
  const silent = await startListener(t, () => {})
  const dripping = await startListener(t, (socket) => {
    const drip = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(drip))
    socket.write('HTTP/1.1 200 OK\r\nx-long: ')
  })
  const informing = await startListener(t, (socket) => {
    const drip = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 5)
    socket.on('close', () => clearInterval(drip))
  })
  for (const url of [silent, dripping, informing]) {
    const error = await refusal({ url }, { signal: AbortSignal.timeout(100) })
    assert.match(error.message, /^No answer: /)
  }
})

test('once the status is there, a body that drips, breaks or never ends takes nothing back', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n'
  const broken = await startListener(t, (socket) => socket.resume().end(head))
  const dripping = await startListener(t, (socket) => {
    socket.write(head)
    const drip = setInterval(() => socket.write('1\r\n.\r\n'), 5)
    socket.on('close', () => clearInterval(drip))
  })
  const endless = await startListener(t, (socket) => {
    socket.write(head)
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const more = () => {
      while (socket.writable && socket.write(chunk));
    }
    socket.on('drain', more)
    more()
  })
  assert.match((await deliver({ url: broken })).outcome, /^HTTP 200: hi$/)
  assert.match((await deliver({ url: dripping }, { signal: AbortSignal.timeout(200) })).outcome, /^HTTP 200: hi\.+$/)
  assert.ok((await deliver({ url: endless })).outcome.length < 5000)
})

test('secrets that a receiver echoes are cut out of the outcome', async (t) => {
  const receiver = await startReceiver(t, ({ headers }, response) =>
    response.writeHead(400).end(`got ${headers['x-token']} and ${headers.authorization} and whsec-1234 \0`),
  )
  const error = await refusal({
    url: receiver.url,
    webhookSecret: 'whsec-1234',
    headers: [
      { key: 'X-Token', value: 'canary-1', locked: true },
      { key: 'Authorization', value: 'Bearer canary-2', locked: false },
    ],
  })
  assert.equal(error.message, 'HTTP 400: got *** and *** and *** ')
})

test('the configuration as used has its templates filled in', async () => {
  const used = webhook.used(
    aMessage(),
    aConfig({
      url: 'http://a.test/{{CHECK_TYPE}}',
      template: '{"t":"{{ALERT_TITLE}}"}',
      headers: [{ key: 'X-Check', value: '{{CHECK_NAME}}', locked: false }],
    }),
    aContext(),
  )
  assert.equal(used.url, 'http://a.test/API')
  assert.equal(used.template, '{"t":"Orders API has failed"}')
  assert.equal(used.headers?.[0]?.value, 'Orders API')
  assert.equal(webhook.used(aMessage(), aConfig({ url: '{{' }), aContext()).url, '{{')
})
