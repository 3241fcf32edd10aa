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

const ENCRYPTED_KEY = /-----BEGIN ENCRYPTED PRIVATE KEY-----([^-]*)-----END ENCRYPTED PRIVATE KEY-----/g
/** How often a passphrase may be stirred: more would hold everybody up while the key is opened. */
const MOST_ROUNDS = 2_000_000

function readKey(pem: string, passphrase: string | undefined): KeyObject {
  for (const [, body = ''] of pem.matchAll(ENCRYPTED_KEY)) {
    if (/[^\w+/=\s]/.test(body)) throw invalidField('key', 'must be a private key in PEM, line breaks kept')
    if (integersIn(Buffer.from(body, 'base64')).some((number) => number > MOST_ROUNDS)) {
      throw invalidField('key', `must not be encrypted with more than ${MOST_ROUNDS} rounds`)
    }
  }
  try {
    return createPrivateKey({ key: pem, format: 'pem', ...(passphrase === undefined ? {} : { passphrase }) })
  } catch {
    const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem)
    if (isEncrypted && !passphrase) throw invalidField('passphrase', 'is needed: the key is encrypted')
    if (isEncrypted) throw invalidField('passphrase', 'does not open the key')
    throw invalidField('key', 'must be a private key in PEM, line breaks kept')
  }
}

/** The numbers in the unencrypted part of DER: the parameters with which a key was encrypted. */
function integersIn(der: Buffer): number[] {
  const found: number[] = []
  let at = 0
  while (at + 2 <= der.length) {
    const tag = der.readUInt8(at)
    let length = der.readUInt8(at + 1)
    at += 2
    const bytes = length & 0x7f
    if (length > 0x80) {
      // Spelt in a way that no encoder uses: whatever it hides counts as too much.
      if (bytes > 4 || at + bytes > der.length) return [Number.POSITIVE_INFINITY]
      length = der.readUIntBE(at, bytes)
      at += bytes
    }
    // What holds other things is entered, everything else passed over.
    if ((tag & 0x20) !== 0) continue
    if (tag === 2 && at + length <= der.length) found.push(Number(`0x${der.toString('hex', at, at + length)}`))
    at += length
  }
  return found
}
