/** UUIDs of version 7: ordered by the time in their first 48 bits. Source: RFC 9562, section 5.7. */
import { randomFillSync } from 'node:crypto'

const POOL = 4096
const random = Buffer.allocUnsafe(10 * POOL)
let used = POOL

export function uuid7(atMs: number): string {
  if (used === POOL) {
    randomFillSync(random)
    used = 0
  }
  const tail = random.toString('hex', used * 10, used * 10 + 10)
  used += 1
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  const variant = '89ab'[Number.parseInt(tail.charAt(3), 16) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-${variant}${tail.slice(4, 7)}-${tail.slice(7, 19)}`
}

/** The smallest UUID of an instant: a bound for ranges. */
export function uuid7Floor(atMs: number): string {
  const time = Math.max(0, Math.floor(atMs)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** Milliseconds since 1970. */
export function timeOfUuid7(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
