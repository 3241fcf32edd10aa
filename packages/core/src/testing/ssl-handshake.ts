/** A handshake with which nothing is wrong, for tests to spoil. */
import type { SslHandshake, TlsCertificate } from '@vedette/schema'

export const SEEN_AT = Date.parse('2026-06-01T12:00:00.000Z')

export function certificateOf(changes: Partial<TlsCertificate> = {}): TlsCertificate {
  return {
    subject: 'CN=shop.test',
    issuer: 'C=US, O=Good Trust, CN=Good CA 1',
    altNames: ['shop.test', 'www.shop.test'],
    validFrom: '2026-05-01T00:00:00.000Z',
    validTo: '2026-07-30T12:00:00.000Z',
    fingerprint256: 'AA:BB',
    keyType: 'ec',
    keyBits: 256,
    signatureAlgorithm: 'ecdsa-with-SHA256',
    ...changes,
  }
}

const root = certificateOf({
  subject: 'C=US, O=Good Trust, CN=Good CA 1',
  altNames: [],
  keyType: 'rsa',
  keyBits: 4096,
  signatureAlgorithm: 'sha1WithRSAEncryption',
})

export function handshakeOf(changes: Partial<SslHandshake> = {}): SslHandshake {
  const { certificate = certificateOf() } = changes
  return {
    resolvedIp: '192.0.2.1',
    protocol: 'TLS1.3',
    cipherSuite: 'TLS_AES_256_GCM_SHA384',
    chainTrusted: true,
    chainProblem: null,
    hostnameVerified: true,
    hostnameProblem: null,
    daysUntilExpiry: 59,
    ocspStapled: false,
    ocspMustStaple: false,
    sctPresent: true,
    certificate,
    chain: [certificate, root],
    timingPhases: { dns: 1, connection: 2, handshake: 20, total: 23 },
    ...changes,
  }
}
