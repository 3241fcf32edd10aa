import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Problem } from '@vedette/schema'
import { makeCheck } from '../testing/checks.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { problemOfJson } from './json-text.ts'
import { validate } from './validation.ts'

const request = { method: 'GET', url: 'http://shop.test/' }

function field(body: unknown): { source: unknown; keys: unknown } | undefined {
  return Reflect.get(Object(body), 'validation')
}

async function refuse(
  server: TestServer,
  method: string,
  path: string,
  options: Parameters<TestServer['send']>[2],
  source: string,
  keys: string[],
): Promise<void> {
  const { status, body } = await server.send(method, path, options)
  const what = `${method} ${path} ${JSON.stringify(options).slice(0, 200)}: ${JSON.stringify(body)}`
  assert.equal(status, 400, what)
  assert.doesNotThrow(() => validate(Problem, body, 'payload'), what)
  assert.deepEqual(field(body), { source, keys }, what)
  for (const key of keys) assert.ok(String(Reflect.get(Object(body), 'message')).includes(`"${key}"`), what)
}

/** What is wrong with a check, and the field that must be named. */
const badChecks: [string, unknown][] = [
  ['name', { request }],
  ['name', { name: '', request }],
  ['name', { name: 'x'.repeat(256), request }],
  ['name', { name: 7, request }],
  ['request', { name: 'Shop' }],
  ['request', { name: 'Shop', request: 'http://shop.test/' }],
  ['request.url', { name: 'Shop', request: { method: 'GET' } }],
  ['request.url', { name: 'Shop', request: { ...request, url: '' } }],
  ['request.url', { name: 'Shop', request: { ...request, url: 'ftp://shop.test/' } }],
  ['request.url', { name: 'Shop', request: { ...request, url: 'http://' } }],
  ['request.url', { name: 'Shop', request: { ...request, url: `http://shop.test/${'a'.repeat(2050)}` } }],
  ['request.method', { name: 'Shop', request: { ...request, method: 'BREW' } }],
  ['request.bodyType', { name: 'Shop', request: { ...request, bodyType: 'XML' } }],
  ['request.headers.0.key', { name: 'Shop', request: { ...request, headers: [{ value: 'v' }] } }],
  ['request.headers.1.key', { name: 'Shop', request: { ...request, headers: [{ key: 'a', value: '' }, { key: '' }] } }],
  ['request.assertions.0.source', { name: 'Shop', request: { ...request, assertions: [{ comparison: 'EQUALS' }] } }],
  ['frequency', { name: 'Shop', request, frequency: 3 }],
  ['frequency', { name: 'Shop', request, frequency: '10' }],
  ['frequencyOffset', { name: 'Shop', request, frequency: 0, frequencyOffset: 15 }],
  ['frequencyOffset', { name: 'Shop', request, frequency: 5, frequencyOffset: 51 }],
  ['frequencyOffset', { name: 'Shop', request, frequency: 1440, frequencyOffset: 25 }],
  ['frequencyOffset', { name: 'Shop', request, frequency: 5, frequencyOffset: 1.5 }],
  ['locations.0', { name: 'Shop', request, locations: ['moon-1'] }],
  ['privateLocations', { name: 'Shop', request, privateLocations: ['cellar'] }],
  ['tags', { name: 'Shop', request, tags: 'shop' }],
  ['activated', { name: 'Shop', request, activated: 'yes' }],
  ['maxResponseTime', { name: 'Shop', request, maxResponseTime: 30_001 }],
  ['degradedResponseTime', { name: 'Shop', request, degradedResponseTime: -1 }],
  ['runtimeId', { name: 'Shop', request, runtimeId: '1999.01' }],
  ['groupId', { name: 'Shop', request, groupId: 4 }],
  [
    'alertChannelSubscriptions',
    { name: 'Shop', request, alertChannelSubscriptions: [{ alertChannelId: 99, activated: true }] },
  ],
  ['retryStrategy.type', { name: 'Shop', request, retryStrategy: { type: 'SOMETIMES' } }],
  ['retryStrategy.maxRetries', { name: 'Shop', request, retryStrategy: { type: 'FIXED', maxRetries: 11 } }],
  ['alertSettings.escalationType', { name: 'Shop', request, alertSettings: { escalationType: 'MOOD' } }],
]

test('a check that cannot be is refused with the name of the field', async (t) => {
  const server = await startTestServer(t)
  for (const [key, body] of badChecks) await refuse(server, 'POST', '/v1/checks/api', { body }, 'payload', [key])
  const { id } = await makeCheck(server)
  for (const [key, body] of badChecks) {
    const complete = { name: 'Shop', request, ...Object(body) }
    if (key === 'name' && !('name' in Object(body))) continue
    if (key === 'request' && !('request' in Object(body))) continue
    await refuse(server, 'PUT', `/v1/checks/api/${id}`, { body: complete }, 'payload', [key])
  }
})

test('the time that a script may take is bounded, and kept when nothing is said of it', async (t) => {
  const server = await startTestServer(t)
  const body = { name: 'Steps', script: 'test("one")', timeout: 5 }
  for (const path of ['/v1/checks/multistep', '/v1/checks/browser']) {
    for (const timeout of [0, 4, 241, 30.5, '30', null])
      await refuse(server, 'POST', path, { body: { ...body, timeout } }, 'payload', ['timeout'])
    const made = Object((await server.send('POST', path, { body })).body)
    assert.equal(made.timeout, 5)
    await refuse(server, 'PUT', `${path}/${made.id}`, { body: { timeout: 241 } }, 'payload', ['timeout'])
    const renamed = Object((await server.send('PUT', `${path}/${made.id}`, { body: { name: 'Other' } })).body)
    assert.deepEqual([renamed.name, renamed.timeout], ['Other', 5])
    assert.equal(Object((await server.send('POST', path, { body: { name: 'S', script: '' } })).body).timeout, 240)
  }
})

test('a query or a path that cannot be is refused with the name of the parameter', async (t) => {
  const server = await startTestServer(t)
  const { id } = await makeCheck(server)
  const results = `/v2/check-results/${id}`
  const bad: [string, string, string[]][] = [
    ['/v1/checks?limit=0', 'query', ['limit']],
    ['/v1/checks?limit=101', 'query', ['limit']],
    ['/v1/checks?limit=many', 'query', ['limit']],
    ['/v1/checks?page=0', 'query', ['page']],
    ['/v1/checks?status=sad', 'query', ['status']],
    [`${results}?limit=0`, 'query', ['limit']],
    [`${results}?from=yesterday`, 'query', ['from']],
    [`${results}?from=1700000100&to=1700000000`, 'query', ['from']],
    [`${results}?nextId=x`, 'query', ['nextId']],
    [`${results}?location=moon-1`, 'query', ['location']],
    [`${results}?resultType=SOME`, 'query', ['resultType']],
    [`${results}?hasFailures=perhaps`, 'query', ['hasFailures']],
    ['/v1/alert-notifications?hasFailures=perhaps', 'query', ['hasFailures']],
    ['/v1/checks/not-an-id', 'params', ['id']],
    ['/v2/check-results/42', 'params', ['checkId']],
    ['/v1/alert-channels/0', 'params', ['id']],
    ['/v1/alert-channels/99999999999', 'params', ['id']],
    ['/v1/alert-channels/1.5', 'params', ['id']],
  ]
  for (const [path, source, keys] of bad) await refuse(server, 'GET', path, {}, source, keys)
})

test('a channel that cannot be is refused with the name of the field', async (t) => {
  const server = await startTestServer(t)
  const config = { name: 'Pager', url: 'http://pager.test/' }
  const bad: [string, unknown][] = [
    ['type', { type: 'PIGEON', config }],
    ['config.url', { type: 'WEBHOOK', config: { name: 'Pager' } }],
    ['config.url', { type: 'WEBHOOK', config: { ...config, url: 'pager.test' } }],
    ['config.template', { type: 'WEBHOOK', config: { ...config, template: '{{#if' } }],
    ['config.headers.0.value', { type: 'WEBHOOK', config: { ...config, headers: [{ key: 'a', value: '{{' }] } }],
    ['sslExpiryThreshold', { type: 'WEBHOOK', config, sslExpiryThreshold: 31 }],
    ['subscriptions.0.checkId', { type: 'WEBHOOK', config, subscriptions: [{ activated: true }] }],
  ]
  for (const [key, body] of bad) await refuse(server, 'POST', '/v1/alert-channels', { body }, 'payload', [key])
})

test('a body that is no JSON, or JSON that is only made to do harm, is refused', async (t) => {
  const server = await startTestServer(t)
  const check = JSON.stringify({ name: 'Shop', request })
  const bad = [
    '{"name"',
    'null',
    '[]',
    '7',
    '',
    check.replace('{', '{"__proto__":{"admin":true},'),
    check.replace('{', '{"constructor":{"prototype":{"admin":true}},'),
    check.replace('Shop', '\\u0000'),
    check.replace('Shop', '\\ud800'),
    check.replace('{', `{"junk":${'['.repeat(5000)}${']'.repeat(5000)},`),
    check.replace('{', '{"frequency":1e999,'),
  ]
  for (const text of bad) {
    const { status, body } = await server.send('POST', '/v1/checks/api', { text })
    assert.equal(status, 400, `${text.slice(0, 80)}: ${JSON.stringify(body)}`)
    assert.doesNotThrow(() => validate(Problem, body, 'payload'))
  }
  assert.deepEqual(server.log, [])
})

test('a body that is too large or of another type is refused before it is looked at', async (t) => {
  const server = await startTestServer(t)
  const large = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
  assert.equal((await server.send('POST', '/v1/checks/api', { text: large })).status, 413)
  // However much is still on its way, the answer is there to be read.
  const huge = JSON.stringify({ key: 'BIG', value: 'x'.repeat(12 * 1024 * 1024) })
  for (let i = 0; i < 5; i++) assert.equal((await server.send('POST', '/v1/variables', { text: huge })).status, 413)
  const xml = await server.send('POST', '/v1/checks/api', { text: '<check/>', headers: { 'content-type': 'text/xml' } })
  assert.equal(xml.status, 415)
  assert.equal((await server.send('POST', '/v1/checks/api', { text: large, key: null })).status, 401)
})

test('a zipped body is understood, within the same bounds', async (t) => {
  const server = await startTestServer(t)
  const post = async (body: Buffer) => {
    const response = await fetch(new URL('/v1/checks/api', server.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.apiKey}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: new Uint8Array(body),
    })
    await response.arrayBuffer()
    return response.status
  }
  assert.equal(await post(gzipSync(JSON.stringify({ name: 'Shop', request }))), 201)
  assert.equal(await post(Buffer.from('not zipped at all')), 400)
  assert.equal(await post(gzipSync(' '.repeat(50_000_000))), 413)
})

test('what is not there is answered in the one shape of refusals', async (t) => {
  const server = await startTestServer(t)
  for (const path of ['/v1/nothing', '/v9', '/v1/checks/%E0%A4%A', `/v1/checks/${'a'.repeat(300)}`]) {
    const { status, body } = await server.send('GET', path)
    assert.ok([400, 404].includes(status), path)
    assert.doesNotThrow(() => validate(Problem, body, 'payload'), `${path}: ${JSON.stringify(body)}`)
  }
  assert.equal((await server.send('DELETE', '/v1/checks')).status, 404)
})

test('JSON is looked through for what cannot be kept, and nothing else is taken for it', () => {
  const kept = [
    String.raw`{"a":"\\u0000"}`,
    String.raw`{"a":"\\\\u0000"}`,
    String.raw`{"a":"\\ud800"}`,
    String.raw`{"a":"\ud83d\ude00"}`,
    String.raw`{"a":"\uD83D\uDE00 \u00e9"}`,
    String.raw`{"a":"\"[[[["}`,
    `{"a":"${'['.repeat(100)}"}`,
    `${'['.repeat(64)}${']'.repeat(64)}`,
    '{"a":"\\',
    '',
  ]
  for (const text of kept) assert.equal(problemOfJson(text), null, text)
  const refused = [
    String.raw`{"a":"\u0000"}`,
    String.raw`{"a":"\\\u0000"}`,
    String.raw`{"a":"\ud800"}`,
    String.raw`{"a":"\udc00"}`,
    String.raw`{"a":"\ud83dx\ude00"}`,
    String.raw`{"a":"\ud83d\ud83d\ude00"}`,
    String.raw`{"\ud800":1}`,
    `${'['.repeat(65)}`,
    `{"a":${'{"a":'.repeat(64)}1`,
  ]
  for (const text of refused) assert.notEqual(problemOfJson(text), null, text)
})
