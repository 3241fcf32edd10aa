/**
 * Starts processes and hears what they say, as a process of its own. To start one takes a large process 5 ms and more in
 * which it does nothing else, and slows it down for a while after; no check that is due meanwhile may wait for that. This
 * one is small: it knows nothing of scripts and loads nothing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { layDownPriority } from '../priority.ts'
import { eachLines, LONGEST_LINE, type Stream } from './lines.ts'
import { listProcesses, type Use, useOf } from './process-use.ts'

/** What it is asked. Answers carry the same number. */
export type Order =
  | {
      no: number
      is: 'start'
      command: string
      args: string[]
      env: Record<string, string>
      user: number | null
      /** Written to descriptors, which are closed then; null: left open for a `write`. */
      given: Readonly<Record<number, string | Uint8Array | null>>
      /** Descriptors that are heard, and how many characters may have come from all of them when some come from this one. */
      limits: Readonly<Record<number, number>>
      /** What all of it may use of the machine, where no control group sees to that; looked at now and then. */
      most?: Use
      /** Nobody else runs as its user: in the end all processes of this user are ended, wherever they have gone. */
      isAlone?: boolean
    }
  | { no: number; is: 'write'; descriptor: number; text: string; isLast: boolean }
  | { no: number; is: 'kill' }

/** `ended` comes last, and always: at the latest this long after the process ended or was killed. */
export type Heard =
  | { no: number; is: 'started'; pid: number }
  | { no: number; is: 'lines'; descriptor: number; lines: string[] }
  | { no: number; is: 'too-much'; descriptor: number }
  | { no: number; is: 'used-up'; what: keyof Use }
  | { no: number; is: 'ended'; code: number | null; signal: string | null; error: string | null }

const CLEANUP_MS = 2000
const LOOKS_EVERY_MS = 500

interface Running {
  child: ChildProcess
  kill(): void
  look: ((processes: ReturnType<typeof listProcesses>) => void) | null
}

layDownPriority()

const running = new Map<number, Running>()
let looking: NodeJS.Timeout | null = null
/** Where nobody is left to hear it, we end too. */
const say = (heard: Heard, onSaid = () => {}) => process.send?.(heard, undefined, undefined, onSaid)
process.on('message', (order: Order) => {
  if (order.is === 'start') {
    running.set(
      order.no,
      start(order, () => running.delete(order.no)),
    )
    if (order.most !== undefined) looking ??= setInterval(lookAround, LOOKS_EVERY_MS)
  } else if (order.is === 'kill') running.get(order.no)?.kill()
  else give(running.get(order.no)?.child.stdio[order.descriptor], order.text, order.isLast)
})
// The kernel ends with us what we have started.
process.once('disconnect', () => process.exit(0))
// What is sent to a whole group reaches us too, but runs in hand are finished first: whoever started us says when it is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

/** At all of them at once: to list the processes of the machine takes some milliseconds. */
function lookAround(): void {
  const looks = [...running.values()].flatMap(({ look }) => look ?? [])
  if (looks.length === 0) {
    if (looking !== null) clearInterval(looking)
    looking = null
    return
  }
  const processes = listProcesses()
  for (const look of looks) look(processes)
}

function start(order: Extract<Order, { is: 'start' }>, onEnd: () => void): Running {
  const { no, command, args, env, user, given, limits, most, isAlone } = order
  const last = Math.max(2, ...Object.keys(given).map(Number), ...Object.keys(limits).map(Number))
  const descriptors = Array.from({ length: last + 1 }, (_, descriptor) => descriptor)
  const child: ChildProcess = spawn(command, args, {
    env,
    stdio: descriptors.map((descriptor) => (descriptor in given || descriptor in limits ? 'pipe' : 'ignore')),
    detached: true,
    ...(user !== null && { uid: user, gid: user }),
  })
  let hasEnded = false
  const end = (code: number | null, signal: string | null, error: string | null) => {
    if (hasEnded) return
    hasEnded = true
    killAll(child)
    for (const stream of child.stdio) stream?.destroy()
    const told = () => {
      onEnd()
      say({ no, is: 'ended', code, signal, error })
    }
    if (isAlone === true && user !== null) endAllOf(user, told)
    else told()
  }
  // What does not end when it is killed, or left its pipes to somebody, is not waited for.
  const endSoon = () => setTimeout(() => end(child.exitCode, child.signalCode, null), CLEANUP_MS).unref()
  child.once('error', (error) => end(null, null, error.message))
  child.once('exit', () => {
    killAll(child)
    endSoon()
  })
  child.once('close', (code, signal) => end(code, signal, null))
  if (child.pid !== undefined) say({ no, is: 'started', pid: child.pid })

  let total = 0
  for (const descriptor of descriptors) {
    const limit = limits[descriptor]
    if (limit === undefined) continue
    eachLines(
      child.stdio[descriptor],
      (lines, onSaid) => say({ no, is: 'lines', descriptor, lines }, onSaid),
      (length, lineLength) => {
        total += length
        if (total <= limit && lineLength <= LONGEST_LINE) return true
        say({ no, is: 'too-much', descriptor })
        killAll(child)
        return false
      },
    )
  }
  for (const descriptor of descriptors) {
    const what = given[descriptor]
    if (what !== undefined && what !== null) give(child.stdio[descriptor], what)
  }
  const kill = () => {
    killAll(child)
    endSoon()
  }
  const look = (processes: ReturnType<typeof listProcesses>) => {
    if (most === undefined || child.pid === undefined || hasEnded) return
    const use = useOf(processes, child.pid, isAlone === true ? user : null)
    const what = use.bytes > most.bytes ? 'bytes' : use.tasks > most.tasks ? 'tasks' : null
    if (what === null) return
    say({ no, is: 'used-up', what })
    kill()
  }
  return { child, kill, look: most === undefined ? null : look }
}

/** The process may be gone before it has read all: its end says why. */
function give(stream: Stream, what: string | Uint8Array, isLast = true): void {
  if (!isWritable(stream)) return
  if (stream.listenerCount('error') === 0) stream.on('error', () => {})
  if (isLast) stream.end(what)
  else stream.write(what)
}

/** The whole group: the tools that keep a script end it and all that it started when they end. */
function killAll(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // None of them is left.
  }
}

/** What we may not send a signal, that user may. */
function endAllOf(user: number, done: () => void): void {
  const options = { uid: user, gid: user, stdio: 'ignore' as const }
  const killer = spawn('kill', ['-KILL', '--', '-1'], options)
  killer.once('error', done)
  killer.once('exit', done)
}

function isWritable(stream: Stream): stream is Writable {
  return stream !== null && stream !== undefined && 'write' in stream
}
