/** Shows who we are to servers that ask. Certificates are settings: trouble with one is ours, never the target's. */
import { createHash, X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import { chooseCertificate } from '@vedette/core'
import type { ProbePhase, RunCertificate } from '@vedette/schema'
import { alertOf, codeOf, ownFailure, type RequestFailure } from './failure.ts'

const REMEMBERED = 100

/** Building one reads keys and all the authorities that are trusted: each certificate's is kept. By a digest. */
const contexts = new Map<string, tls.SecureContext>()

/** The one for a host, of those that came with a run: the oldest first. */
export function certificateFor(host: string, certificates: readonly RunCertificate[]): RunCertificate | null {
  if (certificates.length === 0) return null
  const ordered = certificates.map((certificate, createdAtMs) => ({ ...certificate, createdAtMs }))
  return chooseCertificate(host, ordered)
}

/** Throws a failure of our own when the certificate cannot be used. */
export function contextWith(certificate: RunCertificate, wishes: tls.SecureContextOptions = {}): tls.SecureContext {
  const { cert, key, ca, passphrase, host } = certificate
  const name = createHash('sha256')
    .update(JSON.stringify([cert, key, ca, passphrase, wishes]))
    .digest('base64')
  let context = contexts.get(name)
  if (context === undefined) {
    try {
      context = tls.createSecureContext({
        ...wishes,
        cert,
        key,
        ...(passphrase === null ? {} : { passphrase }),
        // What is given takes the place of the usual authorities.
        ...(ca === null ? {} : { ca: [...tls.getCACertificates('default'), ca] }),
      })
    } catch (error) {
      const code = error instanceof Error ? codeOf(error) : ''
      const why = UNUSABLE[code] ?? 'it cannot be read'
      throw ownFailure('tls', 'ERR_CLIENT_CERTIFICATE', `the client certificate for ${host} cannot be used: ${why}`)
    }
    if (contexts.size >= REMEMBERED) contexts.clear()
    contexts.set(name, context)
  }
  return context
}

const UNUSABLE: { readonly [code: string]: string } = {
  ERR_OSSL_BAD_DECRYPT: 'its passphrase does not open the key',
  ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED: 'its key needs a passphrase',
  ERR_MISSING_PASSPHRASE: 'its key needs a passphrase',
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'its key is that of another certificate',
}

/** What servers say of certificates that they do not accept, and how we say it. */
const REFUSALS: { readonly [alert: string]: string } = {
  BAD_CERTIFICATE: 'it is damaged, or not signed as it should be',
  UNSUPPORTED_CERTIFICATE: 'it is of a kind that the server does not take',
  CERTIFICATE_REVOKED: 'it was revoked',
  CERTIFICATE_EXPIRED: 'it has expired',
  CERTIFICATE_UNKNOWN: 'the server does not accept it',
  UNKNOWN_CA: 'the server does not know who issued it',
  ACCESS_DENIED: 'the server lets nobody in with it',
}

/** Whether a server lets us not in for the certificate that we showed, or for showing none. */
export function isAboutCertificate(error: Error): boolean {
  const alert = alertOf(codeOf(error)) ?? ''
  return alert in REFUSALS || alert === 'CERTIFICATE_REQUIRED' || alert === 'HANDSHAKE_FAILURE'
}

/** Null when the trouble has nothing to do with the certificate that we showed. */
export function refusalOf(error: Error, certificate: RunCertificate | null, phase: ProbePhase): RequestFailure | null {
  if (certificate === null) return null
  const why = REFUSALS[alertOf(codeOf(error)) ?? '']
  if (why === undefined) return null
  const { validToDate } = new X509Certificate(certificate.cert)
  const until = validToDate.getTime() < Date.now() ? ` (valid until ${validToDate.toISOString().slice(0, 10)})` : ''
  const what = `the server refused the client certificate for ${certificate.host}: ${why}${until}`
  return ownFailure(phase, 'ERR_CLIENT_CERTIFICATE', what)
}
