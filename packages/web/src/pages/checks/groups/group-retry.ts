import type { CheckGroup, RetryStrategy } from '@vedette/schema'

/** How a group has failed attempts tried again; undefined means once, at once, and FALLBACK as each check says. */
export function groupRetry({
  version,
  retryStrategy,
  doubleCheck,
}: CheckGroup): RetryStrategy | null | undefined | 'FALLBACK' {
  // A group of version 1 without a strategy goes by the older switch.
  return version === 1 && retryStrategy === null && doubleCheck ? undefined : retryStrategy
}
