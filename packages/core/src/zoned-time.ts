/** Between instants and what a wall clock shows, which is written as milliseconds as if it were UTC. */
import { boundedCache } from './bounded-cache.ts'

const DAY_MS = 86_400_000

/** The first instant at which the clock shows a time; where it skips that time, as much later as it skips. */
export function instantOf(wall: number, zone: string): number {
  const before = wall - offsetAt(zone, wall - DAY_MS)
  const after = wall - offsetAt(zone, wall + DAY_MS)
  const shown = [before, after].filter((instant) => instant + offsetAt(zone, instant) === wall)
  return shown.length > 0 ? Math.min(...shown) : before
}

/** What must be added to UTC for the time that the clock shows. */
export function offsetAt(zone: string, atMs: number): number {
  if (zone === 'UTC') return 0
  const field: Record<string, number> = {}
  for (const { type, value } of clockOf(zone).formatToParts(atMs)) field[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = field
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

const clockOf = boundedCache(
  200,
  (zone) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
)

export function isTimezone(name: string): boolean {
  try {
    clockOf(name)
    return true
  } catch {
    return false
  }
}
