/**
 * Who is to blame for a script that is not done in its time. It was given time, but on a busy machine perhaps hardly a
 * processor: its owner is not to blame for what it did not get.
 */

/** Of its time, that a script may have waited for a processor and still be called too slow. */
const WAITING_SHARE = 0.25

/** @param waitedMs null: this machine does not tell */
export function isLimitOurs(limitMs: number, waitedMs: number | null): boolean {
  return waitedMs !== null && waitedMs > limitMs * WAITING_SHARE
}
