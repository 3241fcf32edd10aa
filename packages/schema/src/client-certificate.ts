/** Certificates with which runs show who they are to servers that ask. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, Uuid } from './shape.ts'

const Pem = Type.String({ minLength: 1, maxLength: 100_000 })

export const ClientCertificateCreate = Type.Object({
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    description: 'The host to which it is shown, without a scheme; `*` stands for any characters.',
    examples: ['*.example.org'],
  }),
  cert: Type.String({
    minLength: 1,
    maxLength: 100_000,
    description: 'PEM: the certificate, then those of its issuers if the server needs them.',
  }),
  ca: Type.Optional(Nullable(Pem, { description: 'PEM: authorities to trust besides the usual ones.' })),
  key: Type.String({ minLength: 1, maxLength: 100_000, description: 'PEM: the private key. It is never shown.' }),
  passphrase: Type.Optional(
    Nullable(Type.String({ maxLength: 1024 }), { description: 'Of an encrypted key. It is never shown.' }),
  ),
})
export type ClientCertificateCreate = Static<typeof ClientCertificateCreate>

export const ClientCertificate = Type.Object({
  id: Uuid,
  host: Type.String(),
  cert: Type.String(),
  ca: Nullable(Type.String()),
  subject: Type.String({ description: 'Whom the certificate names.', examples: ['CN=monitor, O=Example'] }),
  validFrom: DateTime,
  validTo: DateTime,
  created_at: DateTime,
})
export type ClientCertificate = Static<typeof ClientCertificate>
