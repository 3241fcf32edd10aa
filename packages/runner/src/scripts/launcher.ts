/** The thread that starts processes, seen from here. */
import { Worker } from 'node:worker_threads'
import type { Heard, Order } from './launch-thread.ts'

type Of<T, K extends string> = T extends { is: K } ? Omit<T, 'no' | 'is'> : never

/** `ended` is called once, and last. */
export interface Hearer {
  started(pid: number): void
  lines(descriptor: number, lines: readonly string[]): void
  tooMuch(descriptor: number): void
  /** `error`: why it could not be started. */
  ended(end: { code: number | null; signal: string | null; error: string | null }): void
}

export interface Launched {
  /** Writes to a descriptor that was left open, and closes it. */
  write(descriptor: number, text: string): void
  /** With all that it has started. */
  kill(): void
}

/** A few megabytes of lines at a time. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 4 }

let thread: { worker: Worker; hearers: Map<number, Hearer> } | null = null
let lastNo = 0

export function launchProcess(what: Of<Order, 'start'>, hearer: Hearer): Launched {
  const { worker, hearers } = theThread()
  lastNo += 1
  const no = lastNo
  const send = (order: Order) => worker.postMessage(order)
  hearers.set(no, hearer)
  send({ no, is: 'start', ...what })
  return {
    write: (descriptor, text) => send({ no, is: 'write', descriptor, text }),
    kill: () => send({ no, is: 'kill' }),
  }
}

/** Made when first needed, and again should it ever end. Whoever waits for a process keeps us alive, the thread does not. */
function theThread() {
  if (thread !== null) return thread
  const worker = new Worker(new URL('./launch-thread.ts', import.meta.url), { resourceLimits: THREAD_LIMITS })
  const hearers = new Map<number, Hearer>()
  const lost = (error: string) => {
    if (thread?.worker === worker) thread = null
    // What it started ends with it: the kernel sees to that.
    for (const hearer of hearers.values()) hearer.ended({ code: null, signal: null, error })
    hearers.clear()
  }
  worker.on('error', (error) => lost(error instanceof Error ? error.message : String(error)))
  worker.on('exit', () => lost('the thread that starts processes has ended'))
  worker.on('message', (heard: Heard) => {
    const hearer = hearers.get(heard.no)
    if (hearer === undefined) return
    switch (heard.is) {
      case 'started':
        return hearer.started(heard.pid)
      case 'lines':
        return hearer.lines(heard.descriptor, heard.lines)
      case 'too-much':
        return hearer.tooMuch(heard.descriptor)
      case 'ended':
        hearers.delete(heard.no)
        return hearer.ended(heard)
    }
  })
  // Last: to listen to it is to be kept alive by it.
  worker.unref()
  thread = { worker, hearers }
  return thread
}
