/** What a TCP check sees of good and bad targets: each run ends in time, with the right one to blame. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { egressPolicy, judges } from '@vedette/core'
import type { ProbePhase, TcpObservation, TcpRequest, TcpSettings } from '@vedette/schema'
import { tcpDetails } from '../details/tcp.ts'
import { startBlackHole } from '../testing/black-hole.ts'
import { listen, portOf, runContext } from '../testing/builders.ts'
import { makeAuthority, selfSigned } from '../testing/certificates.ts'
import { startDnsServer } from '../testing/dns-server.ts'
import { tcpProbe } from './tcp.ts'

// The probe reads whom it trusts once.
const authority = makeAuthority()
tls.setDefaultCACertificates([authority.cert])

const LIMIT_MS = 1500
const SLACK_MS = 250

type Reaction = (socket: net.Socket) => void

const after = (reply: Reaction): Reaction => {
  return (socket) => void socket.once('data', () => reply(socket))
}
const saying = (answer: string | Buffer): Reaction => after((socket) => socket.end(answer))

function settingsOf(request: Partial<TcpRequest>, rest: Partial<TcpSettings> = {}): TcpSettings {
  return {
    request: { hostname: '127.0.0.1', port: 1, ...request },
    shouldFail: false,
    degradedResponseTime: null,
    maxResponseTime: null,
    ...rest,
  }
}

type Context = Parameters<typeof runContext>[0]

/** Looks as a runner does, and says how that was judged. */
async function look(request: Partial<TcpRequest>, context: Context = {}, rest: Partial<TcpSettings> = {}) {
  const settings = settingsOf(request, rest)
  const startedAt = performance.now()
  const observation: TcpObservation = await tcpProbe.observe(
    settings,
    runContext({ limitMs: LIMIT_MS, keepBytes: tcpDetails.keepBytes(settings), ...context }),
  )
  const took = performance.now() - startedAt
  assert.ok(took <= (context.limitMs ?? LIMIT_MS) + SLACK_MS, `took ${took} ms`)
  const { response, failure, responseTimeMs } = observation
  return { observation, response, failure, responseTimeMs, took, ...judges.TCP(settings, observation) }
}

interface Target {
  port: number
  /** Fulfilled when we have closed all connections. */
  abandoned: () => Promise<void>
}

/** A target whose connections only end when we end them. */
async function startTarget(t: TestContext, reaction: Reaction): Promise<Target> {
  let open = 0
  let closed = () => {}
  const port = await listen(t, (socket) => {
    open += 1
    socket.once('close', () => {
      open -= 1
      if (open === 0) closed()
    })
    reaction(socket)
    // Who does not read does not learn that the other side has closed.
    socket.resume()
  })
  return {
    port,
    async abandoned() {
      if (open > 0) await new Promise<void>((resolve) => (closed = resolve))
    },
  }
}

interface Answer {
  name: string
  target: Reaction
  request?: Partial<TcpRequest>
  data: string
  truncated?: boolean
}

const asks: Partial<TcpRequest> = { data: 'PING\r\n' }
const expectsData: Partial<TcpRequest> = { assertions: [{ source: 'RESPONSE_DATA', comparison: 'NOT_EMPTY' }] }
const KIB_64 = 64 * 1024

const answers: Answer[] = [
  { name: 'accepts, where nothing is asked', target: () => {}, data: '' },
  { name: 'closes at once, where nothing is asked', target: (socket) => socket.end(), data: '' },
  { name: 'greets, where nothing is asked', target: (socket) => socket.write('220 mail\r\n'), data: '' },
  { name: 'answers and closes', target: saying('+PONG\r\n'), request: asks, data: '+PONG\r\n' },
  {
    name: 'answers and stays',
    target: after((socket) => socket.write('+PONG\r\n')),
    request: asks,
    data: '+PONG\r\n',
  },
  {
    name: 'greets first',
    target: (socket) => socket.write('220 mail ESMTP\r\n'),
    request: expectsData,
    data: '220 mail ESMTP\r\n',
  },
  {
    name: 'answers in pieces',
    target: after((socket) => {
      socket.write('one ')
      setTimeout(() => socket.end('two'), 50)
    }),
    request: asks,
    data: 'one two',
  },
  {
    name: 'answers all that is read, to the byte',
    target: saying('x'.repeat(KIB_64)),
    request: asks,
    data: 'x'.repeat(KIB_64),
  },
  {
    name: 'answers a byte more than is read',
    target: saying('x'.repeat(KIB_64 + 1)),
    request: asks,
    data: 'x'.repeat(KIB_64),
    truncated: true,
  },
  {
    name: 'is cut in the middle of a character',
    target: saying(`x${'ü'.repeat(KIB_64)}`),
    request: asks,
    data: `x${'ü'.repeat(KIB_64 / 2 - 1)}`,
    truncated: true,
  },
  {
    name: 'never ends',
    target: after((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write('y'.repeat(10_000))) if (socket.writableLength > 1e6) break
      }
      socket.on('drain', more)
      more()
    }),
    request: asks,
    data: 'y'.repeat(KIB_64),
    truncated: true,
  },
  {
    name: 'answers bytes that are no text',
    target: saying(Buffer.from([0xff, 0xfe, 0x41, 0xc3])),
    request: asks,
    data: '\ufffd\ufffdA\ufffd',
  },
  { name: 'answers with a byte order mark', target: saying('\ufeffhello'), request: asks, data: '\ufeffhello' },
  { name: 'answers NUL', target: saying('a\0b'), request: asks, data: 'a\0b' },
]

for (const { name, target, request, data, truncated = false } of answers) {
  test(`a target that ${name}`, async (t) => {
    const { port, abandoned } = await startTarget(t, target)
    const { verdict, error, response } = await look({ port, ...request })
    assert.deepEqual([verdict, error], ['passed', null])
    assert.deepEqual([response?.data, response?.truncated], [data, truncated])
    await abandoned()
  })
}

interface Fault {
  name: string
  target: Reaction
  request?: Partial<TcpRequest>
  code: string
  phase: ProbePhase
  message?: RegExp
}

const faults: Fault[] = [
  {
    name: 'is silent after connecting',
    target: () => {},
    request: expectsData,
    code: 'ETIMEDOUT',
    phase: 'data',
    message: /^ETIMEDOUT: no answer within 1.5 s while waiting for data$/,
  },
  { name: 'is silent when asked', target: () => {}, request: asks, code: 'ETIMEDOUT', phase: 'data' },
  {
    name: 'resets when asked',
    target: after((socket) => socket.resetAndDestroy()),
    request: asks,
    code: 'ECONNRESET',
    phase: 'data',
    message: /ECONNRESET while waiting for data/,
  },
  {
    name: 'resets after some data',
    target: after((socket) => socket.write('half', () => setTimeout(() => socket.resetAndDestroy(), 20))),
    request: asks,
    code: 'ECONNRESET',
    phase: 'data',
  },
  { name: 'does not answer TLS', target: () => {}, request: { tls: true }, code: 'ETIMEDOUT', phase: 'tls' },
  {
    name: 'drips the handshake',
    target: after((socket) => {
      const bytes = Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00])
      let at = 0
      const timer = setInterval(() => socket.write(bytes.subarray(at % 5, (at++ % 5) + 1)), 20)
      socket.once('close', () => clearInterval(timer))
    }),
    request: { tls: true },
    code: 'ETIMEDOUT',
    phase: 'tls',
  },
  {
    name: 'answers junk to a handshake',
    target: saying(Buffer.alloc(500, 0x16)),
    request: { tls: true },
    code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    phase: 'tls',
  },
  {
    name: 'greets before TLS',
    target: (socket) => socket.write('220 ready for STARTTLS\r\n'),
    request: { tls: true },
    code: 'ERR_SSL_WRONG_VERSION_NUMBER',
    phase: 'tls',
    message: /does not speak TLS/,
  },
  {
    name: 'closes in the handshake',
    target: after((socket) => socket.end()),
    request: { tls: true },
    code: 'ECONNRESET',
    phase: 'tls',
  },
]

for (const { name, target, request, code, phase, message } of faults) {
  test(`a target that ${name}`, async (t) => {
    const { port, abandoned } = await startTarget(t, target)
    const { verdict, failure, networkError } = await look({ port, ...request })
    assert.deepEqual([verdict, networkError], ['failed', true])
    assert.deepEqual([failure?.code, failure?.phase, failure?.blame], [code, phase, 'target'], failure?.message)
    if (message !== undefined) assert.match(failure?.message ?? '', message)
    await abandoned()
  })
}

test('who drips until the end has said as much as came', async (t) => {
  const { port, abandoned } = await startTarget(t, (socket) => {
    const timer = setInterval(() => socket.write('a'), 100)
    socket.once('close', () => clearInterval(timer))
  })
  const { verdict, response } = await look({ port, ...expectsData }, { limitMs: 1200 })
  assert.match(response?.data ?? '', /^a{2,12}$/)
  assert.deepEqual([verdict, response?.truncated], ['passed', true])
  await abandoned()
})

test('waiting for more is not counted as time that the target took', async (t) => {
  const { port } = await startTarget(t, (socket) => socket.write('hello'))
  const { took, responseTimeMs, response } = await look({ port, ...expectsData })
  assert.ok(took >= 999 && responseTimeMs < took - 900, `${responseTimeMs} of ${took} ms`)
  const { dns = 0, connection = 0, data = 0, total } = response?.timingPhases ?? {}
  assert.equal(total, responseTimeMs)
  assert.ok(Math.abs(dns + connection + data - responseTimeMs) < 0.01)
})

test('where nothing is read, the time is that of connecting', async (t) => {
  const { port } = await startTarget(t, () => {})
  const { responseTimeMs, response } = await look({ port })
  assert.equal(responseTimeMs, response?.timingPhases.connection)
})

test('a target that hangs up without a word has not answered, unless that is asserted on', async (t) => {
  const { port } = await startTarget(
    t,
    after((socket) => socket.end()),
  )
  const { verdict, error } = await look({ port, ...asks })
  assert.deepEqual([verdict, error], ['failed', 'the connection was closed without an answer'])
  const silent = { source: 'RESPONSE_DATA', comparison: 'IS_EMPTY' } as const
  assert.equal((await look({ port, ...asks, assertions: [silent] })).verdict, 'passed')
  assert.equal((await look({ port, ...asks, ...expectsData })).verdict, 'failed')
})

test('a target that resets at once is to blame, at whichever phase that is noticed', async (t) => {
  const { port } = await startTarget(t, (socket) => socket.resetAndDestroy())
  const { verdict, failure } = await look({ port, ...asks })
  assert.deepEqual([verdict, failure?.code, failure?.blame], ['failed', 'ECONNRESET', 'target'])
})

test('a target that refuses connections', async () => {
  const { verdict, failure } = await look({ port: 1 })
  assert.equal(verdict, 'failed')
  assert.deepEqual(failure, {
    blame: 'target',
    code: 'ECONNREFUSED',
    message: 'connect ECONNREFUSED 127.0.0.1:1',
    phase: 'connect',
  })
})

test('a target that never accepts connections', async (t) => {
  const port = await startBlackHole(t)
  const { verdict, error, failure } = await look({ port })
  assert.deepEqual([verdict, error], ['failed', 'ETIMEDOUT: no answer within 1.5 s while connecting'])
  assert.deepEqual([failure?.phase, failure?.blame], ['connect', 'target'])
})

test('a port that must stay closed passes when it is, and fails when it is not', async (t) => {
  const { port } = await startTarget(t, () => {})
  const closed = { shouldFail: true }
  const open = await look({ port }, {}, closed)
  assert.deepEqual([open.verdict, open.error], ['failed', `expected no connection, but 127.0.0.1:${port} accepted one`])
  const silent = await look({ port, ...asks }, {}, closed)
  assert.match(silent.error ?? '', /^expected no connection/)
  assert.equal((await look({ port: 1 }, {}, closed)).verdict, 'passed')
  assert.equal((await look({ port: await startBlackHole(t) }, {}, closed)).verdict, 'passed')
  const nobody = await startDnsServer(t, () => 3)
  const unknown = await look({ hostname: 'gone.test' }, { nameServers: [nobody] }, closed)
  assert.deepEqual([unknown.verdict, unknown.error], ['failed', 'ENOTFOUND: the name gone.test does not exist'])
})

test('names', async (t) => {
  const { port } = await startTarget(t, () => {})
  const nameServer = await startDnsServer(t, (name) => {
    if (name === 'mute.test') return 'silence'
    if (name === 'gone.test') return 3
    return name === 'six.test' ? ['::1'] : ['127.0.0.1']
  })
  const ask = async (hostname: string, rest: Context = {}) => {
    const seen = await look({ hostname, port }, { limitMs: 3000, nameServers: [nameServer], ...rest })
    return [seen.verdict, seen.failure?.phase, seen.failure?.message ?? seen.observation.resolvedIp]
  }
  await t.test('that exist are looked up', async () =>
    assert.deepEqual(await ask('four.test'), ['passed', undefined, '127.0.0.1']),
  )
  await t.test('without an A record', async () =>
    assert.deepEqual(await ask('six.test'), ['failed', 'dns', 'ENODATA: the name six.test has no A record']),
  )
  await t.test('that do not exist', async () =>
    assert.deepEqual(await ask('gone.test'), ['failed', 'dns', 'ENOTFOUND: the name gone.test does not exist']),
  )
  await t.test('whose name server is mute are our trouble', async () => {
    const [verdict, phase, message] = await ask('mute.test', { limitMs: 5000 })
    assert.deepEqual([verdict, phase], ['error', 'dns'])
    assert.match(String(message), /^ETIMEOUT: our name server did not answer/)
  })
  await t.test('of addresses that are not allowed are our trouble', async () => {
    const [verdict, , message] = await ask('four.test', {
      egress: egressPolicy('check-built-in', { deny: ['127.0.0.1'] }),
    })
    assert.equal(verdict, 'error')
    assert.match(String(message), /^ERR_ADDRESS_NOT_ALLOWED/)
  })
  await t.test('that do not come in time', async () => {
    const [verdict, phase, message] = await ask('mute.test', { limitMs: 300 })
    assert.deepEqual([verdict, phase], ['error', 'dns'])
    assert.equal(message, 'ETIMEDOUT: our name server did not answer for mute.test within 0.3 s')
  })
})

test('a target that speaks IPv6 only', async (t) => {
  const server = net.createServer((socket) => socket.end('six'))
  server.listen({ port: 0, host: '::1', ipv6Only: true })
  await once(server, 'listening')
  t.after(() => server.close())
  const port = portOf(server)
  const six = await look({ hostname: 'localhost', port, ipFamily: 'IPv6', ...expectsData })
  assert.deepEqual([six.response?.data, six.observation.resolvedIp], ['six', '::1'])
  assert.equal((await look({ hostname: '[::1]', port, ...expectsData })).response?.data, 'six')
  const four = await look({ hostname: 'localhost', port })
  assert.deepEqual([four.verdict, four.failure?.code], ['failed', 'ECONNREFUSED'])
})

test('TLS', async (t) => {
  const serve = (certificate: tls.SecureContextOptions, delayMs = 0) =>
    listen(t, (socket) => {
      setTimeout(() => {
        const secureContext = tls.createSecureContext(certificate)
        const secure = new tls.TLSSocket(socket, { isServer: true, secureContext })
        secure.on('error', () => {})
        secure.once('data', (asked) => secure.end(`you said ${asked}`))
      }, delayMs)
    })
  const good = authority.issue('DNS:localhost,IP:127.0.0.1')
  const secure = { hostname: 'localhost', tls: true, data: 'hello' }
  await t.test('is spoken where it is wanted', async () => {
    const seen = await look({ ...secure, port: await serve(good) })
    assert.equal(seen.response?.data, 'you said hello')
    assert.equal((await look({ ...secure, hostname: '127.0.0.1', port: await serve(good) })).verdict, 'passed')
    assert.equal((await look({ hostname: 'localhost', tls: true, port: await serve(good) })).verdict, 'passed')
  })
  await t.test('may be slow', async () => {
    const seen = await look({ ...secure, port: await serve(good, 300) })
    assert.equal(seen.verdict, 'passed')
    assert.ok((seen.response?.timingPhases.connection ?? 0) >= 290)
  })
  const bad = {
    CERT_HAS_EXPIRED: authority.issue('DNS:localhost', { expired: true }),
    DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned(),
    ERR_TLS_CERT_ALTNAME_INVALID: authority.issue('DNS:elsewhere.example'),
  }
  for (const [code, certificate] of Object.entries(bad)) {
    await t.test(`${code} is told, and overlooked on request`, async () => {
      const { verdict, failure } = await look({ ...secure, port: await serve(certificate) })
      assert.deepEqual([verdict, failure?.code, failure?.phase], ['failed', code, 'tls'])
      const seen = await look({ ...secure, skipSSL: true, port: await serve(certificate) })
      assert.equal(seen.response?.data, 'you said hello')
    })
  }
})
