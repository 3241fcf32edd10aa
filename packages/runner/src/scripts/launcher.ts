/** The process that starts processes, seen from here. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Heard, Order } from './launch-process.ts'
import type { Use } from './process-use.ts'

type Of<T, K extends string> = T extends { is: K } ? Omit<T, 'no' | 'is'> : never

/** `ended` is called once, and last. */
export interface Hearer {
  started(pid: number): void
  lines(descriptor: number, lines: readonly string[]): void
  tooMuch(descriptor: number): void
  /** Where what it may use is limited. */
  usedUp?(what: keyof Use): void
  /** `error`: why it could not be started. */
  ended(end: { code: number | null; signal: string | null; error: string | null }): void
}

export interface Launched {
  /** Writes to a descriptor that was left open. `isLast`: nothing more will be written, so that whoever reads comes to an end. */
  write(descriptor: number, text: string, options: { isLast: boolean }): void
  /** With all that it has started. */
  kill(): void
  /** Its number on this machine; null before it was started, and where it cannot be found. */
  pid(): number | null
}

const MAIN = fileURLToPath(new URL('./launch-process.ts', import.meta.url))
/** A few megabytes of lines at a time. */
const FLAGS = ['--max-semi-space-size=2', '--max-old-space-size=64']

let starter: { process: ChildProcess; hearers: Map<number, Hearer> } | null = null
let lastNo = 0

export function launchProcess(what: Of<Order, 'start'>, hearer: Hearer): Launched {
  const { process: child, hearers } = theStarter()
  lastNo += 1
  const no = lastNo
  // What cannot be sent any more has nobody to be sent to: its end is told of by the end of the channel.
  const send = (order: Order) => child.connected && child.send(order, () => {})
  let pid: number | null = null
  hearers.set(no, {
    ...hearer,
    started(number) {
      pid = number
      hearer.started(number)
    },
  })
  send({ no, is: 'start', ...what })
  return {
    write: (descriptor, text, { isLast }) => send({ no, is: 'write', descriptor, text, isLast }),
    kill: () => send({ no, is: 'kill' }),
    pid: () => pid,
  }
}

/** Made when first needed, and again should it ever end. Whoever waits for a process keeps us alive, it does not. */
function theStarter() {
  if (starter?.process.connected) return starter
  const child = fork(MAIN, [], {
    execArgv: FLAGS,
    // Nothing of ours: not even the path, which each order brings along.
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const hearers = new Map<number, Hearer>()
  const lost = (error: string) => {
    for (const hearer of hearers.values()) hearer.ended({ code: null, signal: null, error })
    hearers.clear()
  }
  child.on('error', (error) => lost(error.message))
  child.on('disconnect', () => lost('the process that starts scripts has ended'))
  child.on('message', (heard: Heard) => {
    const hearer = hearers.get(heard.no)
    if (hearer === undefined) return
    switch (heard.is) {
      case 'started':
        return hearer.started(heard.pid)
      case 'lines':
        return hearer.lines(heard.descriptor, heard.lines)
      case 'too-much':
        return hearer.tooMuch(heard.descriptor)
      case 'used-up':
        return hearer.usedUp?.(heard.what)
      case 'ended':
        hearers.delete(heard.no)
        return hearer.ended(heard)
    }
  })
  // Last: to listen to it is to be kept alive by it.
  child.unref()
  child.channel?.unref()
  starter = { process: child, hearers }
  return starter
}
