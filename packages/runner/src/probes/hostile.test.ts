/** Targets that do everything wrong: each run ends in time, with the right one to blame, and leaves nothing behind. */
import assert from 'node:assert/strict'
import type net from 'node:net'
import { test } from 'node:test'
import zlib from 'node:zlib'
import type { ApiRequest, HttpObservation, ProbePhase } from '@vedette/schema'
import { startBlackHole } from '../testing/black-hole.ts'
import { apiSettings, listen, runContext } from '../testing/builders.ts'
import { apiProbe } from './api.ts'

const LIMIT_MS = 400
const SLACK_MS = 250
const HEAD = 'HTTP/1.1 200 OK\r\n'

/** Sends the same again and again until the connection is gone. */
function flood(socket: net.Socket, piece: string | Buffer): void {
  // Many at a time: it is the other side that is to be kept busy.
  const many = Buffer.concat(Array.from({ length: Math.ceil(16_384 / piece.length) }, () => Buffer.from(piece)))
  const more = () => {
    while (!socket.destroyed && socket.write(many)) if (socket.writableLength > 1e6) break
  }
  socket.on('drain', more)
  more()
}

function drip(socket: net.Socket, text: string, everyMs = 20): void {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), everyMs)
  socket.once('close', () => clearInterval(timer))
}

/** Answers once something was asked. */
const after = (reply: (socket: net.Socket) => void) => (socket: net.Socket) =>
  void socket.once('data', () => reply(socket))
const saying = (answer: string | Buffer) => after((socket) => socket.end(answer))
const holding = (answer: string) => after((socket) => socket.write(answer))

interface Row {
  name: string
  target: (socket: net.Socket) => void
  scheme?: 'https'
  request?: Partial<ApiRequest>
  code: string
  phase: ProbePhase
  message?: RegExp
}

const rows: Row[] = [
  {
    name: 'silent after connecting',
    target: () => {},
    code: 'ETIMEDOUT',
    phase: 'headers',
    message: /no answer within 0.4 s while waiting for headers/,
  },
  { name: 'closes at once', target: (socket) => socket.end(), code: 'ECONNRESET', phase: 'headers' },
  { name: 'closes after the request', target: saying(''), code: 'ECONNRESET', phase: 'headers' },
  {
    name: 'resets after the request',
    target: after((socket) => socket.resetAndDestroy()),
    code: 'ECONNRESET',
    phase: 'headers',
  },
  {
    name: 'resets in the body',
    target: after((socket) =>
      socket.write(`${HEAD}content-length: 100\r\n\r\nhalf`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
    ),
    code: 'ECONNRESET',
    phase: 'body',
  },
  {
    name: 'greets as SSH does',
    target: (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
    code: 'ERR_NOT_HTTP',
    phase: 'headers',
    message: /SSH-2.0/,
  },
  {
    name: 'greets as SMTP does',
    target: (socket) => socket.write('220 mail ESMTP\r\n'),
    code: 'ERR_NOT_HTTP',
    phase: 'headers',
  },
  {
    name: 'speaks HTTP/2',
    target: saying(Buffer.from([0, 0, 18, 4, 0, 0, 0, 0, 0])),
    code: 'ERR_NOT_HTTP',
    phase: 'headers',
  },
  { name: 'answers as HTTP/0.9 did', target: saying('<html>hello</html>'), code: 'ERR_NOT_HTTP', phase: 'headers' },
  { name: 'answers binary junk', target: saying(Buffer.alloc(5000, 0xff)), code: 'ERR_NOT_HTTP', phase: 'headers' },
  {
    name: 'claims HTTP/2.0 in text',
    target: saying('HTTP/2.0 200 OK\r\n\r\n'),
    code: 'ERR_NOT_HTTP',
    phase: 'headers',
  },
  { name: 'has no status', target: saying('HTTP/1.1 \r\n\r\n'), code: 'ERR_MALFORMED_ANSWER', phase: 'headers' },
  {
    name: 'has a status of two digits',
    target: saying('HTTP/1.1 20 OK\r\n\r\n'),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has a status that is no number',
    target: saying('HTTP/1.1 abc OK\r\n\r\n'),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has a status of zero',
    target: saying('HTTP/1.1 000 OK\r\n\r\n'),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'ends lines with LF only',
    target: holding('HTTP/1.1 200 OK\nserver: a\n\nhello'),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has a header without a colon',
    target: saying(`${HEAD}nonsense\r\n\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has a header without a name',
    target: saying(`${HEAD}: value\r\n\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has a line end of another sort in a header',
    target: saying(`${HEAD}name: \n\r\n\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has a line end of another sort in a header that goes on',
    target: saying(`${HEAD}name: a\r\n b\nc\r\n\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has a space before the colon',
    target: saying(`${HEAD}name : value\r\n\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has NUL in a header',
    target: saying(`${HEAD}name: a\0b\r\n\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has CR in a header',
    target: saying(`${HEAD}name: a\rb\r\n\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'drips the status line',
    target: after((socket) => drip(socket, 'HTTP/1.1 200 OK, eventually')),
    code: 'ETIMEDOUT',
    phase: 'headers',
  },
  {
    name: 'drips headers',
    target: after((socket) => drip(socket, `${HEAD}${'x-a: b\r\n'.repeat(1000)}`, 5)),
    code: 'ETIMEDOUT',
    phase: 'headers',
  },
  {
    name: 'drips the body',
    target: after((socket) => {
      socket.write(`${HEAD}content-length: 1000\r\n\r\n`)
      drip(socket, 'body')
    }),
    code: 'ETIMEDOUT',
    phase: 'body',
    message: /while reading the body/,
  },
  { name: 'stops in the headers', target: holding(`${HEAD}server: a\r\n`), code: 'ETIMEDOUT', phase: 'headers' },
  {
    name: 'stops in the body',
    target: holding(`${HEAD}content-length: 10\r\n\r\nhalf`),
    code: 'ETIMEDOUT',
    phase: 'body',
  },
  { name: 'closes in the headers', target: saying(`${HEAD}server: a\r\n`), code: 'ECONNRESET', phase: 'headers' },
  {
    name: 'closes in the body',
    target: saying(`${HEAD}content-length: 10\r\n\r\nhalf`),
    code: 'ERR_BODY_CUT',
    phase: 'body',
    message: /4 of 10 bytes/,
  },
  {
    name: 'floods with headers',
    target: after((socket) => {
      socket.write(HEAD)
      flood(socket, 'x-header: value\r\n'.repeat(100))
    }),
    code: 'ERR_HEADERS_TOO_LARGE',
    phase: 'headers',
  },
  {
    name: 'floods with one header',
    target: after((socket) => {
      socket.write(`${HEAD}x: `)
      flood(socket, 'v'.repeat(10_000))
    }),
    code: 'ERR_HEADERS_TOO_LARGE',
    phase: 'headers',
  },
  {
    name: 'has too many headers',
    target: saying(`${HEAD}${'a: b\r\n'.repeat(201)}\r\n`),
    code: 'ERR_HEADERS_TOO_LARGE',
    phase: 'headers',
    message: /more than 200/,
  },
  {
    name: 'continues for ever',
    target: after((socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n')),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
    message: /100 informational/,
  },
  {
    name: 'hints for ever',
    target: after((socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'continues and stops',
    target: holding('HTTP/1.1 100 Continue\r\n\r\n'),
    code: 'ETIMEDOUT',
    phase: 'headers',
  },
  {
    name: 'continues and closes',
    target: saying('HTTP/1.1 100 Continue\r\n\r\n'),
    code: 'ECONNRESET',
    phase: 'headers',
  },
  {
    name: 'gives two lengths',
    target: saying(`${HEAD}content-length: 3\r\ncontent-length: 4\r\n\r\nabc`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'gives a negative length',
    target: saying(`${HEAD}content-length: -3\r\n\r\nabc`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'gives a length that is no number',
    target: saying(`${HEAD}content-length: 3x\r\n\r\nabc`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'gives a length without end',
    target: saying(`${HEAD}content-length: ${'9'.repeat(30)}\r\n\r\nabc`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'gives a length and chunks',
    target: saying(`${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'headers',
  },
  {
    name: 'has a chunk size that is no number',
    target: saying(`${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'body',
  },
  {
    name: 'has a chunk size without end',
    target: saying(`${HEAD}transfer-encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'body',
  },
  {
    name: 'has chunks longer than they say',
    target: saying(`${HEAD}transfer-encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n`),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'body',
  },
  {
    name: 'has no last chunk',
    target: saying(`${HEAD}transfer-encoding: chunked\r\n\r\n1\r\na\r\n`),
    code: 'ERR_BODY_CUT',
    phase: 'body',
  },
  {
    name: 'has an endless chunk extension',
    target: after((socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n1;`)
      flood(socket, 'x'.repeat(1000))
    }),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'body',
  },
  {
    name: 'has endless trailers',
    target: after((socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n0\r\n`)
      flood(socket, 'a: b\r\n'.repeat(100))
    }),
    code: 'ERR_MALFORMED_ANSWER',
    phase: 'body',
  },
  {
    name: 'says gzip and is not',
    target: saying(`${HEAD}content-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello`),
    code: 'ERR_BODY_DECODING',
    phase: 'body',
  },
  {
    name: 'says zstd and is not',
    target: saying(`${HEAD}content-encoding: zstd\r\ncontent-length: 5\r\n\r\nhello`),
    code: 'ERR_BODY_DECODING',
    phase: 'body',
  },
  {
    name: 'redirects in circles',
    target: saying('HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'),
    code: 'ERR_TOO_MANY_REDIRECTS',
    phase: 'redirect',
  },
  {
    name: 'redirects to a file',
    target: saying('HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\n\r\n'),
    code: 'ERR_REDIRECT',
    phase: 'redirect',
    message: /file:/,
  },
  {
    name: 'redirects to nonsense',
    target: saying('HTTP/1.1 302 Found\r\nlocation: http://[\r\n\r\n'),
    code: 'ERR_REDIRECT',
    phase: 'redirect',
  },
  {
    name: 'does not answer TLS',
    target: () => {},
    scheme: 'https',
    code: 'ETIMEDOUT',
    phase: 'tls',
    message: /while shaking hands/,
  },
  {
    name: 'speaks plain HTTP on a TLS port',
    target: saying(`${HEAD}\r\n`),
    scheme: 'https',
    code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    phase: 'tls',
    message: /does not speak TLS/,
  },
  {
    name: 'answers junk to a handshake',
    target: saying(Buffer.alloc(500, 0x16)),
    scheme: 'https',
    code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    phase: 'tls',
  },
  {
    name: 'greets before TLS',
    target: (socket) => socket.write('220 ready for STARTTLS\r\n'),
    scheme: 'https',
    code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    phase: 'tls',
  },
  { name: 'closes in the handshake', target: saying(''), scheme: 'https', code: 'ECONNRESET', phase: 'tls' },
  {
    name: 'resets in the handshake',
    target: after((socket) => socket.resetAndDestroy()),
    scheme: 'https',
    code: 'ECONNRESET',
    phase: 'tls',
  },
  {
    name: 'drips the handshake',
    target: after((socket) => drip(socket, '\x16\x03\x03\x40\x00')),
    scheme: 'https',
    code: 'ETIMEDOUT',
    phase: 'tls',
  },
]

async function observe(port: number, { scheme, request = {} }: Partial<Row>): Promise<HttpObservation> {
  const url = `${scheme ?? 'http'}://127.0.0.1:${port}/`
  return apiProbe.observe(apiSettings({ url, ...request }), runContext({ limitMs: LIMIT_MS }))
}

for (const row of rows) {
  test(`a target that ${row.name}`, async (t) => {
    let open = 0
    let allClosed = () => {}
    const port = await listen(t, (socket) => {
      open += 1
      socket.once('close', () => {
        open -= 1
        if (open === 0) allClosed()
      })
      row.target(socket)
      // Who does not read does not learn that the other side has closed.
      socket.resume()
    })
    const startedAt = performance.now()
    const { response, failure } = await observe(port, row)
    const took = performance.now() - startedAt
    assert.equal(response, null)
    assert.equal(failure?.code, row.code, failure?.message)
    assert.equal(failure?.phase, row.phase, failure?.message)
    assert.equal(failure?.blame, 'target')
    assert.ok(failure?.message.includes(row.code), failure?.message)
    if (row.message !== undefined) assert.match(failure?.message ?? '', row.message)
    assert.ok(took <= LIMIT_MS + SLACK_MS, `took ${took} ms`)
    // Nothing but our side closing ends these connections.
    if (open > 0) await new Promise<void>((resolve) => (allClosed = resolve))
  })
}

test('a target that refuses connections', async () => {
  const { failure } = await apiProbe.observe(apiSettings({ url: 'http://127.0.0.1:1/' }), runContext())
  assert.deepEqual(failure, {
    blame: 'target',
    code: 'ECONNREFUSED',
    message: 'connect ECONNREFUSED 127.0.0.1:1',
    phase: 'connect',
  })
})

test('a target that never accepts connections', async (t) => {
  const port = await startBlackHole(t)
  const startedAt = performance.now()
  const { failure } = await observe(port, {})
  assert.ok(performance.now() - startedAt <= LIMIT_MS + SLACK_MS)
  assert.equal(failure?.message, 'ETIMEDOUT: no answer within 0.4 s while connecting')
  assert.deepEqual([failure?.phase, failure?.blame], ['connect', 'target'])
})

test('a target that resets at once', async (t) => {
  const port = await listen(t, (socket) => socket.resetAndDestroy())
  const { failure } = await observe(port, {})
  assert.deepEqual([failure?.code, failure?.blame], ['ECONNRESET', 'target'])
})

test('a body without end is cut at the limit', async (t) => {
  const port = await listen(
    t,
    after((socket) => {
      socket.write(`${HEAD}\r\n`)
      flood(socket, 'x'.repeat(100_000))
    }),
  )
  const { response } = await apiProbe.observe(
    apiSettings({ url: `http://127.0.0.1:${port}/` }),
    runContext({ keepBytes: 1000 }),
  )
  assert.equal(response?.truncated, true)
  assert.equal(response?.body.length, 1000)
})

test('a million chunks of one byte are read whole', async (t) => {
  const port = await listen(
    t,
    saying(`${HEAD}transfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(1_000_000)}0\r\n\r\n`),
  )
  const { response, failure } = await apiProbe.observe(apiSettings({ url: `http://127.0.0.1:${port}/` }), runContext())
  assert.equal(failure, null)
  assert.deepEqual([response?.body.length, response?.truncated], [1_000_000, false])
})

test('bombs are cut at the limit, whatever they are coded with', async (t) => {
  const bomb = Buffer.alloc(60 * 1024 * 1024)
  const coded = {
    gzip: zlib.gzipSync(bomb),
    br: zlib.brotliCompressSync(bomb, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } }),
    zstd: zlib.zstdCompressSync(bomb),
    deflate: zlib.deflateRawSync(bomb),
  }
  for (const [coding, bytes] of Object.entries(coded)) {
    const head = Buffer.from(`${HEAD}content-encoding: ${coding}\r\ncontent-length: ${bytes.length}\r\n\r\n`)
    const port = await listen(t, saying(Buffer.concat([head, bytes])))
    const { response, failure } = await apiProbe.observe(
      apiSettings({ url: `http://127.0.0.1:${port}/` }),
      runContext(),
    )
    assert.equal(failure, null, coding)
    assert.deepEqual([response?.truncated, response?.body.length], [true, 25 * 1024 * 1024], coding)
  }
})

test('many codings, or one that is not known, are left as they are', async (t) => {
  for (const coding of [Array(40).fill('gzip').join(', '), 'constructor', 'compress']) {
    const port = await listen(t, saying(`${HEAD}content-encoding: ${coding}\r\ncontent-length: 5\r\n\r\nhello`))
    const { response } = await apiProbe.observe(apiSettings({ url: `http://127.0.0.1:${port}/` }), runContext())
    assert.equal(response?.body, 'hello')
  }
})
