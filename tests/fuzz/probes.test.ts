/** What name servers, the program ping and gRPC servers may answer. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { DNS_RECORDS_LIMIT, DnsMessageError, decodeMessage, describeAnswer } from '../../packages/core/src/index.ts'
import { ask, readAnswer } from '../../packages/runner/src/probes/dns/question.ts'
import type { GrpcReply } from '../../packages/runner/src/probes/grpc/call.ts'
import { definitionFromServer, definitionFromText } from '../../packages/runner/src/probes/grpc/definition.ts'
import { framed, messagesIn } from '../../packages/runner/src/probes/grpc/frames.ts'
import { readHealth } from '../../packages/runner/src/probes/grpc/health.ts'
import { RequestFailure } from '../../packages/runner/src/probes/http/failure.ts'
import { readPings } from '../../packages/runner/src/probes/ping-output.ts'
import { ORDERS_PROTO } from '../../packages/runner/src/testing/grpc-server.ts'
import { a, answerTo, nameData, record } from '../../packages/runner/src/testing/name-server.ts'
import { bytesLike, fuzz, never, only, textLike } from './fuzz.ts'

const question = ask('shop.test', 1, { id: 7 })
const query = decodeMessage(question.bytes)
const dnsAnswers = [
  question.bytes,
  answerTo(query, { answers: [a('192.0.2.1'), a('192.0.2.2')] }),
  answerTo(query, {
    answers: [record('MX', nameData('mail.shop.test.', 0, 10)), record('CNAME', nameData('a.b.test.'))],
  }),
  answerTo(query, {
    answers: [
      record('TXT', Uint8Array.from([3, 97, 98, 99, 0])),
      record('HTTPS', Uint8Array.from([0, 1, 0, 0, 1, 0, 3, 2, 104, 50])),
    ],
  }),
  answerTo(query, { rcode: 3, authorities: [record('SOA', nameData('ns.test.'))], flags: { tc: true } }),
  answerTo(query, {
    answers: [
      record('CAA', Uint8Array.from([0, 5, 105, 115, 115, 117, 101, 99, 97])),
      record('AAAA', new Uint8Array(16)),
      record('RRSIG', new Uint8Array(30)),
    ],
  }),
].map((bytes) => Buffer.from(bytes))
const dnsBytes = bytesLike(dnsAnswers, [
  Buffer.from([0xc0, 12]),
  Buffer.from([0xc0, 0xff]),
  Buffer.from([63]),
  Buffer.from([0, 7, 0x84, 0]),
])

fuzz('a message of a name server is read or refused', {
  from: dnsBytes,
  attempt(bytes) {
    const { answers, authorities, additionals } = decodeMessage(bytes)
    assert.ok(answers.length + authorities.length + additionals.length <= DNS_RECORDS_LIMIT)
  },
  refuses: only(DnsMessageError),
})

fuzz('an answer to a question is described, told to be stray, or refused', {
  from: dnsBytes,
  attempt(bytes) {
    const answer = readAnswer(question, bytes)
    if ('stray' in answer) return assert.ok(answer.stray.length < 400)
    const { json } = describeAnswer(answer, { nameServer: '192.0.2.53', port: 53, protocol: 'UDP' })
    assert.equal(JSON.stringify(json).includes('undefined'), false)
  },
  refuses: only(RequestFailure),
})

const pingOutput = `PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.
64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.022 ms
64 bytes from 127.0.0.1: icmp_seq=2 ttl=64 time<1 ms (DUP!)

--- 127.0.0.1 ping statistics ---
2 packets transmitted, 2 received, 0% packet loss, time 1023ms
rtt min/avg/max/mdev = 0.022/0.037/0.052/0.015 ms
`
fuzz('the output of ping is read or is none', {
  from: textLike(
    [pingOutput],
    ['icmp_seq=', 'time=', '..', '9999999999 packets transmitted', '0 packets transmitted', '\n', 'e9', '-'],
  ),
  attempt(output) {
    const pings = readPings(output)
    if (pings === null) return
    const { packetsSent, packetsReceived, packetLoss, times, latency } = pings
    assert.equal(times.length, packetsSent)
    assert.ok(packetsSent <= 10_000 && packetsReceived <= packetsSent)
    assert.ok(packetLoss >= 0 && packetLoss <= 100)
    for (const one of Object.values(latency ?? {})) assert.ok(Number.isFinite(one) && one >= 0, `${one}`)
  },
  refuses: never,
})

fuzz('messages of a gRPC call are taken apart or refused', {
  from: bytesLike([framed(Buffer.from('abc')), Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.alloc(40))])]),
  attempt(bytes) {
    const messages = messagesIn(bytes)
    assert.equal(
      messages.reduce((sum, message) => sum + 5 + message.length, 0),
      bytes.length,
    )
  },
  refuses: only(RequestFailure),
})

fuzz('the state of a service is read or refused', {
  from: bytesLike([Buffer.from([8, 1]), Buffer.from([8, 2, 18, 3, 1, 2, 3]), Buffer.from([0x0b, 8, 1, 0x0c])]),
  attempt: (bytes) => assert.equal(typeof readHealth(bytes), 'string'),
  refuses: only(RequestFailure),
})

const METHOD = 'shop.Orders/Get'
const PROTO_TOKENS = [
  'message ',
  'oneof ',
  '{',
  '}',
  ';',
  '=',
  'repeated ',
  'map<',
  '>',
  'extend ',
  'group ',
  'reserved 1 to max;',
  'import "a";',
  'option ',
  '/*',
  '*/',
  '//',
  '"',
  "'",
  '\\x',
  '0x',
  '999999999999',
  'rpc ',
  'returns ',
  'stream ',
  'google.protobuf.Any',
  '__proto__',
  'constructor',
  'package ',
]

fuzz('the text of a .proto file defines the method or is refused', {
  from: textLike([ORDERS_PROTO], PROTO_TOKENS),
  attempt: (text) => assert.equal(definitionFromText(text, METHOD).method.name, 'Get'),
  refuses: only(RequestFailure),
  share: 0.1,
})

/** A field of bytes, by its number. */
const field = (number: number, bytes: Uint8Array) => Buffer.from([number * 8 + 2, bytes.length, ...bytes])
const method = Buffer.concat([
  field(1, Buffer.from('Get')),
  field(2, Buffer.from('.shop.Wanted')),
  field(3, Buffer.from('.shop.Wanted')),
])
const file = Buffer.concat([
  field(1, Buffer.from('orders.proto')),
  field(2, Buffer.from('shop')),
  field(4, field(1, Buffer.from('Wanted'))),
  field(6, Buffer.concat([field(1, Buffer.from('Orders')), field(2, method)])),
])
const importing = Buffer.concat([file, field(3, Buffer.from('other.proto'))])
const told = (descriptor: Buffer) => field(4, field(1, descriptor))
const reply = (message: Uint8Array, status = 0): GrpcReply => ({
  status,
  statusMessage: '',
  metadata: {},
  messages: [message],
  truncated: false,
  sentAt: 0,
  firstByteAt: 0,
  endedAt: 0,
})

fuzz('what a server tells of its messages defines the method or is refused', {
  from: fc.array(
    bytesLike([told(file), told(importing)], ['orders.proto', 'shop', '.shop.Wanted', Buffer.from([4 * 8 + 2])]),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  async attempt(messages) {
    let asked = 0
    const definition = await definitionFromServer(async () => {
      asked += 1
      return reply(messages[(asked - 1) % messages.length] ?? Buffer.alloc(0))
    }, METHOD)
    assert.ok(asked <= 201)
    assert.equal(definition.method.name, 'Get')
  },
  refuses: only(RequestFailure),
  share: 0.1,
})
