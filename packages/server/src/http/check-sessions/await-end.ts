/** Waits for the end of a session: by signal, with a look now and then in case one was lost. */
import type { Signals } from '../../db/signals.ts'

const LOOK_AGAIN_MS = 5000

/** The session as it is when it has ended, when the time is up, or when the waiting is over by the signal. */
export async function awaitEnd<S extends { stoppedAt: unknown }>(
  signals: Signals,
  id: string,
  read: () => Promise<S>,
  waitMs: number,
  over: AbortSignal,
): Promise<S> {
  const deadline = performance.now() + waitMs
  const isOver = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }))
  for (;;) {
    const heard = hear(signals, id)
    try {
      const session = await read()
      const left = deadline - performance.now()
      if (session.stoppedAt !== null || left <= 0 || over.aborted) return session
      await Promise.race([heard.promise, isOver, heard.timeout(Math.min(left, LOOK_AGAIN_MS))])
    } finally {
      heard.stop()
    }
  }
}

function hear(signals: Signals, id: string) {
  let timer: NodeJS.Timeout | undefined
  let stop = () => {}
  const promise = new Promise<void>((resolve) => {
    stop = signals.on('sessions', (payload) => {
      if (payload === id || payload === '') resolve()
    })
  })
  return {
    promise,
    timeout: (ms: number) =>
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      }),
    stop: () => {
      stop()
      clearTimeout(timer)
    },
  }
}
