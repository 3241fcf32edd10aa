/**
 * Secrets inside a JSON value: they are taken out before it is stored, sealed as one text that is stored beside it, and
 * put back where the whole value is needed. The value itself can be queried as before.
 */
import type { Place } from './seal.ts'
import type { Secrets } from './secrets.ts'

/** Where in a value a secret is, and the secret. */
export type TakenOut = [path: string[], secret: unknown]

export interface SealedJson {
  /** As JSON text. */
  open: string
  /** Null: there are no secrets. */
  sealed: string | null
}

/** @param open the value with something harmless in place of each secret, and otherwise the same */
export function sealJson(secrets: Secrets, place: Place, whole: unknown, open: unknown): SealedJson {
  const taken = takeOut(whole, open)
  return {
    open: JSON.stringify(open),
    sealed: taken.length === 0 ? null : secrets.seal(place, JSON.stringify(taken)),
  }
}

/** @throws Error when the secrets were not sealed for this place, or for another value */
export function openJson<T>(secrets: Secrets, place: Place, open: T, sealed: string | null): T {
  if (sealed === null) return open
  // Only `sealJson` writes such texts.
  return putBack(open, JSON.parse(secrets.open(place, sealed)) as TakenOut[])
}

/** Every place where the two differ. */
export function takeOut(whole: unknown, open: unknown): TakenOut[] {
  if (!isContainer(whole)) return whole === open ? [] : [[[], whole]]
  if (!isContainer(open) || Array.isArray(whole) !== Array.isArray(open)) return [[[], whole]]
  return Object.entries(whole).flatMap(([key, value]) =>
    takeOut(value, Object.hasOwn(open, key) ? Reflect.get(open, key) : undefined).map(
      ([path, secret]): TakenOut => [[key, ...path], secret],
    ),
  )
}

export function putBack<T>(open: T, taken: readonly TakenOut[]): T {
  const box = { whole: structuredClone(open) }
  for (const [path, secret] of taken) {
    let holder: object = box
    let last = 'whole'
    for (const key of path) {
      const next: unknown = Object.hasOwn(holder, last) ? Reflect.get(holder, last) : undefined
      if (!isContainer(next)) throw new Error('The sealed secrets do not belong to the value beside them.')
      holder = next
      last = key
    }
    Reflect.defineProperty(holder, last, { value: secret, writable: true, enumerable: true, configurable: true })
  }
  return box.whole
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
