/** What a TLS handshake showed of the other side. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable } from './shape.ts'

export const TlsCertificate = Type.Object({
  subject: Type.String({ examples: ['CN=shop.example.org'] }),
  issuer: Type.String({ examples: ['C=US, O=Example Trust, CN=Example CA 1'] }),
  altNames: Type.Array(Type.String(), { description: 'The host names and addresses that it is for: the first 50.' }),
  validFrom: DateTime,
  validTo: DateTime,
  fingerprint256: Type.String({ description: 'SHA-256 of the certificate, hexadecimal with colons.' }),
  keyType: Type.String({ examples: ['rsa', 'ec', 'ed25519'] }),
  keyBits: Nullable(Type.Integer()),
  signatureAlgorithm: Nullable(Type.String({ examples: ['ecdsa-with-SHA256'] })),
})
export type TlsCertificate = Static<typeof TlsCertificate>

/** The certificate of the host that a check is about, in a word. */
export const SeenCertificate = Type.Object({
  fingerprint256: Type.String({ maxLength: 100 }),
  expiresAtMs: Type.Number({ minimum: -2e12, maximum: 253_402_300_799_999 }),
})
export type SeenCertificate = Static<typeof SeenCertificate>

export const TlsDetails = Type.Object({
  protocol: Type.String({ examples: ['TLSv1.3'] }),
  cipher: Type.String({ examples: ['TLS_AES_256_GCM_SHA384'] }),
  problem: Nullable(Type.String(), {
    description: 'Why the certificate cannot be trusted, beginning with a code; null when it can.',
  }),
  daysRemaining: Nullable(Type.Integer(), {
    description: 'Whole days until the server’s own certificate expires; negative once it has.',
  }),
  chain: Type.Array(TlsCertificate, {
    description: 'The server’s own certificate, then those of its issuers: the first 8.',
  }),
})
export type TlsDetails = Static<typeof TlsDetails>
