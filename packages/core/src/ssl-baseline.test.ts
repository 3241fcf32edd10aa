import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BASELINE_RULES,
  BASELINE_VERDICTS,
  type BaselineRule,
  RULE_SEVERITIES,
  type SecurityBaseline,
  type SslHandshake,
  TLS_VERSIONS,
} from '@vedette/schema'
import fc from 'fast-check'
import { distrustedIssuer, organizationsIn } from './distrusted-authorities.ts'
import { judgeSsl } from './judge-ssl.ts'
import { keySizeBits, rsaStrengthBits } from './key-strength.ts'
import { judgeBaseline, weaknessOfCipherSuite } from './ssl-baseline.ts'
import { certificateOf, handshakeOf, SEEN_AT } from './testing/ssl-handshake.ts'

function rulesBrokenBy(changes: Partial<SslHandshake>, baseline?: SecurityBaseline): BaselineRule[] {
  return judgeBaseline(handshakeOf(changes), baseline).findings.map(({ rule }) => rule)
}

const messageOf = (changes: Partial<SslHandshake>, baseline?: SecurityBaseline) =>
  judgeBaseline(handshakeOf(changes), baseline).findings[0]?.message

test('what keeps every rule is graded A+, what breaks only ignored ones A', () => {
  assert.deepEqual(judgeBaseline(handshakeOf()), { findings: [], verdict: 'pass', grade: 'A+' })
  const older = judgeBaseline(handshakeOf({ protocol: 'TLS1.2' }))
  assert.deepEqual([older.verdict, older.grade], ['pass', 'A'])
  assert.deepEqual(older.findings, [
    {
      rule: 'recommendedTLSVersion',
      severity: 'ignore',
      message: 'TLS1.2 was agreed upon, recommended is TLS1.3 or newer',
    },
  ])
})

test('a baseline that is switched off judges nothing', () => {
  const bad = handshakeOf({ protocol: 'TLS1.0', sctPresent: false })
  assert.deepEqual(judgeBaseline(bad, { enabled: false }), { findings: [], verdict: null, grade: null })
})

test('a version older than allowed fails, and the least one can be set', () => {
  assert.deepEqual(rulesBrokenBy({ protocol: 'TLS1.1' }), ['minTLSVersion', 'recommendedTLSVersion'])
  assert.equal(messageOf({ protocol: 'TLS1.1' }), 'TLS1.1 was agreed upon, required is TLS1.2 or newer')
  assert.deepEqual(rulesBrokenBy({ protocol: 'TLS1.1' }, { minTLSVersion: { value: 'TLS1.1' } }), [
    'recommendedTLSVersion',
  ])
  assert.deepEqual(rulesBrokenBy({ protocol: 'TLS1.2' }, { minTLSVersion: { value: 'TLS1.3' } }), [
    'minTLSVersion',
    'recommendedTLSVersion',
  ])
})

test('keys count by their strength, whatever their kind', () => {
  const strengths: [keyType: string, keyBits: number | null, like: number | null][] = [
    ['rsa', 1024, 1024],
    ['rsa', 4096, 4096],
    ['dsa', 2048, 2048],
    ['ec', 112, 512],
    ['ec', 192, 1024],
    ['ec', 224, 2048],
    ['ec', 256, 3072],
    ['ec', 384, 7680],
    ['ec', 521, 15_360],
    ['ed25519', null, 3072],
    ['ed448', null, 7680],
    ['unknown', null, null],
  ]
  for (const [keyType, keyBits, like] of strengths) assert.equal(rsaStrengthBits({ keyType, keyBits }), like)
  assert.equal(keySizeBits({ keyType: 'ed25519', keyBits: null }), 256)
  const short = { certificate: certificateOf({ keyType: 'rsa', keyBits: 1024 }) }
  assert.deepEqual(rulesBrokenBy(short), ['minKeySizeBits', 'recommendedKeySizeBits'])
  assert.equal(messageOf(short), 'the rsa key has 1024 bits, required are 2048 or more')
  const curve = { certificate: certificateOf({ keyBits: 224 }) }
  assert.equal(messageOf(curve), 'the ec key has 224 bits, as strong as RSA with 2048, recommended are 3072 or more')
})

test('weak signatures are found anywhere in the chain but at its root', () => {
  const weak = [
    'sha1WithRSAEncryption',
    'md5WithRSAEncryption',
    'ecdsa-with-SHA1',
    'dsaWithSHA1',
    'dsa_with_SHA1',
    'dsaWithSHA',
    'shaWithRSAEncryption',
    'md2WithRSAEncryption',
    'RSA-SHA1',
  ]
  const strong = [
    'sha256WithRSAEncryption',
    'ecdsa-with-SHA384',
    'ED25519',
    'rsassaPss',
    'dsa_with_SHA256',
    'SLH-DSA-SHAKE-128s',
    'SLH-DSA-SHA2-128s',
    'ML-DSA-65',
  ]
  const signed = (signatureAlgorithm: string) => rulesBrokenBy({ certificate: certificateOf({ signatureAlgorithm }) })
  for (const name of weak) assert.deepEqual(signed(name), ['weakSignatureAlgorithm'], name)
  for (const name of strong) assert.deepEqual(signed(name), [], name)
  // A certificate that is its own issuer is no root of anything.
  const alone = certificateOf({ issuer: 'CN=shop.test', signatureAlgorithm: 'sha1WithRSAEncryption' })
  assert.deepEqual(rulesBrokenBy({ certificate: alone, chain: [alone] }), ['weakSignatureAlgorithm'])
  assert.equal(
    messageOf({ certificate: alone, chain: [alone] }),
    'the certificate of CN=shop.test is signed with sha1WithRSAEncryption, required is SHA-256 or stronger',
  )
})

test('weak cipher suites are known by both of their names', () => {
  const weak: [iana: string, openssl: string, weakness: string][] = [
    ['TLS_RSA_WITH_NULL_SHA256', 'NULL-SHA256', 'NULL encryption'],
    ['TLS_ECDHE_RSA_WITH_NULL_SHA', 'ECDHE-RSA-NULL-SHA', 'NULL encryption'],
    ['TLS_RSA_EXPORT_WITH_RC4_40_MD5', 'EXP-RC4-MD5', 'export-grade encryption'],
    ['TLS_RSA_EXPORT1024_WITH_DES_CBC_SHA', 'EXP1024-DES-CBC-SHA', 'export-grade encryption'],
    ['TLS_DH_anon_WITH_AES_128_CBC_SHA', 'ADH-AES128-SHA', 'anonymous key exchange'],
    ['TLS_ECDH_anon_WITH_AES_256_CBC_SHA', 'AECDH-AES256-SHA', 'anonymous key exchange'],
    ['TLS_RSA_WITH_RC4_128_SHA', 'RC4-SHA', 'RC4'],
    ['TLS_RSA_WITH_DES_CBC_SHA', 'DES-CBC-SHA', 'DES'],
    ['TLS_RSA_WITH_3DES_EDE_CBC_SHA', 'DES-CBC3-SHA', '3DES'],
    ['TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA', 'ECDHE-RSA-DES-CBC3-SHA', '3DES'],
    ['TLS_RSA_WITH_IDEA_CBC_SHA', 'IDEA-CBC-SHA', 'IDEA'],
    ['TLS_RSA_WITH_SEED_CBC_SHA', 'SEED-SHA', 'SEED'],
    ['SSL_CK_RC2_128_CBC_WITH_MD5', 'RC2-CBC-MD5', 'RC2'],
    ['TLS_SHA256_SHA256', 'TLS_SHA384_SHA384', 'NULL encryption'],
  ]
  const strong = [
    'TLS_AES_128_GCM_SHA256',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'AES128-SHA',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'TLS_RSA_WITH_CAMELLIA_128_CBC_SHA',
  ]
  for (const [iana, openssl, weakness] of weak) {
    for (const name of [iana, openssl]) assert.equal(weaknessOfCipherSuite(name), weakness, name)
  }
  for (const name of strong) assert.equal(weaknessOfCipherSuite(name), null, name)
  assert.equal(messageOf({ cipherSuite: 'RC4-SHA' }), 'RC4-SHA was agreed upon, required is a cipher suite without RC4')
})

test('authorities that browsers do not trust are known by their organisation alone', () => {
  const from2026 = '2026-01-01T00:00:00.000Z'
  const from2024 = '2024-10-01T00:00:00.000Z'
  const names: [issuer: string, validFrom: string, organization: string | undefined][] = [
    ['C=NL, O=DigiNotar, CN=DigiNotar Root CA', from2024, 'DigiNotar'],
    ['C=CN, O=WoSign CA Limited, CN=WoSign CA Free SSL Certificate G2', from2024, 'WoSign CA Limited'],
    ['C=US, O=GeoTrust, Inc., CN=RapidSSL CA'.replace('Trust,', 'Trust\\,'), from2024, 'GeoTrust, Inc.'],
    ['C=US, O=Entrust\\, Inc., CN=Entrust Certification Authority - L1K', from2026, 'Entrust, Inc.'],
    ['C=US, O=Entrust\\, Inc., CN=Entrust Certification Authority - L1K', from2024, undefined],
    // Sold under an old name by one that is trusted.
    ['C=US, O=DigiCert Inc, CN=GeoTrust TLS RSA CA G1', from2026, undefined],
    ['C=CA, O=Entrust Limited, CN=Entrust OV TLS Issuing RSA CA 1', from2026, undefined],
    // What stands in a name is no organisation of its own.
    ['CN=hello\\, O=DigiNotar', from2026, undefined],
    ['O=Friends of DigiNotar, CN=DigiNotar', from2026, undefined],
  ]
  for (const [issuer, validFrom, organization] of names) {
    assert.equal(distrustedIssuer(issuer, validFrom)?.organization, organization, issuer)
  }
  assert.deepEqual(organizationsIn('O=One\\, Inc. + O=Two, CN=x'), ['One, Inc.', 'Two'])
  const certificate = certificateOf({ issuer: 'O=Entrust\\, Inc., CN=Entrust Root' })
  assert.equal(
    messageOf({ certificate }),
    'the chain leads through Entrust, Inc., required is an authority that browsers trust for certificates from 2024-11-12 on',
  )
})

test('a demanded OCSP answer and a receipt of a log are looked for', () => {
  assert.deepEqual(rulesBrokenBy({ ocspMustStaple: true }), ['ocspMustStapleRespected'])
  assert.deepEqual(rulesBrokenBy({ ocspMustStaple: true, ocspStapled: true }), [])
  assert.deepEqual(rulesBrokenBy({ sctPresent: false }), ['sctPresent'])
})

const handshakes = fc
  .record({
    protocol: fc.constantFrom(...TLS_VERSIONS, 'SSLv3'),
    cipherSuite: fc.constantFrom('TLS_AES_256_GCM_SHA384', 'RC4-SHA', 'TLS_RSA_WITH_NULL_SHA'),
    certificate: fc
      .record({
        keyType: fc.constantFrom('rsa', 'ec', 'ed25519', 'unknown'),
        keyBits: fc.option(fc.integer({ min: 112, max: 16_384 })),
        issuer: fc.constantFrom('O=Good', 'O=DigiNotar', 'O=Entrust\\, Inc.'),
        signatureAlgorithm: fc.constantFrom('sha256WithRSAEncryption', 'sha1WithRSAEncryption', null),
      })
      .map(certificateOf),
    ocspMustStaple: fc.boolean(),
    ocspStapled: fc.boolean(),
    sctPresent: fc.boolean(),
  })
  .map((changes) => handshakeOf(changes))

const rule = fc.record({ severity: fc.constantFrom(...RULE_SEVERITIES) }, { requiredKeys: [] })
const versionRule = fc.record(
  { severity: fc.constantFrom(...RULE_SEVERITIES), value: fc.constantFrom(...TLS_VERSIONS) },
  { requiredKeys: [] },
)
const keySizeRule = fc.record(
  { severity: fc.constantFrom(...RULE_SEVERITIES), value: fc.integer({ min: 512, max: 16_384 }) },
  { requiredKeys: [] },
)
const baselines: fc.Arbitrary<SecurityBaseline> = fc.record(
  {
    minTLSVersion: versionRule,
    minKeySizeBits: keySizeRule,
    weakSignatureAlgorithm: rule,
    weakCipherSuite: rule,
    knownBadCA: rule,
    recommendedTLSVersion: versionRule,
    recommendedKeySizeBits: keySizeRule,
    ocspMustStapleRespected: rule,
    sctPresent: rule,
  },
  { requiredKeys: [] },
)

const badness = (handshake: SslHandshake, baseline: SecurityBaseline) =>
  BASELINE_VERDICTS.indexOf(judgeBaseline(handshake, baseline).verdict ?? 'pass')

test('the grade agrees with the verdict, and the verdict with the findings', () => {
  fc.assert(
    fc.property(handshakes, baselines, (handshake, baseline) => {
      const { findings, verdict, grade } = judgeBaseline(handshake, baseline)
      const worst = ['fail', 'degrade', 'ignore'].find((severity) =>
        findings.some((finding) => finding.severity === severity),
      )
      const expected = { fail: ['fail', 'F'], degrade: ['degrade', 'C'], ignore: ['pass', 'A'], none: ['pass', 'A+'] }
      assert.deepEqual([verdict, grade], Object.entries(expected).find(([name]) => name === (worst ?? 'none'))?.[1])
    }),
  )
})

test('a stricter severity never betters the verdict', () => {
  fc.assert(
    fc.property(handshakes, baselines, fc.constantFrom(...BASELINE_RULES), (handshake, baseline, name) => {
      const under = (severity: (typeof RULE_SEVERITIES)[number]) =>
        badness(handshake, { ...baseline, [name]: { ...baseline[name], severity } })
      assert.ok(under('fail') >= under('degrade') && under('degrade') >= under('ignore'))
    }),
  )
})

test('a rule that asks for more never betters the verdict', () => {
  fc.assert(
    fc.property(handshakes, baselines, fc.integer({ min: 512, max: 8000 }), (handshake, baseline, value) => {
      const asking = (bits: number) => badness(handshake, { ...baseline, minKeySizeBits: { value: bits } })
      assert.ok(asking(value + 1) >= asking(value))
    }),
  )
})

test('rules that are all ignored never change the verdict of a run', () => {
  const verdictOf = (response: SslHandshake, securityBaseline: SecurityBaseline) => {
    const request = { sslConfig: { hostname: 'shop.test', securityBaseline } }
    const settings = { request, shouldFail: false, degradedResponseTime: null, maxResponseTime: null }
    const shown = response.certificate
    const seen = { resolvedIp: '192.0.2.1', seenAtMs: SEEN_AT, shown, response, failure: null, responseTimeMs: 20 }
    return judgeSsl(settings, seen).verdict
  }
  fc.assert(
    fc.property(handshakes, baselines, (handshake, baseline) => {
      const ignored = BASELINE_RULES.map((name) => [name, { ...baseline[name], severity: 'ignore' }] as const)
      assert.equal(verdictOf(handshake, Object.fromEntries(ignored)), verdictOf(handshake, { enabled: false }))
    }),
  )
})
