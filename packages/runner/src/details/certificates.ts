/** Whoever makes a certificate chooses what stands in it. */
import type { TlsCertificate } from '@vedette/schema'
import type { Scrub } from './masks.ts'

export function cleanCertificate(certificate: TlsCertificate, clean: Scrub): TlsCertificate {
  const { subject, issuer, altNames } = certificate
  return { ...certificate, subject: clean(subject), issuer: clean(issuer), altNames: altNames.map(clean) }
}
