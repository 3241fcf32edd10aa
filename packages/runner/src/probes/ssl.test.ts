/** What an SSL check sees of good and bad servers: each run ends in time, with the right verdict and reason. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { egressPolicy, judges } from '@vedette/core'
import {
  type RunCertificate,
  RunReport,
  SslCheckResult,
  type SslConfig,
  type SslFailureCategory,
  type SslHandshake,
  type SslSettings,
  type Verdict,
} from '@vedette/schema'
import { Value } from 'typebox/value'
import { sslDetails } from '../details/ssl.ts'
import { executeRun } from '../execute-run.ts'
import { TroubleWatch } from '../own-trouble.ts'
import { startBlackHole } from '../testing/black-hole.ts'
import { leasedRun, portOf, runContext } from '../testing/builders.ts'
import { type Certificate, type CertificateWishes, makeAuthority, selfSigned } from '../testing/certificates.ts'
import { demanding } from '../testing/demanding-server.ts'
import { startDnsServer } from '../testing/dns-server.ts'
import { sslProbe } from './ssl.ts'

// The probe reads whom it trusts once.
const authority = makeAuthority()
tls.setDefaultCACertificates([authority.cert])
const elsewhere = makeAuthority('/CN=Unknown authority')
const intermediate = authority.intermediate()
const lapsed = authority.intermediate({ expired: true, subject: '/CN=Lapsed intermediate' })

const NAMES = 'DNS:localhost,DNS:shop.test,IP:127.0.0.1'
const issue = (wishes: CertificateWishes = {}, names = NAMES) =>
  authority.issue(names, { days: wishes.expired ? -1 : 90, ...wishes })
const chained = ({ key, cert }: Certificate, ...issuers: string[]) => ({ key, cert: [cert, ...issuers].join('') })
const good = issue()

/** Our authority as another one vouches for it, for those who do not know ours. */
const crossed = makeAuthority('/O=DigiNotar/CN=Old root').vouchFor(authority)

const SLACK_MS = 250

interface Served {
  port: number
  /** Fulfilled when no connection to it is left. */
  abandoned: () => Promise<void>
}

async function serve(t: TestContext, server: net.Server, host = '127.0.0.1'): Promise<Served> {
  server.on('connection', (socket: net.Socket) => socket.on('error', () => {}))
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => server.close())
  return {
    port: portOf(server),
    abandoned: async () => {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

type Reaction = (socket: net.Socket) => void

/** Who does not read does not learn that the other side has closed. */
const raw = (reaction: Reaction) => () =>
  net.createServer((socket) => {
    reaction(socket)
    socket.resume()
  })
const saying = (bytes: Buffer | string) => raw((socket) => socket.once('data', () => socket.end(bytes)))
const secure = (options: () => tls.TlsOptions) => () => {
  const server = tls.createServer(options(), (socket) => socket.on('error', () => {}).resume())
  return server.on('tlsClientError', () => {})
}

/** Old and weak ways, as this OpenSSL still has them. */
const WEAK = 'ALL:eNULL:@SECLEVEL=0'

interface Look {
  config?: Partial<SslConfig>
  context?: Parameters<typeof runContext>[0]
  settings?: Partial<SslSettings>
}

/** Looks as a runner does, and says how that was judged and what is kept of it. */
async function look(port: number, { config = {}, context = {}, settings = {} }: Look = {}) {
  const all: SslSettings = {
    request: { sslConfig: { hostname: 'localhost', port, ...config } },
    shouldFail: false,
    degradedResponseTime: null,
    maxResponseTime: null,
    ...settings,
  }
  const limitMs = Math.min(config.handshakeTimeoutMs ?? 10_000, context.limitMs ?? 5000)
  const startedAt = performance.now()
  const observation = await sslProbe.observe(all, runContext(context))
  const took = performance.now() - startedAt
  assert.ok(took <= limitMs + SLACK_MS, `took ${took} ms`)
  const judgement = judges.SSL(all, observation)
  const { content } = sslDetails.detail(all, observation, judgement.assertions, (text) => text)
  assert.ok(Value.Check(SslCheckResult, content))
  const fingerprint = sslDetails.fingerprint(observation, judgement.assertions, all)
  return { ...observation, ...judgement, content, fingerprint, phases: sslDetails.phases(observation) }
}

interface Case extends Look {
  name: string
  server: () => net.Server
  host?: string
  verdict: Verdict
  /** How the sentence begins, or all that it says. */
  error?: RegExp
  category?: SslFailureCategory
  seen?: Partial<SslHandshake>
  grade?: string | null
}

const MISNAMED = /^ERR_TLS_CERT_ALTNAME_INVALID: the certificate is for another host name: /

const cases: Case[] = [
  {
    name: 'is healthy',
    server: secure(() => good),
    verdict: 'passed',
    grade: 'A',
    seen: {
      protocol: 'TLS1.3',
      cipherSuite: 'TLS_AES_256_GCM_SHA384',
      chainTrusted: true,
      hostnameVerified: true,
      resolvedIp: '127.0.0.1',
      daysUntilExpiry: 89,
      ocspStapled: false,
      ocspMustStaple: false,
      sctPresent: false,
    },
  },
  {
    name: 'shows the receipt of a log',
    server: secure(() => issue({ extensions: ['1.3.6.1.4.1.11129.2.4.2=DER:04050003000100'] })),
    verdict: 'passed',
    grade: 'A+',
    seen: { sctPresent: true },
  },
  {
    name: 'shows an empty list of receipts',
    server: secure(() => issue({ extensions: ['1.3.6.1.4.1.11129.2.4.2=DER:04020000'] })),
    verdict: 'passed',
    grade: 'A',
    seen: { sctPresent: false },
  },
  {
    name: 'speaks TLS 1.2 at most',
    server: secure(() => ({ ...good, maxVersion: 'TLSv1.2' })),
    verdict: 'passed',
    seen: { protocol: 'TLS1.2' },
  },
  {
    name: 'speaks TLS 1.1 at most',
    server: secure(() => ({ ...good, ciphers: WEAK, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })),
    verdict: 'failed',
    category: 'BASELINE',
    error: /^minTLSVersion: TLS1\.1 was agreed upon, required is TLS1\.2 or newer$/,
    grade: 'F',
    seen: { protocol: 'TLS1.1', chainTrusted: true },
  },
  {
    name: 'speaks TLS 1.0 at most',
    server: secure(() => ({ ...good, ciphers: WEAK, minVersion: 'TLSv1', maxVersion: 'TLSv1' })),
    config: { securityBaseline: { minTLSVersion: { severity: 'degrade' } } },
    verdict: 'degraded',
    error: /^minTLSVersion: TLS1\.0 was agreed upon/,
    grade: 'C',
    seen: { protocol: 'TLS1.0' },
  },
  {
    name: 'does not encrypt',
    server: secure(() => ({ ...good, ciphers: 'ECDHE-ECDSA-NULL-SHA@SECLEVEL=0', maxVersion: 'TLSv1.2' })),
    verdict: 'failed',
    category: 'BASELINE',
    error: /^weakCipherSuite: TLS_ECDHE_ECDSA_WITH_NULL_SHA was agreed upon/,
  },
  {
    name: 'does not encrypt, where nobody minds',
    server: secure(() => ({ ...good, ciphers: 'ECDHE-ECDSA-NULL-SHA@SECLEVEL=0', maxVersion: 'TLSv1.2' })),
    config: { securityBaseline: { enabled: false } },
    verdict: 'passed',
    grade: null,
  },
  {
    name: 'offers only suites without certificates',
    server: secure(() => ({ ciphers: 'ADH-AES128-SHA@SECLEVEL=0', maxVersion: 'TLSv1.2' })),
    verdict: 'failed',
    category: 'HANDSHAKE',
    error:
      /the server refused the handshake: it may want a client certificate, or a cipher suite that is not spoken here/,
  },
  {
    name: 'has a certificate that has expired',
    server: secure(() => issue({ expired: true })),
    verdict: 'failed',
    category: 'EXPIRED',
    error: /^CERT_HAS_EXPIRED: the certificate has expired, it was valid until \S+Z$/,
    seen: { chainTrusted: true, hostnameVerified: true, daysUntilExpiry: -2 },
  },
  {
    name: 'has a certificate that is not valid yet',
    server: secure(() => authority.issue(NAMES, { notYetValid: true })),
    verdict: 'failed',
    category: 'NOT_YET_VALID',
    error: /^CERT_NOT_YET_VALID: the certificate is not valid yet, but from \S+Z on$/,
    seen: { chainTrusted: true },
  },
  {
    name: 'has a certificate that expires soon',
    server: secure(() => issue({ days: 10 })),
    verdict: 'degraded',
    error: /^the certificate expires in 9 days: it is valid until \S+Z$/,
    seen: { daysUntilExpiry: 9 },
  },
  {
    name: 'has a certificate that expires soon, and not too soon',
    server: secure(() => issue({ days: 10 })),
    config: { alertDaysBeforeExpiry: 8 },
    verdict: 'passed',
  },
  {
    name: 'has a self-signed certificate',
    server: secure(() => selfSigned({ names: NAMES })),
    config: { alertDaysBeforeExpiry: 1 },
    verdict: 'failed',
    category: 'CHAIN',
    error: /^DEPTH_ZERO_SELF_SIGNED_CERT: the certificate is self-signed$/,
    seen: { chainTrusted: false, hostnameVerified: true },
  },
  {
    name: 'has a self-signed certificate, where that is accepted',
    server: secure(() => selfSigned({ names: NAMES })),
    config: { skipChainValidation: true },
    verdict: 'degraded',
    error: /^the certificate expires in 1 day:/,
  },
  {
    name: 'has a self-signed certificate for another name that has expired',
    server: secure(() => selfSigned({ expired: true, names: 'DNS:other.test' })),
    verdict: 'failed',
    category: 'EXPIRED',
    error:
      /^CERT_HAS_EXPIRED: .*; ERR_TLS_CERT_ALTNAME_INVALID: .*; DEPTH_ZERO_SELF_SIGNED_CERT: the certificate is self-signed$/,
    seen: { chainTrusted: false, hostnameVerified: false },
  },
  {
    name: 'is vouched for by somebody unknown',
    server: secure(() => elsewhere.issue(NAMES, { days: 90 })),
    verdict: 'failed',
    category: 'CHAIN',
    error: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE: the certificate is signed by an authority that the server did not send$/,
  },
  {
    name: 'is vouched for by somebody unknown whom it shows',
    server: secure(() => chained(elsewhere.issue(NAMES, { days: 90 }), elsewhere.cert)),
    verdict: 'failed',
    category: 'CHAIN',
    error: /^SELF_SIGNED_CERT_IN_CHAIN: /,
  },
  {
    name: 'has an expired certificate of somebody unknown',
    server: secure(() => chained(elsewhere.issue(NAMES, { expired: true }), elsewhere.cert)),
    verdict: 'failed',
    category: 'EXPIRED',
    error: /^CERT_HAS_EXPIRED: .*; SELF_SIGNED_CERT_IN_CHAIN: /,
    seen: { chainTrusted: false },
  },
  {
    name: 'shows a whole chain',
    server: secure(() => chained(intermediate.issue(NAMES, { days: 90 }), intermediate.cert)),
    verdict: 'passed',
    seen: { chainTrusted: true },
  },
  {
    name: 'forgets the intermediate certificate',
    server: secure(() => intermediate.issue(NAMES, { days: 90 })),
    verdict: 'failed',
    category: 'CHAIN',
    error: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE: /,
  },
  {
    name: 'forgets the intermediate certificate of one that has expired',
    server: secure(() => intermediate.issue(NAMES, { expired: true })),
    verdict: 'failed',
    category: 'EXPIRED',
    error: /^CERT_HAS_EXPIRED: .*; UNABLE_TO_VERIFY_LEAF_SIGNATURE: /,
  },
  {
    name: 'shows an intermediate certificate that has expired',
    server: secure(() => chained(lapsed.issue(NAMES, { days: 90 }), lapsed.cert)),
    verdict: 'failed',
    category: 'CHAIN',
    error: /^CERT_HAS_EXPIRED: the certificate has expired \(that of CN=Lapsed intermediate\)$/,
    seen: { chainTrusted: false },
  },
  {
    name: 'has a certificate for clients only',
    server: secure(() => issue({ extensions: ['extendedKeyUsage=clientAuth'] })),
    verdict: 'failed',
    category: 'CHAIN',
    error: /^INVALID_PURPOSE: the certificate is not one for servers$/,
  },
  {
    name: 'has an expired certificate for clients only',
    server: secure(() => issue({ expired: true, extensions: ['extendedKeyUsage=clientAuth'] })),
    verdict: 'failed',
    category: 'EXPIRED',
    error: /^CERT_HAS_EXPIRED: .*; INVALID_PURPOSE: /,
  },
  {
    name: 'has a certificate for another name',
    server: secure(() => issue({}, 'DNS:other.test')),
    verdict: 'failed',
    category: 'HOSTNAME',
    error: MISNAMED,
    seen: { chainTrusted: true, hostnameVerified: false },
  },
  {
    name: 'has a certificate for the name that is asked for',
    server: secure(() => issue({}, 'DNS:other.test')),
    config: { serverName: 'other.test' },
    verdict: 'passed',
  },
  {
    name: 'has a certificate for the host, but not for the name that is asked for',
    server: secure(() => good),
    config: { serverName: 'other.test' },
    verdict: 'failed',
    category: 'HOSTNAME',
    error: MISNAMED,
  },
  {
    name: 'is an address in its certificate',
    server: secure(() => good),
    config: { hostname: '127.0.0.1' },
    verdict: 'passed',
  },
  {
    name: 'is an address that is not in its certificate',
    server: secure(() => issue({}, 'DNS:localhost')),
    config: { hostname: '127.0.0.1' },
    verdict: 'failed',
    category: 'HOSTNAME',
    error: MISNAMED,
  },
  {
    name: 'is reached by IPv6',
    host: '::1',
    server: secure(() => issue({}, 'DNS:localhost,IP:::1')),
    config: { ipFamily: 'IPv6' },
    verdict: 'passed',
    seen: { resolvedIp: '::1' },
  },
  {
    name: 'is an address of IPv6',
    host: '::1',
    server: secure(() => issue({}, 'IP:::1')),
    config: { hostname: '[::1]' },
    verdict: 'passed',
  },
  {
    name: 'has a key of 1024 bits',
    server: secure(() => ({ ...issue({ key: 'rsa:1024' }), ciphers: WEAK })),
    verdict: 'failed',
    category: 'BASELINE',
    error: /^minKeySizeBits: the rsa key has 1024 bits, required are 2048 or more$/,
  },
  {
    name: 'has a key of 2048 bits where more are wanted',
    server: secure(() => issue({ key: 'rsa:2048' })),
    config: { securityBaseline: { recommendedKeySizeBits: { severity: 'degrade' } } },
    verdict: 'degraded',
    error: /^recommendedKeySizeBits: the rsa key has 2048 bits, recommended are 3072 or more$/,
  },
  {
    name: 'has a certificate signed with SHA-1',
    server: secure(() => ({ ...issue({ digest: 'sha1' }), ciphers: WEAK })),
    verdict: 'failed',
    category: 'BASELINE',
    error: /^weakSignatureAlgorithm: the certificate of CN=Test is signed with ecdsa-with-SHA1, /,
    seen: { chainTrusted: true },
  },
  {
    name: 'has an ed25519 key',
    server: secure(() => issue({ key: 'ed25519' })),
    verdict: 'passed',
  },
  {
    name: 'has a certificate of an authority that nobody trusts any more',
    server: secure(() => {
      const diginotar = authority.intermediate({ subject: '/O=DigiNotar/CN=DigiNotar Root CA' })
      return chained(diginotar.issue(NAMES, { days: 90 }), diginotar.cert)
    }),
    verdict: 'failed',
    category: 'BASELINE',
    error: /^knownBadCA: the chain leads through DigiNotar, required is an authority that browsers trust$/,
  },
  {
    name: 'must bring an OCSP answer and does not',
    server: secure(() => issue({ extensions: ['tlsfeature=status_request'] })),
    config: { securityBaseline: { ocspMustStapleRespected: { severity: 'fail' } } },
    verdict: 'failed',
    category: 'BASELINE',
    error: /^ocspMustStapleRespected: the server brought no OCSP answer, but its certificate demands one$/,
    seen: { ocspMustStaple: true, ocspStapled: false },
  },
  {
    name: 'must bring an OCSP answer and does',
    server: () => stapling(Buffer.from('30050a0100a000', 'hex')),
    config: { securityBaseline: { ocspMustStapleRespected: { severity: 'fail' } } },
    verdict: 'passed',
    seen: { ocspMustStaple: true, ocspStapled: true },
  },
  {
    name: 'brings word that there is no OCSP answer',
    server: () => stapling(Buffer.from('30030a0103', 'hex')),
    verdict: 'passed',
    seen: { ocspMustStaple: true, ocspStapled: false },
  },
  {
    name: 'sends a huge chain',
    server: secure(() => chained(good, authority.cert.repeat(60))),
    verdict: 'passed',
    seen: { chainTrusted: true },
  },
  {
    name: 'sends more than is needed, through somebody whom nobody trusts any more',
    server: secure(() => chained(intermediate.issue(NAMES, { days: 90 }), intermediate.cert, crossed)),
    verdict: 'passed',
    seen: { chainTrusted: true },
  },
  {
    name: 'sends more than is needed, with a certificate that has expired',
    server: secure(() => chained(intermediate.issue(NAMES, { expired: true }), intermediate.cert, crossed)),
    verdict: 'failed',
    category: 'EXPIRED',
    error: /^CERT_HAS_EXPIRED: the certificate has expired, it was valid until \S+Z$/,
    seen: { chainTrusted: true },
  },
  {
    name: 'hangs up in the handshake',
    server: raw((socket) => socket.once('data', () => socket.end())),
    verdict: 'failed',
    category: 'HANDSHAKE',
    error: /^ECONNRESET: the connection was closed during the TLS handshake$/,
  },
  {
    name: 'resets in the handshake',
    server: raw((socket) => socket.once('data', () => socket.resetAndDestroy())),
    verdict: 'failed',
    category: 'HANDSHAKE',
    error: /^ECONNRESET: /,
  },
  {
    name: 'is silent after connecting',
    server: raw(() => {}),
    config: { handshakeTimeoutMs: 1000 },
    verdict: 'failed',
    category: 'TIMEOUT',
    error: /^ETIMEDOUT: no answer within 1 s while shaking hands$/,
  },
  {
    name: 'drips the handshake',
    server: raw((socket) => {
      const bytes = Buffer.from([0x16, 0x03, 0x03, 0x40, 0x00])
      let at = 0
      const timer = setInterval(() => socket.write(bytes.subarray(at % 5, (at++ % 5) + 1)), 20)
      socket.once('close', () => clearInterval(timer))
    }),
    config: { handshakeTimeoutMs: 1000 },
    verdict: 'failed',
    category: 'TIMEOUT',
    error: /^ETIMEDOUT: no answer within 1 s while shaking hands$/,
  },
  {
    name: 'speaks plain HTTP',
    server: saying('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'),
    verdict: 'failed',
    category: 'HANDSHAKE',
    error: /the server does not speak TLS on this port$/,
  },
  {
    name: 'greets before TLS',
    server: raw((socket) => socket.write('220 ready for STARTTLS\r\n')),
    verdict: 'failed',
    category: 'HANDSHAKE',
    error: /the server does not speak TLS on this port$/,
  },
  {
    name: 'answers garbage',
    server: saying(Buffer.alloc(500, 0xa5)),
    verdict: 'failed',
    category: 'HANDSHAKE',
    error: /^ERR_SSL_/,
  },
  {
    name: 'answers with SSL 3',
    server: saying(Buffer.from(`160300002a02000026${'0300'}${'11'.repeat(32)}00${'0005'}00`, 'hex')),
    verdict: 'failed',
    category: 'HANDSHAKE',
    error: /^ERR_SSL_UNSUPPORTED_PROTOCOL: the server speaks no version of TLS from 1\.0 to 1\.3/,
  },
  {
    name: 'refuses every version',
    server: saying(Buffer.from('15030000020246', 'hex')),
    verdict: 'failed',
    category: 'HANDSHAKE',
    error: /the server speaks no version of TLS from 1\.0 to 1\.3, and older ones are not spoken here$/,
  },
  {
    name: 'has no suite in common with us',
    server: saying(Buffer.from('15030300020228', 'hex')),
    verdict: 'failed',
    category: 'HANDSHAKE',
    error: /a cipher suite that is not spoken here, such as RC4 or 3DES$/,
  },
]

function stapling(answer: Buffer): net.Server {
  const server = tls.createServer(issue({ extensions: ['tlsfeature=status_request'] }), (socket) => socket.resume())
  return server.on('OCSPRequest', (_certificate, _issuer, callback) => callback(null, answer))
}

for (const { name, server, host, verdict, error, category, seen, grade, ...how } of cases) {
  test(`a server that ${name}`, async (t) => {
    const { port, abandoned } = await serve(t, server(), host)
    const found = await look(port, how)
    assert.deepEqual([found.verdict, found.content.failureCategory], [verdict, category ?? null], found.error ?? '')
    if (error === undefined) assert.equal(found.error, null)
    else assert.match(found.error ?? '', error)
    for (const [fact, value] of Object.entries(seen ?? {}))
      assert.deepEqual(Object.entries(found.response ?? {}).find(([key]) => key === fact)?.[1], value, fact)
    if (grade !== undefined) assert.equal(found.content.baselineGrade, grade)
    await abandoned()
  })
}

test('a server that refuses connections', async () => {
  const { verdict, error, content } = await look(1)
  assert.deepEqual([verdict, content.failureCategory], ['failed', 'CONNECTION'])
  assert.equal(error, 'connect ECONNREFUSED 127.0.0.1:1')
})

test('a server that never accepts connections', async (t) => {
  const { verdict, error, content } = await look(await startBlackHole(t), { config: { handshakeTimeoutMs: 1000 } })
  assert.deepEqual([verdict, content.failureCategory], ['failed', 'TIMEOUT'])
  assert.equal(error, 'ETIMEDOUT: no answer within 1 s while connecting')
})

test('names', async (t) => {
  const { port } = await serve(t, secure(() => good)())
  const nameServer = await startDnsServer(t, (name) => {
    if (name === 'mute.test') return 'silence'
    return name === 'gone.test' ? 3 : ['127.0.0.1']
  })
  const ask = async (hostname: string, how: Look = {}) => {
    const context = { nameServers: [nameServer], ...how.context }
    const { verdict, error, content, resolvedIp } = await look(port, {
      ...how,
      config: { hostname, ...how.config },
      context,
    })
    return [verdict, content.failureCategory, error ?? resolvedIp]
  }
  await t.test('are looked up', async () => assert.deepEqual(await ask('shop.test'), ['passed', null, '127.0.0.1']))
  await t.test('may end with a dot', async () => assert.equal((await ask('shop.test.'))[0], 'passed'))
  await t.test('that do not exist fail, even where a refusal is wanted', async () => {
    const gone = ['failed', 'DNS', 'ENOTFOUND: the name gone.test does not exist']
    assert.deepEqual(await ask('gone.test'), gone)
    assert.deepEqual(await ask('gone.test', { settings: { shouldFail: true } }), gone)
  })
  await t.test('that do not come in time are our trouble', async () => {
    const [verdict, category, error] = await ask('mute.test', { config: { handshakeTimeoutMs: 1000 } })
    assert.deepEqual([verdict, category], ['error', 'DNS'])
    assert.equal(error, 'ETIMEDOUT: our name server did not answer for mute.test within 1 s')
  })
  await t.test('of addresses that are not allowed are our trouble', async () => {
    const egress = egressPolicy('check-built-in', { deny: ['127.0.0.1'] })
    const [verdict, , error] = await ask('shop.test', { context: { egress } })
    assert.equal(verdict, 'error')
    assert.match(String(error), /^ERR_ADDRESS_NOT_ALLOWED/)
  })
})

test('a bad certificate is what is wanted where the check should fail', async (t) => {
  const settings = { shouldFail: true }
  const bad = await serve(t, secure(() => issue({}, 'DNS:other.test'))())
  assert.equal((await look(bad.port, { settings })).verdict, 'passed')
  const fine = await serve(t, secure(() => good)())
  const { verdict, error } = await look(fine.port, { settings })
  assert.deepEqual([verdict, error], ['failed', 'expected localhost to be refused, but nothing is wrong with it'])
})

for (const protocol of ['-tls1_2', '-tls1_3'] as const) {
  test(`a server that wants to know who calls, ${protocol.slice(1)}`, async (t) => {
    const pair = issue({}, 'DNS:client.test')
    const shown = (certificate: Certificate, host = 'localhost'): RunCertificate => ({
      host,
      ...certificate,
      ca: null,
      passphrase: null,
    })
    const port = await demanding(t, protocol, { server: good, clients: authority.cert })
    const call = (certificates: RunCertificate[], config: Partial<SslConfig> = {}) =>
      look(port, { config, context: { certificates } })
    const nobody = await call([])
    assert.deepEqual([nobody.verdict, nobody.content.failureCategory], ['failed', 'HANDSHAKE'])
    assert.match(nobody.error ?? '', /client certificate/)
    // Up to TLS 1.2 the refusal comes before the handshake is done.
    const told = protocol === '-tls1_3' ? new X509Certificate(good.cert).fingerprint256 : undefined
    assert.equal(sslDetails.certificate?.(nobody)?.fingerprint256, told)
    assert.deepEqual([(await call([shown(pair)])).verdict], ['passed'])
    // The name that is asked for is whom it is for.
    const named = { hostname: '127.0.0.1', serverName: 'localhost' }
    assert.equal((await call([shown(pair)], named)).verdict, 'passed')
    assert.equal((await call([shown(pair, '127.0.0.1')], named)).verdict, 'failed')
    // That for another host is shown only when it is meant.
    const other = [shown(pair, 'elsewhere.test')]
    assert.equal((await call(other)).verdict, 'failed')
    assert.equal((await call(other, { clientCertificateMode: 'explicit' })).verdict, 'passed')
    const refused = await call([shown(elsewhere.issue('DNS:client.test'))])
    assert.equal(refused.verdict, 'error')
    assert.match(
      refused.error ?? '',
      /^ERR_CLIENT_CERTIFICATE: the server refused the client certificate for localhost/,
    )
    const missing = await call([], { clientCertificateMode: 'explicit' })
    assert.deepEqual([missing.verdict, missing.networkError], ['failed', false])
    assert.match(
      missing.error ?? '',
      /^ERR_CLIENT_CERTIFICATE: the client certificate that the check names does not exist/,
    )
  })
}

test('authorities that come with a client certificate are trusted, behind an expired date too', async (t) => {
  const client: RunCertificate = { host: 'localhost', ...good, ca: elsewhere.cert, passphrase: null }
  const context = { certificates: [client] }
  const { port } = await serve(t, secure(() => elsewhere.issue(NAMES, { days: 90 }))())
  assert.equal((await look(port, { context })).verdict, 'passed')
  const expired = await serve(t, secure(() => elsewhere.issue(NAMES, { expired: true }))())
  const { response, error } = await look(expired.port, { context })
  assert.equal(response?.chainTrusted, true)
  assert.match(error ?? '', /^CERT_HAS_EXPIRED: [^;]*$/)
})

test('what is measured fits the columns of results', async (t) => {
  const { port } = await serve(t, secure(() => issue({ key: 'ed25519' }))())
  const { phases, response, responseTimeMs } = await look(port)
  assert.deepEqual(phases, [89, 256, 1.3, 100, 100])
  assert.equal(responseTimeMs, response?.timingPhases.handshake)
  const { dns = 0, connection = 0, handshake = 0, total } = response?.timingPhases ?? {}
  assert.ok(Math.abs(dns + connection + handshake - (total ?? -1)) < 0.01)
  const past = await serve(t, secure(() => ({ ...issue({ expired: true }, 'DNS:x.test'), maxVersion: 'TLSv1.2' }))())
  assert.deepEqual((await look(past.port)).phases, [0, 256, 1.2, 100, 0])
  assert.equal((await look(1)).phases, null)
})

test('a certificate for thousands of names makes no long sentence', async (t) => {
  const names = Array.from({ length: 2000 }, (_, at) => `DNS:shop-${at}.example.test`).join()
  const { port } = await serve(t, secure(() => issue({}, names))())
  const { error, response } = await look(port)
  assert.match(error ?? '', MISNAMED)
  assert.equal(response?.hostnameProblem?.length, 1000)
  assert.equal(response?.certificate.altNames.length, 50)
})

test('equal handshakes have one fingerprint, another certificate, version or rule another', async (t) => {
  const { port } = await serve(t, secure(() => good)())
  const first = await look(port)
  assert.equal((await look(port)).fingerprint, first.fingerprint)
  const renewed = await serve(t, secure(() => issue())())
  const older = await serve(t, secure(() => ({ ...good, maxVersion: 'TLSv1.2' }))())
  const strict = { securityBaseline: { sctPresent: { severity: 'degrade' } } } as const
  const others = [await look(renewed.port), await look(older.port), await look(port, { config: strict })]
  assert.equal(new Set([first, ...others].map(({ fingerprint }) => fingerprint)).size, 4)
})

test('the certificate of a run is told, so that its days are counted and its end is alerted on', async (t) => {
  const { port } = await serve(t, secure(() => good)())
  const { response, ...observation } = await look(port)
  const seen = sslDetails.certificate?.({ ...observation, response })
  const { fingerprint256, validTo } = response?.certificate ?? {}
  assert.deepEqual(seen, { fingerprint256, expiresAtMs: Date.parse(validTo ?? '') })
})

test('a run is reported with its measurements, its certificate and what is kept of it', async (t) => {
  const { port } = await serve(t, secure(() => good)())
  const sslConfig = { hostname: 'localhost', port, alertDaysBeforeExpiry: 90 }
  const settings = { request: { sslConfig }, shouldFail: false, degradedResponseTime: null, maxResponseTime: null }
  const { dialer } = runContext()
  const watch = new TroubleWatch()
  t.after(() => watch.stop())
  const report = await executeRun({ ...leasedRun({}), kind: 'SSL', settings }, performance.now(), { dialer, watch })
  assert.ok(Value.Check(RunReport, report))
  assert.deepEqual([report.verdict, report.rule, report.phases], ['degraded', 'answer-weak', [89, 256, 1.3, 100, 100]])
  assert.match(report.error ?? '', /^the certificate expires in 89 days: /)
  assert.equal(report.certificate?.fingerprint256, new X509Certificate(good.cert).fingerprint256)
  assert.equal(report.detail?.kind, 'SSL')
})
