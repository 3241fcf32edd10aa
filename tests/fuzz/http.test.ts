/** What a web server may answer, and what may stand in an answer. */
import assert from 'node:assert/strict'
import zlib from 'node:zlib'
import fc from 'fast-check'
import { decodeText } from '../../packages/runner/src/probes/http/charset.ts'
import { DECODED_LIMIT, decodeContent } from '../../packages/runner/src/probes/http/content-decoding.ts'
import { RequestFailure } from '../../packages/runner/src/probes/http/failure.ts'
import { parseProxy } from '../../packages/runner/src/probes/http/proxy.ts'
import { redirected } from '../../packages/runner/src/probes/http/redirect.ts'
import { FIELDS_LIMIT, ResponseParser } from '../../packages/runner/src/probes/http/response-parser.ts'
import { bytesLike, fuzz, never, only, textLike } from './fuzz.ts'

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n'
const answers = [
  'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.0 302 Found\r\nLocation: /next\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; Domain=.x; HttpOnly\r\n\r\nmoved',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  `${CHUNKED}5\r\nhello\r\n6;name="v"\r\n world\r\n0\r\nX: 1\r\n\r\n`,
  `${CHUNKED}1\r\na\r\n1\r\nb\r\n000\r\n\r\n`,
  'HTTP/1.1 200\r\nFolded: a\r\n b\r\n\tc\r\nEmpty:\r\n\r\nuntil the end',
  `HTTP/1.1 200 OK\r\n${'X-Many: 1\r\n'.repeat(FIELDS_LIMIT - 2)}Content-Length: 3\r\n\r\nabc`,
].map((text) => Buffer.from(text, 'latin1'))
const tokens = [
  '\r\n',
  '\r',
  '\n',
  '\r\n\r\n',
  '\n\n',
  ':',
  ' ',
  '\t',
  ';',
  '0\r\n\r\n',
  'ffffffffffff\r\n',
  'fffffffffffff\r\n',
  '7fffffff\r\n',
  'HTTP/1.1 ',
  'HTTP/1.1 100 \r\n\r\n',
  'HTTP/2 200\r\n',
  'Content-Length: ',
  'Content-Length: 99999999999999999999\r\n',
  'Content-Length: 1, 1\r\n',
  'Content-Length: -1\r\n',
  'Transfer-Encoding: gzip, chunked\r\n',
  'Content-Encoding: gzip\r\n',
  '__proto__: 1\r\n',
  'constructor: 1\r\n',
]

const KEEP = 64

function parsed(method: string, pieces: readonly Buffer[]) {
  const parser = new ResponseParser(method, KEEP)
  try {
    for (const piece of pieces) if (!parser.isDone) parser.push(piece)
    parser.end()
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error
    return { code: error.code, phase: error.phase, blame: error.blame }
  }
  const { status, statusText, httpVersion, headers, body, cut } = parser
  assert.ok(status >= 101 && status <= 999)
  assert.ok(body.bytes.length <= (headers['content-encoding'] === undefined ? KEEP : body.received))
  assert.equal(body.isCut, body.received > body.bytes.length)
  return { status, statusText, httpVersion, headers: Object.entries(headers), body: String(body.bytes), cut }
}

fuzz('an answer is read or refused, and the same however its bytes arrive', {
  from: fc.record({
    method: fc.constantFrom('GET', 'HEAD'),
    bytes: bytesLike(answers, tokens),
    cuts: fc.array(fc.nat(0xffff), { maxLength: 12 }),
  }),
  attempt({ method, bytes, cuts }) {
    const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b)
    const edges = [0, ...places, bytes.length]
    const pieces = edges.slice(1).map((end, index) => Buffer.from(bytes.subarray(edges[index], end)))
    assert.deepEqual(parsed(method, pieces), parsed(method, [bytes]))
  },
  refuses: never,
})

fuzz('a chunked body comes out as it went in, however it was cut into chunks', {
  from: fc.array(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }), { maxLength: 12 }),
  attempt(chunks) {
    const parser = new ResponseParser('GET', 1000)
    const framed = chunks.map((chunk) => `${chunk.length.toString(16)};x=y\r\n${chunk}\r\n`).join('')
    for (const byte of Buffer.from(`${CHUNKED}${framed}0\r\nT: 1\r\n\r\n`)) parser.push(Buffer.of(byte))
    assert.ok(parser.isDone)
    assert.equal(String(parser.body.bytes), chunks.join(''))
  },
  refuses: never,
  share: 0.1,
})

const contents = [Buffer.from('hello world'), Buffer.alloc(300 * 1024), Buffer.from('abc'.repeat(500))]
const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
  br: (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: (bytes) => zlib.zstdCompressSync(bytes),
}
const coded = Object.values(codings).flatMap((encode) => contents.map(encode))
const encodingNames = [...Object.keys(codings), 'x-gzip', 'identity', 'gzip, br', 'constructor', '__proto__', 'GZIP ']

fuzz('a coded body is decoded within its limit or refused', {
  from: fc.record({
    name: fc.oneof(fc.constantFrom(...encodingNames), fc.string({ maxLength: 20 })),
    bytes: bytesLike([...coded, zlib.deflateRawSync(Buffer.from('raw'.repeat(50)))]),
    keep: fc.constantFrom(0, 1, 1000, DECODED_LIMIT),
  }),
  async attempt({ name, bytes, keep }) {
    const { bytes: decoded, leftAs } = await decodeContent(name, bytes, keep)
    assert.ok(decoded.length <= Math.max(256 * 1024, Math.min(keep, DECODED_LIMIT), bytes.length))
    assert.ok(leftAs === null || leftAs.length <= 200)
  },
  refuses: only(RequestFailure),
  share: 0.02,
})

fuzz('bytes become a text whatever the charset is said to be', {
  from: fc.tuple(
    bytesLike([Buffer.from('grüezi'), Buffer.from([0xef, 0xbb, 0xbf, 65]), Buffer.from('grüezi', 'utf16le')]),
    textLike(
      ['text/html; charset=utf-8', 'text/plain;charset="iso-8859-1"', 'application/json; Charset=UTF-16LE'],
      ['charset=', '"', ';', 'shift_jis', 'replacement', 'x-user-defined', 'gb18030'],
    ),
  ),
  attempt: ([bytes, type]) => assert.equal(typeof decodeText(bytes, type), 'string'),
  refuses: never,
})

const places = [
  '/next?a=1#b',
  'https://user:pass@shop.test:8443/x',
  '//other.test/',
  '../..',
  '?q',
  'http://[::1]:80/',
  'javascript:alert(1)',
  'file:///etc/passwd',
]

fuzz('a redirect leads to the web, without what belongs to another origin, or nowhere', {
  from: fc.record({
    status: fc.constantFrom(200, 301, 302, 303, 307, 308),
    location: textLike(places, [
      '%',
      '%ff',
      '\\',
      '@',
      ':',
      '//',
      '[',
      ']',
      '\t',
      '\n',
      'http:',
      'https://',
      '#',
      'xn--',
      '\u202e',
    ]),
    method: fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE'),
  }),
  attempt({ status, location, method }) {
    const url = new URL('https://shop.test/cart')
    const headers: [string, string][] = [
      ['Authorization', 'Bearer x'],
      ['Cookie', 'session=1'],
      ['Host', 'shop.test'],
      ['Content-Type', 'text/plain'],
    ]
    const secretNames = new Set(['authorization', 'cookie'])
    const request = { method, url, headers, body: method === 'POST' ? 'body' : '', secretNames }
    const answer = new ResponseParser(method, 0)
    answer.status = status
    answer.headers = { location: Buffer.from(location).toString('latin1') }
    const next = redirected(request, answer)
    if (next === null) return assert.equal(status, 200)
    assert.match(next.url.protocol, /^https?:$/)
    assert.deepEqual([next.url.username, next.url.password], ['', ''])
    if (next.url.origin === url.origin) return
    assert.ok(!next.headers.some(([name]) => /^(authorization|cookie|host)$/i.test(name)))
  },
  refuses: only(RequestFailure),
})

fuzz('the address of a proxy is read or refused', {
  from: textLike(
    ['http://user:p%40ss@proxy.test:3128', 'http://proxy'],
    ['%', '%zz', '%ff', '@', ':', '[', ']', 'https://'],
  ),
  attempt: (address) => assert.ok(parseProxy(address).port <= 65_535),
  refuses: only(RequestFailure),
})
