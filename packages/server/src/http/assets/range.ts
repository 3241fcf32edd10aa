/** The part of a file that is asked for. */
import type { ByteRange } from '../../assets/asset-store.ts'

/** Null: all of it, also where several parts are asked for at once. `none`: it has no such part. */
export function readRange(header: string | undefined, size: number): ByteRange | null | 'none' {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return null
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'none' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < first) return null
  return first >= size ? 'none' : { first, last }
}
