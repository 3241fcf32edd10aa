import { setTimeout as delay } from 'node:timers/promises'

export interface Supervision {
  /** Ends it; a restart under way is given up. */
  end(): Promise<void>
}

const WATCH_MS = 200
const LONGEST_PAUSE_MS = 10_000

/**
 * Sees to it that something keeps running. It is looked at rather than waited for, because it need not be our child:
 * it may have been started by a process that has died since. The timers do not keep the process alive.
 */
export function supervise(options: {
  isRunning(): Promise<boolean>
  restart(signal: AbortSignal): Promise<void>
  log(line: string): void
}): Supervision {
  const ending = new AbortController()
  const { signal } = ending
  const pause = (ms: number) => delay(ms, undefined, { ref: false, signal })

  async function watch(): Promise<void> {
    let pauseMs = 0
    for (;;) {
      await pause(WATCH_MS)
      if (await options.isRunning()) {
        pauseMs = Math.max(0, pauseMs - WATCH_MS / 10) // trust comes back slowly, so that a crash loop stays a slow one
        continue
      }
      options.log('PostgreSQL has ended unexpectedly: starting it again')
      await pause(pauseMs)
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 + 250)
      try {
        await options.restart(signal)
      } catch (error) {
        signal.throwIfAborted()
        options.log(`PostgreSQL could not be started again: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  const watching = watch().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  return {
    async end() {
      ending.abort()
      await watching
    },
  }
}
