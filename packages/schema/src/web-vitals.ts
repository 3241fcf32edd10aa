/** How good a measured page is. Source of the bounds: https://web.dev/articles/vitals and the articles of each metric. */
import type { WebVital, WebVitalScore } from './script-run.ts'

/** Good up to the one, poor above the other: milliseconds; of CLS a score. */
export const WEB_VITAL_BOUNDS: { readonly [V in WebVital]: readonly [good: number, poor: number] } = {
  TTFB: [800, 1800],
  FCP: [1800, 3000],
  LCP: [2500, 4000],
  CLS: [0.1, 0.25],
  TBT: [200, 600],
}

/** @param value milliseconds; of CLS a score */
export function scoreOf(vital: WebVital, value: number): WebVitalScore {
  const [good, poor] = WEB_VITAL_BOUNDS[vital]
  if (value <= good) return 'GOOD'
  return value <= poor ? 'NEEDS_IMPROVEMENT' : 'POOR'
}
