import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describeAnswer } from './answer.ts'
import { RECORD_TYPES, recordTypeName } from './codes.ts'
import { type DnsMessage, decodeMessage, encodeMessage, encodeQuery, responseCodeOf } from './message.ts'
import { encodeName, nameOfQuery, problemOfQuery, readName } from './name.ts'
import { DnsMessageError } from './problem.ts'

const NO_FLAGS = { qr: false, aa: false, tc: false, rd: false, ra: false, ad: false, cd: false }
const EMPTY: DnsMessage = {
  id: 1,
  opcode: 0,
  rcode: 0,
  flags: { ...NO_FLAGS, qr: true, ra: true },
  questions: [{ name: 'shop.test.', type: 1, class: 1 }],
  answers: [],
  authorities: [],
  additionals: [],
}

const wire = (name: string) => encodeName(name) ?? assert.fail(`${name} is no name`)
const join = (...parts: (Uint8Array | number[] | string)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part)] : [...part])))
const text = (value: string) => join([Buffer.byteLength(value)], value)
const record = (type: number, data: Uint8Array) => ({ name: 'shop.test.', type, class: 1, ttl: 300, data })
const dataOf = (type: number, data: Uint8Array) =>
  decodeMessage(encodeMessage({ ...EMPTY, answers: [record(type, data)] })).answers[0]?.text

const letter = fc.constantFrom(...'abcxyzABC019-_')
const label = fc.string({ unit: letter, minLength: 1, maxLength: 20 })
const name = fc.array(label, { maxLength: 8 }).map((labels) => (labels.length === 0 ? '.' : `${labels.join('.')}.`))
const bytes = (maxLength: number) => fc.uint8Array({ maxLength })
const PLAIN = { noNullPrototype: true } as const
const plainRecord = fc.record(
  {
    name,
    // Types whose data is only carried.
    type: fc.integer({ min: 300, max: 60_000 }),
    class: fc.integer({ min: 0, max: 65_535 }),
    ttl: fc.integer({ min: 0, max: 0xffffffff }),
    data: bytes(60),
  },
  PLAIN,
)
const message: fc.Arbitrary<DnsMessage> = fc.record(
  {
    id: fc.integer({ min: 0, max: 65_535 }),
    opcode: fc.integer({ min: 0, max: 15 }),
    rcode: fc.integer({ min: 0, max: 15 }),
    flags: fc.record(
      {
        qr: fc.boolean(),
        aa: fc.boolean(),
        tc: fc.boolean(),
        rd: fc.boolean(),
        ra: fc.boolean(),
        ad: fc.boolean(),
        cd: fc.boolean(),
      },
      PLAIN,
    ),
    questions: fc.array(fc.record({ name, type: fc.integer({ min: 0, max: 65_535 }), class: fc.constant(1) }, PLAIN), {
      maxLength: 2,
    }),
    answers: fc.array(plainRecord, { maxLength: 5 }),
    authorities: fc.array(plainRecord, { maxLength: 3 }),
    additionals: fc.array(plainRecord, { maxLength: 3 }),
  },
  PLAIN,
)

const withoutText = ({ answers, authorities, additionals, ...rest }: ReturnType<typeof decodeMessage>): DnsMessage => {
  const plain = (list: typeof answers) => list.map(({ text: _read, ...kept }) => kept)
  return { ...rest, answers: plain(answers), authorities: plain(authorities), additionals: plain(additionals) }
}

test('whatever is written is read again', () => {
  fc.assert(fc.property(message, (given) => assert.deepEqual(withoutText(decodeMessage(encodeMessage(given))), given)))
})

test('reading throws nothing but its own error, whatever the bytes', () => {
  const read = (given: Uint8Array) => {
    try {
      const answer = decodeMessage(given)
      describeAnswer(answer, { nameServer: '192.0.2.1', port: 53, protocol: 'UDP' })
    } catch (error) {
      assert.ok(error instanceof DnsMessageError, String(error))
    }
  }
  fc.assert(fc.property(bytes(600), read), { numRuns: 3000 })
  // Random bytes seldom come far: messages of known types, with bytes put wrong.
  const known = fc.constantFrom(...Object.values(RECORD_TYPES))
  const spoilt = fc
    .record({
      whole: fc.array(fc.record({ name, type: known, class: fc.constant(1), ttl: fc.nat(), data: bytes(80) }), {
        maxLength: 6,
      }),
      wrong: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }),
      end: fc.nat(400),
    })
    .map(({ whole, wrong, end }) => {
      const given = encodeMessage({ ...EMPTY, answers: whole })
      for (const [at, byte] of wrong) if (at < given.length) given[at] = byte
      return end < given.length ? given.subarray(0, end) : given
    })
  fc.assert(fc.property(spoilt, read), { numRuns: 3000 })
})

test('as many names as there can be, each as long and with as many jumps as there can be, are read', () => {
  const name = join([63], 'a'.repeat(63), [63], 'b'.repeat(63), [63], 'c'.repeat(63), [40], 'd'.repeat(40), [0])
  let at = 12
  let questions = join(name, [0, 1, 0, 1])
  for (let jump = 0; jump < 15; jump += 1) {
    questions = join(questions, [0xc0 + (at >> 8), at & 255, 0, 1, 0, 1])
    at = 12 + questions.length - 6
  }
  const pointed = Array.from({ length: 496 }, () => [
    0xc0 + (at >> 8),
    at & 255,
    0,
    5,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    2,
    0xc0 + (at >> 8),
    at & 255,
  ])
  const given = join([0, 1, 0x80, 0, 0, 16, 1, 240, 0, 0, 0, 0], questions, pointed.flat())
  assert.equal(decodeMessage(given).answers.length, 496)
})

const HEAD = [0, 1, 0x80, 0, 0, 1, 0, 1, 0, 0, 0, 0]
const QUESTION = join(wire('a.'), [0, 1, 0, 1])
const broken: [string, Uint8Array, string, RegExp][] = [
  ['nothing', new Uint8Array(), 'CUT_SHORT', /its 0 bytes are no header/],
  ['half a header', Uint8Array.from(HEAD.slice(0, 7)), 'CUT_SHORT', /no header/],
  ['no record where one is claimed', join(HEAD, QUESTION), 'CUT_SHORT', /record 2 of the 2/],
  ['half a record', join(HEAD, QUESTION, [0xc0, 12, 0, 1, 0]), 'CUT_SHORT', /record 2 of the 2/],
  ['data beyond the end', join(HEAD, QUESTION, [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 9, 1]), 'CUT_SHORT', /record 2/],
  [
    'more than is claimed',
    join([0, 1, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0], QUESTION, [1, 2]),
    'LEFT_OVER',
    /2 bytes follow/,
  ],
  ['60000 claimed records', join([0, 1, 0x80, 0, 0, 1, 0xea, 0x60, 0, 0, 0, 0], QUESTION), 'TOO_MANY_RECORDS', /60001/],
  ['a name that points to itself', join(HEAD, [0xc0, 12, 0, 1, 0, 1]), 'BAD_POINTER', /itself/],
  ['a name that points ahead', join(HEAD, [0xc0, 40, 0, 1, 0, 1], new Uint8Array(60)), 'BAD_POINTER', /ahead/],
  ['a name that points into the header', join(HEAD, [0xc0, 2, 0, 1, 0, 1]), 'BAD_POINTER', /header/],
  ['a label of an unknown kind', join(HEAD, [0x80, 1, 0, 1, 0, 1]), 'BAD_NAME', /not known/],
  ['a label beyond the end', join(HEAD, [60, 1, 2]), 'CUT_SHORT', /middle of a name/],
  [
    'a name of 300 bytes',
    join(HEAD, ...Array<Uint8Array>(6).fill(text('x'.repeat(49))), [0, 0, 1, 0, 1]),
    'BAD_NAME',
    /255/,
  ],
  [
    'an address of three bytes',
    join(HEAD, QUESTION, [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 3, 1, 2, 3]),
    'BAD_RECORD',
    /shorter/,
  ],
  [
    'an address of five bytes',
    join(HEAD, QUESTION, [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 5, 1, 2, 3, 4, 5]),
    'BAD_RECORD',
    /longer/,
  ],
  [
    'a text longer than its record',
    join(HEAD, QUESTION, [0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 1, 0, 2, 9, 65]),
    'BAD_RECORD',
    /shorter/,
  ],
  ['65536 bytes', new Uint8Array(65_536), 'TOO_LONG', /65535/],
]
for (const [what, given, problem, message] of broken) {
  test(`${what}: the problem has a name`, () => {
    assert.throws(
      () => decodeMessage(given),
      (error) => error instanceof DnsMessageError && error.problem === problem && message.test(error.message),
    )
  })
}

test('of a message that says it was cut, what is whole is read', () => {
  const whole = encodeMessage({
    ...EMPTY,
    flags: { ...EMPTY.flags, tc: true },
    answers: [record(1, Uint8Array.of(192, 0, 2, 1)), record(1, Uint8Array.of(192, 0, 2, 2))],
  })
  assert.deepEqual(
    decodeMessage(whole.subarray(0, whole.length - 3)).answers.map((one) => one.text),
    ['192.0.2.1'],
  )
})

test('a name may jump sixteen times', () => {
  const chain = (jumps: number) => {
    const message = [...new Uint8Array(12), 1, 97, 0]
    for (let at = 12, jump = 0; jump < jumps; jump += 1) {
      message.push(0xc0, at)
      at = message.length - 2
    }
    return Uint8Array.from(message)
  }
  assert.equal(readName(chain(16), 12 + 3 + 30, 12 + 3 + 32).name, 'a.')
  assert.throws(() => readName(chain(17), 12 + 3 + 32, 12 + 3 + 34), /more than 16 times/)
})

test('the data of each type as text', () => {
  const table: [keyof typeof RECORD_TYPES, Uint8Array, string][] = [
    ['A', Uint8Array.of(192, 0, 2, 1), '192.0.2.1'],
    ['AAAA', join([0x20, 1, 0x0d, 0xb8], Array(11).fill(0), [1]), '2001:db8::1'],
    ['AAAA', new Uint8Array(16), '::'],
    ['AAAA', Uint8Array.from({ length: 16 }, (_, at) => at + 1), '102:304:506:708:90a:b0c:d0e:f10'],
    ['CNAME', wire('www.shop.test.'), 'www.shop.test.'],
    ['NS', wire('ns1.shop.test.'), 'ns1.shop.test.'],
    ['PTR', wire('shop.test.'), 'shop.test.'],
    ['MX', join([0, 10], wire('mail.shop.test.')), '10 mail.shop.test.'],
    ['MX', join([0, 0], wire('.')), '0 .'],
    ['SRV', join([0, 1, 0, 2, 20, 102], wire('sip.shop.test.')), '1 2 5222 sip.shop.test.'],
    [
      'SOA',
      join(
        wire('ns1.shop.test.'),
        wire('host\\.master.shop.test.'),
        [0, 0, 0, 7, 0, 0, 14, 16, 0, 0, 0, 60, 0, 9, 58, 128, 0, 0, 1, 44],
      ),
      'ns1.shop.test. host\\.master.shop.test. 7 3600 60 604800 300',
    ],
    ['TXT', join(text('v=spf1 '), text('-all')), 'v=spf1 -all'],
    ['TXT', text('grüße "hier"'), 'grüße "hier"'],
    ['TXT', join([3, 0xff, 10, 65]), '\\255\\010A'],
    ['TXT', text(''), ''],
    ['CAA', join([0], text('issue'), 'letsencrypt.org'), '0 issue "letsencrypt.org"'],
    ['HTTPS', join([0, 0], wire('svc.shop.test.')), '0 svc.shop.test.'],
    [
      'HTTPS',
      join(
        [0, 1],
        wire('.'),
        [0, 1, 0, 6],
        text('h3'),
        text('h2'),
        [0, 3, 0, 2, 0x20, 0xfb],
        [0, 4, 0, 8, 192, 0, 2, 1, 192, 0, 2, 2],
      ),
      '1 . alpn="h3,h2" port=8443 ipv4hint=192.0.2.1,192.0.2.2',
    ],
    [
      'HTTPS',
      join([0, 1], wire('.'), [0, 2, 0, 0, 0, 5, 0, 4, 1, 2, 3, 4, 3, 0, 0, 1, 65]),
      '1 . no-default-alpn ech=AQIDBA== key768="A"',
    ],
    ['DNSKEY', Uint8Array.of(1, 2, 255), '\\# 3 0102ff'],
  ]
  for (const [type, data, expected] of table) assert.equal(dataOf(RECORD_TYPES[type], data), expected, type)
})

test('the answer as JSON and as text', () => {
  const answer = decodeMessage(
    encodeMessage({
      ...EMPTY,
      flags: { ...NO_FLAGS, qr: true, rd: true, ra: true, ad: true },
      answers: [record(1, Uint8Array.of(192, 0, 2, 1)), record(16, text('say "hi"')), record(46, Uint8Array.of(0, 1))],
      authorities: [record(2, wire('ns1.shop.test.'))],
    }),
  )
  const { status, json, text: shown } = describeAnswer(answer, { nameServer: '192.0.2.53', port: 53, protocol: 'TCP' })
  assert.equal(status, 'NOERROR')
  assert.deepEqual(json, {
    Status: 'NOERROR',
    TC: false,
    RD: true,
    RA: true,
    AD: true,
    CD: false,
    AA: false,
    RRSIG: true,
    Question: [{ name: 'shop.test.', type: 'A' }],
    Answer: [
      { name: 'shop.test.', type: 'A', TTL: 300, data: '192.0.2.1' },
      { name: 'shop.test.', type: 'TXT', TTL: 300, data: 'say "hi"' },
    ],
    Authority: [{ name: 'shop.test.', type: 'NS', TTL: 300, data: 'ns1.shop.test.' }],
  })
  assert.equal(
    shown,
    `;; ->>HEADER<<- opcode: QUERY, status: NOERROR
;; flags: qr rd ra ad; QUERY: 1, ANSWER: 2, AUTHORITY: 1
;; DNSSEC: signed (RRSIG)

;; QUESTION SECTION:
;shop.test.\t\tIN\tA

;; ANSWER SECTION:
shop.test.\t300\tIN\tA\t192.0.2.1
shop.test.\t300\tIN\tTXT\t"say \\"hi\\""

;; AUTHORITY SECTION:
shop.test.\t300\tIN\tNS\tns1.shop.test.

;; SERVER: 192.0.2.53#53 (TCP)
`,
  )
})

test('a question asks for recursion, signatures and datagrams that arrive whole', () => {
  const { id, flags, questions, additionals } = decodeMessage(encodeQuery(4711, 'shop.test.', 15))
  assert.deepEqual(
    [id, flags.qr, flags.rd, questions],
    [4711, false, true, [{ name: 'shop.test.', type: 15, class: 1 }]],
  )
  const [extensions] = additionals
  assert.deepEqual([extensions?.type, extensions?.class, extensions?.ttl], [RECORD_TYPES.OPT, 1232, 0x8000])
  assert.deepEqual(decodeMessage(encodeQuery(1, 'shop.test.', 15, false)).additionals, [])
})

test('extensions carry the upper half of the response code', () => {
  const extended = { name: '.', type: RECORD_TYPES.OPT, class: 1232, ttl: 0x01000000, data: new Uint8Array() }
  assert.equal(responseCodeOf({ ...EMPTY, rcode: 0, additionals: [extended] }), 16)
  assert.equal(recordTypeName(4711), 'TYPE4711')
})

test('names as people write them', () => {
  assert.equal(nameOfQuery('shop.test', 'A'), 'shop.test.')
  assert.equal(nameOfQuery('shop.test.', 'A'), 'shop.test.')
  assert.equal(nameOfQuery('192.0.2.1', 'PTR'), '1.2.0.192.in-addr.arpa.')
  assert.equal(nameOfQuery('192.0.2.1', 'A'), '192.0.2.1.')
  assert.equal(nameOfQuery('2001:db8::1', 'PTR'), `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa.`)
  for (const good of ['shop.test', '_dmarc.shop.test.', 'a\\.b.test', '.', 'grüße.test', 'x'.repeat(63)]) {
    assert.equal(problemOfQuery(good), null, good)
  }
  for (const bad of [
    '',
    'a..b',
    '.a',
    'x'.repeat(64),
    'two words',
    'a\\',
    'a\\999',
    `${'abcdefg.'.repeat(32)}toolong`,
  ]) {
    assert.notEqual(problemOfQuery(bad), null, bad)
  }
})
