import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASELINE_DEFAULTS, type SslRequest } from '@vedette/schema'
import { blankSsl, draftSsl, writeSsl } from './draft.ts'

/** What the form reads of a check. */
const stored = (request: SslRequest): Parameters<typeof draftSsl>[0] => ({
  request,
  degradedResponseTime: 3000,
  maxResponseTime: null,
  shouldFail: false,
})

test('what is pasted is taken apart', () => {
  const { hostname, port } = blankSsl('https://shop.test:8443/orders')
  assert.deepEqual([hostname, port], ['shop.test', '8443'])
  assert.equal(blankSsl('shop.test').port, '443')
  const { sslConfig } = writeSsl({ ...blankSsl(''), hostname: ' [2001:db8::1]:8443 ' }).request
  assert.deepEqual([sslConfig.hostname, sslConfig.port], ['[2001:db8::1]', 8443])
})

test('a new check has the usual baseline, and asks for the name of its host', () => {
  const { sslConfig, sslClientCertificateId } = writeSsl(blankSsl('shop.test')).request
  assert.deepEqual(sslConfig.securityBaseline, { enabled: true, ...BASELINE_DEFAULTS })
  assert.deepEqual(
    [sslConfig.serverName, sslConfig.clientCertificateMode, sslClientCertificateId],
    [null, 'auto', null],
  )
})

test('what was kept is written again as it was', () => {
  const request: SslRequest = {
    sslConfig: {
      hostname: '192.0.2.1',
      port: 8443,
      serverName: 'shop.test',
      ipFamily: 'IPv6',
      skipChainValidation: true,
      handshakeTimeoutMs: 1500,
      alertDaysBeforeExpiry: 7,
      securityBaseline: {
        ...BASELINE_DEFAULTS,
        enabled: false,
        minTLSVersion: { severity: 'degrade', value: 'TLS1.3' },
        minKeySizeBits: { severity: 'ignore', value: 4096 },
        sctPresent: { severity: 'fail' },
      },
      clientCertificateMode: 'explicit',
    },
    sslClientCertificateId: '3a0ca1f8-6f9b-4a32-9d7f-0d5d1b8f7c11',
    assertions: [{ source: 'CERTIFICATE', property: 'daysUntilExpiry', comparison: 'GREATER_THAN', target: '14' }],
  }
  const { degradedResponseTime, maxResponseTime, ...written } = writeSsl(draftSsl(stored(request)))
  assert.deepEqual(written, { request, shouldFail: false })
  assert.deepEqual([degradedResponseTime, maxResponseTime], [3000, null])
})

test('a client certificate that is named and not used is not kept', () => {
  const sslConfig = { hostname: 'shop.test' }
  const { request } = writeSsl(draftSsl(stored({ sslConfig, sslClientCertificateId: 'x' })))
  assert.equal(request.sslClientCertificateId, null)
})
