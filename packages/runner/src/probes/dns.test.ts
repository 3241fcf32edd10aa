/** Name servers that do as they should, and name servers that do everything wrong: each run ends in time, well blamed. */
import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { type DnsMessage, egressPolicy, judges } from '@vedette/core'
import type { DnsRequest, Failure, Verdict } from '@vedette/schema'
import { dnsSettings, listen, runContext } from '../testing/builders.ts'
import { makeAuthority } from '../testing/certificates.ts'
import { startDnsServer } from '../testing/dns-server.ts'
import {
  a,
  answerTo,
  framed,
  nameData,
  type Reply,
  record,
  startHttp2NameServer,
  startHttpsNameServer,
  startNameServer,
  startTlsNameServer,
} from '../testing/name-server.ts'
import { dnsProbe } from './dns.ts'

const LIMIT_MS = 400
const SLACK_MS = 250

type Context = Parameters<typeof runContext>[0]

async function look(request: Partial<DnsRequest>, context: Context = {}) {
  const settings = dnsSettings(request, { degradedResponseTime: null, maxResponseTime: null })
  const observation = await dnsProbe.observe(settings, runContext(context))
  const { verdict, error } = judges.DNS(settings, observation)
  return { ...observation, verdict, error }
}

const good: Reply = (query) => [answerTo(query, { answers: [a('192.0.2.1')] })]
const changed = (query: DnsMessage, change: (bytes: Uint8Array) => Uint8Array) => [
  change(answerTo(query, { answers: [a('192.0.2.1')] })),
]
/** With one of its bytes put otherwise. */
const withByte = (at: number, byte: number) => (bytes: Uint8Array) => {
  const copy = bytes.slice()
  copy[at < 0 ? copy.length + at : at] = byte
  return copy
}
const rest = 'shop.test.'.length + 1 + 4

interface Row {
  name: string
  reply: Reply
  protocol?: 'UDP' | 'TCP'
  verdict: Verdict
  error: RegExp | null
  failure?: Pick<Failure, 'code' | 'phase'>
}

const LATE = { code: 'ETIMEDOUT', phase: 'answer' } as const
const WRONG = { code: 'ERR_WRONG_ANSWER', phase: 'answer' } as const
const MALFORMED = { code: 'ERR_MALFORMED_ANSWER', phase: 'answer' } as const

const rows: Row[] = [
  { name: 'answers', reply: good, verdict: 'passed', error: null },
  { name: 'answers by TCP', reply: good, protocol: 'TCP', verdict: 'passed', error: null },
  {
    name: 'answers in other letters',
    reply: (query) => [answerTo(query, { questions: [{ name: 'SHOP.Test.', type: 1, class: 1 }] })],
    verdict: 'passed',
    error: null,
  },
  {
    name: 'answers twice',
    reply: (query) => [...good(query, 'UDP'), ...good(query, 'UDP')],
    verdict: 'passed',
    error: null,
  },
  {
    name: 'knows no such name',
    reply: (query) => [answerTo(query, { rcode: 3 })],
    verdict: 'failed',
    error: /^NXDOMAIN: the name shop.test does not exist$/,
  },
  { name: 'fails', reply: (query) => [answerTo(query, { rcode: 2 })], verdict: 'failed', error: /^SERVFAIL: / },
  { name: 'refuses', reply: (query) => [answerTo(query, { rcode: 5 })], verdict: 'failed', error: /^REFUSED: / },
  {
    name: 'refuses without repeating the question',
    reply: (query) => [answerTo(query, { rcode: 5, questions: [] })],
    verdict: 'failed',
    error: /^REFUSED: /,
  },
  {
    name: 'knows nothing of the question, with extensions or without',
    reply: (query) => [answerTo(query, { rcode: 4, additionals: [] })],
    verdict: 'failed',
    error: /^NOTIMP: /,
  },
  {
    name: 'has a response code of its own',
    reply: (query) => [answerTo(query, { rcode: 14 })],
    verdict: 'failed',
    error: /^RCODE14: expected NOERROR/,
  },
  {
    name: 'does not understand extensions',
    reply: (query, via) =>
      query.additionals.length > 0 ? [answerTo(query, { rcode: 1, additionals: [] })] : good(query, via),
    verdict: 'passed',
    error: null,
  },
  {
    name: 'only names others',
    reply: (query) => [
      answerTo(query, { flags: { ra: false }, authorities: [record('NS', nameData('ns1.other.test.'))] }),
    ],
    verdict: 'failed',
    error: /it only names others: ns1.other.test. \(lame delegation\)$/,
  },
  {
    name: 'is not responsible and says nothing',
    reply: (query) => [answerTo(query, { flags: { ra: false } })],
    verdict: 'failed',
    error: /is not responsible for shop.test and gave no answer \(lame delegation\)$/,
  },
  {
    name: 'has no such record',
    reply: (query) => [answerTo(query, { flags: { aa: true, ra: false } })],
    verdict: 'passed',
    error: null,
  },
  {
    name: 'is silent',
    reply: () => [],
    verdict: 'failed',
    error: /^ETIMEDOUT: no answer within 0.4 s while waiting for the answer$/,
    failure: LATE,
  },
  {
    name: 'is silent by TCP',
    reply: () => [],
    protocol: 'TCP',
    verdict: 'failed',
    error: /^ETIMEDOUT: no answer within 0.4 s while waiting for the answer$/,
    failure: LATE,
  },
  {
    name: 'gives the answer another number',
    reply: (query) => [answerTo(query, { id: query.id ^ 1 })],
    verdict: 'failed',
    error:
      /^ERR_WRONG_ANSWER: no answer within 0.4 s: what came was not ours \(it has another number than the question\)$/,
    failure: WRONG,
  },
  {
    name: 'gives the answer another number by TCP',
    reply: (query) => [answerTo(query, { id: query.id ^ 1 })],
    protocol: 'TCP',
    verdict: 'failed',
    error: /^ERR_WRONG_ANSWER: the answer is not ours: it has another number/,
    failure: WRONG,
  },
  {
    name: 'answers another question',
    reply: (query) => [answerTo(query, { questions: [{ name: 'bank.test.', type: 1, class: 1 }] })],
    verdict: 'failed',
    error: /what came was not ours \(it is to another question \(bank.test. A\)\)$/,
    failure: WRONG,
  },
  {
    name: 'answers about another type, by TCP',
    reply: (query) => [answerTo(query, { questions: [{ name: 'shop.test.', type: 28, class: 1 }] })],
    protocol: 'TCP',
    verdict: 'failed',
    error: /^ERR_WRONG_ANSWER: .*\(shop.test. AAAA\)$/,
    failure: WRONG,
  },
  {
    name: 'answers without the question',
    reply: (query) => [answerTo(query, { questions: [], answers: [a('192.0.2.1')] })],
    verdict: 'failed',
    error: /\(no question\)/,
    failure: WRONG,
  },
  {
    name: 'sends the question back',
    reply: (query) => [answerTo(query, { flags: { qr: false } })],
    verdict: 'failed',
    error: /it is a question itself/,
    failure: WRONG,
  },
  {
    name: 'answers after forgeries',
    reply: (query, via) => [
      answerTo(query, { id: query.id ^ 1, answers: [a('203.0.113.66')] }),
      answerTo(query, { questions: [{ name: 'bank.test.', type: 1, class: 1 }], answers: [a('203.0.113.66')] }),
      ...good(query, via),
    ],
    verdict: 'passed',
    error: null,
  },
  {
    name: 'floods with what is not asked for',
    reply: (query) => Array.from({ length: 1200 }, () => answerTo(query, { id: query.id ^ 1 })),
    verdict: 'failed',
    error: /^ERR_WRONG_ANSWER: no answer .*that came were not ours/,
    failure: WRONG,
  },
  {
    name: 'sends junk by UDP',
    reply: () => [Buffer.alloc(300, 0xff)],
    verdict: 'failed',
    error: /^ERR_WRONG_ANSWER: /,
    failure: WRONG,
  },
  {
    name: 'sends junk by TCP',
    reply: () => [Buffer.alloc(300, 0xff)],
    protocol: 'TCP',
    verdict: 'failed',
    error: /^ERR_WRONG_ANSWER: /,
    failure: WRONG,
  },
  {
    name: 'sends one byte',
    reply: () => [Buffer.alloc(1)],
    protocol: 'TCP',
    verdict: 'failed',
    error: /^ERR_WRONG_ANSWER: /,
    failure: WRONG,
  },
  {
    name: 'sends half a header',
    reply: (query) => [answerTo(query).subarray(0, 7)],
    verdict: 'failed',
    error: /^ERR_MALFORMED_ANSWER: the answer cannot be read: its 7 bytes are no header$/,
    failure: MALFORMED,
  },
  {
    name: 'cuts a record',
    reply: (query) => changed(query, (bytes) => bytes.subarray(0, bytes.length - 15)),
    verdict: 'failed',
    error: /^ERR_MALFORMED_ANSWER: the answer cannot be read: it ends in record 2 of the 3/,
    failure: MALFORMED,
  },
  {
    name: 'claims more records than there are',
    reply: (query) => changed(query, withByte(7, 9)),
    verdict: 'failed',
    error: /it ends in record/,
    failure: MALFORMED,
  },
  {
    name: 'claims fewer records than there are',
    reply: (query) => changed(query, withByte(7, 0)),
    verdict: 'failed',
    error: /bytes follow the 2 records that it claims$/,
    failure: MALFORMED,
  },
  {
    name: 'claims 65535 records',
    reply: (query) => changed(query, (bytes) => withByte(7, 255)(withByte(6, 255)(bytes))),
    verdict: 'failed',
    error: /it claims 65537 records, more than 512$/,
    failure: MALFORMED,
  },
  {
    name: 'has a name that points to itself',
    reply: (query) => changed(query, (bytes) => withByte(12, 0xc0)(withByte(13, 12)(bytes))),
    verdict: 'failed',
    error: /a name points to itself, ahead or into the header$/,
    failure: MALFORMED,
  },
  {
    name: 'has a name that points ahead',
    reply: (query) => changed(query, (bytes) => withByte(12 + rest, 0xc0)(withByte(13 + rest, 200)(bytes))),
    verdict: 'failed',
    error: /a name points/,
    failure: MALFORMED,
  },
  {
    name: 'has an address of two bytes',
    reply: (query) => [answerTo(query, { answers: [record('A', Uint8Array.of(1, 2))] })],
    verdict: 'failed',
    error: /the data of a record is shorter than it says$/,
    failure: MALFORMED,
  },
  {
    name: 'answers with all that fits, by TCP',
    reply: (query) => [
      answerTo(query, {
        answers: [
          record(
            'TXT',
            Uint8Array.from({ length: 65_280 }, (_, at) => (at % 256 === 0 ? 255 : 65)),
          ),
        ],
      }),
    ],
    protocol: 'TCP',
    verdict: 'passed',
    error: null,
  },
]

for (const row of rows) {
  test(`a name server that ${row.name}`, async (t) => {
    const where = await startNameServer(t, row.reply)
    const startedAt = performance.now()
    const { failure, verdict, error } = await look({ ...where, protocol: row.protocol }, { limitMs: LIMIT_MS })
    assert.ok(performance.now() - startedAt <= LIMIT_MS + SLACK_MS)
    assert.equal(verdict, row.verdict, error ?? '')
    if (row.error === null) assert.equal(error, null)
    else assert.match(error ?? '', row.error)
    assert.deepEqual(failure && { code: failure.code, phase: failure.phase }, row.failure ?? null)
    if (failure !== null) assert.equal(failure.blame, 'target')
  })
}

const streams: { name: string; bytes: Buffer; ends?: true; error: RegExp }[] = [
  { name: 'closes without an answer', bytes: Buffer.alloc(0), ends: true, error: /^ECONNRESET: .* without an answer$/ },
  {
    name: 'closes in the middle of the answer',
    bytes: Buffer.from([0, 100, 1, 2, 3]),
    ends: true,
    error: /^ECONNRESET: .* after 3 of the 100 bytes that it announced$/,
  },
  { name: 'announces more than it sends', bytes: Buffer.from([255, 255, 0, 0]), error: /^ETIMEDOUT: / },
  { name: 'announces nothing', bytes: Buffer.from([0, 0]), error: /^ERR_WRONG_ANSWER: / },
  { name: 'speaks another protocol', bytes: Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'), error: /^ETIMEDOUT: / },
]
for (const { name, bytes, ends, error: expected } of streams) {
  test(`a name server that ${name}, by TCP`, async (t) => {
    const port = await listen(t, (socket) =>
      socket.once('data', () => {
        socket.write(bytes)
        if (ends) socket.end()
      }),
    )
    const { error, failure } = await look({ nameServer: '127.0.0.1', port, protocol: 'TCP' }, { limitMs: LIMIT_MS })
    assert.match(error ?? '', expected)
    assert.deepEqual([failure?.phase, failure?.blame], ['answer', 'target'])
  })
}

test('an answer that comes byte by byte is read whole', async (t) => {
  const port = await listen(t, (socket) => {
    socket.setNoDelay(true)
    socket.once('data', (asked) => {
      const id = asked.readUInt16BE(2)
      const query = { id, questions: [{ name: 'shop.test.', type: 1, class: 1 }] }
      const bytes = framed(answerTo({ ...EMPTY_QUERY, ...query }, { answers: [a('192.0.2.1')] }))
      let at = 0
      const timer = setInterval(
        () => (at < bytes.length ? socket.write(bytes.subarray(at, ++at)) : clearInterval(timer)),
        1,
      )
      socket.once('close', () => clearInterval(timer))
    })
  })
  const { response } = await look({ nameServer: '127.0.0.1', port, protocol: 'TCP' })
  assert.equal(response?.json.Answer[0]?.data, '192.0.2.1')
})

const EMPTY_QUERY: DnsMessage = {
  id: 0,
  opcode: 0,
  rcode: 0,
  flags: { qr: false, aa: false, tc: false, rd: true, ra: false, ad: false, cd: false },
  questions: [],
  answers: [],
  authorities: [],
  additionals: [],
}

test('what is asked and answered', async (t) => {
  const where = await startNameServer(t, (query) => [
    answerTo(query, {
      flags: { ad: true },
      answers: [record('MX', nameData('mail.shop.test.', 0, 10)), record('RRSIG', new Uint8Array(20))],
    }),
  ])
  const { request, response, responseTimeMs } = await look({ ...where, recordType: 'MX', protocol: 'UDP' })
  assert.deepEqual(request, { query: 'shop.test', recordType: 'MX', ...where, protocol: 'UDP' })
  assert.equal(response?.status, 'NOERROR')
  assert.deepEqual(response?.json.Answer, [{ name: 'shop.test.', type: 'MX', TTL: 300, data: '10 mail.shop.test.' }])
  assert.deepEqual([response?.json.AD, response?.json.RRSIG], [true, true])
  assert.match(response?.text ?? '', /^shop\.test\.\t300\tIN\tMX\t10 mail\.shop\.test\.$/m)
  assert.ok(responseTimeMs > 0 && responseTimeMs < 5000)
})

test('names are asked for as the wire has them', async (t) => {
  const asked: (string | undefined)[] = []
  const where = await startNameServer(t, (query) => {
    asked.push(query.questions[0]?.name)
    return [answerTo(query)]
  })
  await look({ ...where, query: 'bücher.test' })
  await look({ ...where, query: '192.0.2.1', recordType: 'PTR' })
  await look({ ...where, query: '_sip._tcp.shop.test.', recordType: 'SRV' })
  assert.deepEqual(asked, ['xn--bcher-kva.test.', '1.2.0.192.in-addr.arpa.', '_sip._tcp.shop.test.'])
  const { failure } = await look({ ...where, query: 'a..b' })
  assert.deepEqual([failure?.code, failure?.blame], ['ERR_INVALID_NAME', 'ours'])
})

test('a cut answer is fetched over TCP, unless the way was given', async (t) => {
  const where = await startNameServer(t, (query, via) => [
    answerTo(query, via === 'UDP' ? { flags: { tc: true } } : { answers: [a('192.0.2.1')] }),
  ])
  const free = await look(where)
  assert.deepEqual(
    [free.request.protocol, free.response?.json.TC, free.response?.json.Answer.length],
    ['TCP', false, 1],
  )
  const pinned = await look({ ...where, protocol: 'UDP' })
  assert.deepEqual([pinned.request.protocol, pinned.response?.json.TC, pinned.verdict], ['UDP', true, 'passed'])
})

test('a cut answer that TCP does not bring either', async (t) => {
  const where = await startNameServer(t, (query, via) =>
    via === 'UDP' ? [answerTo(query, { flags: { tc: true } })] : [],
  )
  const { error } = await look(where, { limitMs: LIMIT_MS })
  assert.match(error ?? '', /^ETIMEDOUT: .* \(over TCP, since the answer by UDP was cut\)$/)
})

test('a lost datagram is sent again', async (t) => {
  let asked = 0
  const where = await startNameServer(t, (query, via) => {
    asked += 1
    return asked === 1 ? [] : good(query, via)
  })
  const { verdict, responseTimeMs } = await look(where)
  assert.equal(verdict, 'passed')
  assert.ok(responseTimeMs >= 990)
})

test('nobody listens', async (t) => {
  const { port } = await startNameServer(t, good)
  for (const protocol of ['UDP', 'TCP'] as const) {
    // The other loopback addresses have nobody on that port.
    const { error, failure } = await look({ nameServer: '127.0.0.2', port, protocol })
    assert.match(
      error ?? '',
      protocol === 'UDP' ? /^ECONNREFUSED: no name server listens at 127/ : /^connect ECONNREFUSED/,
    )
    assert.equal(failure?.blame, 'target')
  }
})

test('a name server with a name is looked up by ours', async (t) => {
  const where = await startNameServer(t, good)
  const ours = await startDnsServer(t, (name) => (name === 'ns1.shop.test' ? ['127.0.0.1'] : 3))
  const known = await look({ nameServer: 'ns1.shop.test', port: where.port }, { nameServers: [ours] })
  assert.deepEqual([known.verdict, known.request.nameServer], ['passed', 'ns1.shop.test'])
  const { error, failure } = await look({ nameServer: 'ns2.shop.test', port: 53 }, { nameServers: [ours] })
  assert.equal(error, 'ENOTFOUND: the name ns2.shop.test does not exist')
  assert.deepEqual([failure?.phase, failure?.blame], ['dns', 'target'])
})

test('a name server is dialled only where the policy allows it', async (t) => {
  const where = await startNameServer(t, good)
  const egress = egressPolicy('check-private-location')
  const ours = await startDnsServer(t, () => ['127.0.0.1'])
  for (const nameServer of ['127.0.0.1', 'ns1.shop.test']) {
    for (const protocol of ['UDP', 'TCP', 'DOT', 'DOH'] as const) {
      const { failure } = await look({ ...where, nameServer, protocol }, { egress, nameServers: [ours] })
      assert.deepEqual([failure?.code, failure?.blame], ['ERR_ADDRESS_NOT_ALLOWED', 'ours'])
    }
  }
  const { port, nameServer } = where
  // Those of the machine are its own business.
  const allowed = await look({}, { egress, nameServers: [`${nameServer}:${port}`] })
  assert.equal(allowed.verdict, 'passed')
})

async function silentServer(t: TestContext): Promise<string> {
  const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

test('of our name servers the next is asked when one has no answer, and its time is its own', async (t) => {
  const { nameServer, port } = await startNameServer(t, good)
  const broken = await startNameServer(t, () => [Buffer.alloc(5)])
  const nameServers = [await silentServer(t), `${broken.nameServer}:${broken.port}`, `${nameServer}:${port}`]
  const { verdict, request, responseTimeMs } = await look({}, { nameServers, limitMs: 1500 })
  assert.equal(verdict, 'passed')
  assert.deepEqual([request.nameServer, request.port], [nameServer, port])
  assert.ok(responseTimeMs < 400)
})

test('what our name servers say of a name is the answer, and not asked again', async (t) => {
  let asked = 0
  const failing = await startNameServer(t, (query) => {
    asked += 1
    return [answerTo(query, { rcode: 2 })]
  })
  const fine = await startNameServer(t, good)
  const nameServers = [failing, fine].map(({ nameServer, port }) => `${nameServer}:${port}`)
  const { verdict, error } = await look({}, { nameServers })
  assert.deepEqual([verdict, asked], ['failed', 1])
  assert.match(error ?? '', /^SERVFAIL: /)
})

test('that none of our name servers answers is our trouble', async (t) => {
  const nameServers = [await silentServer(t), '127.0.0.2:1', await silentServer(t)]
  const startedAt = performance.now()
  const { verdict, error, failure } = await look({}, { nameServers, limitMs: LIMIT_MS })
  assert.ok(performance.now() - startedAt <= LIMIT_MS + SLACK_MS)
  assert.equal(verdict, 'error')
  assert.match(
    error ?? '',
    /^ETIMEDOUT: none of our own name servers gave an answer \(127.*ETIMEDOUT.*; 127.*ECONNREFUSED.*; 127.*ETIMEDOUT/,
  )
  assert.deepEqual([failure?.blame, failure?.phase], ['ours', 'answer'])
})

test('name servers over TLS and HTTPS', async (t) => {
  const authority = makeAuthority()
  tls.setDefaultCACertificates([authority.cert])
  const certificate = authority.issue('DNS:localhost,IP:127.0.0.1')
  const elsewhere = authority.issue('DNS:elsewhere.test')

  await t.test('answer over TLS', async (t) => {
    const where = await startTlsNameServer(t, certificate, good)
    for (const nameServer of ['localhost', '127.0.0.1']) {
      const { verdict, error, request } = await look({ ...where, nameServer, protocol: 'DOT' })
      assert.deepEqual([verdict, error, request.protocol], ['passed', null, 'DOT'])
    }
  })
  await t.test('answer over HTTPS, at the usual path or another', async (t) => {
    const where = await startHttpsNameServer(t, certificate, good)
    const { nameServer, port, paths } = where
    const { verdict, error, response } = await look({ nameServer, port, protocol: 'DOH' })
    assert.deepEqual([verdict, error, response?.json.Answer.length], ['passed', null, 1])
    await look({ nameServer, port, protocol: 'DOH', path: '/ask?who=me' })
    assert.deepEqual(paths, ['/dns-query', '/ask'])
  })
  await t.test('answer over HTTPS with nothing but HTTP/2', async (t) => {
    const where = await startHttp2NameServer(t, certificate, good)
    const { verdict, error, response } = await look({ ...where, protocol: 'DOH' })
    assert.deepEqual([verdict, error, response?.json.Answer.length], ['passed', null, 1])
  })
  await t.test('are trusted with any certificate where that was asked for', async (t) => {
    const stranger = makeAuthority().issue('DNS:elsewhere.test')
    for (const [protocol, where] of [
      ['DOT', await startTlsNameServer(t, stranger, good)],
      ['DOH', await startHttpsNameServer(t, stranger, good)],
      ['DOH', await startHttp2NameServer(t, stranger, good)],
    ] as const) {
      const { nameServer, port } = where
      const refused = await look({ nameServer, port, protocol })
      assert.deepEqual([refused.failure?.phase, refused.failure?.blame], ['tls', 'target'])
      const { verdict, error } = await look({ nameServer, port, protocol, skipSSL: true })
      assert.deepEqual([verdict, error], ['passed', null])
    }
  })
  await t.test('have a certificate for another name', async (t) => {
    const overTls = await startTlsNameServer(t, elsewhere, good)
    const overHttps = await startHttpsNameServer(t, elsewhere, good)
    for (const request of [
      { ...overTls, protocol: 'DOT' as const },
      { nameServer: overHttps.nameServer, port: overHttps.port, protocol: 'DOH' as const },
    ]) {
      const { failure } = await look(request)
      assert.deepEqual(
        [failure?.code, failure?.phase, failure?.blame],
        ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'target'],
      )
    }
  })
  await t.test('speak no TLS', async (t) => {
    const port = await listen(t, (socket) => socket.once('data', () => socket.end('hello')))
    for (const protocol of ['DOT', 'DOH'] as const) {
      const { failure } = await look({ nameServer: '127.0.0.1', port, protocol })
      assert.deepEqual([failure?.phase, failure?.blame], ['tls', 'target'])
    }
  })
  await t.test('never finish the handshake', async (t) => {
    const port = await listen(t, () => {})
    const { error } = await look({ nameServer: '127.0.0.1', port, protocol: 'DOT' }, { limitMs: LIMIT_MS })
    assert.equal(error, 'ETIMEDOUT: no answer within 0.4 s while shaking hands')
  })
  const wrong: [string, Reply, { status?: number; type?: string }, RegExp][] = [
    ['an HTTP error', good, { status: 404 }, /^ERR_HTTP_STATUS: .* HTTP status 404(?: Not Found)?$/],
    ['a page', good, { type: 'text/html; charset=utf-8' }, /^ERR_NOT_DNS: .* but the answer is text\/html$/],
    ['junk', () => [Buffer.from('junk')], {}, /^ERR_WRONG_ANSWER: /],
    ['too much', () => [Buffer.alloc(70_000)], {}, /^ERR_MALFORMED_ANSWER: the answer is longer than 65535 bytes$/],
    ['nothing', () => [], {}, /^ETIMEDOUT: /],
  ]
  for (const [what, reply, head, expected] of wrong) {
    await t.test(`answer over HTTP/2 with ${what}`, async (t) => {
      const where = await startHttp2NameServer(t, certificate, reply, head)
      const { error, failure } = await look({ ...where, protocol: 'DOH' }, { limitMs: LIMIT_MS })
      assert.match(error ?? '', expected)
      assert.equal(failure?.blame, 'target')
    })
    await t.test(`answer over HTTPS with ${what}`, async (t) => {
      const { nameServer, port } = await startHttpsNameServer(t, certificate, reply, head)
      const { error, failure } = await look({ nameServer, port, protocol: 'DOH' }, { limitMs: LIMIT_MS })
      assert.match(error ?? '', expected)
      assert.equal(failure?.blame, 'target')
    })
  }
})
