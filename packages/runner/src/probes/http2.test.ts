/** API checks over HTTP/2: what they ask, and servers that do everything wrong with it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import zlib from 'node:zlib'
import type { ApiRequest, HttpVersion, ProbePhase } from '@vedette/schema'
import { answering, apiSettings, listen, portOf, runContext } from '../testing/builders.ts'
import { makeAuthority } from '../testing/certificates.ts'
import { apiProbe } from './api.ts'

const authority = makeAuthority()
tls.setDefaultCACertificates([authority.cert])
const pair = authority.issue('DNS:localhost')

type Handler = (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders) => void

async function serving(t: TestContext, handler: Handler, allowHTTP1 = false): Promise<number> {
  const server = http2.createSecureServer({ ...pair, allowHTTP1 })
  const sessions = new Set<http2.ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.once('close', () => sessions.delete(session))
  })
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    handler(stream, headers)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return portOf(server)
}

async function observe(port: number, request: Partial<ApiRequest> = {}, limitMs = 5000, keepBytes = 1_000_000) {
  const url = `https://localhost:${port}/`
  const settings = apiSettings({ url, httpVersion: 'HTTP/2', ...request })
  return apiProbe.observe(settings, runContext({ limitMs, keepBytes }))
}

test('a request over HTTP/2 brings all that one over HTTP/1.1 does', async (t) => {
  let seen: http2.IncomingHttpHeaders = {}
  let body = ''
  const port = await serving(t, async (stream, headers) => {
    seen = headers
    for await (const piece of stream) body += piece
    stream.additionalHeaders({ ':status': 103, link: '</a.css>' })
    stream.respond({
      ':status': 201,
      'content-type': 'text/plain',
      'set-cookie': ['a=1', 'b=2'],
      'content-encoding': 'gzip',
    })
    stream.end(zlib.gzipSync('grüezi'))
  })
  const headers = [
    { key: 'X-Twice', value: 'one', locked: false },
    { key: 'X-Twice', value: 'two', locked: false },
    { key: 'Host', value: 'shop.test', locked: false },
    { key: 'Connection', value: 'upgrade', locked: false },
  ]
  const request = {
    method: 'POST',
    url: `https://localhost:${port}/a?b=c`,
    headers,
    body: 'hällo',
    bodyType: 'RAW',
  } as const
  const { response, failure, tls: handshake } = await observe(port, request)
  assert.equal(failure, null)
  assert.deepEqual(
    [response?.status, response?.httpVersion, response?.body, response?.headers['set-cookie']],
    [201, 'HTTP/2', 'grüezi', 'a=1, b=2'],
  )
  assert.equal(handshake?.protocol, 'TLSv1.3')
  assert.deepEqual(
    [
      seen[':method'],
      seen[':path'],
      seen[':authority'],
      seen['x-twice'],
      seen['content-length'],
      seen.connection,
      body,
    ],
    ['POST', '/a?b=c', 'shop.test', 'one, two', '6', undefined, 'hällo'],
  )
  const phases = response?.timingPhases
  assert.ok(phases && phases.tcp > 0 && phases.firstByte > 0 && phases.download >= 0)
})

test('the version is agreed on as the check says', async (t) => {
  const both = await serving(t, (stream) => stream.respond({ ':status': 204 }, { endStream: true }))
  const secureContext = tls.createSecureContext(pair)
  const old = await listen(t, (socket) => {
    const secure = new tls.TLSSocket(socket, { isServer: true, secureContext })
    secure.on('error', () => {})
    secure.once('data', () => secure.end('HTTP/1.1 204 No Content\r\n\r\n'))
  })
  const table: [asked: HttpVersion | undefined, port: number, spoken: string][] = [
    ['HTTP/2', both, 'HTTP/2'],
    ['auto', both, 'HTTP/2'],
    ['auto', old, 'HTTP/1.1'],
    ['HTTP/1.1', old, 'HTTP/1.1'],
    [undefined, old, 'HTTP/1.1'],
  ]
  for (const [httpVersion, port, spoken] of table) {
    const { response, failure } = await observe(port, { httpVersion })
    assert.deepEqual([response?.status, response?.httpVersion], [204, spoken], failure?.message)
  }
  const { failure } = await observe(old)
  assert.deepEqual(
    [failure?.message, failure?.phase, failure?.blame],
    ['ERR_HTTP2_NOT_OFFERED: the server does not offer HTTP/2', 'tls', 'target'],
  )
})

test('HTTP/2 is not spoken without TLS, neither at first nor after a redirect', async (t) => {
  const plain = await answering(t, 'HTTP/1.1 200 OK\r\n\r\n')
  const { failure: ours } = await observe(plain, { url: `http://localhost:${plain}/` })
  assert.deepEqual([ours?.code, ours?.blame], ['ERR_HTTP2_WITHOUT_TLS', 'ours'])
  const port = await serving(t, (stream) =>
    stream.respond({ ':status': 302, location: `http://localhost:${plain}/` }, { endStream: true }),
  )
  const { failure: theirs } = await observe(port)
  assert.deepEqual([theirs?.code, theirs?.blame], ['ERR_REDIRECT', 'target'])
  assert.equal((await observe(port, { httpVersion: 'auto' })).response?.httpVersion, 'HTTP/1.1')
})

test('a redirect is followed over HTTP/2', async (t) => {
  const port = await serving(t, (stream, headers) => {
    if (headers[':path'] === '/next') stream.end('there')
    else stream.respond({ ':status': 307, location: '/next' }, { endStream: true })
  })
  const { response } = await observe(port)
  assert.deepEqual([response?.body, response?.href], ['there', `https://localhost:${port}/next`])
})

test('a body without end is cut at the limit', async (t) => {
  const port = await serving(t, (stream) => {
    stream.respond({ ':status': 200 })
    const more = () => {
      while (!stream.destroyed && stream.write(Buffer.alloc(100_000, 'x')));
    }
    stream.on('drain', more)
    more()
  })
  const { response } = await observe(port, {}, 20_000, 1000)
  assert.deepEqual([response?.truncated, response?.body.length], [true, 1000])
})

test('the answer to HEAD has a length and no body', async (t) => {
  const port = await serving(t, (stream) =>
    stream.respond({ ':status': 200, 'content-length': '10' }, { endStream: true }),
  )
  const { response, failure } = await observe(port, { method: 'HEAD' })
  assert.deepEqual([response?.status, response?.body], [200, ''], failure?.message)
})

// From here on frames are written by hand: a type, flags, a stream and what is in it.
const frame = (type: number, flags: number, stream: number, payload: Buffer | number[] = []) => {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, Buffer.from(payload)])
}
const DATA = 0
const HEADERS = 1
const RST_STREAM = 3
const SETTINGS = 4
const PING = 6
const GOAWAY = 7
const CONTINUATION = 9
const END_STREAM = 1
const END_HEADERS = 4
const settings = frame(SETTINGS, 0, 0)
const STATUS_200 = [0x88]
const field = (name: string, value: string) => [
  0,
  name.length,
  ...Buffer.from(name),
  value.length,
  ...Buffer.from(value),
]
const status = (code: string) => [8, code.length, ...Buffer.from(code)]
const answer = (flags: number, block: number[]) => frame(HEADERS, flags | END_HEADERS, 1, block)
const code = (value: number) => [0, 0, 0, value]

interface Row {
  name: string
  /** Called once the client has said its first words. */
  target: (socket: tls.TLSSocket) => void
  code: string | RegExp
  phase: ProbePhase
  message?: RegExp
}

const says =
  (...frames: Buffer[]) =>
  (socket: tls.TLSSocket) =>
    void socket.write(Buffer.concat([settings, ...frames]))
const floods = (first: Buffer, piece: Buffer) => (socket: tls.TLSSocket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(piece)) if (socket.writableLength > 1e6) break
  }
  socket.write(Buffer.concat([settings, first]))
  socket.on('drain', more)
  more()
}
const nothing = Buffer.alloc(0)
const LIMIT_MS = 600
const SLACK_MS = 250

const rows: Row[] = [
  { name: 'is silent after the handshake', target: () => {}, code: 'ETIMEDOUT', phase: 'headers' },
  {
    name: 'is silent after its settings',
    target: says(),
    code: 'ETIMEDOUT',
    phase: 'headers',
    message: /waiting for headers/,
  },
  {
    name: 'is silent after its headers',
    target: says(answer(0, STATUS_200)),
    code: 'ETIMEDOUT',
    phase: 'body',
    message: /reading the body/,
  },
  { name: 'hangs up', target: (socket) => socket.destroy(), code: 'ECONNRESET', phase: 'headers' },
  {
    name: 'hangs up in the body',
    target: (socket) => socket.end(Buffer.concat([settings, answer(0, STATUS_200), frame(DATA, 0, 1, [65])])),
    code: /ECONNRESET|ERR_HTTP2/,
    phase: 'body',
  },
  {
    name: 'says goodbye at once',
    target: says(frame(GOAWAY, 0, 0, [...code(0), ...code(0)])),
    code: 'ERR_HTTP2_GOAWAY',
    phase: 'headers',
    message: /GOAWAY \(NO_ERROR\)$/,
  },
  {
    name: 'says goodbye because of an error',
    target: says(frame(GOAWAY, 0, 0, [...code(0), ...code(11)])),
    code: 'ERR_HTTP2_GOAWAY',
    phase: 'headers',
    message: /GOAWAY \(ENHANCE_YOUR_CALM\)$/,
  },
  {
    name: 'refuses the stream',
    target: says(frame(RST_STREAM, 0, 1, code(7))),
    code: /^ERR_HTTP2/,
    phase: 'headers',
    message: /REFUSED_STREAM/,
  },
  {
    name: 'resets the stream without a reason',
    target: says(frame(RST_STREAM, 0, 1, code(0))),
    code: /^ERR_HTTP2/,
    phase: 'headers',
  },
  {
    name: 'resets the stream in the body',
    target: says(answer(0, STATUS_200), frame(DATA, 0, 1, [65]), frame(RST_STREAM, 0, 1, code(2))),
    code: /^ERR_HTTP2/,
    phase: 'body',
    message: /INTERNAL_ERROR/,
  },
  {
    name: 'sends less than it said',
    target: says(answer(0, [...STATUS_200, ...field('content-length', '10')]), frame(DATA, END_STREAM, 1, [65])),
    code: /^ERR_(HTTP2|BODY_CUT)/,
    phase: 'body',
  },
  {
    name: 'sends settings for ever',
    target: floods(nothing, Buffer.concat(Array(100).fill(settings))),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
    message: /more than 200 frames beside the answer/,
  },
  {
    name: 'sends pings for ever',
    target: floods(nothing, Buffer.concat(Array(100).fill(frame(PING, 0, 0, Array(8).fill(1))))),
    code: /^ERR_(MALFORMED_ANSWER|HTTP2)/,
    phase: 'headers',
  },
  {
    name: 'hints for ever',
    target: floods(nothing, Buffer.concat(Array(100).fill(answer(0, status('103'))))),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
    message: /more than 100 informational answers/,
  },
  {
    name: 'sends headers without end',
    target: floods(frame(HEADERS, 0, 1, STATUS_200), frame(CONTINUATION, 0, 1, field('x-a', 'b'.repeat(100)))),
    code: /^ERR_(HTTP2|HEADERS_TOO_LARGE)/,
    phase: 'headers',
  },
  {
    name: 'sends too many fields',
    target: says(answer(END_STREAM, [...STATUS_200, ...Array(300).fill(field('x', 'y')).flat()])),
    code: 'ERR_HEADERS_TOO_LARGE',
    phase: 'headers',
  },
  {
    name: 'sends fields that are too large',
    target: says(
      frame(HEADERS, 0, 1, STATUS_200),
      ...[1, 2, 3].map((no) =>
        frame(
          CONTINUATION,
          no === 3 ? END_HEADERS : 0,
          1,
          Array(120)
            .fill(field('x-a', 'b'.repeat(100)))
            .flat(),
        ),
      ),
    ),
    code: 'ERR_HEADERS_TOO_LARGE',
    phase: 'headers',
  },
  { name: 'has no status', target: says(answer(END_STREAM, field('x', 'y'))), code: /^ERR_HTTP2/, phase: 'headers' },
  {
    name: 'has names in capitals',
    target: says(answer(END_STREAM, [...STATUS_200, ...field('X', 'y')])),
    code: /^ERR_HTTP2/,
    phase: 'headers',
  },
  {
    name: 'sends junk',
    target: (socket) => socket.write(Buffer.alloc(500, 0xff)),
    code: /^ERR_HTTP2/,
    phase: 'headers',
  },
  {
    name: 'answers in the words of HTTP/1.1',
    target: (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'),
    code: /^ERR_HTTP2/,
    phase: 'headers',
  },
  {
    name: 'sends a body before its headers',
    target: says(frame(DATA, 0, 1, [65])),
    code: /^ERR_HTTP2/,
    phase: 'headers',
  },
]

for (const row of rows) {
  test(`a server that ${row.name}`, async (t) => {
    const secureContext = tls.createSecureContext(pair)
    let open = 0
    let allClosed = () => {}
    const port = await listen(t, (socket) => {
      open += 1
      socket.once('close', () => {
        open -= 1
        if (open === 0) allClosed()
      })
      const secure = new tls.TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['h2'] })
      secure.on('error', () => {})
      secure.once('data', () => row.target(secure))
    })
    const startedAt = performance.now()
    const { response, failure } = await observe(port, {}, LIMIT_MS)
    const took = performance.now() - startedAt
    assert.equal(response, null)
    assert.match(
      failure?.code ?? '',
      row.code instanceof RegExp ? row.code : new RegExp(`^${row.code}$`),
      failure?.message,
    )
    assert.deepEqual([failure?.phase, failure?.blame], [row.phase, 'target'], failure?.message)
    if (row.message !== undefined) assert.match(failure?.message ?? '', row.message)
    assert.ok(took <= LIMIT_MS + SLACK_MS, `took ${took} ms`)
    if (open > 0) await new Promise<void>((resolve) => (allClosed = resolve))
  })
}
