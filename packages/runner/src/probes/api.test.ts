/** What the probe of API checks sends, and what it makes of answers. */
import assert from 'node:assert/strict'
import type net from 'node:net'
import { type TestContext, test } from 'node:test'
import zlib from 'node:zlib'
import { egressPolicy } from '@vedette/core'
import type { ApiRequest } from '@vedette/schema'
import { answering, apiSettings, listen, runContext } from '../testing/builders.ts'
import { startDnsServer } from '../testing/dns-server.ts'
import { apiProbe } from './api.ts'
import type { RunContext } from './probe.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

const observe = (request: Partial<ApiRequest>, context: Partial<RunContext> = {}) =>
  apiProbe.observe(apiSettings(request), runContext(context))

const locked = (key: string, value: string) => ({ key, value, locked: true })
const open = (key: string, value: string) => ({ key, value, locked: false })

/** A target that keeps what it was asked and answers by path. */
async function recorder(t: TestContext, answers: { [path: string]: string } = {}) {
  const asked: string[] = []
  const port = await listen(t, (socket: net.Socket) => {
    let text = ''
    socket.on('data', (piece) => {
      text += piece
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end < 0 || Buffer.byteLength(text.slice(end + 4)) < length) return
      asked.push(text)
      const path = text.split(' ')[1] ?? ''
      socket.end(answers[path] ?? OK)
    })
  })
  return { asked, url: `http://127.0.0.1:${port}` }
}

const redirectTo = (location: string, status = 302) =>
  `HTTP/1.1 ${status} Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`

test('sends a plain request with its own name and nothing to keep alive', async (t) => {
  const { asked, url } = await recorder(t)
  await observe({ url: `${url}/a?b=c#d` })
  assert.equal(
    asked[0],
    `GET /a?b=c HTTP/1.1\r\nHost: ${new URL(url).host}\r\nUser-Agent: Vedette/0.1\r\nAccept: */*\r\n` +
      'Accept-Encoding: gzip, deflate, br, zstd\r\nConnection: close\r\n\r\n',
  )
})

test('sends headers as they are written, except those that frame the message', async (t) => {
  const { asked, url } = await recorder(t)
  const headers = [
    open('X-Mixed', ' höher '),
    open('user-agent', 'mine'),
    open('Host', 'elsewhere.example'),
    open('Content-Length', '999'),
    open('Transfer-Encoding', 'chunked'),
    open('Connection', 'upgrade'),
  ]
  await observe({ url, headers })
  const [request = ''] = asked
  assert.match(request, /\r\nX-Mixed: höher\r\n/)
  assert.match(request, /\r\nuser-agent: mine\r\n/)
  assert.match(request, /\r\nHost: elsewhere\.example\r\n/)
  assert.doesNotMatch(request, /999|chunked|upgrade|Vedette/)
})

test('refuses to send headers that could be read as something else', async () => {
  for (const header of [
    open('a b', 'c'),
    open('a:', 'b'),
    open('a', 'b\r\nc: d'),
    open('a', 'b\0'),
    open('a', 'b\nc'),
  ]) {
    const { failure } = await observe({ url: 'http://127.0.0.1:1/', headers: [header] })
    assert.deepEqual([failure?.code, failure?.blame], ['ERR_INVALID_HEADER', 'check'])
  }
})

test('sends bodies by their type', async (t) => {
  const { asked, url } = await recorder(t)
  const send = async (request: Partial<ApiRequest>) => {
    await observe({ url, method: 'POST', ...request })
    return asked.at(-1) ?? ''
  }
  const json = await send({ bodyType: 'JSON', body: '{"ö":1}' })
  assert.match(json, /Content-Type: application\/json\r\n.*Content-Length: 8\r\n.*\r\n\r\n\{"ö":1\}$/s)
  assert.match(await send({ bodyType: 'FORM', body: 'a=b' }), /Content-Type: application\/x-www-form-urlencoded\r\n/)
  assert.match(
    await send({ bodyType: 'GRAPHQL', body: '{ me }' }),
    /Content-Type: application\/json.*\{"query":"\{ me \}"\}$/s,
  )
  assert.doesNotMatch(await send({ bodyType: 'RAW', body: 'raw' }), /Content-Type/)
  assert.match(await send({ bodyType: 'NONE', body: 'ignored' }), /Content-Length: 0\r\n.*\r\n\r\n$/s)
  const own = await send({ bodyType: 'JSON', body: '{}', headers: [open('content-type', 'text/plain')] })
  assert.match(own, /content-type: text\/plain/)
  assert.doesNotMatch(own, /application/)
})

test('sends credentials of the settings or of the address', async (t) => {
  const { asked, url } = await recorder(t)
  await observe({ url, basicAuth: { username: 'eve', password: 'pässword' } })
  await observe({ url: url.replace('//', '//bob:a%40b@'), basicAuth: { username: '', password: '' } })
  await observe({ url, basicAuth: { username: 'eve', password: 'x' }, headers: [open('Authorization', 'Bearer t')] })
  const sent = asked.map((request) => /authorization: (.*)\r\n/i.exec(request)?.[1])
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  assert.deepEqual(sent, [basic('eve:pässword'), basic('bob:a@b'), 'Bearer t'])
})

test('appends query parameters without touching the query that is there', async (t) => {
  const { asked, url } = await recorder(t)
  await observe({ url: `${url}/?x=a+b%20c`, queryParameters: [open('q', 'a b&c'), open('ü', '')] })
  assert.match(asked[0] ?? '', /^GET \/\?x=a\+b%20c&q=a%20b%26c&%C3%BC= HTTP/)
})

test('follows redirects as browsers do', async (t) => {
  const table: [method: ApiRequest['method'], status: number, expected: string][] = [
    ['GET', 301, 'GET'],
    ['POST', 301, 'GET'],
    ['PUT', 301, 'PUT'],
    ['POST', 302, 'GET'],
    ['HEAD', 302, 'HEAD'],
    ['PUT', 303, 'GET'],
    ['POST', 303, 'GET'],
    ['HEAD', 303, 'HEAD'],
    ['POST', 307, 'POST'],
    ['PUT', 308, 'PUT'],
  ]
  for (const [method, status, expected] of table) {
    const { asked, url } = await recorder(t, { '/': redirectTo('/next', status) })
    const body = method === 'GET' || method === 'HEAD' ? {} : { bodyType: 'JSON' as const, body: '{}' }
    const { response } = await observe({ url, method, ...body })
    assert.equal(response?.href, `${url}/next`)
    assert.equal(asked[1]?.split(' ')[0], expected, `${method} ${status}`)
    assert.equal(asked[1]?.endsWith('{}'), status >= 307 || expected === 'PUT', `${method} ${status}`)
  }
})

test('takes the first answer where redirects are not followed', async (t) => {
  const { asked, url } = await recorder(t, { '/': redirectTo('/next') })
  const { response } = await observe({ url, followRedirects: false })
  assert.deepEqual([response?.status, asked.length], [302, 1])
})

test('tells no secrets to another origin', async (t) => {
  const other = await recorder(t)
  const { url } = await recorder(t, { '/': redirectTo('/same'), '/same': redirectTo(`${other.url}/`) })
  const headers = [open('Cookie', 'a=b'), locked('X-Key', 'secret'), open('X-Plain', 'plain'), open('Host', 'virtual')]
  await observe({ url, headers, basicAuth: { username: 'eve', password: 'secret' } })
  assert.match(other.asked[0] ?? '', /X-Plain: plain/)
  assert.doesNotMatch(other.asked[0] ?? '', /secret|Cookie|X-Key|Authorization|virtual/)
})

test('a redirect to a forbidden address is refused, and that is no fault of the target', async (t) => {
  const { url } = await recorder(t, { '/': redirectTo('http://169.254.169.254/latest/meta-data') })
  const { failure } = await observe({ url })
  assert.deepEqual([failure?.code, failure?.blame], ['ERR_ADDRESS_NOT_ALLOWED', 'ours'])
})

test('reads every framing of a body', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\n'
  const rows: [string, string][] = [
    [`${head}content-length: 5\r\n\r\nhello`, 'hello'],
    [`${head}content-length: 5\r\n\r\nhello and more`, 'hello'],
    [`${head}content-length: 5, 5\r\n\r\nhello`, 'hello'],
    [`${head}\r\nhello`, 'hello'],
    ['HTTP/1.0 200\r\n\r\nhello', 'hello'],
    [`${head}transfer-encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nx: y\r\n\r\n`, 'hello'],
    [`HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n${head}content-length: 5\r\n\r\nhello`, 'hello'],
    ['HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\nhello', ''],
    [`${head}content-length: 0\r\n\r\n`, ''],
  ]
  for (const [answer, body] of rows) {
    const port = await answering(t, answer)
    const { response, failure } = await observe({ url: `http://127.0.0.1:${port}/` })
    assert.equal(failure, null, answer)
    assert.equal(response?.body, body, answer)
    // The same, a byte at a time.
    const slow = await listen(t, (socket) => {
      socket.setNoDelay(true)
      socket.once('data', async () => {
        for (const character of answer) await new Promise((resolve) => socket.write(character, resolve))
        socket.end()
      })
    })
    assert.equal((await observe({ url: `http://127.0.0.1:${slow}/` })).response?.body, body, answer)
  }
})

test('joins repeated headers and lowers their names', async (t) => {
  const port = await answering(
    t,
    'HTTP/1.1 200 Fine Thing\r\nX-A: 1\r\nx-a:2\r\nSet-Cookie: a=b\r\n__proto__: x\r\n\r\n',
  )
  const { response } = await observe({ url: `http://127.0.0.1:${port}/` })
  assert.equal(response?.statusText, 'Fine Thing')
  assert.deepEqual(Object.entries(response?.headers ?? {}), [
    ['x-a', '1, 2'],
    ['set-cookie', 'a=b'],
    ['__proto__', 'x'],
  ])
})

test('decodes what it offers to understand', async (t) => {
  const text = 'hello '.repeat(20_000)
  const codings = {
    gzip: zlib.gzipSync(text),
    deflate: zlib.deflateSync(text),
    br: zlib.brotliCompressSync(text),
    zstd: zlib.zstdCompressSync(text),
  }
  for (const [coding, bytes] of Object.entries({ ...codings, 'X-GZIP': codings.gzip })) {
    const port = await answering(
      t,
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\n\r\n`), bytes]),
    )
    assert.equal((await observe({ url: `http://127.0.0.1:${port}/` })).response?.body, text, coding)
  }
})

test('reads text by its charset', async (t) => {
  const rows: [type: string, bytes: Buffer, text: string][] = [
    ['text/plain', Buffer.from('grün'), 'grün'],
    ['text/plain; charset=iso-8859-1', Buffer.from('grün', 'latin1'), 'grün'],
    ['text/plain; charset="UTF-16LE"', Buffer.from('grün', 'utf16le'), 'grün'],
    ['text/plain; charset=unheard-of', Buffer.from('grün'), 'grün'],
    ['application/json', Buffer.from('\ufeff{}'), '{}'],
  ]
  for (const [type, bytes, text] of rows) {
    const port = await answering(
      t,
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n\r\n`), bytes]),
    )
    assert.equal((await observe({ url: `http://127.0.0.1:${port}/` })).response?.body, text, type)
  }
})

test('its phases add up', async (t) => {
  const { url } = await recorder(t, { '/': redirectTo('/next') })
  const { response } = await observe({ url })
  const { total, ...phases } = response?.timingPhases ?? { total: -1 }
  const sum = Object.values(phases).reduce((left, right) => left + right, 0)
  assert.ok(Math.abs(sum - total) < 0.01)
  assert.ok(Object.values(phases).every((phase) => phase >= 0))
})

test('names are asked of the name server, and its word decides whose fault it is', async (t) => {
  const { url } = await recorder(t)
  const { port } = new URL(url)
  const server = await startDnsServer(t, (name) => {
    if (name === 'good.test') return ['127.0.0.1']
    if (name === 'mixed.test') return ['127.0.0.1', '169.254.169.254']
    if (name === 'mute.test') return 'silence'
    if (name === 'broken.test') return 2
    return name === 'v6only.test' ? ['::1'] : 3
  })
  const dns = { nameServers: [server] }
  const look = async (name: string, request: Partial<ApiRequest> = {}) =>
    apiProbe.observe(apiSettings({ url: `http://${name}:${port}/`, ...request }), runContext(dns))
  assert.equal((await look('good.test')).response?.status, 200)
  assert.equal((await look('GOOD.test.')).response?.status, 200)
  const blame = async (name: string) => {
    const { failure } = await look(name)
    return [failure?.code, failure?.phase, failure?.blame]
  }
  assert.deepEqual(await blame('missing.test'), ['ENOTFOUND', 'dns', 'target'])
  assert.deepEqual(await blame('v6only.test'), ['ENODATA', 'dns', 'target'])
  assert.deepEqual(await blame('broken.test'), ['ESERVFAIL', 'dns', 'target'])
  assert.deepEqual(await blame('mute.test'), ['ETIMEOUT', 'dns', 'ours'])
  assert.deepEqual(await blame('mixed.test'), ['ERR_ADDRESS_NOT_ALLOWED', 'connect', 'ours'])
})

test('a name server that cannot be reached is our trouble', async () => {
  const context = runContext({ nameServers: ['127.0.0.1:1'] })
  const { failure } = await apiProbe.observe(apiSettings({ url: 'http://any.test/' }), context)
  assert.equal(failure?.blame, 'ours')
})

test('localhost is this machine, without asking anyone', async (t) => {
  const { url } = await recorder(t)
  const context = () => runContext({ nameServers: ['127.0.0.1:1'] })
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost']) {
    const { response } = await apiProbe.observe(apiSettings({ url: url.replace('127.0.0.1', host) }), context())
    assert.equal(response?.status, 200, host)
  }
})

test('no spelling of a forbidden address is dialled', async (t) => {
  let dialled = 0
  const port = await listen(t, () => {
    dialled += 1
  })
  const hosts = [
    '127.0.0.1',
    '127.1',
    '0177.0.0.1',
    '0x7f.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.0.0.1.',
    '127.000.000.001',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '①②⑦.0.0.1',
    '127。0。0。1',
    'localhost',
    'LocalHost',
    'localhost.',
    'x.localhost',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '0',
    '0.0.0.0',
    '[::]',
    'user@127.0.0.1',
    '8.8.8.8@127.0.0.1',
    '127.0.0.1%2f',
    '127.0.0.2',
    '127.255.255.254',
  ]
  for (const host of hosts) {
    const { response, failure } = await observeAs('check-private-location', `http://${host}:${port}/`)
    assert.equal(response, null, host)
    assert.notEqual(failure?.blame, 'target', `${host}: ${failure?.message}`)
  }
  assert.equal(dialled, 0)
})

const observeAs = (preset: 'check-private-location', url: string) =>
  apiProbe.observe(
    apiSettings({ url }),
    runContext({ egress: egressPolicy(preset), nameServers: ['127.0.0.1:1'], limitMs: 1000 }),
  )

test('plain requests go through a proxy whole', async (t) => {
  const proxy = await recorder(t)
  const { response } = await observe(
    { url: 'http://target.test/a?b' },
    { proxyUrl: proxy.url.replace('//', '//me:pw@') },
  )
  assert.equal(response?.status, 200)
  assert.match(proxy.asked[0] ?? '', /^GET http:\/\/target\.test\/a\?b HTTP\/1\.1\r\nHost: target\.test\r\n/)
  assert.match(proxy.asked[0] ?? '', /Proxy-Authorization: Basic bWU6cHc=\r\n/)
})

test('a proxy that cannot be used is our trouble, one that cannot reach the target tells of the target', async (t) => {
  const refused = await observe({ url: 'http://target.test/' }, { proxyUrl: 'http://127.0.0.1:1' })
  assert.deepEqual([refused.failure?.code, refused.failure?.blame], ['ERR_PROXY', 'ours'])
  const rows = { '407 Proxy Authentication Required': 'ours', '502 Bad Gateway': 'target' }
  for (const [status, blame] of Object.entries(rows)) {
    const port = await answering(t, `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`)
    const { failure } = await observe({ url: 'https://target.test/' }, { proxyUrl: `http://127.0.0.1:${port}` })
    assert.equal(failure?.blame, blame, failure?.message)
  }
})

test('an address that is none is a mistake in the settings', async () => {
  for (const url of [
    'nonsense',
    'ftp://a/',
    'file:///etc/passwd',
    'javascript:1',
    'http://',
    'http://[',
    'http://a b/',
  ]) {
    const { failure } = await observe({ url })
    assert.deepEqual([failure?.code, failure?.blame], ['ERR_INVALID_URL', 'check'], url)
  }
})
