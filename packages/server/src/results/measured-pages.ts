/** What is measured of the pages of a run. */
import { storable } from '@vedette/core'
import { type RunDetail, WEB_VITALS } from '@vedette/schema'

export interface MeasuredPage {
  /** From 0, in the order in which they were opened. */
  index: number
  url: string
  /** In the order of `WEB_VITALS`; null: the page did not tell. */
  vitals: readonly (number | null)[]
}

/** Further pages are in the result, and in no figures. */
export const PAGES_MEASURED = 20

export function measuredPages(answer: RunDetail | null | undefined): MeasuredPage[] {
  if (answer?.kind !== 'BROWSER') return []
  return answer.content.pages.slice(0, PAGES_MEASURED).map(({ url, webVitals }, index) => ({
    index,
    url: pageName(url),
    vitals: WEB_VITALS.map((name) => storedVital(webVitals[name]?.value ?? null)),
  }))
}

/** What a page tells of itself may be any number; columns take those of single precision. */
function storedVital(value: number | null): number | null {
  if (value === null) return null
  return value < 1e-6 ? 0 : Math.min(value, 1e9)
}

/** Queries differ from run to run, and may hold what should not be kept for long. */
const pageName = (url: string) => storable(url.replace(/[?#].*$/s, '').slice(0, 1000))
