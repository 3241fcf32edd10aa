/** Web vitals over time, from what the analytics answer: a line a page, or a line a location. */
import type { Analytics, AnalyticsRow, AnalyticsSeries, WebVital, WebVitalScore } from '@vedette/schema'
import { scoreOf } from '@vedette/schema'
import { locationName } from '../../../../api/location-name.ts'
import { type VitalFigure, type Vitals, vitalMetric } from '../../../../api/vitals.ts'

export interface VitalPoint {
  /** Seconds since 1970: the middle of the interval. */
  at: number
  value: number
  score: WebVitalScore
}

export interface VitalLine {
  key: string
  label: string
  points: VitalPoint[]
  /** Of all of the span; null: it was not told. */
  whole: { value: number; score: WebVitalScore } | null
}

/** The lines of a vital, in the order in which pages are opened. Intervals without a measurement have no point. */
export function linesOf({ course, whole }: Vitals, vital: WebVital, figure: VitalFigure): VitalLine[] {
  const metric = vitalMetric(vital, figure)
  return course.series.map((series) => {
    const key = keyOf(series)
    const row = whole.series.find((one) => keyOf(one) === key)?.data[0]
    const value = numberIn(row, metric)
    return {
      key,
      label: labelOf(series),
      points: pointsOf(series, course, vital, metric),
      whole: value === null ? null : { value, score: scoreOf(vital, value) },
    }
  })
}

/** What is furthest from good: the line whose figure is told where there is room for one. */
export const worstOf = (lines: readonly VitalLine[]): VitalLine | undefined =>
  lines
    .filter(({ whole }) => whole !== null)
    .toSorted((a, b) => (b.whole?.value ?? 0) - (a.whole?.value ?? 0))
    .at(0)

function pointsOf({ data }: AnalyticsSeries, { to }: Analytics, vital: WebVital, metric: string): VitalPoint[] {
  const end = Date.parse(to)
  const starts = data.map(({ startedAt }) => (typeof startedAt === 'string' ? Date.parse(startedAt) : Number.NaN))
  return data
    .flatMap((row, index) => {
      const value = numberIn(row, metric)
      const start = starts[index]
      if (value === null || start === undefined || Number.isNaN(start)) return []
      const next = Math.min(starts[index - 1] ?? end, end)
      return [{ at: (start + next) / 2000, value, score: scoreOf(vital, value) }]
    })
    .reverse()
}

const keyOf = ({ pageIndex, runLocation }: AnalyticsSeries): string => JSON.stringify([pageIndex, runLocation])

/** A page is known by its place in the run and its newest address; several places may have one address. */
function labelOf({ pageIndex, runLocation, data }: AnalyticsSeries): string {
  if (runLocation !== undefined) return locationName(runLocation)
  const url = data.map(({ pageUrl }) => pageUrl).find((one) => typeof one === 'string')
  const place = `Page ${(pageIndex ?? 0) + 1}`
  return typeof url === 'string' ? `${place}: ${url.replace(/^https?:\/\//, '')}` : place
}

function numberIn(row: AnalyticsRow | undefined, metric: string): number | null {
  const value = row?.[metric]
  return typeof value === 'number' ? value : null
}
