/**
 * Whether an authority that is trusted here vouches for a server's certificate. OpenSSL tells one problem of a chain
 * only, and dates come last: what they hide is looked for here.
 */
import { X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import type { RunCertificate } from '@vedette/schema'
import { socketFailure } from '../http/failure.ts'
import { codeOfVerification, WRONG_NAME } from '../http/tls-details.ts'

/**
 * A chain as far as the first authority that is trusted, whether it was sent or not: for the sake of older clients servers
 * send more, with which nobody here has anything to do. The whole of it where it leads to none.
 */
export function upToTrust(
  chain: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  nowMs: number,
): X509Certificate[] {
  const path: X509Certificate[] = []
  for (const link of chain) {
    path.push(link)
    if (isAmong(anchors, link)) break
    const anchor = anchors.find((one) => isInDate(one, nowMs) && isSignedBy(link, one))
    if (anchor === undefined) continue
    path.push(anchor)
    break
  }
  return path
}

/**
 * Beginning with a code; null: it is trusted. The dates of the server's own certificate do not matter.
 *
 * @param path from the server's own certificate on, up to trust
 */
export function chainProblemOf(
  socket: tls.TLSSocket,
  path: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  nowMs: number,
): string | null {
  const code = codeOfVerification(socket)
  // Names are looked at once the chain has been found to be good.
  if (code === null || code === WRONG_NAME) return null
  const [own] = path
  if (!DATES.has(code) || own === undefined) return sentenceOf(code)
  const hidden = problemBehindDates(path, anchors, nowMs)
  if (hidden !== null) return hidden
  return isInDate(own, nowMs) ? sentenceOf(code) : null
}

const DATES = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

const sentenceOf = (code: string) => socketFailure(Object.assign(new Error(code), { code }), 'tls').message

const isInDate = ({ validFromDate, validToDate }: X509Certificate, nowMs: number) =>
  validFromDate.getTime() <= nowMs && nowMs <= validToDate.getTime()

const SERVERS = '1.3.6.1.5.5.7.3.1'

function problemBehindDates(
  path: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  nowMs: number,
): string | null {
  const [own] = path
  if (own?.keyUsage !== undefined && !own.keyUsage.includes(SERVERS)) return sentenceOf('INVALID_PURPOSE')
  for (const [depth, link] of path.entries()) {
    if (depth > 0 && !isInDate(link, nowMs)) {
      const code = link.validToDate.getTime() < nowMs ? 'CERT_HAS_EXPIRED' : 'CERT_NOT_YET_VALID'
      return `${sentenceOf(code)} (that of ${link.subject.replaceAll('\n', ', ')})`
    }
    if (isAmong(anchors, link)) return null
    const issuer = path[depth + 1]
    if (issuer === undefined) return sentenceOf(endOf(link, depth))
    // The oldest authorities do not say that they are one.
    if (!issuer.ca && !isAmong(anchors, issuer)) return sentenceOf('INVALID_CA')
    if (!isSignedBy(link, issuer)) return sentenceOf('CERT_SIGNATURE_FAILURE')
  }
  return null
}

const isAmong = (anchors: readonly X509Certificate[], { fingerprint256 }: X509Certificate) =>
  anchors.some((anchor) => anchor.fingerprint256 === fingerprint256)

/** Why a chain ends before it comes to somebody who is trusted. */
function endOf(last: X509Certificate, depth: number): string {
  if (last.checkIssued(last)) return depth === 0 ? 'DEPTH_ZERO_SELF_SIGNED_CERT' : 'SELF_SIGNED_CERT_IN_CHAIN'
  return depth === 0 ? 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' : 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    // A key of a kind that OpenSSL does not know.
    return false
  }
}

let usual: X509Certificate[] | undefined

/** Who is trusted, with those that come with a client certificate. */
export function anchorsWith(certificate: RunCertificate | null): X509Certificate[] {
  usual ??= tls.getCACertificates('default').map((pem) => new X509Certificate(pem))
  const own = certificate?.ca?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return [...usual, ...own.map((pem) => new X509Certificate(pem))]
}
