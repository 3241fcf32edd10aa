/** Judges a handshake by the rules that a safe server keeps, whatever is asserted besides. */
import {
  BASELINE_DEFAULTS,
  BASELINE_RULES,
  type BaselineFinding,
  type BaselineGrade,
  type BaselineRule,
  type BaselineVerdict,
  type RuleSeverity,
  type SecurityBaseline,
  type SslHandshake,
  TLS_VERSIONS,
  type TlsCertificate,
} from '@vedette/schema'
import { distrustedIssuer } from './distrusted-authorities.ts'
import { keySizeBits, rsaStrengthBits } from './key-strength.ts'

export interface BaselineJudgement {
  /** In the order of the rules. */
  findings: BaselineFinding[]
  /** Null when no baseline is wanted. */
  verdict: BaselineVerdict | null
  grade: BaselineGrade | null
}

export function judgeBaseline(handshake: SslHandshake, baseline: SecurityBaseline = {}): BaselineJudgement {
  if (baseline.enabled === false) return { findings: [], verdict: null, grade: null }
  const findings = BASELINE_RULES.flatMap((rule): BaselineFinding[] => {
    const message = broken[rule](handshake, baseline)
    const severity = baseline[rule]?.severity ?? BASELINE_DEFAULTS[rule].severity
    return message === null ? [] : [{ rule, severity, message }]
  })
  const has = (severity: RuleSeverity) => findings.some((finding) => finding.severity === severity)
  if (has('fail')) return { findings, verdict: 'fail', grade: 'F' }
  if (has('degrade')) return { findings, verdict: 'degrade', grade: 'C' }
  return { findings, verdict: 'pass', grade: findings.length > 0 ? 'A' : 'A+' }
}

/** By rule: how it is broken, in one sentence; null: it is kept. */
type Test = (handshake: SslHandshake, baseline: SecurityBaseline) => string | null

const AGES: readonly string[] = TLS_VERSIONS

const olderThan =
  (rule: 'minTLSVersion' | 'recommendedTLSVersion', wanted: string): Test =>
  ({ protocol }, baseline) => {
    const value = baseline[rule]?.value ?? BASELINE_DEFAULTS[rule].value
    // What is not known to us is older than all that are.
    const age = AGES.indexOf(protocol)
    return age >= AGES.indexOf(value) ? null : `${protocol} was agreed upon, ${wanted} is ${value} or newer`
  }

const shorterThan =
  (rule: 'minKeySizeBits' | 'recommendedKeySizeBits', wanted: string): Test =>
  ({ certificate }, baseline) => {
    const value = baseline[rule]?.value ?? BASELINE_DEFAULTS[rule].value
    const strength = rsaStrengthBits(certificate)
    if (strength === null || strength >= value) return null
    const size = keySizeBits(certificate)
    const like = strength === size ? '' : `, as strong as RSA with ${strength}`
    return `the ${certificate.keyType} key has ${size} bits${like}, ${wanted} are ${value} or more`
  }

const broken: { readonly [R in BaselineRule]: Test } = {
  minTLSVersion: olderThan('minTLSVersion', 'required'),
  minKeySizeBits: shorterThan('minKeySizeBits', 'required'),
  weakSignatureAlgorithm: ({ chain }) => {
    const weak = chain.find((certificate, at) => isWeakSignature(certificate) && !isRoot(certificate, at, chain))
    if (weak === undefined) return null
    return `the certificate of ${weak.subject} is signed with ${weak.signatureAlgorithm}, required is SHA-256 or stronger`
  },
  weakCipherSuite: ({ cipherSuite }) => {
    const weak = weaknessOfCipherSuite(cipherSuite)
    return weak === null ? null : `${cipherSuite} was agreed upon, required is a cipher suite without ${weak}`
  },
  knownBadCA: ({ certificate, chain }) => {
    for (const { issuer } of chain) {
      const distrusted = distrustedIssuer(issuer, certificate.validFrom)
      if (distrusted === null) continue
      const { organization, from } = distrusted
      const since = from === null ? '' : ` for certificates from ${from} on`
      return `the chain leads through ${organization}, required is an authority that browsers trust${since}`
    }
    return null
  },
  recommendedTLSVersion: olderThan('recommendedTLSVersion', 'recommended'),
  recommendedKeySizeBits: shorterThan('recommendedKeySizeBits', 'recommended'),
  ocspMustStapleRespected: ({ ocspMustStaple, ocspStapled }) =>
    ocspMustStaple && !ocspStapled ? 'the server brought no OCSP answer, but its certificate demands one' : null,
  sctPresent: ({ sctPresent }) =>
    sctPresent ? null : 'the certificate holds no receipt of a log of certificates, expected is one at least',
}

/** The last of the chain, trusted for what it is and not for its signature. The server’s own is never meant. */
const isRoot = ({ subject, issuer }: TlsCertificate, at: number, chain: readonly TlsCertificate[]) =>
  at > 0 && at === chain.length - 1 && subject === issuer

/** `sha1WithRSAEncryption`, `ecdsa-with-SHA1`, `dsaWithSHA`, `md5WithRSAEncryption` and the like. */
const isWeakSignature = ({ signatureAlgorithm }: TlsCertificate) =>
  /md[245]|mdc2|sha-?[01](?!\d)|sha(?![-\dk])/i.test(signatureAlgorithm ?? '')

const WEAK_PARTS: { readonly [part: string]: string } = {
  NULL: 'NULL encryption',
  ANON: 'anonymous key exchange',
  ANULL: 'anonymous key exchange',
  ADH: 'anonymous key exchange',
  AECDH: 'anonymous key exchange',
  RC2: 'RC2',
  RC4: 'RC4',
  DES: 'DES',
  DES40: 'DES',
  CBC3: '3DES',
  '3DES': '3DES',
  IDEA: 'IDEA',
  SEED: 'SEED',
  MD5: 'MD5',
}

/** Of a name as IANA or OpenSSL spells it. Null: it protects. */
export function weaknessOfCipherSuite(name: string): string | null {
  const parts = name.toUpperCase().split(/[-_]/)
  if (parts.some((part) => part.startsWith('EXP'))) return 'export-grade encryption'
  // Of TLS 1.3: what is sent is signed and not encrypted (RFC 9150).
  if (/^TLS_SHA\d+_SHA\d+$/.test(name)) return 'NULL encryption'
  const found = parts.flatMap((part) => (Object.hasOwn(WEAK_PARTS, part) ? [WEAK_PARTS[part] ?? part] : []))
  return found.find((weakness) => weakness !== 'DES' || !found.includes('3DES')) ?? null
}
