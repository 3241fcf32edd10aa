/** A handshake as text, in the manner of `openssl s_client -brief`: what assertions on TEXT_RESPONSE look into. */
import type { SslHandshake } from '@vedette/schema'
import { keySizeBits } from './key-strength.ts'
import type { BaselineJudgement } from './ssl-baseline.ts'

/** Lines of a name, a colon and a value, always in the same order. */
export function sslText(handshake: SslHandshake, baseline: BaselineJudgement): string {
  const { certificate, chain } = handshake
  const lines: [name: string, value: string | number][] = [
    ['Protocol version', handshake.protocol],
    ['Ciphersuite', handshake.cipherSuite],
    ['Peer address', handshake.resolvedIp],
    ['Peer certificate', certificate.subject],
    ['Issuer', certificate.issuer],
    ['Names', certificate.altNames.join(', ')],
    ['Not before', certificate.validFrom],
    ['Not after', certificate.validTo],
    ['Days until expiry', handshake.daysUntilExpiry],
    ['Key', `${certificate.keyType}, ${keySizeBits(certificate) ?? 'unknown'} bits`],
    ['Signature', certificate.signatureAlgorithm ?? 'unknown'],
    ['Fingerprint', certificate.fingerprint256],
    ['Verification', handshake.chainProblem ?? 'OK'],
    ['Verified peername', handshake.hostnameProblem ?? 'OK'],
    ['OCSP answer', handshake.ocspStapled ? 'stapled' : 'none'],
    ['OCSP must staple', handshake.ocspMustStaple ? 'yes' : 'no'],
    ['Signed certificate timestamps', handshake.sctPresent ? 'present' : 'none'],
    ...chain.map(({ subject, issuer }, at): [string, string] => [`Chain ${at}`, `${subject} (by ${issuer})`]),
    ['Baseline', baseline.verdict === null ? 'off' : `${baseline.verdict}, grade ${baseline.grade}`],
    ...baseline.findings.map(({ rule, severity, message }): [string, string] => [
      `Finding ${rule}`,
      `${severity}: ${message}`,
    ]),
  ]
  return lines.map(([name, value]) => `${name}: ${value}\n`).join('')
}
