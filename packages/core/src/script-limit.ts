/**
 * Who is to blame for a script that is not done in its time. It was given time, but on a busy machine perhaps hardly a
 * processor: its owner is not to blame for what it did not get.
 */

/** Of its time, that a script may have waited for a processor and still be called too slow. */
const WAITING_SHARE = 0.25

/** What several processes of a script have used themselves, on how many processors. */
export interface OwnUse {
  usedMs: number
  processors: number
}

/**
 * @param waitedMs null: this machine does not tell
 * @param own where a script starts processes, these wait for each other too: no longer than they use all processors
 */
export function isLimitOurs(limitMs: number, waitedMs: number | null, own: OwnUse | null = null): boolean {
  const forOwnMs = own === null ? 0 : own.usedMs / own.processors
  return waitedMs !== null && waitedMs - forOwnMs > limitMs * WAITING_SHARE
}
