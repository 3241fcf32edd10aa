/** Which files that runs of scripts left are kept, and for how long. */
import { ASSET_LIMITS, type ScriptAssetType, type Verdict } from '@vedette/schema'

/** Of a check that passes all the time, one run in so much time is kept as an example. */
export const SAMPLED_EVERY_MS = 60 * 60 * 1000
/** Smaller traces, which those of requests are, are always kept. */
const SMALL_TRACE_BYTES = 32 * 1024

/** What is the most worth comes first: the rest may not get through. */
const ORDER: readonly ScriptAssetType[] = ['report', 'trace', 'screenshot', 'attachment', 'video']

export interface LeftFile {
  type: ScriptAssetType
  size: number
}

export interface KeepingQuestion {
  verdict: Verdict
  /** Whoever asked for the run wants to see all of it. */
  isOnDemand: boolean
  /** When files of a run of this check that passed were kept last; null: never. */
  sampledAgoMs: number | null
}

/** True where a run that passed is the one that stands for the others. */
export function isSample({ verdict, isOnDemand, sampledAgoMs }: KeepingQuestion): boolean {
  return verdict === 'passed' && !isOnDemand && (sampledAgoMs === null || sampledAgoMs >= SAMPLED_EVERY_MS)
}

/** Those that are kept, in the order in which they are handed in, no more than a run may leave. */
export function filesToKeep<T extends LeftFile>(files: readonly T[], question: KeepingQuestion): T[] {
  const all = question.verdict !== 'passed' || question.isOnDemand || isSample(question)
  const kept: T[] = []
  let bytes = 0
  for (const file of files.toSorted((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))) {
    if (!all && (file.type !== 'trace' || file.size > SMALL_TRACE_BYTES)) continue
    if (kept.length >= ASSET_LIMITS.files || file.size > ASSET_LIMITS.fileBytes) continue
    if (bytes + file.size > ASSET_LIMITS.runBytes) continue
    bytes += file.size
    kept.push(file)
  }
  return kept
}

export interface KeptAsset {
  size: number
  createdAtMs: number
  /** Of the run that left it. */
  passed: boolean
}

export interface AssetRules {
  passedForMs: number
  /** Of all other runs. */
  othersForMs: number
}

export function isAssetExpired({ passed, createdAtMs }: KeptAsset, rules: AssetRules, nowMs: number): boolean {
  return createdAtMs + (passed ? Math.min(rules.passedForMs, rules.othersForMs) : rules.othersForMs) <= nowMs
}

/** Those to drop for so many bytes to become free: of runs that passed first, and of these the oldest. */
export function assetsToMakeRoom<T extends KeptAsset>(assets: readonly T[], bytes: number): T[] {
  const inOrder = assets.toSorted((a, b) => Number(b.passed) - Number(a.passed) || a.createdAtMs - b.createdAtMs)
  let freed = 0
  return inOrder.filter(({ size }) => {
    if (freed >= bytes) return false
    freed += size
    return true
  })
}

/** Whether a name is like a pattern in which `*` stands for any characters and `?` for one. Linear, whatever is asked. */
export function isLike(name: string, pattern: string): boolean {
  let [at, to, star, from] = [0, 0, -1, 0]
  while (at < name.length) {
    if (pattern[to] === '*') {
      star = to
      from = at
      to += 1
    } else if (pattern[to] === '?' || pattern[to] === name[at]) {
      at += 1
      to += 1
    } else if (star >= 0) {
      from += 1
      at = from
      to = star + 1
    } else return false
  }
  while (pattern[to] === '*') to += 1
  return to === pattern.length
}
