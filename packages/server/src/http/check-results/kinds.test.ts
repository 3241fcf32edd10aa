/** What is told of runs whose answer equals one kept before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RunReport, routes, type SslCheckResult, type TlsCertificate } from '@vedette/schema'
import { makeDue, resultsOf } from '../../testing/checks.ts'
import { signInRunner } from '../../testing/fake-runner.ts'
import { addResults } from '../../testing/results.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

const places = { locations: ['us-east-1' as const], retryStrategy: null }

async function twice(server: TestServer, check: { id: string }, first: Partial<RunReport>, second: Partial<RunReport>) {
  const runner = await signInRunner(server)
  for (const report of [first, second]) {
    await makeDue(server, check)
    await runner.report(await runner.leaseOne(), 'passed', { statusCode: null, fingerprint: 'same', ...report })
  }
}

test('a TCP run shows the data of an equal one before, with times of its own', async (t) => {
  const server = await startTestServer(t)
  const body = { name: 'Mail', request: { hostname: 'mail.test', port: 25, data: 'EHLO' }, ...places }
  const check = await server.call(routes.createTcpCheck, { body })
  const timed = {
    source: 'RESPONSE_TIME',
    comparison: 'LESS_THAN',
    property: '',
    target: 100,
    regex: null,
    error: null,
  }
  const content = {
    assertions: [{ ...timed, actual: 30 }],
    request: { hostname: 'mail.test', port: 25, data: 'EHLO', ipFamily: 'IPv4' as const, tls: false },
    response: {
      data: '220 hello',
      truncated: false,
      resolvedIp: '192.0.2.1',
      timingPhases: { dns: 5, connection: 10, data: 15, total: 30 },
    },
    requestError: null,
  }
  const detail = { kind: 'TCP' as const, content }
  await twice(
    server,
    check,
    { detail, phases: [0, 5, 10, 15, 0], responseTimeMs: 30 },
    { detail: null, phases: [0, 1, 2, 4, 0], responseTimeMs: 7 },
  )
  const [second, first] = await resultsOf(server, check)
  assert.deepEqual(first?.apiCheckResult, content)
  assert.deepEqual(second?.apiCheckResult, {
    ...content,
    assertions: [{ ...timed, actual: 7 }],
    response: {
      ...content.response,
      timingPhases: { dns: 1, connection: 2, data: 4, total: 7 },
      sameAs: first?.id,
    },
  })
  assert.equal(second?.icmpCheckResult, null)
})

test('an ICMP run has its own latencies; those of the single pings are kept with the details only', async (t) => {
  const server = await startTestServer(t)
  const body = { name: 'Gateway', request: { hostname: 'gate.test', pingCount: 2 }, ...places }
  const check = await server.call(routes.createIcmpCheck, { body })
  const content = {
    assertions: [],
    request: { hostname: 'gate.test', ipFamily: 'IPv4' as const, pingCount: 2 },
    response: {
      resolvedIp: '192.0.2.1',
      packetsSent: 2,
      packetsReceived: 2,
      packetsLost: 0,
      packetLoss: 0,
      latency: { min: 10, avg: 20, max: 30, stdDev: 10 },
      times: [10, 30],
    },
    requestError: null,
  }
  const detail = { kind: 'ICMP' as const, content }
  await twice(
    server,
    check,
    { detail, phases: [0, 10, 30, 10], responseTimeMs: 20 },
    { detail: null, phases: [0, 2, 4, 1], responseTimeMs: 3 },
  )
  const [second, first] = await resultsOf(server, check)
  assert.deepEqual(first?.icmpCheckResult, content)
  assert.deepEqual(second?.icmpCheckResult, {
    ...content,
    response: { ...content.response, latency: { min: 2, avg: 3, max: 4, stdDev: 1 }, times: null },
  })
  const query = { metrics: ['latencyAvg_max', 'packetLoss_avg', 'latencyMin_min'] }
  const { series } = await server.call(routes.analyzeIcmpMonitor, { params: { id: check.id }, query })
  assert.deepEqual(series[0]?.data[0], { latencyAvg_max: 20, packetLoss_avg: 0, latencyMin_min: 2 })
})

const DAY_MS = 86_400_000

const certificate: TlsCertificate = {
  subject: 'CN=shop.test',
  issuer: 'CN=Example CA 1',
  altNames: ['shop.test'],
  validFrom: new Date(Date.now() - 30 * DAY_MS).toISOString(),
  validTo: new Date(Date.now() + 60 * DAY_MS + 3_600_000).toISOString(),
  fingerprint256: 'AA:BB',
  keyType: 'ec',
  keyBits: 256,
  signatureAlgorithm: 'ecdsa-with-SHA256',
}

/** As the first of several equal runs brought it, a day before. */
const shown: SslCheckResult = {
  tlsVersion: 'TLS1.3',
  cipherSuite: 'TLS_AES_256_GCM_SHA384',
  daysUntilExpiry: 61,
  handshakeTimeMs: 30,
  chainTrusted: true,
  hostnameVerified: true,
  baselineVerdict: 'pass',
  baselineGrade: 'A',
  baselineFindings: [],
  failureCategory: null,
  requestError: null,
  request: { hostname: 'shop.test', port: 443, serverName: 'shop.test', ipFamily: 'IPv4' },
  assertions: [],
  response: {
    resolvedIp: '192.0.2.1',
    protocol: 'TLS1.3',
    cipherSuite: 'TLS_AES_256_GCM_SHA384',
    chainTrusted: true,
    chainProblem: null,
    hostnameVerified: true,
    hostnameProblem: null,
    daysUntilExpiry: 61,
    ocspStapled: false,
    ocspMustStaple: false,
    sctPresent: false,
    certificate,
    chain: [certificate],
    timingPhases: { dns: 5, connection: 10, handshake: 15, total: 30 },
  },
}

test('an SSL run shows the certificate of an equal one before, as old as it is by now, with a time of its own', async (t) => {
  const server = await startTestServer(t)
  const body = { name: 'Certificate', request: { sslConfig: { hostname: 'shop.test' } }, ...places }
  const check = await server.call(routes.createSslCheck, { body })
  const expected = { regex: null, error: null, comparison: 'GREATER_THAN' }
  const aboutDays = { ...expected, source: 'CERTIFICATE', property: 'daysUntilExpiry', target: 14 }
  const aboutTime = { ...expected, source: 'RESPONSE_TIME', property: '', target: 1 }
  const content = {
    ...shown,
    assertions: [
      { ...aboutDays, actual: 61 },
      { ...aboutTime, actual: 30 },
    ],
  }
  const detail = { kind: 'SSL' as const, content }
  await twice(
    server,
    check,
    { detail, phases: [61, 256, 1.3, 100, 100], responseTimeMs: 30 },
    { detail: null, phases: [60, 256, 1.3, 100, 100], responseTimeMs: 12 },
  )
  const [second, first] = await resultsOf(server, check)
  assert.deepEqual(first?.sslCheckResult, content)
  assert.deepEqual(second?.sslCheckResult, {
    ...content,
    daysUntilExpiry: 60,
    handshakeTimeMs: 12,
    assertions: [
      { ...aboutDays, actual: 60 },
      { ...aboutTime, actual: 12 },
    ],
    response: { ...shown.response, daysUntilExpiry: 60, timingPhases: null, sameAs: first?.id },
  })
  const metrics = [
    'handshakeTimeMs_max',
    'daysUntilExpiry_min',
    'keySizeBits_avg',
    'tlsVersion_min',
    'chainTrusted_avg',
  ]
  const { series } = await server.call(routes.analyzeSslMonitor, { params: { id: check.id }, query: { metrics } })
  const [measured] = series[0]?.data ?? []
  assert.deepEqual(
    [
      measured?.handshakeTimeMs_max,
      measured?.daysUntilExpiry_min,
      measured?.keySizeBits_avg,
      measured?.chainTrusted_avg,
    ],
    [30, 60, 256, 100],
  )
  assert.ok(Math.abs(Number(measured?.tlsVersion_min) - 1.3) < 0.01)
})

test('of an SSL run whose handshake was not kept, the figures are told', async (t) => {
  const server = await startTestServer(t)
  const sslConfig = { hostname: '192.0.2.1', port: 8443, serverName: 'shop.test' }
  const check = await server.call(routes.createSslCheck, { body: { name: 'Certificate', request: { sslConfig } } })
  const atMs = Date.now() - 1000
  const result = { atMs, verdict: 'passed' as const, responseTimeMs: 12, location: 'us-east-1' }
  await addResults(server, check, [{ ...result, phases: [60, 256, 1.2, 100, 0] }])
  const [told] = await resultsOf(server, check)
  assert.deepEqual(told?.sslCheckResult, {
    ...shown,
    tlsVersion: 'TLS1.2',
    cipherSuite: null,
    daysUntilExpiry: 60,
    handshakeTimeMs: 12,
    hostnameVerified: false,
    baselineVerdict: null,
    baselineGrade: null,
    request: { ...sslConfig, ipFamily: 'IPv4' },
    response: null,
  })
  const other = await server.call(routes.createTcpCheck, {
    body: { name: 'Port', request: { hostname: 'shop.test', port: 443 } },
  })
  await addResults(server, other, [result])
  const [ofOther] = await resultsOf(server, other)
  assert.ok(ofOther !== undefined && !('sslCheckResult' in ofOther))
})
