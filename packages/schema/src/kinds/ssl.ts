/** The SSL check: shakes hands with a server and judges its certificate and how it speaks TLS. */
import Type, { type Static } from 'typebox'
import { AssertionOutcome, comparableAssertion } from '../assertion.ts'
import {
  IP_FAMILIES,
  IpFamily,
  judgedBy,
  requestAnswer,
  requestFields,
  thresholds,
  thresholdsAnswer,
} from '../check.ts'
import type { Observation } from '../observation.ts'
import { Nullable, Uuid } from '../shape.ts'
import { TlsCertificate } from '../tls.ts'

export const SSL_ASSERTION_SOURCES = [
  'CERTIFICATE',
  'CONNECTION',
  'RESPONSE_TIME',
  'JSON_RESPONSE',
  'TEXT_RESPONSE',
] as const
export type SslAssertionSource = (typeof SSL_ASSERTION_SOURCES)[number]

/** What a CERTIFICATE assertion may name, of the server’s own certificate. */
export const CERTIFICATE_PROPERTIES = [
  'daysUntilExpiry',
  'subject',
  'issuer',
  'altNames',
  'validFrom',
  'validTo',
  'fingerprint256',
  'keyType',
  'keySizeBits',
  'signatureAlgorithm',
  'sctPresent',
] as const
export type CertificateProperty = (typeof CERTIFICATE_PROPERTIES)[number]

/** What a CONNECTION assertion may name. */
export const CONNECTION_PROPERTIES = [
  'tlsVersion',
  'cipherSuite',
  'chainTrusted',
  'hostnameVerified',
  'ocspStapled',
  'resolvedIp',
  'baselineVerdict',
  'baselineGrade',
] as const
export type ConnectionProperty = (typeof CONNECTION_PROPERTIES)[number]

export const SslAssertion = comparableAssertion(
  SSL_ASSERTION_SOURCES,
  `CERTIFICATE: one of ${CERTIFICATE_PROPERTIES.join(', ')}. CONNECTION: one of ${CONNECTION_PROPERTIES.join(', ')}. JSON_RESPONSE: a JSONPath. TEXT_RESPONSE: a regular expression.`,
)
export type SslAssertion = Static<typeof SslAssertion>

/** Oldest first. */
export const TLS_VERSIONS = ['TLS1.0', 'TLS1.1', 'TLS1.2', 'TLS1.3'] as const
export type TlsVersion = (typeof TLS_VERSIONS)[number]

/** What breaking a rule of the baseline does to a run. */
export const RULE_SEVERITIES = ['fail', 'degrade', 'ignore'] as const
export type RuleSeverity = (typeof RULE_SEVERITIES)[number]

/** In the order in which they are judged and told. */
export const BASELINE_RULES = [
  'minTLSVersion',
  'minKeySizeBits',
  'weakSignatureAlgorithm',
  'weakCipherSuite',
  'knownBadCA',
  'recommendedTLSVersion',
  'recommendedKeySizeBits',
  'ocspMustStapleRespected',
  'sctPresent',
] as const
export type BaselineRule = (typeof BASELINE_RULES)[number]

/** What a rule asks for and what breaking it does, where a check does not say. */
export const BASELINE_DEFAULTS = {
  minTLSVersion: { severity: 'fail', value: 'TLS1.2' },
  minKeySizeBits: { severity: 'fail', value: 2048 },
  weakSignatureAlgorithm: { severity: 'fail' },
  weakCipherSuite: { severity: 'fail' },
  knownBadCA: { severity: 'fail' },
  recommendedTLSVersion: { severity: 'ignore', value: 'TLS1.3' },
  recommendedKeySizeBits: { severity: 'ignore', value: 3072 },
  ocspMustStapleRespected: { severity: 'ignore' },
  sctPresent: { severity: 'ignore' },
} as const satisfies Record<BaselineRule, { severity: RuleSeverity; value?: TlsVersion | number }>

const severity = (rule: BaselineRule) =>
  Type.Optional(Type.Enum(RULE_SEVERITIES, { default: BASELINE_DEFAULTS[rule].severity }))
const rule = (name: BaselineRule, description: string) =>
  Type.Optional(Type.Object({ severity: severity(name) }, { description }))
const versionRule = (name: 'minTLSVersion' | 'recommendedTLSVersion', description: string) => {
  const value = Type.Optional(Type.Enum(TLS_VERSIONS, { default: BASELINE_DEFAULTS[name].value }))
  return Type.Optional(Type.Object({ severity: severity(name), value }, { description }))
}
const keySizeRule = (name: 'minKeySizeBits' | 'recommendedKeySizeBits', what: string) => {
  const range = { minimum: 512, maximum: 16_384, default: BASELINE_DEFAULTS[name].value }
  const description = `${what} Keys of elliptic curves count as the RSA keys of like strength.`
  return Type.Optional(
    Type.Object({ severity: severity(name), value: Type.Optional(Type.Integer(range)) }, { description }),
  )
}

/** The rules that a safe server keeps, whatever is asserted besides. */
export const SecurityBaseline = Type.Object({
  enabled: Type.Optional(Type.Boolean({ default: true })),
  minTLSVersion: versionRule('minTLSVersion', 'An older version was agreed upon.'),
  minKeySizeBits: keySizeRule('minKeySizeBits', 'The certificate has a shorter key.'),
  weakSignatureAlgorithm: rule(
    'weakSignatureAlgorithm',
    'A certificate of the chain is signed with MD5 or SHA-1; roots aside.',
  ),
  weakCipherSuite: rule(
    'weakCipherSuite',
    'A cipher suite was agreed upon that does not protect, such as RC4 or 3DES.',
  ),
  knownBadCA: rule('knownBadCA', 'The chain leads through an authority that browsers have ceased to trust.'),
  recommendedTLSVersion: versionRule('recommendedTLSVersion', 'An older version was agreed upon than is recommended.'),
  recommendedKeySizeBits: keySizeRule(
    'recommendedKeySizeBits',
    'The certificate has a shorter key than is recommended.',
  ),
  ocspMustStapleRespected: rule(
    'ocspMustStapleRespected',
    'The certificate demands an OCSP answer, and the server brought none.',
  ),
  sctPresent: rule('sctPresent', 'The certificate shows no entry in a log of certificates.'),
})
export type SecurityBaseline = Static<typeof SecurityBaseline>

export const BASELINE_VERDICTS = ['pass', 'degrade', 'fail'] as const
export type BaselineVerdict = (typeof BASELINE_VERDICTS)[number]
/** A+: every rule is kept. A: only rules that are ignored are broken. C: one that degrades. F: one that fails. */
export const BASELINE_GRADES = ['A+', 'A', 'C', 'F'] as const
export type BaselineGrade = (typeof BASELINE_GRADES)[number]

export const CLIENT_CERTIFICATE_MODES = ['auto', 'explicit'] as const

export const SslConfig = Type.Object({
  hostname: Type.String({ minLength: 1, maxLength: 2048, description: 'A host name or an address.' }),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, default: 443 })),
  serverName: Type.Optional(
    Nullable(Type.String({ maxLength: 253 }), {
      default: null,
      description: 'The name that is asked for and that the certificate must be for; otherwise that of the host.',
    }),
  ),
  ipFamily: Type.Optional(IpFamily),
  skipChainValidation: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Accept a certificate of any authority. Its name and its dates are judged all the same.',
    }),
  ),
  handshakeTimeoutMs: Type.Optional(
    Type.Integer({ minimum: 1000, maximum: 30_000, default: 10_000, description: 'From the lookup to the end.' }),
  ),
  alertDaysBeforeExpiry: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 20,
      description: 'A certificate with so many whole days left, or fewer, counts as degraded; an expired one fails.',
    }),
  ),
  securityBaseline: Type.Optional(SecurityBaseline),
  clientCertificateMode: Type.Optional(
    Type.Enum(CLIENT_CERTIFICATE_MODES, {
      default: 'auto',
      description: 'auto: the client certificate that fits the host. explicit: that of sslClientCertificateId.',
    }),
  ),
})
export type SslConfig = Static<typeof SslConfig>

export const SslRequest = Type.Object({
  sslConfig: SslConfig,
  sslClientCertificateId: Type.Optional(Nullable(Uuid, { default: null })),
  assertions: Type.Optional(Type.Array(SslAssertion, { maxItems: 1000, default: [] })),
})
export type SslRequest = Static<typeof SslRequest>

export const SslCheckCreate = Type.Object({
  ...requestFields,
  request: SslRequest,
  ...thresholds(3000, 10_000, 30_000),
})
export type SslCheckCreate = Static<typeof SslCheckCreate>

/** Absent fields keep what is stored. */
export const SslCheckUpdate = Type.Partial(SslCheckCreate)

export const SslCheck = Type.Object({
  ...requestAnswer,
  checkType: Type.Literal('SSL'),
  request: SslRequest,
  ...thresholdsAnswer,
})
export type SslCheck = Static<typeof SslCheck>

/** What a runner needs to execute an SSL check. */
export const SslSettings = Type.Object({ request: SslRequest, ...judgedBy })
export type SslSettings = Static<typeof SslSettings>

/** Milliseconds. */
export const SslTimingPhases = Type.Object({
  dns: Type.Number(),
  connection: Type.Number(),
  handshake: Type.Number({ description: 'The response time: what thresholds and RESPONSE_TIME judge.' }),
  total: Type.Number(),
})

/** What a finished handshake showed. */
export const SslHandshake = Type.Object({
  resolvedIp: Type.String(),
  protocol: Type.String({ examples: ['TLS1.3'] }),
  cipherSuite: Type.String({ examples: ['TLS_AES_256_GCM_SHA384'] }),
  chainTrusted: Type.Boolean({
    description: 'An authority that is trusted here vouches for it, whatever its own dates say.',
  }),
  chainProblem: Nullable(Type.String(), { description: 'Why it is not trusted, beginning with a code.' }),
  hostnameVerified: Type.Boolean(),
  hostnameProblem: Nullable(Type.String()),
  daysUntilExpiry: Type.Integer({ description: 'Whole days; negative once it has expired.' }),
  ocspStapled: Type.Boolean({ description: 'The server brought an answer of its authority.' }),
  ocspMustStaple: Type.Boolean({ description: 'The certificate demands that.' }),
  sctPresent: Type.Boolean({ description: 'The certificate holds the receipt of a log of certificates.' }),
  certificate: TlsCertificate,
  chain: Type.Array(TlsCertificate, {
    description:
      'From its own certificate to the first authority that is trusted here; all that was sent, 8 at most, where none is.',
  }),
  timingPhases: SslTimingPhases,
})
export type SslHandshake = Static<typeof SslHandshake>

/** As it is told of a run, whose own times may not be known. */
const SslHandshakeTold = Type.Object({
  ...SslHandshake.properties,
  timingPhases: Nullable(SslTimingPhases, { description: 'Null where the handshake shown is that of another run.' }),
  sameAs: Type.Optional(
    Nullable(Type.String(), {
      description:
        'Handshakes are kept when they change. This one equalled that of the result named here, which is shown.',
    }),
  ),
})

/** A rule of the baseline that is broken. */
export const BaselineFinding = Type.Object({
  rule: Type.Enum(BASELINE_RULES),
  severity: Type.Enum(RULE_SEVERITIES),
  message: Type.String(),
})
export type BaselineFinding = Static<typeof BaselineFinding>

/** Where a run stopped, or what was wrong with what it found. */
export const SSL_FAILURE_CATEGORIES = [
  'DNS',
  'CONNECTION',
  'TIMEOUT',
  'HANDSHAKE',
  'EXPIRED',
  'NOT_YET_VALID',
  'HOSTNAME',
  'CHAIN',
  'BASELINE',
  'ASSERTION',
] as const
export type SslFailureCategory = (typeof SSL_FAILURE_CATEGORIES)[number]

export const SslCheckResult = Type.Object({
  tlsVersion: Nullable(Type.String()),
  cipherSuite: Nullable(Type.String()),
  daysUntilExpiry: Nullable(Type.Integer()),
  handshakeTimeMs: Nullable(Type.Number(), { description: 'Without looking up and connecting: the response time.' }),
  chainTrusted: Nullable(Type.Boolean()),
  hostnameVerified: Nullable(Type.Boolean()),
  baselineVerdict: Nullable(Type.Enum(BASELINE_VERDICTS), { description: 'Null without a handshake or a baseline.' }),
  baselineGrade: Nullable(Type.Enum(BASELINE_GRADES)),
  baselineFindings: Type.Array(BaselineFinding),
  failureCategory: Nullable(Type.Enum(SSL_FAILURE_CATEGORIES), { description: 'Null when nothing is wrong.' }),
  requestError: Nullable(Type.String()),
  request: Type.Object({
    hostname: Type.String(),
    port: Type.Integer(),
    serverName: Type.String(),
    ipFamily: Type.Enum(IP_FAMILIES),
  }),
  assertions: Type.Array(AssertionOutcome),
  response: Nullable(SslHandshakeTold, { description: 'Null without a handshake, and where none was kept.' }),
})
export type SslCheckResult = Static<typeof SslCheckResult>

/** The response time is that of the handshake alone, without looking up and connecting: thresholds judge that. */
export interface SslObservation extends Observation<SslHandshake> {
  resolvedIp: string | null
  /** The server’s own certificate, also where the handshake came to nothing after it was shown. */
  shown: TlsCertificate | null
  /** When dates were compared; epoch milliseconds. */
  seenAtMs: number
}
