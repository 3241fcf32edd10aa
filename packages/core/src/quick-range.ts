/** Windows of time by name, in UTC; weeks begin on Monday. */
import type { QuickRange, ReportGranularity } from '@vedette/schema'

const DAY_MS = 86_400_000
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

export function quickRange(name: QuickRange, nowMs: number): { fromMs: number; toMs: number } {
  const week = startOf('week', nowMs)
  const month = startOf('month', nowMs)
  switch (name) {
    case 'last24Hours':
    case 'last24Hrs':
      return { fromMs: nowMs - DAY_MS, toMs: nowMs }
    case 'last7Days':
      return { fromMs: nowMs - 7 * DAY_MS, toMs: nowMs }
    case 'last30Days':
      return { fromMs: nowMs - 30 * DAY_MS, toMs: nowMs }
    case 'thisWeek':
      return { fromMs: week, toMs: nowMs }
    case 'thisMonth':
      return { fromMs: month, toMs: nowMs }
    case 'lastWeek':
      return { fromMs: week - 7 * DAY_MS, toMs: week }
    case 'lastMonth':
      return { fromMs: startOf('month', month - 1), toMs: month }
  }
}

/** The days, weeks or months of a window, oldest first; the first and the last end with the window. */
export function partsOf(
  granularity: ReportGranularity,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): { fromMs: number; toMs: number }[] {
  const parts = []
  for (let at = fromMs; at < toMs; ) {
    const next = Math.min(toMs, startAfter(granularity, at))
    parts.push({ fromMs: at, toMs: next })
    at = next
  }
  return parts
}

function startOf(granularity: ReportGranularity, atMs: number): number {
  if (granularity === 'day') return Math.floor(atMs / DAY_MS) * DAY_MS
  if (granularity === 'week') return Math.floor((atMs - FIRST_MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + FIRST_MONDAY_MS
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth())
}

function startAfter(granularity: ReportGranularity, atMs: number): number {
  const start = startOf(granularity, atMs)
  if (granularity === 'month') return startOf('month', start + 32 * DAY_MS)
  return start + (granularity === 'week' ? 7 : 1) * DAY_MS
}
