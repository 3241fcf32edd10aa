/** How often something was seen, day by day. Days are those of UTC, as the server counts them. */
const DAY_MS = 86_400_000

export interface DayCount {
  /** Such as 2026-01-10. */
  day: string
  count: number
}

/** So many days up to today, those without anything among them. */
export function lastDays(counts: readonly DayCount[], places: number, nowMs: number): DayCount[] {
  return Array.from({ length: places }, (_, place) => {
    const day = new Date(nowMs - (places - 1 - place) * DAY_MS).toISOString().slice(0, 10)
    return { day, count: counts.find((one) => one.day === day)?.count ?? 0 }
  })
}

export const totalOf = (days: readonly DayCount[]): number => days.reduce((sum, { count }) => sum + count, 0)

/** “4 times in the last 14 days: Feb 28: 3, Mar 2: 1”. */
export function dayWords(days: readonly DayCount[], locale?: string): string {
  const total = totalOf(days)
  if (total === 0) return `Not in the last ${days.length} days`
  const format = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const seen = days.filter(({ count }) => count > 0)
  const each = seen.map(({ day, count }) => `${format.format(new Date(day))}: ${count}`).join(', ')
  return `${total === 1 ? 'Once' : `${total} times`} in the last ${days.length} days: ${each}`
}
