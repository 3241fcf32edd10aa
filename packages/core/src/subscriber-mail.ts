/** Who is sent what by a status page, and how often: rules without I/O. */

/** The link in a question is good for so long. Who has not opened it by then is forgotten. */
export const ANSWER_WITHIN_MS = 48 * 3_600_000
/** One question to an address and page in this time. */
export const ASK_AGAIN_AFTER_MS = 10 * 60_000
/** Questions to an address and page before it is forgotten. */
export const MOST_ASKS = 3
/** After so many mails in a row that were refused for good, nobody reads what is sent there. */
export const MOST_REFUSALS = 3

/** What could not be told for so long is news no more: the page tells it. All tries of a mail fit in. */
export const NEWS_FOR_MS = 24 * 3_600_000

export interface KnownSubscriber {
  status: 'PENDING' | 'VERIFIED'
  /** Null: never. */
  askedAtMs: number | null
  asks: number
}

/** Whether somebody who asks for mail to an address gets the question sent there. @param known null: a new address */
export function shouldAsk(known: KnownSubscriber | null, nowMs: number): boolean {
  if (known === null) return true
  if (known.status === 'VERIFIED') return false
  if (known.askedAtMs === null) return true
  return known.asks < MOST_ASKS && nowMs - known.askedAtMs >= ASK_AGAIN_AFTER_MS
}

const MINUTE_MS = 60_000
/** About sixteen hours in all. */
const RETRY_DELAYS_MS = [
  MINUTE_MS / 2,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  60 * MINUTE_MS,
  120 * MINUTE_MS,
  240 * MINUTE_MS,
  480 * MINUTE_MS,
]

/**
 * How long to wait with a mail that was not taken; null: it is given up.
 *
 * @param tries how many there have been, at least one
 * @param chance from 0 to 1: mails that failed together do not come back together
 */
export function mailRetryDelayMs(tries: number, chance: number): number | null {
  const delay = RETRY_DELAYS_MS[tries - 1]
  return delay === undefined ? null : Math.round(delay * (0.8 + 0.4 * chance))
}

/** @param refusals mails in a row that were refused for good, the last one included */
export function isGivenUp(refusals: number): boolean {
  return refusals >= MOST_REFUSALS
}
