/** Whether the whole of a result is kept, or only its verdict and times: answers that tell the same are kept once. */
import type { Verdict } from '@vedette/schema'

const KEPT_ANEW_AFTER_MS = 24 * 60 * 60 * 1000
/** An answer that differs every time (a clock, a counter) would otherwise be kept every time. */
const KEPT_AT_MOST_EVERY_MS = 5 * 60 * 1000

export interface DetailQuestion {
  verdict: Verdict
  /** Asked for by whoever triggered the run. */
  keepDetail: boolean
  /** What was kept last of a passing run. */
  kept: { fingerprint: string; ageMs: number } | null
  fingerprint: string | null
}

export function shouldKeepDetail({ verdict, keepDetail, kept, fingerprint }: DetailQuestion): boolean {
  if (verdict !== 'passed' || keepDetail || kept === null) return true
  return kept.ageMs >= (kept.fingerprint === fingerprint ? KEPT_ANEW_AFTER_MS : KEPT_AT_MOST_EVERY_MS)
}
