/** What assertions are made of, in words. */
import {
  type ApiAssertionSource,
  CERTIFICATE_PROPERTIES,
  type CertificateProperty,
  COMPARISONS,
  CONNECTION_PROPERTIES,
  type Comparison,
  type ConnectionProperty,
  type DnsAssertionSource,
  type GrpcAssertionSource,
  type IcmpAssertionSource,
  type SslAssertionSource,
  type TcpAssertionSource,
} from '@vedette/schema'
import type { Option } from '../../../../components/field.tsx'

/** Every source that an assertion of some kind may have. */
export type AssertionSource =
  | ApiAssertionSource
  | DnsAssertionSource
  | GrpcAssertionSource
  | TcpAssertionSource
  | IcmpAssertionSource
  | SslAssertionSource

/** An assertion as forms hold it. */
export interface DraftAssertion<S extends AssertionSource> {
  source: S
  comparison: Comparison
  property?: string | undefined
  target?: string | number | undefined
  regex?: string | null | undefined
}

const PATTERN = 'Regular expression (optional)'

export interface SourceWords {
  label: string
  /** What the second field asks for, null where there is none. */
  property: string | null
  /** All that may stand in it, where that is known. */
  among?: readonly Option<string>[]
  example: string
  /** A number is only compared as a number. */
  isNumber: boolean
}

const certificateWords: Record<CertificateProperty, string> = {
  daysUntilExpiry: 'days until it expires',
  subject: 'subject',
  issuer: 'issuer',
  altNames: 'names',
  validFrom: 'valid from',
  validTo: 'valid to',
  fingerprint256: 'SHA-256 fingerprint',
  keyType: 'type of the key',
  keySizeBits: 'size of the key in bits',
  signatureAlgorithm: 'signature algorithm',
  sctPresent: 'is in a public log',
}

const connectionWords: Record<ConnectionProperty, string> = {
  tlsVersion: 'TLS version',
  cipherSuite: 'cipher suite',
  chainTrusted: 'authority is trusted',
  hostnameVerified: 'certificate is for the name',
  ocspStapled: 'brought an OCSP answer',
  resolvedIp: 'address',
  baselineVerdict: 'verdict of the baseline',
  baselineGrade: 'grade by the baseline',
}

/** Of all kinds. */
export const sources: Record<AssertionSource, SourceWords> = {
  STATUS_CODE: { label: 'Status code', property: null, example: '200', isNumber: true },
  JSON_BODY: { label: 'JSON body', property: 'JSONPath, e.g. $.status', example: 'ok', isNumber: false },
  HEADERS: { label: 'Header', property: 'Header name', example: 'application/json', isNumber: false },
  TEXT_BODY: { label: 'Text body', property: PATTERN, example: 'Welcome', isNumber: false },
  GRPC_RESPONSE: { label: 'Message', property: 'JSONPath, e.g. $.state', example: 'PAID', isNumber: false },
  GRPC_METADATA: { label: 'Metadata', property: 'Name', example: 'me', isNumber: false },
  GRPC_HEALTHCHECK_STATUS: { label: 'Health', property: null, example: 'SERVING', isNumber: false },
  GRPC_STATUS_CODE: { label: 'gRPC status', property: null, example: 'OK', isNumber: false },
  JSON_ANSWER: { label: 'Answer', property: 'JSONPath, e.g. $.Answer[0].data', example: '192.0.2.1', isNumber: false },
  TEXT_ANSWER: { label: 'Answer as text', property: PATTERN, example: '192.0.2.1', isNumber: false },
  RESPONSE_CODE: { label: 'Response code', property: null, example: 'NOERROR', isNumber: false },
  RESPONSE_TIME: { label: 'Response time (ms)', property: null, example: '1000', isNumber: true },
  RESPONSE_DATA: { label: 'Data', property: PATTERN, example: 'PONG', isNumber: false },
  LATENCY: { label: 'Latency (ms)', property: 'avg, min, max or stdDev', example: '100', isNumber: true },
  JSON_RESPONSE: { label: 'JSON response', property: 'JSONPath, beginning with $', example: '0', isNumber: false },
  CERTIFICATE: {
    label: 'Certificate',
    property: 'Property',
    among: CERTIFICATE_PROPERTIES.map((value) => ({ value, label: certificateWords[value] })),
    example: '30',
    isNumber: false,
  },
  CONNECTION: {
    label: 'Connection',
    property: 'Property',
    among: CONNECTION_PROPERTIES.map((value) => ({ value, label: connectionWords[value] })),
    example: 'TLS1.3',
    isNumber: false,
  },
  TEXT_RESPONSE: { label: 'Handshake as text', property: PATTERN, example: 'Verification: OK', isNumber: false },
}

export const comparisons: Record<Comparison, string> = {
  EQUALS: 'equals',
  NOT_EQUALS: 'does not equal',
  GREATER_THAN: 'is greater than',
  LESS_THAN: 'is less than',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'does not contain',
  IS_EMPTY: 'is empty',
  NOT_EMPTY: 'is not empty',
  IS_NULL: 'is null',
  NOT_NULL: 'is not null',
  HAS_KEY: 'has the key',
  NOT_HAS_KEY: 'has not the key',
  HAS_VALUE: 'has the value',
  NOT_HAS_VALUE: 'has not the value',
}

const WITHOUT_TARGET: readonly Comparison[] = ['IS_EMPTY', 'NOT_EMPTY', 'IS_NULL', 'NOT_NULL']
export const NUMERIC = ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN', 'LESS_THAN'] as const satisfies readonly Comparison[]

export const needsTarget = (comparison: Comparison): boolean => !WITHOUT_TARGET.includes(comparison)

export const sourceOptions = <S extends AssertionSource>(among: readonly S[]): Option<S>[] =>
  among.map((value) => ({ value, label: sources[value].label }))

export const comparisonOptions = (source: AssertionSource): Option<Comparison>[] =>
  (sources[source].isNumber ? NUMERIC : COMPARISONS).map((value) => ({ value, label: comparisons[value] }))

/** What the second field begins with. */
export const firstProperty = (source: AssertionSource): string => sources[source].among?.[0]?.value ?? ''

const isSource = (source: string): source is AssertionSource => Object.hasOwn(sources, source)

/** An assertion as a sentence; for what a result brings, whose words may be newer than this page. */
export function sourceWords(source: string, property: string): string {
  const words = isSource(source) ? sources[source] : undefined
  const label = words?.label ?? source
  const named = words?.among?.find(({ value }) => value === property)
  if (named) return `${label}, ${named.label}`
  return property === '' ? label : `${label} ${property}`
}

export function comparisonWords(comparison: string): string {
  const known = COMPARISONS.find((one) => one === comparison)
  return known ? comparisons[known] : comparison
}

export const targetWords = (comparison: string, target: string | number): string => {
  const known = COMPARISONS.find((one) => one === comparison)
  return known && !needsTarget(known) ? '' : String(target)
}

/** Those whose comparison is one of numbers: the form offers no other for such sources. */
export function ofNumbers<A extends { comparison: Comparison }>(assertions: readonly A[]) {
  return assertions.flatMap(({ comparison, ...rest }) => {
    const known = NUMERIC.find((one) => one === comparison)
    return known === undefined ? [] : [{ ...rest, comparison: known }]
  })
}
