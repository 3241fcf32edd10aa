/** When a ping is due, what a ping is that came at some moment, and what it means when none comes. */
import type { HeartbeatSettings, HeartbeatState, HeartbeatUnit } from '@vedette/schema'
import { nextOccurrence } from './cron.ts'

const UNIT_MS: { [U in HeartbeatUnit]: number } = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}

export type Rhythm = Pick<HeartbeatSettings, 'period' | 'periodUnit' | 'grace' | 'graceUnit' | 'schedule'>

/** What is waited for: a ping is expected at `dueMs`, its absence is a failure at `deadlineMs`. */
export interface HeartbeatWatch {
  /** The ping before, or whatever started the timer. In the future while maintenance holds it. */
  timerMs: number
  dueMs: number
  deadlineMs: number
  /** When the job said that it began, until it says how it ended. */
  jobStartedMs: number | null
}

/** A stretch of time in which maintenance holds the timer; its end is not part of it. */
export interface Pause {
  fromMs: number
  untilMs: number
}

/** A stretch of time in which nobody was there to take a ping. */
export interface Outage {
  fromMs: number
  untilMs: number
}

export interface MissedPing {
  atMs: number
  jobStartedMs: number | null
}

const MINUTE_MS = 60_000

export const periodMs = ({ period, periodUnit }: Pick<Rhythm, 'period' | 'periodUnit'>): number =>
  period * UNIT_MS[periodUnit]

const graceMs = ({ grace, graceUnit }: Rhythm): number => grace * UNIT_MS[graceUnit]

/** After a ping, and after whatever else starts the timer anew: new settings, a missed ping, the end of maintenance. */
export function afterPing(rhythm: Rhythm, atMs: number): HeartbeatWatch {
  const dueMs = dueAfter(rhythm, atMs)
  return { timerMs: atMs, dueMs, deadlineMs: dueMs + graceMs(rhythm), jobStartedMs: null }
}

/**
 * After a job said that it begins: it has a period and a grace from now to say how it ended. When it was expected to do
 * so stays as it was.
 */
export function afterStart(rhythm: Rhythm, watch: HeartbeatWatch | null, atMs: number): HeartbeatWatch {
  const fromNow = afterPing(rhythm, atMs)
  if (watch === null) return { ...fromNow, jobStartedMs: atMs }
  return { ...watch, deadlineMs: Math.max(watch.deadlineMs, fromNow.deadlineMs), jobStartedMs: atMs }
}

/** What a ping is by the moment at which it came. The first one is on time, and so is one that nobody waits for. */
export function judgePing(watch: HeartbeatWatch | null, atMs: number): HeartbeatState {
  if (watch === null || watch.timerMs > atMs) return 'RECEIVED'
  // In the same second is on time.
  if (Math.floor(atMs / 1000) === Math.floor(watch.dueMs / 1000)) return 'RECEIVED'
  if (atMs < watch.dueMs) return 'EARLY'
  return atMs <= watch.deadlineMs ? 'GRACE' : 'LATE'
}

/**
 * What has become of a watch by now: the pings that were missed, each at its deadline, and what is waited for next.
 *
 * @param pause the present or next one
 * @param outage the one that has just ended
 */
export function advanceWatch(
  rhythm: Rhythm,
  watch: HeartbeatWatch,
  { nowMs, pause, outage }: { nowMs: number; pause: Pause | null; outage: Outage | null },
): { watch: HeartbeatWatch; missed: MissedPing[] } {
  const missed: MissedPing[] = []
  let current = watch
  for (;;) {
    if (outage !== null) current = overOutage(rhythm, current, outage)
    current = held(rhythm, current, pause, nowMs)
    if (current.deadlineMs > nowMs) return { watch: current, missed }
    missed.push({ atMs: current.deadlineMs, jobStartedMs: current.jobStartedMs })
    current = afterPing(rhythm, current.deadlineMs)
  }
}

/** Maintenance holds the timer, which starts anew when it ends; also when it ends sooner than was planned. */
function held(rhythm: Rhythm, watch: HeartbeatWatch, pause: Pause | null, nowMs: number): HeartbeatWatch {
  if (pause !== null && pause.fromMs <= nowMs) {
    const endMs = Math.max(nowMs, pause.untilMs)
    if (watch.timerMs > endMs) return afterPing(rhythm, endMs)
    const isReached = watch.timerMs < pause.untilMs && watch.deadlineMs >= pause.fromMs
    return isReached ? afterPing(rhythm, pause.untilMs) : watch
  }
  return watch.timerMs > nowMs ? afterPing(rhythm, nowMs) : watch
}

/**
 * Our own absence is not blamed on the job. A ping that fell due in it, or about its ends, counts as one that came: it
 * may have, and a job that was turned away comes again at its next time. A ping that was overdue before may still come
 * for a grace after it.
 */
function overOutage(rhythm: Rhythm, watch: HeartbeatWatch, outage: Outage): HeartbeatWatch {
  if (watch.deadlineMs <= outage.fromMs || watch.timerMs >= outage.untilMs) return watch
  const aboutMs = Math.min(MINUTE_MS, graceMs(rhythm) / 2)
  if (watch.dueMs > outage.untilMs + aboutMs) return watch
  if (watch.dueMs < outage.fromMs - aboutMs) {
    return { ...watch, deadlineMs: Math.max(watch.deadlineMs, outage.untilMs + graceMs(rhythm)) }
  }
  if (rhythm.schedule) return afterPing(rhythm, outage.untilMs)
  const everyMs = periodMs(rhythm)
  const periods = Math.floor((outage.untilMs + aboutMs - watch.dueMs) / everyMs)
  return afterPing(rhythm, Math.min(watch.dueMs + periods * everyMs, outage.untilMs))
}

/** When the next ping is expected: a period later, or at the next time of the schedule. */
function dueAfter(rhythm: Rhythm, atMs: number): number {
  const { schedule } = rhythm
  const next = schedule ? nextOccurrence(schedule, atMs) : null
  if (!schedule || next === null) return atMs + periodMs(rhythm)
  const following = nextOccurrence(schedule, next) ?? next
  // A job whose clock is a little fast pings for the time that is about to come.
  return next - atMs <= Math.min(MINUTE_MS, (following - next) / 2) ? following : next
}

const CRAWLER = /bot\b|bot[/;]|crawl|spider|slurp|preview|facebookexternalhit|embedly|whatsapp|skypeuripreview/i

/** Programs that look at every link which somebody pastes: what they fetch is no ping. */
export function isLinkPreview(userAgent: string | undefined): boolean {
  return userAgent !== undefined && CRAWLER.test(userAgent)
}

/** Why a ping that was missed counts as a failure. */
export function wordsOfMissed({ atMs, jobStartedMs }: MissedPing): string {
  const deadline = new Date(atMs).toISOString()
  return jobStartedMs === null
    ? `No ping came until ${deadline}.`
    : `The job that began at ${new Date(jobStartedMs).toISOString()} did not say until ${deadline} how it ended.`
}

/** Why a ping that tells of failure is one. @param exitCode null: the job did not say */
export const wordsOfFailure = (exitCode: number | null): string =>
  exitCode === null ? 'The job said that it failed.' : `The job ended with exit code ${exitCode}.`

const [ESCAPE, BELL] = ['\u001b', '\u0007']
/** What colours text and moves cursors. */
const TERMINAL_SEQUENCE = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[@-Z\\\\^_])`,
  'g',
)
/** Without line ends and tabs; also what turns the direction of text. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** What a job prints as it is kept: without what only a terminal understands. Null when nothing is left. */
export function cleanOutput(text: string): string | null {
  const lines = text.replaceAll(TERMINAL_SEQUENCE, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const clean = lines.replaceAll(UNSEEN, '').toWellFormed().trimEnd()
  return clean.trim() === '' ? null : clean
}
