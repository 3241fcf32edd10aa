/** Judges a TLS handshake: its certificate, and how it was spoken. */
import {
  type AssertionOutcome,
  CERTIFICATE_PROPERTIES,
  type CertificateProperty,
  CONNECTION_PROPERTIES,
  type ConnectionProperty,
  type SslAssertionSource,
  type SslFailureCategory,
  type SslHandshake,
  type SslObservation,
  type SslSettings,
} from '@vedette/schema'
import { type Finders, judgeAssertions } from './assertion.ts'
import { findValues } from './json-path.ts'
import { conclude, type Judgement } from './judgement.ts'
import { keySizeBits } from './key-strength.ts'
import { firstGroup } from './pattern.ts'
import { type BaselineJudgement, judgeBaseline } from './ssl-baseline.ts'
import { sslText } from './ssl-text.ts'

interface SslEvidence {
  handshake: SslHandshake
  baseline: BaselineJudgement
  responseTimeMs: number
}

const ofCertificate: { readonly [P in CertificateProperty]: (handshake: SslHandshake) => unknown } = {
  daysUntilExpiry: ({ daysUntilExpiry }) => daysUntilExpiry,
  subject: ({ certificate }) => certificate.subject,
  issuer: ({ certificate }) => certificate.issuer,
  altNames: ({ certificate }) => certificate.altNames,
  validFrom: ({ certificate }) => certificate.validFrom,
  validTo: ({ certificate }) => certificate.validTo,
  fingerprint256: ({ certificate }) => certificate.fingerprint256,
  keyType: ({ certificate }) => certificate.keyType,
  keySizeBits: ({ certificate }) => keySizeBits(certificate),
  signatureAlgorithm: ({ certificate }) => certificate.signatureAlgorithm,
  sctPresent: ({ sctPresent }) => sctPresent,
}

const ofConnection: { readonly [P in ConnectionProperty]: (evidence: SslEvidence) => unknown } = {
  tlsVersion: ({ handshake }) => handshake.protocol,
  cipherSuite: ({ handshake }) => handshake.cipherSuite,
  chainTrusted: ({ handshake }) => handshake.chainTrusted,
  hostnameVerified: ({ handshake }) => handshake.hostnameVerified,
  ocspStapled: ({ handshake }) => handshake.ocspStapled,
  resolvedIp: ({ handshake }) => handshake.resolvedIp,
  baselineVerdict: ({ baseline }) => baseline.verdict,
  baselineGrade: ({ baseline }) => baseline.grade,
}

const finders: Finders<SslAssertionSource, SslEvidence> = {
  CERTIFICATE: ({ property }, { handshake }) => [ofCertificate[known(property, CERTIFICATE_PROPERTIES)](handshake)],
  CONNECTION: ({ property }, evidence) => [ofConnection[known(property, CONNECTION_PROPERTIES)](evidence)],
  RESPONSE_TIME: (_, { responseTimeMs }) => [Math.round(responseTimeMs)],
  JSON_RESPONSE: ({ property = '' }, { handshake, baseline }) => findValues(property, { ...handshake, baseline }),
  TEXT_RESPONSE: ({ property }, { handshake, baseline }) => {
    const text = sslText(handshake, baseline)
    return [property ? firstGroup(property, text) : text]
  },
}

function known<P extends string>(property = '', properties: readonly P[]): P {
  const found = properties.find((one) => one === property.trim())
  if (found === undefined) throw new Error(`there is no property "${property}", only ${properties.join(', ')}`)
  return found
}

/**
 * Assertions, then what is wrong whatever is asserted. With `shouldFail` something must be wrong with the handshake or
 * its certificate, and nothing else matters.
 */
export function judgeSsl(settings: SslSettings, observation: SslObservation): Judgement {
  if (!settings.shouldFail) return judge(settings, observation)
  const judged = judge({ ...settings, degradedResponseTime: null, maxResponseTime: null }, observation)
  // A name that does not exist says nothing about the server.
  if (judged.verdict === 'error' || observation.failure?.phase === 'dns') return judged
  const { hostname } = settings.request.sslConfig
  return judged.verdict === 'failed'
    ? { ...judged, verdict: 'passed', error: null }
    : { ...judged, verdict: 'failed', error: `expected ${hostname} to be refused, but nothing is wrong with it` }
}

function judge(settings: SslSettings, observation: SslObservation): Judgement {
  return conclude(settings, observation, (handshake) => {
    const { sslConfig, assertions = [] } = settings.request
    const baseline = judgeBaseline(handshake, sslConfig.securityBaseline)
    const evidence = { handshake, baseline, responseTimeMs: observation.responseTimeMs }
    return {
      assertions: judgeAssertions(assertions, finders, evidence),
      problem: joined(problemsOf(settings, observation, handshake).map(({ message }) => message)),
      weakness: joined([...expiringSoon(settings, handshake), ...told(baseline, 'degrade')]),
    }
  })
}

interface Problem {
  category: SslFailureCategory
  message: string
}

/** All that is wrong, the worst first. */
function problemsOf(
  { request: { sslConfig } }: SslSettings,
  { seenAtMs }: SslObservation,
  handshake: SslHandshake,
): Problem[] {
  const { validFrom, validTo } = handshake.certificate
  const problems: Problem[] = []
  if (Date.parse(validTo) < seenAtMs)
    problems.push({
      category: 'EXPIRED',
      message: `CERT_HAS_EXPIRED: the certificate has expired, it was valid until ${validTo}`,
    })
  if (Date.parse(validFrom) > seenAtMs)
    problems.push({
      category: 'NOT_YET_VALID',
      message: `CERT_NOT_YET_VALID: the certificate is not valid yet, but from ${validFrom} on`,
    })
  if (handshake.hostnameProblem !== null) problems.push({ category: 'HOSTNAME', message: handshake.hostnameProblem })
  if (handshake.chainProblem !== null && !sslConfig.skipChainValidation)
    problems.push({ category: 'CHAIN', message: handshake.chainProblem })
  const baseline = judgeBaseline(handshake, sslConfig.securityBaseline)
  for (const message of told(baseline, 'fail')) problems.push({ category: 'BASELINE', message })
  return problems
}

const told = ({ findings }: BaselineJudgement, severity: 'fail' | 'degrade') =>
  findings.filter((finding) => finding.severity === severity).map(({ rule, message }) => `${rule}: ${message}`)

const joined = (sentences: string[]) => (sentences.length === 0 ? null : sentences.join('; '))

const ALERT_DAYS = 20

function expiringSoon({ request }: SslSettings, { daysUntilExpiry, certificate }: SslHandshake): string[] {
  if (daysUntilExpiry > (request.sslConfig.alertDaysBeforeExpiry ?? ALERT_DAYS)) return []
  const left = daysUntilExpiry < 1 ? 'in less than a day' : `in ${daysUntilExpiry} day${daysUntilExpiry > 1 ? 's' : ''}`
  return [`the certificate expires ${left}: it is valid until ${certificate.validTo}`]
}

/** Where a run stopped, or what is wrong with what it found; null: nothing is. */
export function sslFailureCategory(
  settings: SslSettings,
  observation: SslObservation,
  assertions: readonly Pick<AssertionOutcome, 'error'>[],
): SslFailureCategory | null {
  const { failure, response } = observation
  if (failure !== null || response === null) {
    if (failure?.phase === 'dns') return 'DNS'
    if (failure?.code === 'ETIMEDOUT') return 'TIMEOUT'
    return failure?.phase === 'connect' ? 'CONNECTION' : 'HANDSHAKE'
  }
  if (assertions.some(({ error }) => error !== null)) return 'ASSERTION'
  return problemsOf(settings, observation, response)[0]?.category ?? null
}
