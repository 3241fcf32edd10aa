/**
 * Values encrypted at rest: AES-256-GCM under a key that the database never sees. A value is bound to the place where it
 * is stored, so one that was moved to another row or account does not open.
 *
 * As text: the id of its key, a dot, then nonce, ciphertext and tag in base64url.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
export const KEY_BYTES = 32

export interface DataKey {
  /** Names the key without telling anything of it. */
  id: string
  key: Buffer
}

/** Where a value is stored. */
export interface Place {
  /** Empty for what belongs to no account. */
  accountId: string
  table: string
  column: string
  rowId: string
}

export function dataKey(key: Buffer): DataKey {
  return { id: createHash('sha256').update('vedette data key ').update(key).digest('hex').slice(0, 16), key }
}

/** 32 bytes in hex, base64 or base64url; null for anything else. */
export function parseKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  // 43 characters hold 32 bytes and two spare bits; with them set, the text is not what any encoder wrote.
  if (!/^[\w+/-]{42}[AEIMQUYcgkosw048]=?$/.test(text)) return null
  return Buffer.from(text, 'base64')
}

/** @param nonce for test vectors only: it must never repeat under one key */
export function seal({ id, key }: DataKey, place: Place, text: string, nonce = randomBytes(NONCE_BYTES)): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(addressOf(place, id))
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `${id}.${Buffer.concat(parts).toString('base64url')}`
}

/** Null: not sealed with this key for this place, or changed since. */
export function open({ id, key }: DataKey, place: Place, sealed: string): string | null {
  if (keyIdOf(sealed) !== id) return null
  const bytes = Buffer.from(sealed.slice(id.length + 1), 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(addressOf(place, id))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
  } catch {
    return null
  }
}

export const SIGNATURE_BYTES = 16

/** By a key of its own for each purpose, from which the data key cannot be told. */
export function signature({ key }: DataKey, purpose: string, bytes: Buffer): Buffer {
  const own = Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `vedette signs ${purpose}`, KEY_BYTES))
  return createHmac('sha256', own).update(bytes).digest().subarray(0, SIGNATURE_BYTES)
}

export function keyIdOf(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf('.')))
}

/** As a JSON list, so that no two places share an address. */
function addressOf({ accountId, table, column, rowId }: Place, keyId: string): Buffer {
  return Buffer.from(JSON.stringify([accountId, table, column, rowId, keyId]))
}
