/** The window of a question: custom ends go before the quick range. */
import { quickRange } from '@vedette/core'
import type { QuickRange } from '@vedette/schema'
import { readInstant, readWindow, type TimeWindow } from '../instants.ts'

const DAY_MS = 86_400_000

export interface WindowQuery {
  from?: string | undefined
  to?: string | undefined
  quickRange?: QuickRange | undefined
}

/** @throws AppError `invalid`. */
export function readRange(query: WindowQuery, nowMs: number, maxMs = Number.POSITIVE_INFINITY): TimeWindow {
  if (query.from === undefined && query.to === undefined) return quickRange(query.quickRange ?? 'last24Hours', nowMs)
  const from = readInstant('from', query.from)
  const to = query.to === undefined ? String(Math.max(nowMs, from ?? 0)) : query.to
  return readWindow({ from: query.from, to }, { defaultMs: DAY_MS, maxMs }, nowMs)
}
