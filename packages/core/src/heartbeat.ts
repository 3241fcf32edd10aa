/** When a ping is due, and what a ping is that came at some moment. */
import type { HeartbeatSettings, HeartbeatState, HeartbeatUnit } from '@vedette/schema'

const UNIT_MS: { [U in HeartbeatUnit]: number } = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}

type Rhythm = Pick<HeartbeatSettings, 'period' | 'periodUnit' | 'grace' | 'graceUnit'>

/** The ping is expected at `dueMs`; its absence is a failure from `deadlineMs` on. */
export function expectedPing(
  { period, periodUnit, grace, graceUnit }: Rhythm,
  timerStartedMs: number,
): { dueMs: number; deadlineMs: number } {
  const dueMs = timerStartedMs + period * UNIT_MS[periodUnit]
  return { dueMs, deadlineMs: dueMs + grace * UNIT_MS[graceUnit] }
}

/**
 * What a ping is by the moment at which it came. The first one starts the timer and is on time.
 *
 * @param timerStartedMs the ping before, or whatever started the timer; null before the first
 */
export function judgePing(rhythm: Rhythm, timerStartedMs: number | null, atMs: number): HeartbeatState {
  if (timerStartedMs === null) return 'RECEIVED'
  const { dueMs, deadlineMs } = expectedPing(rhythm, timerStartedMs)
  // In the same second is on time.
  if (Math.floor(atMs / 1000) === Math.floor(dueMs / 1000)) return 'RECEIVED'
  if (atMs < dueMs) return 'EARLY'
  return atMs <= deadlineMs ? 'GRACE' : 'LATE'
}

const CRAWLER = /bot\b|bot[/;]|crawl|spider|slurp|preview|facebookexternalhit|embedly|whatsapp|skypeuripreview/i

/** Programs that look at every link which somebody pastes: what they fetch is no ping. */
export function isLinkPreview(userAgent: string | undefined): boolean {
  return userAgent !== undefined && CRAWLER.test(userAgent)
}
