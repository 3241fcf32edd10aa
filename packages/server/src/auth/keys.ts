/** Keys and tokens: 128 random bits or more, stored as a hash, shown once. */
import { createHash, randomBytes } from 'node:crypto'

export const KEY_PREFIXES = {
  user: 'cu',
  service: 'sk',
  location: 'pl',
  dashboard: 'da',
  session: 'vs',
  setUp: 'su',
  invitation: 'in',
  metrics: 'pm',
  subscriber: 'ss',
} as const
export type KeyPurpose = keyof typeof KEY_PREFIXES

export interface NewKey {
  raw: string
  hash: Buffer
  lastCharacters: string
}

export function newKey(purpose: KeyPurpose): NewKey {
  return keyFrom(`${KEY_PREFIXES[purpose]}_${randomBytes(16).toString('hex')}`)
}

/** Whether it has the form of one: cut or changed ones mostly have not. */
export function isKey(purpose: KeyPurpose, text: string): boolean {
  return (
    text.startsWith(`${KEY_PREFIXES[purpose]}_`) && /^[0-9a-f]{32}$/.test(text.slice(KEY_PREFIXES[purpose].length + 1))
  )
}

export function keyFrom(raw: string): NewKey {
  return { raw, hash: hashKey(raw), lastCharacters: raw.slice(-4) }
}

/**
 * A fast hash on purpose: keys are random, so guessing is hopeless, and a slow hash would be a door for floods.
 * Looking a key up by its digest tells nothing about the key by time: digests of guesses are unrelated to each other.
 */
export function hashKey(raw: string): Buffer {
  return createHash('sha256').update(raw).digest()
}

/**
 * What the browser of somebody who has shown a key keeps instead of it: derived from the key, so that it ends with it, and
 * so that the key cannot be had from it, nor it from what is stored.
 */
export function visitOf(rawKey: string): { token: string; hash: Buffer } {
  const token = createHash('sha256').update(`visit ${rawKey}`).digest('base64url')
  return { token, hash: hashKey(token) }
}

export function maskedKey(lastCharacters: string): string {
  return `...${lastCharacters}`
}
