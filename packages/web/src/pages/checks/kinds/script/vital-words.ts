/** How web vitals are called, written and judged. */
import { WEB_VITAL_BOUNDS, type WebVital, type WebVitalScore } from '@vedette/schema'
import type { IconName } from '../../../../components/icon.tsx'
import type { Tone } from '../../../../components/notice.tsx'
import { formatMs } from '../../../../components/number.ts'

export const vitals: Readonly<Record<WebVital, { name: string; format: (value: number) => string }>> = {
  TTFB: { name: 'Time to first byte', format: formatMs },
  FCP: { name: 'First contentful paint', format: formatMs },
  LCP: { name: 'Largest contentful paint', format: formatMs },
  CLS: { name: 'Cumulative layout shift', format: (value) => value.toFixed(3) },
  TBT: { name: 'Total blocking time', format: formatMs },
}

export const scores: Readonly<Record<WebVitalScore, { word: string; tone: Tone; icon: IconName }>> = {
  GOOD: { word: 'Good', tone: 'good', icon: 'check' },
  NEEDS_IMPROVEMENT: { word: 'Needs improvement', tone: 'warn', icon: 'slow' },
  POOR: { word: 'Poor', tone: 'bad', icon: 'cross' },
}

export const vitalWords = (vital: WebVital, value: number): string => vitals[vital].format(value)
export const scoreWords = (score: WebVitalScore): string => scores[score].word.toLowerCase()

/** “good up to 2,500 ms, poor above 4,000 ms” */
export function boundsWords(vital: WebVital): string {
  const [good, poor] = WEB_VITAL_BOUNDS[vital].map(vital === 'CLS' ? String : vitals[vital].format)
  return `good up to ${good}, poor above ${poor}`
}
