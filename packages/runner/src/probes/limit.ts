/** A limit of the user's, within that of the attempt. */
import type { RunContext } from './probe.ts'

export async function withinLimit<T>(
  wantedMs: number,
  context: RunContext,
  work: (limited: RunContext) => Promise<T>,
): Promise<T> {
  const limitMs = Math.min(wantedMs, context.limitMs)
  const timer = new AbortController()
  const handle = setTimeout(() => timer.abort(), limitMs)
  try {
    return await work({ ...context, limitMs, signal: AbortSignal.any([context.signal, timer.signal]) })
  } finally {
    clearTimeout(handle)
  }
}
