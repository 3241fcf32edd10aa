import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure, SslAssertion, SslConfig, SslHandshake, SslObservation, SslSettings } from '@vedette/schema'
import { problemOfAssertion } from './assertion.ts'
import { judgeSsl, sslFailureCategory } from './judge-ssl.ts'
import { certificateOf, handshakeOf, SEEN_AT } from './testing/ssl-handshake.ts'

interface Case {
  handshake?: Partial<SslHandshake>
  config?: Partial<SslConfig>
  assertions?: SslAssertion[]
  settings?: Partial<SslSettings>
  failure?: Partial<Failure>
}

function judged({ handshake, config, assertions = [], settings, failure }: Case) {
  const all: SslSettings = {
    request: { sslConfig: { hostname: 'shop.test', ...config }, assertions },
    shouldFail: false,
    degradedResponseTime: 3000,
    maxResponseTime: 10_000,
    ...settings,
  }
  const response = failure === undefined ? handshakeOf(handshake) : null
  const observation: SslObservation = {
    resolvedIp: '192.0.2.1',
    seenAtMs: SEEN_AT,
    shown: response?.certificate ?? null,
    response,
    failure: failure === undefined ? null : { blame: 'target', code: 'E', message: 'E: x', phase: 'tls', ...failure },
    responseTimeMs: response?.timingPhases.handshake ?? 5,
  }
  const judgement = judgeSsl(all, observation)
  const category = sslFailureCategory(all, observation, judgement.assertions)
  return { ...judgement, category }
}

const outcome = (given: Case) => {
  const { verdict, category, error } = judged(given)
  return [verdict, category, error]
}

const expired = { certificate: certificateOf({ validTo: '2026-05-31T00:00:00.000Z' }), daysUntilExpiry: -2 }
const untrusted = {
  chainTrusted: false,
  chainProblem: 'DEPTH_ZERO_SELF_SIGNED_CERT: the certificate is self-signed',
}
const misnamed = { hostnameVerified: false, hostnameProblem: 'ERR_TLS_CERT_ALTNAME_INVALID: for another' }

test('a handshake with which nothing is wrong passes', () => {
  assert.deepEqual(outcome({}), ['passed', null, null])
})

test('dates, name, chain and baseline are told apart, in this order, and all of them are told', () => {
  const past = 'CERT_HAS_EXPIRED: the certificate has expired, it was valid until 2026-05-31T00:00:00.000Z'
  assert.deepEqual(outcome({ handshake: expired }), ['failed', 'EXPIRED', past])
  assert.deepEqual(outcome({ handshake: { certificate: certificateOf({ validFrom: '2026-06-02T00:00:00.000Z' }) } }), [
    'failed',
    'NOT_YET_VALID',
    'CERT_NOT_YET_VALID: the certificate is not valid yet, but from 2026-06-02T00:00:00.000Z on',
  ])
  assert.deepEqual(outcome({ handshake: misnamed }), ['failed', 'HOSTNAME', misnamed.hostnameProblem])
  assert.deepEqual(outcome({ handshake: untrusted }), ['failed', 'CHAIN', untrusted.chainProblem])
  assert.deepEqual(outcome({ handshake: { protocol: 'TLS1.0' } }), [
    'failed',
    'BASELINE',
    'minTLSVersion: TLS1.0 was agreed upon, required is TLS1.2 or newer',
  ])
  assert.deepEqual(outcome({ handshake: { ...expired, ...misnamed, ...untrusted } }), [
    'failed',
    'EXPIRED',
    [past, misnamed.hostnameProblem, untrusted.chainProblem].join('; '),
  ])
})

test('the chain may be left to its owner, but not its name and dates', () => {
  const config = { skipChainValidation: true }
  assert.equal(judged({ handshake: untrusted, config }).verdict, 'passed')
  assert.equal(judged({ handshake: { ...untrusted, ...expired }, config }).category, 'EXPIRED')
  assert.equal(judged({ handshake: { ...untrusted, ...misnamed }, config }).category, 'HOSTNAME')
})

test('few days that are left degrade', () => {
  const left = (daysUntilExpiry: number, alertDaysBeforeExpiry?: number) =>
    judged({
      handshake: { daysUntilExpiry },
      ...(alertDaysBeforeExpiry === undefined ? {} : { config: { alertDaysBeforeExpiry } }),
    })
  assert.equal(left(21).verdict, 'passed')
  const { verdict, error, category, rule } = left(20)
  assert.deepEqual([verdict, category, rule], ['degraded', null, 'answer-weak'])
  assert.equal(error, 'the certificate expires in 20 days: it is valid until 2026-07-30T12:00:00.000Z')
  assert.match(left(1).error ?? '', /expires in 1 day:/)
  assert.match(left(0).error ?? '', /expires in less than a day:/)
  assert.equal(left(20, 19).verdict, 'passed')
  assert.equal(left(20, 30).verdict, 'degraded')
})

test('a rule of the baseline fails, degrades or is only noted', () => {
  const under = (severity: 'fail' | 'degrade' | 'ignore') =>
    judged({ handshake: { sctPresent: false }, config: { securityBaseline: { sctPresent: { severity } } } })
  assert.deepEqual(
    (['fail', 'degrade', 'ignore'] as const).map((severity) => under(severity).verdict),
    ['failed', 'degraded', 'passed'],
  )
  assert.match(under('degrade').error ?? '', /^sctPresent: the certificate holds no receipt/)
})

test('certificate and connection are asserted on by property', () => {
  const holds = (assertion: SslAssertion) => judged({ assertions: [assertion] }).error
  const good: SslAssertion[] = [
    { source: 'CERTIFICATE', property: 'daysUntilExpiry', comparison: 'GREATER_THAN', target: '30' },
    { source: 'CERTIFICATE', property: 'altNames', comparison: 'CONTAINS', target: 'www.shop.test' },
    { source: 'CERTIFICATE', property: 'issuer', comparison: 'CONTAINS', target: 'O=Good Trust' },
    { source: 'CERTIFICATE', property: 'keySizeBits', comparison: 'EQUALS', target: '256' },
    { source: 'CERTIFICATE', property: 'sctPresent', comparison: 'EQUALS', target: 'true' },
    { source: 'CONNECTION', property: 'tlsVersion', comparison: 'EQUALS', target: 'TLS1.3' },
    { source: 'CONNECTION', property: 'chainTrusted', comparison: 'EQUALS', target: 'true' },
    { source: 'CONNECTION', property: 'baselineGrade', comparison: 'EQUALS', target: 'A+' },
    { source: 'RESPONSE_TIME', comparison: 'EQUALS', target: '20' },
    { source: 'JSON_RESPONSE', property: '$.certificate.altNames[0]', comparison: 'EQUALS', target: 'shop.test' },
    { source: 'JSON_RESPONSE', property: '$.baseline.findings.length', comparison: 'EQUALS', target: '0' },
    { source: 'TEXT_RESPONSE', comparison: 'CONTAINS', target: 'Protocol version: TLS1.3\n' },
    { source: 'TEXT_RESPONSE', property: 'Key: \\w+, (\\d+) bits', comparison: 'GREATER_THAN', target: 255 },
  ]
  for (const assertion of good) assert.equal(holds(assertion), null)
  assert.equal(
    holds({ source: 'CONNECTION', property: 'tlsVersion', comparison: 'EQUALS', target: 'TLS1.2' }),
    'connection tlsVersion: expected "TLS1.3" to equal "TLS1.2"',
  )
  assert.match(
    holds({ source: 'CERTIFICATE', property: 'colour', comparison: 'EQUALS', target: 'red' }) ?? '',
    /^certificate colour: there is no property "colour", only daysUntilExpiry, subject, /,
  )
  assert.equal(judged({ assertions: [{ source: 'CERTIFICATE', comparison: 'NOT_EMPTY' }] }).category, 'ASSERTION')
})

test('a property that does not exist is refused when it is written', () => {
  assert.equal(problemOfAssertion({ source: 'CONNECTION', property: 'tlsVersion' }), null)
  assert.match(problemOfAssertion({ source: 'CONNECTION', property: 'keyType' })?.reason ?? '', /^must be one of tlsV/)
  assert.match(problemOfAssertion({ source: 'CERTIFICATE' })?.reason ?? '', /^must be one of daysUntilExpiry, /)
  assert.match(problemOfAssertion({ source: 'TEXT_RESPONSE', property: '(' })?.reason ?? '', /regular expression/)
})

test('the text of a handshake says all of it, one line a fact', () => {
  const { error } = judged({ assertions: [{ source: 'TEXT_RESPONSE', comparison: 'IS_NULL' }] })
  assert.match(
    error ?? '',
    /Protocol version: TLS1\.3\\nCiphersuite: TLS_AES_256_GCM_SHA384\\nPeer address: 192\.0\.2\.1/,
  )
})

test('a slow handshake degrades, then fails', () => {
  const took = (handshake: number) => ({
    handshake: { timingPhases: { dns: 9000, connection: 9000, handshake, total: 18_000 + handshake } },
  })
  assert.equal(judged(took(3000)).verdict, 'passed')
  assert.equal(judged(took(3001)).verdict, 'degraded')
  assert.deepEqual(outcome(took(10_001)), ['failed', null, 'the answer took 10001 ms, more than the allowed 10000 ms'])
})

test('where a run stopped is its category', () => {
  const stopped = (failure: Partial<Failure>) => judged({ failure }).category
  assert.equal(stopped({ phase: 'dns', code: 'ENOTFOUND' }), 'DNS')
  assert.equal(stopped({ phase: 'connect', code: 'ECONNREFUSED' }), 'CONNECTION')
  assert.equal(stopped({ phase: 'connect', code: 'ETIMEDOUT' }), 'TIMEOUT')
  assert.equal(stopped({ phase: 'tls', code: 'ETIMEDOUT' }), 'TIMEOUT')
  assert.equal(stopped({ phase: 'tls', code: 'ECONNRESET' }), 'HANDSHAKE')
})

test('with shouldFail a bad certificate or a refusal passes, a good one fails, and trouble of ours stays ours', () => {
  const settings = { shouldFail: true }
  assert.deepEqual(outcome({ settings, handshake: expired }), ['passed', 'EXPIRED', null])
  assert.equal(judged({ settings, failure: { phase: 'connect' } }).verdict, 'passed')
  assert.deepEqual(outcome({ settings }), [
    'failed',
    null,
    'expected shop.test to be refused, but nothing is wrong with it',
  ])
  // Being slow is no refusal.
  const slow = { timingPhases: { dns: 0, connection: 0, handshake: 20_000, total: 20_000 } }
  assert.equal(judged({ settings, handshake: slow }).verdict, 'failed')
  assert.equal(judged({ settings, handshake: { daysUntilExpiry: 3 } }).verdict, 'failed')
  assert.equal(judged({ settings, failure: { phase: 'dns', message: 'ENOTFOUND: gone' } }).error, 'ENOTFOUND: gone')
  assert.equal(judged({ settings, failure: { blame: 'ours' } }).verdict, 'error')
})
