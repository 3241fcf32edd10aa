/** How strong keys are, in bits of RSA keys of like strength: NIST SP 800-57 part 1, table 2. */
import type { TlsCertificate } from '@vedette/schema'

type Key = Pick<TlsCertificate, 'keyType' | 'keyBits'>

/** Their names say how long they are. */
const NAMED_SIZES: { readonly [keyType: string]: number } = { ed25519: 256, x25519: 256, ed448: 456, x448: 448 }

/** Of curves: from how many bits on a key is as strong as an RSA key of how many. */
const CURVES: readonly (readonly [fromBits: number, rsaBits: number])[] = [
  [512, 15_360],
  [384, 7680],
  [256, 3072],
  [224, 2048],
  [160, 1024],
]

/** Null: OpenSSL does not tell, or does not know this kind of key. */
export function keySizeBits({ keyType, keyBits }: Key): number | null {
  return NAMED_SIZES[keyType] ?? keyBits
}

/** Null where the size is not known. */
export function rsaStrengthBits(key: Key): number | null {
  const bits = keySizeBits(key)
  if (bits === null || !(key.keyType === 'ec' || key.keyType in NAMED_SIZES)) return bits
  return CURVES.find(([fromBits]) => bits >= fromBits)?.[1] ?? 512
}
