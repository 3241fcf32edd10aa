/** Servers that want to know who calls. */
import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import type { ApiRequest, RunCertificate } from '@vedette/schema'
import { executeRun } from '../execute-run.ts'
import { TroubleWatch } from '../own-trouble.ts'
import { answering, apiSettings, leasedRun, listen, runContext } from '../testing/builders.ts'
import { type Certificate, makeAuthority } from '../testing/certificates.ts'
import { demanding } from '../testing/demanding-server.ts'
import { apiProbe } from './api.ts'

const authority = makeAuthority()
tls.setDefaultCACertificates([authority.cert])
const forServer = authority.issue('DNS:localhost,IP:127.0.0.1')
const forClient = authority.issue('DNS:client.test')
const elsewhere = makeAuthority()

function shown(pair: Certificate, rest: Partial<RunCertificate> = {}): RunCertificate {
  return { host: 'localhost', ...pair, ca: null, passphrase: null, ...rest }
}

function locked(pair: Certificate, passphrase: string): Certificate {
  const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } as const
  return { cert: pair.cert, key: createPrivateKey(pair.key).export(options).toString() }
}

/** Says the name in the certificate that it is shown, or that there is none. */
function asking(t: TestContext, pair: Certificate = forServer, answerTo = greeting): Promise<number> {
  const secureContext = tls.createSecureContext({ ...pair, ca: [authority.cert, elsewhere.cert] })
  return listen(t, (socket) => {
    const options = { isServer: true, requestCert: true, rejectUnauthorized: false, secureContext }
    const secure = new tls.TLSSocket(socket, options)
    secure.on('error', () => {})
    secure.once('data', () => secure.end(answerTo(secure.getPeerCertificate().subjectaltname ?? 'nobody')))
  })
}

const greeting = (name: string) => `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello ${name}`
const redirecting = (to: string) => (name: string) =>
  `HTTP/1.1 302 Found\r\nlocation: ${to}\r\nx-shown: ${name}\r\nconnection: close\r\n\r\n`

async function call(port: number, certificates: RunCertificate[], request: Partial<ApiRequest> = {}) {
  const url = `https://localhost:${port}/`
  return apiProbe.observe(apiSettings({ url, ...request }), runContext({ certificates }))
}

test('the certificate for the host is shown, the one for the very host first, of equals the last', async (t) => {
  const port = await asking(t)
  const other = authority.issue('DNS:other.test')
  const hello = async (...certificates: RunCertificate[]) => (await call(port, certificates)).response?.body
  assert.equal(await hello(), 'hello nobody')
  assert.equal(await hello(shown(forClient)), 'hello DNS:client.test')
  assert.equal(await hello(shown(forClient), shown(other, { host: '*' })), 'hello DNS:client.test')
  assert.equal(await hello(shown(forClient), shown(other)), 'hello DNS:other.test')
  assert.equal(await hello(shown(forClient, { host: 'shop.test' })), 'hello nobody')
})

test('an encrypted key is opened, and authorities of one’s own are trusted beside the usual ones', async (t) => {
  const certificate = shown(locked(forClient, 'mist'), { passphrase: 'mist', ca: elsewhere.cert })
  for (const pair of [forServer, elsewhere.issue('DNS:localhost')]) {
    const { response, failure } = await call(await asking(t, pair), [certificate])
    assert.equal(response?.body, 'hello DNS:client.test', failure?.message)
  }
  const { failure } = await call(await asking(t, elsewhere.issue('DNS:localhost')), [shown(forClient)])
  assert.equal(failure?.code, 'SELF_SIGNED_CERT_IN_CHAIN')
})

test('another origin is not shown the certificate, whatever leads there', async (t) => {
  const other = await asking(t)
  const onward = await asking(t, forServer, redirecting(`https://localhost:${other}/`))
  const every = [shown(forClient, { host: '*' })]
  assert.equal((await call(onward, every)).response?.body, 'hello nobody')
  // Plain text has no certificates at all, and leads to another origin.
  const plain = await answering(t, redirecting(`https://localhost:${other}/`)('nobody'))
  const { response } = await call(0, every, { url: `http://localhost:${plain}/` })
  assert.equal(response?.body, 'hello nobody')
})

test('a redirect within the origin shows it again', async (t) => {
  let calls = 0
  const port = await asking(t, forServer, (name) => {
    calls += 1
    return calls === 1 ? redirecting('/next')(name) : greeting(name)
  })
  assert.equal((await call(port, [shown(forClient)])).response?.body, 'hello DNS:client.test')
})

for (const protocol of ['-tls1_2', '-tls1_3'] as const) {
  test(`a server that demands a certificate and refuses it says why, with ${protocol.slice(1)}`, async (t) => {
    const port = await demanding(t, protocol, { server: forServer, clients: authority.cert })
    assert.equal((await call(port, [shown(forClient)])).response?.status, 200)

    const expired = authority.issue('DNS:client.test', { expired: true })
    const { failure: refused } = await call(port, [shown(expired)])
    assert.deepEqual([refused?.code, refused?.blame], ['ERR_CLIENT_CERTIFICATE', 'ours'])
    assert.match(
      refused?.message ?? '',
      /refused the client certificate for localhost: it has expired \(valid until \d{4}-\d\d-\d\d\)$/,
    )

    const { failure: unknown } = await call(port, [shown(elsewhere.issue('DNS:client.test'))])
    assert.equal(unknown?.blame, 'ours')
    assert.match(unknown?.message ?? '', /localhost: the server does not know who issued it$/)

    const { failure: none } = await call(port, [])
    assert.deepEqual([none?.phase, none?.blame], ['tls', 'target'])
    assert.match(none?.message ?? '', /the server (asks for a client certificate|refused the handshake)$/)
  })
}

test('a certificate that cannot be used is our trouble, said before anything is dialled', async () => {
  const table: [why: RegExp, certificate: RunCertificate][] = [
    [/its passphrase does not open the key$/, shown(locked(forClient, 'mist'), { passphrase: 'fog' })],
    [/its passphrase does not open the key$|its key needs a passphrase$/, shown(locked(forClient, 'mist'))],
    [/its key is that of another certificate$/, shown({ cert: forClient.cert, key: forServer.key })],
    [/it cannot be read$/, shown({ cert: 'x', key: 'y' })],
  ]
  for (const [why, certificate] of table) {
    const { failure } = await call(1, [certificate])
    assert.deepEqual([failure?.code, failure?.phase, failure?.blame], ['ERR_CLIENT_CERTIFICATE', 'tls', 'ours'])
    assert.match(failure?.message ?? '', why)
  }
})

test('neither keys nor passphrases leave with a report, not even when a target repeats them', async (t) => {
  const passphrase = 'canary-9c21'
  const pair = locked(forClient, passphrase)
  const bodyOfKey = pair.key.split('\n')[3] ?? ''
  assert.ok(bodyOfKey.length > 30)
  const echo = await asking(t, forServer, (name) => `${greeting(name)} ${passphrase} ${pair.key}`)
  const tools = { dialer: runContext().dialer, watch: new TroubleWatch() }
  for (const certificate of [shown(pair, { passphrase }), shown(pair, { passphrase: 'canary-0000' })]) {
    const run = leasedRun({ url: `https://localhost:${echo}/` }, { certificates: [certificate] })
    const report = await executeRun(run, performance.now(), tools)
    const text = JSON.stringify(report)
    if (certificate.passphrase === passphrase) {
      assert.equal(report.verdict, 'passed', report.error ?? '')
      assert.doesNotMatch(text, /canary-9c21/)
    } else assert.equal(report.verdict, 'error')
    assert.ok(!text.includes(bodyOfKey) && !text.includes('canary-0000'))
  }
})
