/** Whether what a client sends as a certificate can be used as one. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { ClientCertificateCreate } from '@vedette/schema'
import { invalidField } from '../../app-error.ts'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** @throws AppError `invalid` that names the field that cannot be used. */
export function assertCertificate({ host, cert, ca, key, passphrase }: ClientCertificateCreate): void {
  if (!/^([a-z0-9_*-]+(\.[a-z0-9_*-]+)*|\[[0-9a-f:.]+\])$/i.test(host)) {
    throw invalidField('host', 'must be a host name without a scheme, port or path, such as *.example.org')
  }
  const [own] = certificatesIn('cert', cert)
  if (ca != null) certificatesIn('ca', ca)
  if (!own?.checkPrivateKey(readKey(key, passphrase ?? undefined))) {
    throw invalidField('key', 'must be the private key of the certificate in "cert"')
  }
}

function certificatesIn(field: 'cert' | 'ca', pem: string): X509Certificate[] {
  const texts = pem.match(CERTIFICATE) ?? []
  if (texts.length === 0) throw invalidField(field, 'must be a certificate in PEM, line breaks kept')
  return texts.map((text, index) => {
    try {
      return new X509Certificate(text)
    } catch {
      const which = texts.length === 1 ? 'a certificate' : `certificate ${index + 1} of ${texts.length}`
      throw invalidField(field, `has ${which} that cannot be read`)
    }
  })
}

function readKey(pem: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: 'pem', ...(passphrase === undefined ? {} : { passphrase }) })
  } catch {
    const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem)
    if (isEncrypted && !passphrase) throw invalidField('passphrase', 'is needed: the key is encrypted')
    if (isEncrypted) throw invalidField('passphrase', 'does not open the key')
    throw invalidField('key', 'must be a private key in PEM, line breaks kept')
  }
}
