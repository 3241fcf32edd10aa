/**
 * How much of a time a service was well, as its status page tells: all of it but the time of its incidents. Incidents
 * that overlap count once. Days are those of UTC.
 */
import type { TroubleSpan } from './incident-progress.ts'

const DAY_MS = 86_400_000
/** What a status page looks back on. */
export const UPTIME_DAYS = 90

/** Times are whole milliseconds; the end is not included. */
export interface Stretch {
  fromMs: number
  untilMs: number
}

export interface UptimeDay extends Stretch {
  /** How much of the day, as far as it has passed, incidents took. */
  troubleMs: number
  /** From 0 to 1, of the day as far as it has passed. */
  uptime: number
}

/** In order, none touching another, and none after now. */
export function joinTrouble(spans: readonly TroubleSpan[], nowMs: number): Stretch[] {
  const joined: Stretch[] = []
  for (const { fromMs, untilMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const span = { fromMs, untilMs: Math.min(untilMs ?? nowMs, nowMs) }
    if (span.untilMs <= span.fromMs) continue
    const last = joined.at(-1)
    if (last !== undefined && span.fromMs <= last.untilMs) last.untilMs = Math.max(last.untilMs, span.untilMs)
    else joined.push(span)
  }
  return joined
}

/** The share of a stretch of time that no trouble took, from 0 to 1. `trouble` is joined. */
export function uptimeWithin(trouble: readonly Stretch[], stretch: Stretch): number {
  const totalMs = stretch.untilMs - stretch.fromMs
  return totalMs <= 0 ? 1 : (totalMs - troubleWithin(trouble, stretch)) / totalMs
}

/** Over the last 90 times 24 hours. `trouble` is joined. */
export function serviceUptime(trouble: readonly Stretch[], nowMs: number): number {
  return uptimeWithin(trouble, { fromMs: nowMs - UPTIME_DAYS * DAY_MS, untilMs: nowMs })
}

/** The last 90 days, the oldest first; the last one is today as far as it has passed. `trouble` is joined. */
export function uptimeByDay(trouble: readonly Stretch[], nowMs: number): UptimeDay[] {
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS
  return Array.from({ length: UPTIME_DAYS }, (_, index) => {
    const fromMs = todayMs - (UPTIME_DAYS - 1 - index) * DAY_MS
    const stretch = { fromMs, untilMs: Math.min(fromMs + DAY_MS, nowMs) }
    return { ...stretch, troubleMs: troubleWithin(trouble, stretch), uptime: uptimeWithin(trouble, stretch) }
  })
}

/** Of several services, each counting the same; null for none. */
export function averageUptime(uptimes: readonly number[]): number | null {
  return uptimes.length === 0 ? null : uptimes.reduce((sum, uptime) => sum + uptime, 0) / uptimes.length
}

function troubleWithin(trouble: readonly Stretch[], { fromMs, untilMs }: Stretch): number {
  return trouble.reduce(
    (sum, span) => sum + Math.max(0, Math.min(span.untilMs, untilMs) - Math.max(span.fromMs, fromMs)),
    0,
  )
}
