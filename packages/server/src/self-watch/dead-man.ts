/** Tells somebody outside that the monitor is alive and well: whoever hears nothing for a while alerts. */
import type { DeadMan } from '../db/dead-man.ts'

const LIMIT_MS = 10_000

/** Never throws, and never says the address: who knows it can ping. */
export async function pingDeadMan(url: string, nowMs: () => number, before: DeadMan): Promise<DeadMan> {
  const kept = before.takenMs === undefined ? {} : { takenMs: before.takenMs }
  try {
    const answer = await fetch(url, { redirect: 'follow', signal: AbortSignal.timeout(LIMIT_MS) })
    await answer.body?.cancel()
    return answer.ok ? { takenMs: nowMs() } : { ...kept, error: `It answered with status ${answer.status}.` }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return {
      ...kept,
      error: isLate ? `No answer within ${LIMIT_MS / 1000} s.` : `It cannot be reached${codeOf(error)}.`,
    }
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : ''
}
