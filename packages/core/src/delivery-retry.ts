/**
 * When a message that was not accepted is tried again, and when somebody else is told instead. Webhooks lead to whatever
 * people have built, which is soon repaired; the services that carry mail and calls have longer outages, and many who
 * come back at once would be the next one.
 */
import type { ChannelType } from '@vedette/schema'

export interface RetrySchedule {
  /** Between a failed try and the next one; as many as there are further tries. */
  delaysMs: readonly number[]
  /** The part by which a delay may be shorter or longer, so that not all come back at once. */
  spread: number
}

export type RetryTimes = Readonly<Record<ChannelType, RetrySchedule>>

const SECOND = 1000
const MINUTE = 60 * SECOND
const FAST: RetrySchedule = { delaysMs: Array.from({ length: 5 }, () => 20 * SECOND), spread: 0 }
const PATIENT: RetrySchedule = {
  delaysMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  spread: 0.2,
}

export const RETRY_TIMES: RetryTimes = {
  WEBHOOK: FAST,
  EMAIL: PATIENT,
  SLACK: PATIENT,
  SMS: PATIENT,
  CALL: PATIENT,
  PAGERDUTY: PATIENT,
  OPSGENIE: PATIENT,
}

/** Who asks for more patience gets this much. */
export const LONGEST_RETRY_AFTER_MS = 5 * MINUTE

export interface FailedTry {
  deliveryId: string
  /** How many there were, with this one. */
  tries: number
  /** Whether another try could end otherwise. */
  retry: boolean
  /** What the other side asked for. */
  retryAfterMs: number | null
}

/** Milliseconds until the next try; null: there is none. */
export function nextTryAfter({ delaysMs, spread }: RetrySchedule, failed: FailedTry): number | null {
  const delayMs = delaysMs[failed.tries - 1]
  if (!failed.retry || delayMs === undefined) return null
  const ownMs = Math.round(delayMs * (1 + spread * chance(failed)))
  return Math.max(ownMs, Math.min(failed.retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS))
}

/** From −1 to 1, by the message and its try, so that nobody has to remember it: FNV-1a, then mixed as in MurmurHash3. */
function chance({ deliveryId, tries }: FailedTry): number {
  let hash = 0x811c9dc5
  for (const character of `${tries}:${deliveryId}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 31 - 1
}

/** A message may take so long before the fallback of its channel is told. */
export const FALLBACK_AFTER_MS = 2 * MINUTE

/**
 * Whether the fallback is told now: nothing more is tried, or the next try comes too late.
 *
 * @param waitedMs since the channel has it to deliver
 * @param nextTryInMs null: there is none
 */
export function isFallbackDue(waitedMs: number, nextTryInMs: number | null, afterMs = FALLBACK_AFTER_MS): boolean {
  return nextTryInMs === null || waitedMs + nextTryInMs > afterMs
}
