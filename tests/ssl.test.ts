/** SSL checks with the whole product: a real runner shakes hands with real servers, and people are told. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '@vedette/schema'
import { makeAuthority } from '../packages/runner/src/testing/certificates.ts'
import { Api } from './faults/api.ts'
import { RECEIVER_TEMPLATE, startReceiver } from './faults/surroundings.ts'
import { startVedette, until } from './start-vedette.ts'
import { startTlsShop } from './tls-shop.ts'

test('a certificate that soon expires degrades its check, and is told of once', async (t) => {
  const port = await startTlsShop(t)
  const { url, apiKey } = await startVedette(t)
  const api = new Api(url, apiKey)
  const receiver = await startReceiver(t)
  const { id: alertChannelId } = await api.call(routes.createAlertChannel, {
    body: {
      type: 'WEBHOOK',
      config: { name: 'receiver', url: receiver.url, template: RECEIVER_TEMPLATE },
      sslExpiry: true,
      sslExpiryThreshold: 14,
    },
  })
  const { id } = await api.call(routes.createSslCheck, {
    body: {
      name: 'Certificate',
      request: {
        sslConfig: { hostname: '127.0.0.1', port, serverName: 'localhost', skipChainValidation: true },
        assertions: [{ source: 'CERTIFICATE', property: 'keyType', comparison: 'EQUALS', target: 'ec' }],
      },
      frequency: 0,
      frequencyOffset: 10,
      locations: ['us-east-1'],
      alertChannelSubscriptions: [{ alertChannelId, activated: true }],
    },
  })

  // Those in which the machine itself was in trouble say nothing.
  const results = async () =>
    (await api.call(routes.listCheckResults, { params: { checkId: id } })).entries.filter(({ hasErrors }) => !hasErrors)
  await until('a first run has ended', async () => (await results()).length > 0)
  const [first] = (await results()).toReversed()
  assert.equal(first?.isDegraded, true)
  assert.match(first?.errorMessage ?? '', /^the certificate expires in 1 day/)
  const { sslCheckResult } = await api.call(routes.getCheckResult, {
    params: { checkId: id, checkResultId: first?.id ?? '' },
  })
  assert.equal(sslCheckResult?.daysUntilExpiry, 1)
  assert.equal(sslCheckResult?.failureCategory, null)
  assert.deepEqual(sslCheckResult?.response?.certificate.altNames, ['localhost'])
  assert.match(sslCheckResult?.response?.chainProblem ?? '', /^SELF_SIGNED_CERT_IN_CHAIN/)
  const status = await api.call(routes.getCheckStatus, { params: { checkId: id } })
  assert.deepEqual([status.isDegraded, status.hasFailures, status.sslDaysRemaining], [true, false, 1])

  const ofCertificate = () => receiver.told.filter(({ type, checkId }) => type === 'ALERT_SSL' && checkId === id)
  await until('the receiver is told', () => ofCertificate().length > 0)
  await until('it has run again', async () => (await results()).length > 1)
  await until('nothing is on its way', async () => {
    const notifications = await api.call(routes.listAlertNotifications, {})
    return notifications.every(({ status }) => status !== 'IN_PROGRESS')
  })
  assert.equal(ofCertificate().length, 1)
  const { series } = await api.call(routes.analyzeSslMonitor, {
    params: { id },
    query: { metrics: ['daysUntilExpiry_min', 'keySizeBits_max', 'hostnameVerified_avg', 'chainTrusted_avg'] },
  })
  const [measured] = series[0]?.data ?? []
  assert.deepEqual(measured, {
    daysUntilExpiry_min: 1,
    keySizeBits_max: 256,
    hostnameVerified_avg: 100,
    chainTrusted_avg: 0,
  })
  assert.deepEqual(api.broken, [])
})

test('a server that wants to know who we are is shown the client certificate that the check names', async (t) => {
  const authority = makeAuthority()
  const pair = authority.issue('DNS:prober')
  const port = await startTlsShop(t, {
    requestCert: true,
    rejectUnauthorized: true,
    ca: authority.cert,
    maxVersion: 'TLSv1.2',
  })
  const { url, apiKey } = await startVedette(t)
  const api = new Api(url, apiKey)
  const { id: sslClientCertificateId } = await api.call(routes.createClientCertificate, {
    body: { host: 'elsewhere.test', ...pair },
  })
  const sslConfig = { hostname: 'localhost', port, skipChainValidation: true, alertDaysBeforeExpiry: 1 }
  const tryOut = (request: object) =>
    api.call(routes.dryRunSslCheck, { body: { name: 'Draft', request: { sslConfig, ...request } } })

  const refused = await tryOut({})
  assert.deepEqual([refused.verdict, refused.decision.blame], ['failed', 'target'])
  const shown = await tryOut({
    sslConfig: { ...sslConfig, clientCertificateMode: 'explicit' },
    sslClientCertificateId,
  })
  assert.equal(shown.verdict, 'degraded', shown.decision.reason)
  assert.equal(shown.result.sslCheckResult?.tlsVersion, 'TLS1.2')
  assert.ok(!JSON.stringify(shown).includes('PRIVATE KEY'))
})
