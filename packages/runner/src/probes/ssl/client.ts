/**
 * A client that takes what no client should, so that it can be seen and judged: versions from TLS 1.0 on, every cipher
 * suite that OpenSSL still has, short keys, old signatures. What OpenSSL has no more, it cannot speak: SSL 3, RC4, 3DES
 * and the like. Suites without certificates are not offered, since there would be nothing to judge.
 */
import { constants } from 'node:crypto'
import tls from 'node:tls'
import type { RunCertificate } from '@vedette/schema'
import { contextWith } from '../http/client-certificate.ts'
import { alertOf, type RequestFailure, targetFailure } from '../http/failure.ts'

const LENIENT: tls.SecureContextOptions = {
  minVersion: 'TLSv1',
  ciphers: 'ALL:eNULL:!aNULL:@SECLEVEL=0',
  // Servers older than RFC 5746, which made renegotiation safe.
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
}

let sharedContext: tls.SecureContext | undefined

/** Throws a failure of our own when the certificate cannot be used. */
export function lenientContext(certificate: RunCertificate | null): tls.SecureContext {
  if (certificate !== null) return contextWith(certificate, LENIENT)
  sharedContext ??= tls.createSecureContext(LENIENT)
  return sharedContext
}

/** Says what this client cannot speak, where a handshake may have failed for that. */
export function inItsLimits(failure: RequestFailure): RequestFailure {
  const { blame, code, phase } = failure
  if (blame !== 'target' || phase !== 'tls') return failure
  const alert = alertOf(code)
  if (code === 'ERR_SSL_UNSUPPORTED_PROTOCOL' || alert === 'PROTOCOL_VERSION')
    return targetFailure(
      phase,
      code,
      'the server speaks no version of TLS from 1.0 to 1.3, and older ones are not spoken here',
    )
  if (alert === 'HANDSHAKE_FAILURE') {
    const wants = 'it may want a client certificate, or a cipher suite that is not spoken here, such as RC4 or 3DES'
    return targetFailure(phase, code, `the server refused the handshake: ${wants}`)
  }
  return failure
}
