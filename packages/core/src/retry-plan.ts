/**
 * Whether an attempt is followed by another one of the same run, when, and where. A retry belongs to the strategy of
 * the check and follows only a failure of the target. An attempt that ended in trouble of our own says nothing about
 * the target: the first attempt of a run that does is repeated at once, elsewhere where possible, even without a
 * strategy. That is one attempt beyond the strategy.
 *
 * The first failure of a check that was well is not believed to one place alone, when no answer came and another place
 * can be asked: see `second-opinion.ts`. That is one attempt more, or two when the other place was in trouble itself.
 */
import type { CheckKind, RetryStrategy, Verdict } from '@vedette/schema'
import type { SecondOpinion } from './second-opinion.ts'

export interface AttemptEnd {
  /** Which attempt of the run it was, from 1. */
  attempt: number
  verdict: Verdict
  networkError: boolean
  /** The start of the first attempt. */
  startedAtMs: number
  nowMs: number
  kind?: CheckKind
  /** How many of the attempts before it ended in `error`: the first of them does not count as a retry. */
  errorsBefore?: number
  /** Runs that happen in all locations at once stay where they are. */
  runParallel?: boolean
  secondOpinion?: SecondOpinion
}

/** What the strategy of the check says, and the rule about our own trouble. */
export type StrategyDecision =
  | { again: false; reason: 'not-failed' | 'no-strategy' | 'not-a-network-error' | 'used-up' | 'too-late' }
  | { again: true; reason: 'retry' | 'our-trouble'; delayMs: number; sameLocation: boolean }

export type RetryDecision =
  | StrategyDecision
  | { again: false; reason: 'opinion-given' }
  | { again: true; reason: 'second-opinion'; delayMs: 0; sameLocation: false }
  /** The other place was in trouble itself: the first one looks once more, and its word counts. */
  | { again: true; reason: 'opinion-in-vain'; delayMs: 0 }

export function planRetry(strategy: RetryStrategy | null, end: AttemptEnd): RetryDecision {
  const { verdict, secondOpinion = 'none' } = end
  if (verdict === 'passed' || verdict === 'degraded') return { again: false, reason: 'not-failed' }
  if (secondOpinion === 'asked' && verdict === 'error') return { again: true, reason: 'opinion-in-vain', delayMs: 0 }
  if (secondOpinion === 'asked' || secondOpinion === 'asked-in-vain') return { again: false, reason: 'opinion-given' }
  const plan = planByStrategy(strategy, end)
  const isFirstWord = secondOpinion === 'possible' && verdict === 'failed' && end.networkError
  // A strategy that goes elsewhere has asked already, as often as its owner wanted.
  if (plan.again || !isFirstWord || end.runParallel || strategy?.sameRegion === false) return plan
  return { again: true, reason: 'second-opinion', delayMs: 0, sameLocation: false }
}

function planByStrategy(strategy: RetryStrategy | null, end: AttemptEnd): StrategyDecision {
  const { verdict, attempt, errorsBefore = 0, runParallel = false, kind = 'API' } = end
  if (verdict === 'passed' || verdict === 'degraded') return { again: false, reason: 'not-failed' }
  if (verdict === 'error' && attempt === 1) {
    return { again: true, reason: 'our-trouble', delayMs: 0, sameLocation: runParallel }
  }
  if (strategy === null) return { again: false, reason: 'no-strategy' }
  if (verdict === 'failed' && !end.networkError && isOnlyForNetworkErrors(strategy, kind)) {
    return { again: false, reason: 'not-a-network-error' }
  }
  const retry = attempt - (verdict === 'error' || errorsBefore > 0 ? 1 : 0)
  if (retry > mostRetries(strategy)) return { again: false, reason: 'used-up' }
  const delayMs = delayBefore(strategy, retry)
  if (end.nowMs + delayMs - end.startedAtMs > longestMs(strategy)) return { again: false, reason: 'too-late' }
  return verdict === 'error'
    ? { again: true, reason: 'our-trouble', delayMs, sameLocation: runParallel }
    : { again: true, reason: 'retry', delayMs, sameLocation: runParallel || (strategy.sameRegion ?? true) }
}

export interface PlannedAttempt {
  attempt: number
  reason: 'retry' | 'our-trouble'
  /** After the end of the attempt before. */
  delayMs: number
  sameLocation: boolean
}

export interface PlannedAttempts {
  attempts: PlannedAttempt[]
  /** Why no further one follows. */
  endedBy: (StrategyDecision & { again: false })['reason']
}

/** What would follow by the strategy if every further attempt ended as this one did, and took as long. */
export function planAttempts(strategy: RetryStrategy | null, first: AttemptEnd): PlannedAttempts {
  const tookMs = Math.max(0, first.nowMs - first.startedAtMs)
  const attempts: PlannedAttempt[] = []
  let end = first
  for (;;) {
    const decision = planByStrategy(strategy, end)
    if (!decision.again) return { attempts, endedBy: decision.reason }
    const { reason, delayMs, sameLocation } = decision
    const attempt = end.attempt + 1
    attempts.push({ attempt, reason, delayMs, sameLocation })
    const errorsBefore = (end.errorsBefore ?? 0) + (end.verdict === 'error' ? 1 : 0)
    end = { ...end, attempt, errorsBefore, nowMs: end.nowMs + delayMs + tookMs }
  }
}

/** The condition speaks of HTTP; other kinds ignore it. */
function isOnlyForNetworkErrors({ onlyOn }: RetryStrategy, kind: CheckKind): boolean {
  return onlyOn !== undefined && (kind === 'API' || kind === 'URL')
}

function mostRetries({ type, maxRetries = 2 }: RetryStrategy): number {
  return type === 'SINGLE_RETRY' ? 1 : maxRetries
}

function longestMs({ type, maxDurationSeconds = 600 }: RetryStrategy): number {
  return type === 'SINGLE_RETRY' ? Number.POSITIVE_INFINITY : maxDurationSeconds * 1000
}

/** Milliseconds before retry n, which counts from 1. */
function delayBefore({ type, baseBackoffSeconds: base = 60 }: RetryStrategy, n: number): number {
  switch (type) {
    case 'FIXED':
    case 'SINGLE_RETRY':
      return base * 1000
    case 'LINEAR':
      return base * n * 1000
    case 'EXPONENTIAL':
      return base ** n * 1000
  }
}

/** One retry at once from elsewhere: what `doubleCheck` meant before there were strategies. */
export const DOUBLE_CHECK: RetryStrategy = {
  type: 'FIXED',
  maxRetries: 1,
  baseBackoffSeconds: 0,
  maxDurationSeconds: 600,
  sameRegion: false,
}

/** The strategy in force: a strategy that is given, be it null for none, wins over `doubleCheck`. */
export function effectiveRetryStrategy(check: {
  retryStrategy?: RetryStrategy | null
  doubleCheck: boolean
}): RetryStrategy | null {
  if (check.retryStrategy !== undefined) return check.retryStrategy
  return check.doubleCheck ? DOUBLE_CHECK : null
}
