/**
 * When a maintenance window is open. Occurrences keep the wall clock's time of the window's time zone, and all last
 * equally long.
 */
import { instantOf, isTimezone, offsetAt } from './zoned-time.ts'

export interface WindowRule {
  startsAtMs: number
  endsAtMs: number
  /** Null: it does not recur. */
  repeatUnit: 'DAY' | 'WEEK' | 'MONTH' | null
  /** Every so many units, counted from the first occurrence; null: every one. */
  repeatInterval: number | null
  /** The last day on which an occurrence may begin; null: there is none. */
  repeatEndsAtMs: number | null
  /** IANA name; null: UTC. */
  timezone: string | null
}

export interface Occurrence {
  startsAtMs: number
  endsAtMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LONGEST_MONTH_MS = 31 * DAY_MS

/** The occurrences that touch a stretch of time (its end not included), in order. */
export function occurrencesBetween(window: WindowRule, fromMs: number, toMs: number): Occurrence[] {
  const lengthMs = window.endsAtMs - window.startsAtMs
  const occurrences: Occurrence[] = []
  for (let index = firstIndex(window, fromMs - lengthMs); ; index += 1) {
    const startsAtMs = startOf(window, index)
    if (startsAtMs === null || startsAtMs >= toMs) return occurrences
    const endsAtMs = startsAtMs + lengthMs
    if (endsAtMs > fromMs) occurrences.push({ startsAtMs, endsAtMs })
    if (window.repeatUnit === null) return occurrences
  }
}

export function isInMaintenance(window: WindowRule, atMs: number): boolean {
  return occurrencesBetween(window, atMs, atMs + 1).length > 0
}

/** What is wrong with a window, and with which of its fields; null: nothing. */
export function problemOfWindow(window: WindowRule): { field: keyof WindowRule; reason: string } | null {
  const { startsAtMs, endsAtMs, repeatUnit, repeatEndsAtMs, timezone } = window
  if (timezone !== null && !isTimezone(timezone)) {
    return { field: 'timezone', reason: 'must be the name of a time zone, such as Europe/Berlin' }
  }
  if (endsAtMs <= startsAtMs) return { field: 'endsAtMs', reason: 'must be after "startsAt"' }
  if (repeatUnit === null) return null
  if (endsAtMs - startsAtMs > shortestGapMs(window)) {
    return { field: 'endsAtMs', reason: 'must not be after the next occurrence has begun' }
  }
  if (repeatEndsAtMs !== null && startOf(window, 0) === null) {
    return { field: 'repeatEndsAtMs', reason: 'must not be before "startsAt"' }
  }
  return null
}

/** The start of an occurrence, counted from 0; null: the window has ended before. */
function startOf(window: WindowRule, index: number): number | null {
  const zone = window.timezone ?? 'UTC'
  const wall = wallOf(window, index)
  if (window.repeatUnit !== null && window.repeatEndsAtMs !== null) {
    if (Math.floor(wall / DAY_MS) > lastDayOf(window.repeatEndsAtMs, zone)) return null
  }
  // The first one is where it was put, even at an hour that the clock showed twice.
  return index === 0 ? window.startsAtMs : instantOf(wall, zone)
}

/** What the wall clock shows at the start of an occurrence, as if it were UTC. */
function wallOf(window: WindowRule, index: number): number {
  const zone = window.timezone ?? 'UTC'
  const first = window.startsAtMs + offsetAt(zone, window.startsAtMs)
  const steps = index * (window.repeatInterval ?? 1)
  if (window.repeatUnit === 'MONTH') return monthsLater(first, steps)
  return first + steps * (window.repeatUnit === 'WEEK' ? 7 : 1) * DAY_MS
}

/** On the same day of the month, or its last one where it is shorter. */
function monthsLater(wall: number, months: number): number {
  const date = new Date(wall)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (((wall % DAY_MS) + DAY_MS) % DAY_MS)
}

/** An occurrence that begins before the instant, and not many before the last one that does. */
function firstIndex({ startsAtMs, repeatUnit, repeatInterval }: WindowRule, atMs: number): number {
  if (repeatUnit === null) return 0
  const unitMs = repeatUnit === 'DAY' ? DAY_MS : repeatUnit === 'WEEK' ? 7 * DAY_MS : LONGEST_MONTH_MS
  // Two days cover what clock changes and zones that skip a day can shift.
  const passed = Math.floor((atMs - startsAtMs - 2 * DAY_MS) / (unitMs * (repeatInterval ?? 1)))
  return Math.max(0, passed)
}

/** Between two occurrences, as the wall clock tells it: an hour lost when clocks change does not count. */
function shortestGapMs(window: WindowRule): number {
  // Four years have months of every length.
  const count = window.repeatUnit === 'MONTH' ? 48 : 1
  const starts = Array.from({ length: count + 1 }, (_, index) => wallOf(window, index))
  return Math.min(...starts.slice(1).map((wall, index) => wall - (starts[index] ?? wall)))
}

/** Midnight UTC is how a plain date is written; any other instant means its day in the time zone. */
function lastDayOf(repeatEndsAtMs: number, zone: string): number {
  const isPlainDate = repeatEndsAtMs % DAY_MS === 0
  return Math.floor((repeatEndsAtMs + (isPlainDate ? 0 : offsetAt(zone, repeatEndsAtMs))) / DAY_MS)
}
