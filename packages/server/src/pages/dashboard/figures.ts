/** What the results of checks add up to: availability by hour and by day, and how long they took. */
import type { Db } from '../../db/database.ts'
import { measure } from '../../results/measure.ts'
import type { KnownCheck, TimeRange } from '../../results/roll-up-store.ts'
import { Tally } from '../../results/tally.ts'
import { DAY_MS, dayOf } from '../instants.ts'

export const HOURS = 24
export const DAYS = 30
const WEEK_DAYS = 7
const HOUR_MS = 3_600_000

/** Shares of 1; null where nothing is known. */
export interface Figures {
  /** Oldest first; the last one is the hour, or the day, that is not over. */
  hours: readonly (number | null)[]
  /** How long 95 of 100 runs took at most, for each hour. */
  hourlyP95Ms: readonly (number | null)[]
  days: readonly (number | null)[]
  last24Hours: number | null
  last7Days: number | null
  last30Days: number | null
  /** Of the last 24 hours. */
  p95Ms: number | null
  p99Ms: number | null
}

export type FiguresOf = ReadonlyMap<number, Figures>

/** By the number of the check. */
export async function figuresOf(
  db: Db,
  checks: readonly KnownCheck[],
  keeping: { retentionDays: number; nowMs: number },
): Promise<FiguresOf> {
  const { nowMs } = keeping
  const firstHour = Math.floor(nowMs / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS
  const today = dayOf(nowMs)
  const firstDay = today - (DAYS - 1) * DAY_MS
  // Days that the last 24 hours touch are told hour by hour, so that nothing is read twice.
  const hoursFrom = dayOf(firstHour)
  const windows = [...ranges(firstDay, hoursFrom, DAY_MS), ...ranges(hoursFrom, nowMs, HOUR_MS)]
  const startOf = (atMs: number) => (atMs < hoursFrom ? dayOf(atMs) : Math.floor(atMs / HOUR_MS) * HOUR_MS)
  const tallies = await measure(
    db,
    {
      checks,
      windows,
      wants: (index) => index === 0,
      groupOf: ({ checkNo, atMs }) => `${checkNo} ${startOf(atMs)}`,
      readAtMost: 0,
    },
    keeping,
  )
  return new Map(
    checks.map(({ no }) => {
      const between = (fromMs: number, toMs: number) =>
        Tally.sum(
          windows
            .filter((window) => window.fromMs >= fromMs && window.fromMs < toMs)
            .flatMap((window) => tallies.get(`${no} ${window.fromMs}`) ?? []),
        )
      const hours = Array.from({ length: HOURS }, (_, index) => {
        const start = firstHour + index * HOUR_MS
        return between(start, start + HOUR_MS)
      })
      const days = Array.from({ length: DAYS }, (_, index) => {
        const start = firstDay + index * DAY_MS
        return between(start, start + DAY_MS)
      })
      const lately = Tally.sum(hours)
      const figures: Figures = {
        hours: hours.map(shareOf),
        hourlyP95Ms: hours.map((hour) => hour.spread(0)?.quantile(0.95) ?? null),
        days: days.map(shareOf),
        last24Hours: shareOf(lately),
        last7Days: shareOf(Tally.sum(days.slice(-WEEK_DAYS))),
        last30Days: shareOf(Tally.sum(days)),
        p95Ms: lately.spread(0)?.quantile(0.95) ?? null,
        p99Ms: lately.spread(0)?.quantile(0.99) ?? null,
      }
      return [no, figures]
    }),
  )
}

function shareOf(tally: Tally): number | null {
  const availability = tally.availability()
  return availability === null ? null : availability / 100
}

function ranges(fromMs: number, toMs: number, stepMs: number): TimeRange[] {
  return Array.from({ length: Math.max(0, Math.ceil((toMs - fromMs) / stepMs)) }, (_, index) => ({
    fromMs: fromMs + index * stepMs,
    toMs: Math.min(fromMs + (index + 1) * stepMs, toMs),
  }))
}
