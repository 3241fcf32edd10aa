/** Which rhythm fits the pings that came, when the one that was set does not. */
import type { HeartbeatUnit } from '@vedette/schema'
import { nextOccurrence } from './cron.ts'
import { afterPing, judgePing, type Rhythm } from './heartbeat.ts'

export interface RhythmSuggestion {
  rhythm: Required<Rhythm>
  /** Which part of it is other than what was set. */
  changes: 'period' | 'grace' | 'timezone'
  /** Of the pings looked at, how many came as was set and how many came as is suggested. In percent. */
  fits: { asSet: number; asSuggested: number }
}

/** Fewer pings tell no rhythm. */
const FEWEST_PINGS = 6
/** A rhythm that fits this share of the pings is left as it is. */
const FITS_WELL = 0.8
/** Pings this regular have a rhythm. */
const REGULAR = 0.8

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const UNITS: readonly [HeartbeatUnit, number][] = [
  ['days', DAY_MS],
  ['hours', HOUR_MS],
  ['minutes', MINUTE_MS],
  ['seconds', SECOND_MS],
]

/** One of each way of keeping time, those that many people live by. */
const TIMEZONES = ['UTC', 'Europe/London', 'Europe/Berlin', 'Europe/Helsinki', 'Europe/Moscow', 'Asia/Dubai'].concat([
  'Asia/Karachi',
  'Asia/Kolkata',
  'Asia/Dhaka',
  'Asia/Bangkok',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
  'America/Sao_Paulo',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
])

/**
 * Null where the pings fit the rhythm, are too few or have none.
 *
 * @param pingsMs the latest pings that told of success, in the order of their coming
 */
export function suggestRhythm(rhythm: Rhythm, pingsMs: readonly number[]): RhythmSuggestion | null {
  if (pingsMs.length < FEWEST_PINGS) return null
  const asSet = fitOf(rhythm, pingsMs)
  if (asSet >= FITS_WELL) return null
  const candidates = rhythm.schedule ? otherSchedules(rhythm, pingsMs) : otherPeriods(rhythm, pingsMs)
  for (const { rhythm: candidate, changes } of candidates) {
    const fit = fitOf(candidate, pingsMs)
    if (fit >= REGULAR) {
      return { rhythm: candidate, changes, fits: { asSet: percent(asSet), asSuggested: percent(fit) } }
    }
  }
  return null
}

type Candidate = Pick<RhythmSuggestion, 'rhythm' | 'changes'>

/** Without a schedule: the usual gap between pings, and the grace that the longer ones need. */
function otherPeriods(rhythm: Rhythm, pingsMs: readonly number[]): Candidate[] {
  const gaps = gapsOf(pingsMs)
  // A ping that was missed leaves a gap of two periods: it says nothing of how late pings come.
  const middleMs = quantile(gaps, 0.5)
  if (middleMs <= 0) return []
  const rounds = gaps.reduce((sum, gap) => sum + Math.max(1, Math.round(gap / middleMs)), 0)
  const usualMs = gaps.reduce((sum, gap) => sum + gap, 0) / rounds
  const period = inUnits(rounded(usualMs))
  const periodMs = period.count * unitMs(period.unit)
  if (periodMs < 30 * SECOND_MS || periodMs > 365 * DAY_MS) return []
  const single = gaps.filter((gap) => gap < 1.5 * usualMs)
  const lateMs = Math.max(...single.map((gap) => gap - periodMs))
  const needed = inUnits(roundedUp(Math.max(MINUTE_MS, periodMs / 20, 1.5 * lateMs)))
  const kept = unitMs(rhythm.graceUnit) * rhythm.grace
  const isEnough = kept >= lateMs && kept <= periodMs
  const grace = isEnough ? { count: rhythm.grace, unit: rhythm.graceUnit } : needed
  const isSamePeriod = periodMs === rhythm.period * unitMs(rhythm.periodUnit)
  return [
    {
      rhythm: { ...withGrace(rhythm, grace), period: period.count, periodUnit: period.unit },
      changes: isSamePeriod ? 'grace' : 'period',
    },
  ]
}

/** With a schedule: another time zone, or the grace that a job needs which always comes later. */
function otherSchedules(rhythm: Rhythm, pingsMs: readonly number[]): Candidate[] {
  const { schedule } = rhythm
  if (!schedule) return []
  const zones = TIMEZONES.filter((timezone) => timezone !== schedule.timezone).map((timezone): Candidate => {
    return { rhythm: { ...rhythm, schedule: { ...schedule, timezone } }, changes: 'timezone' }
  })
  const [first = 0] = pingsMs
  const late = pingsMs.map((at) => at - lastTimeBefore(rhythm, at))
  const next = nextOccurrence(schedule, first)
  const gapMs = next === null ? 0 : (nextOccurrence(schedule, next) ?? next) - next
  const needed = roundedUp(1.2 * Math.max(...late))
  const grace: Candidate = { rhythm: withGrace(rhythm, inUnits(needed)), changes: 'grace' }
  // So much later that it is rather another time than a long job.
  return needed > gapMs / 2 ? zones : [...zones, grace]
}

const withGrace = (rhythm: Rhythm, { count, unit }: Span): Required<Rhythm> => ({
  ...rhythm,
  schedule: rhythm.schedule ?? null,
  grace: count,
  graceUnit: unit,
})

/** The share of pings that came when they were expected, the first one apart. */
function fitOf(rhythm: Rhythm, pingsMs: readonly number[]): number {
  const fitting = pingsMs.slice(1).filter((atMs, index) => {
    const before = pingsMs[index] ?? atMs
    const watch = afterPing(rhythm, before)
    const state = judgePing(watch, atMs)
    if (state !== 'EARLY') return state !== 'LATE'
    // Somewhat early is no other rhythm, and after a late ping the next one seems early.
    const expectedMs = watch.dueMs - before
    const usualMs = Math.max(MINUTE_MS, expectedMs / 20, watch.deadlineMs - watch.dueMs)
    return watch.dueMs - atMs <= Math.min(usualMs, expectedMs / 2)
  }).length
  return fitting / (pingsMs.length - 1)
}

/** The time of the schedule that a ping answers: the last one, or the one that comes within a minute. */
function lastTimeBefore(rhythm: Rhythm, atMs: number): number {
  const { schedule } = rhythm
  if (!schedule) return atMs
  for (const backMs of [HOUR_MS, DAY_MS, 8 * DAY_MS, 32 * DAY_MS, 366 * DAY_MS]) {
    let time = nextOccurrence(schedule, atMs - backMs)
    if (time === null || time > atMs + MINUTE_MS) continue
    for (;;) {
      const next = nextOccurrence(schedule, time)
      if (next === null || next > atMs + MINUTE_MS) return time
      time = next
    }
  }
  return atMs
}

interface Span {
  count: number
  unit: HeartbeatUnit
}

const unitMs = (unit: HeartbeatUnit): number => UNITS.find(([name]) => name === unit)?.[1] ?? SECOND_MS

/** In the largest unit of which it is a whole number. */
function inUnits(ms: number): Span {
  const [unit, each] = UNITS.find(([, size]) => ms >= size && ms % size === 0) ?? ['seconds', SECOND_MS]
  return { count: Math.round(ms / each), unit }
}

/** Steps in which people name a span of time: about a twentieth of it. */
function stepOf(ms: number): number {
  const steps = [
    DAY_MS,
    12 * HOUR_MS,
    HOUR_MS,
    30 * MINUTE_MS,
    10 * MINUTE_MS,
    5 * MINUTE_MS,
    MINUTE_MS,
    30 * SECOND_MS,
  ]
  return steps.find((step) => step <= ms / 10) ?? (ms >= 5 * MINUTE_MS ? MINUTE_MS : 5 * SECOND_MS)
}
const rounded = (ms: number): number => Math.max(SECOND_MS, Math.round(ms / stepOf(ms)) * stepOf(ms))
const roundedUp = (ms: number): number => Math.max(SECOND_MS, Math.ceil(ms / stepOf(ms)) * stepOf(ms))

const gapsOf = (pingsMs: readonly number[]): number[] =>
  pingsMs.slice(1).map((at, index) => at - (pingsMs[index] ?? at))

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}

const percent = (share: number): number => Math.round(100 * share)
