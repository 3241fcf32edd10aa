import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastifyCookie from '@fastify/cookie'
import { Problem, type Route, route } from '@vedette/schema'
import Fastify, { type InjectOptions } from 'fastify'
import Type from 'typebox'
import { notFound } from '../app-error.ts'
import type { Caller } from '../auth/caller.ts'
import { createLog } from '../log.ts'
import { makeCheck } from '../testing/checks.ts'
import { startTestServer } from '../testing/test-server.ts'
import { CallsInHand } from './calls-in-hand.ts'
import { Changes } from './changes.ts'
import { chooseCoding } from './compress.ts'
import { answerError } from './errors.ts'
import { addressGroup, RateLimits } from './rate-limits.ts'
import { serveOn } from './serve.ts'
import { validate } from './validation.ts'

const answers = { 200: Type.Object({}) }
const common = { tag: 'Test', summary: 'Test', answers }
const list = route({ method: 'GET', path: '/v1/things', policy: 'read', ...common })
const slow = route({ method: 'GET', path: '/v1/slow', policy: 'read', rate: { requests: 2, seconds: 10 }, ...common })
const old = route({ method: 'GET', path: '/v1/old', policy: 'read', deprecated: true, ...common })
const open = route({ method: 'GET', path: '/v1/open', policy: 'public', ...common })
const health = route({ method: 'GET', path: '/health', policy: 'public', ...common })
const ping = route({
  method: 'POST',
  path: '/ping/{token}',
  policy: 'token',
  params: Type.Object({ token: Type.String() }),
  ...common,
})

const join = route({ method: 'POST', path: '/join', policy: 'token', body: Type.Object({}), ...common })

const aCaller: Caller = { accountId: 'a', role: 'OWNER', isOperator: false, userId: null, keyId: null, session: null }

/** A few routes behind the edge; whatever stands in the header is a key, `session` is a person. Time stands still. */
async function anEdge(rateLimit: number) {
  const clock = { nowMs: 1_000_000 }
  const app = Fastify({ trustProxy: (_address, hop) => hop < 1 })
  await app.register(fastifyCookie)
  app.setErrorHandler(answerError(createLog('error', () => {})))
  const access = {
    clientCompat: false,
    caller: async ({ headers: { authorization = '' } }: { headers: { authorization?: string } }) =>
      authorization === 'session' ? { ...aCaller, session: Buffer.from('s') } : { ...aCaller, keyId: authorization },
    runner: async () => ({ keyId: 'r', locationNo: null }),
  }
  const limits = new RateLimits(rateLimit, () => clock.nowMs)
  const changes = new Changes({ on: () => () => {}, isListening: () => false, stop: async () => {} })
  const edge = {
    access,
    limits,
    idempotency: async () => null,
    noteReading: async () => {},
    changes,
    inHand: new CallsInHand(),
  }
  const serve = serveOn(app, edge, [])
  for (const one of [list, slow, old, open, health, join]) serve(one, async () => ({}))
  serve(ping, async ({ params, proven }) => {
    if (params.token.startsWith('wrong')) throw notFound()
    proven()
    return {}
  })
  const ask = async ({ path, method }: Route, as: string, more: InjectOptions = {}) => {
    const headers = as.includes('.') ? { 'x-forwarded-for': as } : { authorization: as }
    const { statusCode, headers: answered, body } = await app.inject({ method, url: path, headers, ...more })
    return { status: statusCode, headers: answered, body: JSON.parse(body) }
  }
  const statuses = async (times: number, call: () => ReturnType<typeof ask>) => {
    const seen: number[] = []
    for (let i = 0; i < times; i++) seen.push((await call()).status)
    return seen
  }
  return { clock, ask, statuses }
}

test('each key has so many requests a minute, is told what is left, and how long to wait', async () => {
  const { clock, ask, statuses } = await anEdge(3)
  const first = await ask(list, 'key-1')
  const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset } = first.headers
  assert.deepEqual([limit, remaining, reset].map(Number), [3, 2, 1020])
  assert.deepEqual(await statuses(3, () => ask(list, 'key-1')), [200, 200, 429])
  const refused = await ask(list, 'key-1')
  assert.doesNotThrow(() => validate(Problem, refused.body, 'payload'))
  assert.deepEqual(refused.body.attributes, {})
  assert.deepEqual([refused.headers['retry-after'], refused.headers['x-ratelimit-remaining']].map(Number), [20, 0])
  assert.equal((await ask(list, 'key-2')).status, 200)
  clock.nowMs += 20_000
  assert.deepEqual(await statuses(2, () => ask(list, 'key-1')), [200, 429])
})

test('a route with a rate of its own is counted apart', async () => {
  const { ask, statuses } = await anEdge(3)
  assert.deepEqual(await statuses(3, () => ask(slow, 'key-1')), [200, 200, 429])
  assert.equal((await ask(slow, 'key-1')).headers['x-ratelimit-limit'], '2')
  assert.deepEqual(await statuses(4, () => ask(list, 'key-1')), [200, 200, 200, 429])
})

test('pages of the web application get by with what keys would run into', async () => {
  const { ask, statuses } = await anEdge(3)
  const seen = [...(await statuses(10, () => ask(slow, 'session'))), ...(await statuses(6, () => ask(list, 'session')))]
  assert.deepEqual(seen, [...Array(15).fill(200), 429])
})

test('strangers are counted by address, and by nothing where the limit is off or machines ask how we are', async () => {
  const { ask, statuses } = await anEdge(2)
  assert.deepEqual(await statuses(3, () => ask(open, '192.0.2.1')), [200, 200, 429])
  assert.equal((await ask(open, '192.0.2.2')).status, 200)
  assert.deepEqual(await statuses(4, () => ask(health, '192.0.2.1')), [200, 200, 200, 200])
  assert.equal((await ask(health, '192.0.2.1')).headers['x-ratelimit-limit'], undefined)
  const off = await anEdge(0)
  assert.deepEqual(await off.statuses(9, () => off.ask(slow, 'key-1')), Array(9).fill(200))
})

test('tokens from one address are counted apart, and wrong ones together', async () => {
  const { ask, statuses } = await anEdge(2)
  const use = (token: string, address: string) => ask(ping, address, { url: `/ping/${token}` })
  for (let i = 0; i < 5; i++) assert.deepEqual(await statuses(3, () => use(`t${i}`, '192.0.2.1')), [200, 200, 429])
  let wrong = 0
  assert.deepEqual(await statuses(61, () => use(`wrong-${wrong++}`, '192.0.2.1')), [...Array(60).fill(404), 429])
  assert.equal((await use('right', '192.0.2.1')).status, 200, 'nobody else at that address is locked out')
  const elsewhere = await use('wrong-other', '192.0.2.2')
  assert.deepEqual([elsewhere.status, elsewhere.headers['cache-control']], [404, 'no-store'])
})

test('where the token is in the body, calls are counted by address, whatever is in the header', async () => {
  const { ask, statuses } = await anEdge(2)
  const more = { headers: { authorization: 'Bearer x', 'x-forwarded-for': '192.0.2.1' }, payload: {} }
  assert.deepEqual(await statuses(3, () => ask(join, '192.0.2.1', more)), [200, 200, 429])
})

test('a token has one bucket however it is written', async () => {
  const { ask, statuses } = await anEdge(2)
  const use = (token: string) => ask(ping, '192.0.2.1', { url: `/ping/${token}` })
  assert.deepEqual(await statuses(2, () => use('abc')), [200, 200])
  assert.deepEqual([(await use('ABC')).status, (await use('%61bc')).status], [429, 429])
})

test('tokens that are made up do not make us forget what the right ones have used', async () => {
  const { ask, statuses } = await anEdge(2)
  const use = (token: string) => ask(ping, '192.0.2.1', { url: `/ping/${token}` })
  assert.deepEqual(await statuses(3, () => use('right')), [200, 200, 429])
  // As many as there are buckets.
  for (let i = 0; i < 20_001; i++) await use(`wrong-${i}`)
  assert.equal((await use('right')).status, 429)
})

test('a machine is one caller with all of its IPv6 addresses', () => {
  assert.equal(addressGroup('2001:db8:1:2:3:4:5:6'), addressGroup('2001:db8:1:2::9'))
  assert.notEqual(addressGroup('2001:db8:1:2::9'), addressGroup('2001:db8:1:3::9'))
  assert.notEqual(addressGroup('::ffff:192.0.2.1'), addressGroup('::ffff:192.0.2.2'))
  assert.equal(addressGroup('192.0.2.1'), '192.0.2.1')
})

test('whoever uses an operation that is on its way out is told so', async () => {
  const { ask } = await anEdge(0)
  assert.match(String((await ask(old, 'key-1')).headers.deprecation), /^@\d+$/)
  assert.equal((await ask(list, 'key-1')).headers.deprecation, undefined)
})

test('a flood of wrong keys from one address is turned away, and right keys are not', async (t) => {
  const server = await startTestServer(t, { env: { RATE_LIMIT: '600' } })
  const seen = await Promise.all(
    Array.from({ length: 70 }, async () => (await server.send('GET', '/v1/checks', { key: 'cu_wrong' })).status),
  )
  assert.deepEqual([...new Set(seen)].sort(), [401, 429])
  assert.equal((await server.send('GET', '/v1/checks')).status, 200)
})

test('signing in is tried ten times a minute for a name, whatever the limit of requests', async (t) => {
  const server = await startTestServer(t)
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) {
    const { status } = await server.send('POST', '/web/sign-in', {
      key: null,
      body: { name: 'mallory', password: 'x' },
    })
    statuses.push(status)
  }
  assert.deepEqual(statuses, [...Array(10).fill(401), 429])
  const other = await server.send('POST', '/web/sign-in', { key: null, body: { name: 'alice', password: 'x' } })
  assert.equal(other.status, 401)
})

test('an answer that a client has already is not sent again', async (t) => {
  const server = await startTestServer(t)
  const check = await makeCheck(server)
  const first = await server.send('GET', '/v1/checks')
  const tag = first.headers.get('etag') ?? ''
  assert.match(tag, /^W\/"[\w-]{22}"$/)
  assert.equal(first.headers.get('cache-control'), 'private, no-cache')
  for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
    const again = await server.send('GET', '/v1/checks', { headers: { 'if-none-match': known } })
    assert.deepEqual([again.status, again.body, again.headers.get('etag')], [304, '', tag], known)
  }
  await server.send('PUT', `/v1/checks/api/${check.id}`, { body: { name: 'Renamed' } })
  assert.equal((await server.send('GET', '/v1/checks', { headers: { 'if-none-match': tag } })).status, 200)
  const absent = await server.send('GET', '/v1/nothing', { headers: { 'if-none-match': '*' } })
  assert.deepEqual([absent.status, absent.headers.get('etag')], [404, null])
  const made = await server.send('POST', '/v1/service-keys', { body: { name: 'ci', role: 'READ_RUN' } })
  assert.deepEqual([made.headers.get('etag'), made.headers.get('cache-control')], [null, 'no-store'])
})

test('answers are compressed in the coding that a client likes best, when that is worth it', async (t) => {
  const server = await startTestServer(t)
  for (let i = 0; i < 5; i++) await makeCheck(server)
  const ask = async (path: string, accepted: string) => {
    // Plain: `fetch` would unpack it.
    const { request } = await import('node:http')
    return new Promise<{ coding: string | undefined; bytes: Buffer }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.apiKey}`, 'accept-encoding': accepted }
      request(new URL(path, server.url), { headers }, async (answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk)
        resolve({ coding: answer.headers['content-encoding'], bytes: Buffer.concat(chunks) })
      })
        .on('error', reject)
        .end()
    })
  }
  const plain = await ask('/v1/checks', 'identity')
  assert.equal(plain.coding, undefined)
  const zipped = await ask('/v1/checks', 'gzip, deflate')
  assert.equal(zipped.coding, 'gzip')
  assert.deepEqual(gunzipSync(zipped.bytes), plain.bytes)
  const brotli = await ask('/v1/checks', 'gzip, deflate, br')
  assert.equal(brotli.coding, 'br')
  assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes)
  assert.equal((await ask('/health', 'gzip')).coding, undefined)
  const description = await ask('/openapi.json', 'gzip')
  assert.ok(gunzipSync(description.bytes).length > 64 * 1024, 'large ones too')
})

test('what a client accepts is read with its weights', () => {
  const table: [string | undefined, string | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['deflate, gzip;q=many', null],
  ]
  for (const [accepted, coding] of table) assert.equal(chooseCoding(accepted), coding, accepted)
})

test('a body in a coding that we do not speak is refused as such, a large one in its own words', async (t) => {
  const server = await startTestServer(t)
  const deflated = await server.send('POST', '/v1/checks/api', {
    text: '{}',
    headers: { 'content-encoding': 'deflate' },
  })
  assert.equal(deflated.status, 415)
  const large = await server.send('POST', '/v1/checks/api', { text: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }) })
  assert.deepEqual([large.status, Reflect.get(Object(large.body), 'error')], [413, 'Request Entity Too Large'])
  for (const { body } of [deflated, large]) assert.doesNotThrow(() => validate(Problem, body, 'payload'))
})
