/** Figures of a span of runs, per location: what the chart shows, as numbers. */
import type { ResponseTimePoint, Verdict } from '@vedette/schema'
import { byLocationName } from '../../../api/location-name.ts'

export interface LocationFigures {
  location: string
  runs: number
  verdicts: Record<Verdict, number>
  /** Of runs that brought an answer; null without any. */
  medianMs: number | null
  p95Ms: number | null
  slowestMs: number | null
}

export function figuresByLocation(points: readonly ResponseTimePoint[]): LocationFigures[] {
  return [...new Set(points.map(({ location }) => location))].sort(byLocationName).map((location) =>
    figuresOf(
      location,
      points.filter((point) => point.location === location),
    ),
  )
}

export function figuresOf(location: string, points: readonly ResponseTimePoint[]): LocationFigures {
  const verdicts: Record<Verdict, number> = { passed: 0, degraded: 0, failed: 0, error: 0 }
  for (const { verdict } of points) verdicts[verdict] += 1
  const times = points
    .filter(hasAnswer)
    .map(({ responseTime }) => responseTime)
    .sort((a, b) => a - b)
  return {
    location,
    runs: points.length,
    verdicts,
    medianMs: rank(times, 0.5),
    p95Ms: rank(times, 0.95),
    slowestMs: times.at(-1) ?? null,
  }
}

/** The time of a run that got no answer says how long was waited, not how fast the target is. */
export const hasAnswer = ({ verdict }: ResponseTimePoint): boolean => verdict === 'passed' || verdict === 'degraded'

const rank = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
