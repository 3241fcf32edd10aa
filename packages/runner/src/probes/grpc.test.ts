/** What gRPC checks see of a real server, and of those that are none. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import { type TestContext, test } from 'node:test'
import * as grpc from '@grpc/grpc-js'
import { judges } from '@vedette/core'
import type { GrpcConfig, GrpcRequest, GrpcSettings } from '@vedette/schema'
import { answering, listen, portOf, runContext } from '../testing/builders.ts'
import { selfSigned } from '../testing/certificates.ts'
import { ORDERS_PROTO, startGrpcServer } from '../testing/grpc-server.ts'
import { grpcProbe } from './grpc.ts'

const settings = (port: number, config: GrpcConfig, rest: Partial<GrpcRequest> = {}): GrpcSettings => ({
  request: { url: '127.0.0.1', port, grpcConfig: { tls: false, ...config }, ...rest },
  shouldFail: false,
  degradedResponseTime: null,
  maxResponseTime: null,
})
const look = async (port: number, config: GrpcConfig, rest: Partial<GrpcRequest> = {}, limitMs = 5000) => {
  const asked = settings(port, config, rest)
  const observation = await grpcProbe.observe(asked, runContext({ limitMs }))
  return { ...observation, ...judges.GRPC(asked, observation) }
}
const get = (message: string): GrpcConfig => ({ mode: 'BEHAVIOR', method: 'shop.Orders/Get', message })

test('asks a server how it and its services are', async (t) => {
  const port = await startGrpcServer(t, { health: { '': 'SERVING', 'shop.Orders': 'NOT_SERVING' } })
  const well = await look(port, {})
  assert.deepEqual([well.verdict, well.response?.health, well.response?.status], ['passed', 'SERVING', 0])
  const ill = await look(port, { service: 'shop.Orders' })
  assert.deepEqual([ill.verdict, ill.error], ['failed', 'expected the service to be SERVING, but it is NOT_SERVING'])
  const unknown = await look(port, { service: 'shop.Nothing' })
  assert.match(unknown.error ?? '', /^expected the status OK, but the call ended with NOT_FOUND/)
  const expected = [{ source: 'GRPC_HEALTHCHECK_STATUS', comparison: 'EQUALS', target: 'NOT_SERVING' } as const]
  assert.equal((await look(port, { service: 'shop.Orders' }, { assertions: expected })).verdict, 'passed')
})

test('calls a method by the reflection of the server, and judges message, metadata and status', async (t) => {
  const port = await startGrpcServer(t)
  const metadata = [{ key: 'x-token', value: 'me', locked: false }]
  const assertions: NonNullable<GrpcRequest['assertions']> = [
    { source: 'GRPC_STATUS_CODE', comparison: 'EQUALS', target: '0' },
    { source: 'GRPC_STATUS_CODE', comparison: 'EQUALS', target: 'OK' },
    { source: 'GRPC_RESPONSE', property: '$.state', comparison: 'EQUALS', target: 'PAID' },
    { source: 'GRPC_RESPONSE', property: '$.items[0].cents', comparison: 'EQUALS', target: '9007199254740993' },
    { source: 'GRPC_METADATA', property: 'X-Served-By', comparison: 'EQUALS', target: 'me' },
    { source: 'TEXT_BODY', property: '"team":"(\\w+)"', comparison: 'EQUALS', target: 'red' },
    { source: 'RESPONSE_TIME', comparison: 'LESS_THAN', target: '5000' },
  ]
  const seen = await look(port, { ...get('{"id":"o-1"}'), metadata }, { assertions })
  assert.deepEqual([seen.verdict, seen.error], ['passed', null])
  const { total = -1, ...phases } = seen.response?.timingPhases ?? {}
  assert.ok(Math.abs(Object.values(phases).reduce((sum, phase) => sum + phase, 0) - total) < 0.01)

  const missing = await look(port, get('{"id":"missing"}'))
  assert.equal(missing.error, 'expected the status OK, but the call ended with NOT_FOUND: no such order: ä%')
  const all = await look(port, { mode: 'BEHAVIOR', method: '/shop.Orders/All' })
  assert.deepEqual(
    JSON.parse(all.response?.message ?? '[]').map(({ id }: { id: string }) => id),
    ['1', '2'],
  )
})

test('calls a method by the text of a .proto file where the server says nothing of itself', async (t) => {
  const port = await startGrpcServer(t, { withReflection: false })
  const without = await look(port, get('{"id":"o-1"}'))
  assert.deepEqual(
    [without.verdict, without.error],
    ['failed', 'ERR_GRPC_REFLECTION: the server has no reflection: give the check a .proto file'],
  )
  const withText = { ...get('{"id":"o-1"}'), serviceDefinition: 'PROTO_FILE', protoContent: ORDERS_PROTO } as const
  const seen = await look(port, withText)
  assert.deepEqual(
    [seen.verdict, JSON.parse(seen.response?.message ?? '{}').items],
    ['passed', [{ name: 'pen', cents: '9007199254740993' }]],
  )
  const wrong: [GrpcConfig, RegExp][] = [
    [{ ...withText, protoContent: 'syntax = "proto3"; message {' }, /the \.proto file cannot be read/],
    [{ ...withText, method: 'shop.Orders/Gone' }, /does not define the method shop\.Orders\/Gone/],
    [{ ...withText, message: '{"id":7}' }, /the message does not fit shop\.Wanted/],
    [{ ...withText, message: 'id' }, /the message does not fit shop\.Wanted/],
    [{ ...withText, method: 'shop.Orders/Put' }, /Put takes a stream of messages/],
    [{ ...withText, protoContent: 'import "other.proto"; service S {}' }, /\.proto file/],
  ]
  for (const [config, message] of wrong) {
    const { verdict, error } = await look(port, config)
    assert.deepEqual([verdict, message.test(error ?? '')], ['error', true], error ?? '')
  }
})

test('speaks TLS, and judges the certificate', async (t) => {
  const own = selfSigned()
  const credentials = grpc.ServerCredentials.createSsl(null, [
    { cert_chain: Buffer.from(own.cert), private_key: Buffer.from(own.key) },
  ])
  const port = await startGrpcServer(t, { credentials, health: { '': 'SERVING' } })
  const refused = await look(port, { tls: true })
  assert.match(refused.error ?? '', /^DEPTH_ZERO_SELF_SIGNED_CERT: the certificate is self-signed/)
  assert.equal((await look(port, { tls: true }, { skipSSL: true })).verdict, 'passed')
})

/** An HTTP/2 server in the clear that does what it is told with each call. */
async function http2Server(t: TestContext, onStream: (stream: http2.ServerHttp2Stream) => void): Promise<number> {
  const server = http2.createServer()
  const sessions = new Set<http2.ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {})
  })
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    onStream(stream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return portOf(server)
}

const frame = (length: number, bytes: Buffer, flag = 0) => {
  const head = Buffer.alloc(5)
  head[0] = flag
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, bytes])
}

/** What comes is told in words, and nothing takes longer than its limit. */
test('servers that are none, and servers that lie', async (t) => {
  const grpcHeaders = { ':status': 200, 'content-type': 'application/grpc' } as const
  const replying = (body: Buffer, status = '0') =>
    http2Server(t, (stream) => {
      stream.respond(grpcHeaders, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }))
      stream.end(body)
    })
  const table: [name: string, port: number, expected: RegExp, blame: 'failed' | 'error'][] = [
    ['nobody listens', 1, /ECONNREFUSED/, 'failed'],
    ['silence', await listen(t, () => {}), /ETIMEDOUT: no answer within 0\.4 s while waiting for headers/, 'failed'],
    [
      'HTTP/1.1',
      await answering(t, 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'),
      /ERR_NOT_HTTP2/,
      'failed',
    ],
    ['garbage', await answering(t, Buffer.alloc(500, 'x')), /ERR_NOT_HTTP2|ECONNRESET/, 'failed'],
    [
      'a reset',
      await listen(t, (socket) => socket.once('data', () => socket.resetAndDestroy())),
      /ECONNRESET/,
      'failed',
    ],
    ['an end', await listen(t, (socket) => socket.once('data', () => socket.end())), /ECONNRESET|ERR_GOAWAY/, 'failed'],
    [
      'a web page',
      await http2Server(t, (s) => {
        s.respond({ ':status': 404, 'content-type': 'text/html' })
        s.end('no')
      }),
      /ERR_NOT_GRPC.*HTTP status 404/,
      'failed',
    ],
    [
      'no status',
      await http2Server(t, (s) => {
        s.respond(grpcHeaders)
        s.end()
      }),
      /ERR_NOT_GRPC.*without a gRPC status/,
      'failed',
    ],
    [
      'only trailers',
      await http2Server(t, (s) => {
        s.respond({ ...grpcHeaders, 'grpc-status': '14', 'grpc-message': 'going%20down' })
        s.end()
      }),
      /UNAVAILABLE: going down/,
      'failed',
    ],
    ['a strange status', await replying(Buffer.alloc(0), '99'), /ended with 99/, 'failed'],
    ['a cut message', await replying(frame(100, Buffer.from('abc'))), /ERR_GRPC_FRAME.*middle of a message/, 'failed'],
    ['a cut frame', await replying(Buffer.from([0, 0])), /ERR_GRPC_FRAME/, 'failed'],
    ['compression', await replying(frame(3, Buffer.from('abc'), 1)), /ERR_GRPC_FRAME.*compressed/, 'failed'],
    ['a bomb', await replying(frame(0xffffffff, Buffer.from('abc'))), /ERR_TOO_LARGE/, 'failed'],
    ['no health message', await replying(frame(3, Buffer.from([0x0a, 0xff, 0xff]))), /ERR_GRPC_MESSAGE/, 'failed'],
    [
      'RST_STREAM',
      await http2Server(t, (s) => s.close(http2.constants.NGHTTP2_REFUSED_STREAM)),
      /ERR_RST_STREAM.*REFUSED_STREAM/,
      'failed',
    ],
    [
      'GOAWAY',
      await http2Server(t, (s) => s.session?.goaway(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM)),
      /ERR_GOAWAY.*ENHANCE_YOUR_CALM/,
      'failed',
    ],
    [
      'headers, then silence',
      await http2Server(t, (s) => s.respond(grpcHeaders)),
      /ETIMEDOUT.*reading the body/,
      'failed',
    ],
    [
      'an endless answer',
      await http2Server(t, (s) => {
        s.respond(grpcHeaders)
        const more = () => {
          while (!s.destroyed && s.write(Buffer.alloc(65_536)));
        }
        s.on('drain', more)
        more()
      }),
      /ERR_TOO_LARGE|ETIMEDOUT/,
      'failed',
    ],
    [
      'dripping',
      await http2Server(t, (s) => {
        s.respond(grpcHeaders)
        const drip = setInterval(() => (s.destroyed ? clearInterval(drip) : s.write(Buffer.from([0]))), 20)
        s.on('close', () => clearInterval(drip))
      }),
      /ETIMEDOUT/,
      'failed',
    ],
  ]
  for (const [name, port, expected, verdict] of table) {
    const startedAt = performance.now()
    const seen = await look(port, {}, {}, 400)
    const took = performance.now() - startedAt
    assert.match(seen.error ?? '', expected, name)
    assert.equal(seen.verdict, verdict, name)
    assert.ok(took < 400 + 250 + 500, `${name} took ${took} ms`)
  }
})

test('a name that does not exist is the target’s, an address that is not allowed is ours', async () => {
  const forbidden = await look(443, {}, { url: '169.254.169.254' })
  assert.deepEqual([forbidden.verdict, forbidden.failure?.code], ['error', 'ERR_ADDRESS_NOT_ALLOWED'])
})

test('no socket is left when a call is over', async (t) => {
  const server = http.createServer()
  let open = 0
  server.on('connection', (socket) => {
    open += 1
    socket.on('close', () => {
      open -= 1
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  for (let round = 0; round < 5; round += 1) await look(portOf(server), {}, {}, 300)
  while (open > 0) await new Promise((resolve) => setTimeout(resolve, 5))
})
