/** What the rest of the server knows of encryption: texts go in, sealed texts come out, and back. */
import { timingSafeEqual } from 'node:crypto'
import { type DataKey, open, type Place, seal, signature } from './seal.ts'

export interface Secrets {
  seal(place: Place, text: string): string
  /** @throws Error when the value was not sealed for this place with a key that is at hand. */
  open(place: Place, sealed: string): string
  /** A signature of 16 bytes that nobody without the key can make, and that is good for one purpose. */
  sign(purpose: string, bytes: Buffer): Buffer
  isSigned(purpose: string, bytes: Buffer, signature: Buffer): boolean
}

/** Seals with the first key; opens with any: there are two while keys are changed. */
export function secretsWith(current: DataKey, previous: DataKey | null = null): Secrets {
  return {
    seal: (place, text) => seal(current, place, text),
    open(place, sealed) {
      const text = open(current, place, sealed) ?? (previous && open(previous, place, sealed))
      if (text === null) throw new Error(`A value of ${place.table}.${place.column} cannot be decrypted.`)
      return text
    },
    sign: (purpose, bytes) => signature(current, purpose, bytes),
    isSigned: (purpose, bytes, presented) =>
      [current, ...(previous === null ? [] : [previous])].some((key) => {
        const right = signature(key, purpose, bytes)
        return right.length === presented.length && timingSafeEqual(right, presented)
      }),
  }
}
