/** One process that runs Playwright once: started ahead of its run, given one job, heard, and gone when this is done with it. */
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { isLimitOurs, type OwnUse } from '@vedette/core'
import { Compile } from 'typebox/compile'
import type { GroupLimits, ScriptGroup } from '../scripts/control-group.ts'
import { behindGate, FILTER_FD, GATE_FD } from '../scripts/isolation.ts'
import { type Hearer, type Launched, launchProcess } from '../scripts/launcher.ts'
import { usedOfProcessorsMs, waitedForProcessorMs } from '../scripts/processor.ts'
import { crashOf, saysOutOfMemory } from './crash.ts'
import { ScriptEvent } from './event.ts'
import type { JobLine, PlaywrightJob } from './job.ts'
import type { PlaywrightLaunch } from './sandbox.ts'

const OUTPUT = 1
const ERRORS = 2
const JOB = 3
const EVENTS = 4
const MEBIBYTE = 1024 * 1024
/** Characters that may have come in all when some come from this one. Files are told as base64. */
const LIMITS: Readonly<Record<number, number>> = {
  [OUTPUT]: 100 * MEBIBYTE,
  [ERRORS]: 100 * MEBIBYTE,
  [EVENTS]: 100 * MEBIBYTE,
}
const MOST_EVENTS = 200_000
/** Of these no more than so many are looked at: no run keeps as many. */
const MOST_REMARKS = 50_000
const NO_REMARK = /^\{"is":"(?:end|file|data|test|fault|degraded)/
/** After an interruption, until it is ended with all that it started. */
const LAST_WORDS_MS = 2000
/** To be loaded and ready: a busy machine is slow. */
const READY_WITHIN_MS = 60_000

const NOT_BEGUN = { waitedMs: 0, usedMs: 0 }
/** Compiled: a script may tell of as much as it likes, and others wait meanwhile. */
const EVENT = Compile(ScriptEvent)
const USED_ITS_HEAP = 'it used more memory than its heap may have'

/** `ours`: what the script did cannot be the reason; `isForWantOfRoom`: it is that others had the memory or the processors. */
export type ProcessEnd = { problem: string; ours: boolean; isOutOfTime?: true; isForWantOfRoom?: true } | null

export interface PlaywrightProcessOptions {
  /** What to start; or how, where that is done in another way. */
  launch: PlaywrightLaunch | StartsIt
  limits: Pick<GroupLimits, 'bytes' | 'tasks' | 'processors'>
  /** In which it runs, with all that it starts; null: what it uses is looked at now and then. */
  group: ScriptGroup | null
  /** Whether processes may leave those that started them, for want of namespaces. */
  mayStray: boolean
  hear: (event: ScriptEvent) => void
  readyWithinMs?: number
}

/** @param limits of characters. Where there is a group, it is to wait for a line on `GATE_FD`. */
export type StartsIt = (hearer: Hearer, limits: Readonly<Record<number, number>>) => Launched

export class PlaywrightProcess {
  readonly #launched: Launched
  readonly #options: PlaywrightProcessOptions
  readonly #ready = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  /** Whether the last of it is gone. */
  readonly ended: Promise<void> = this.#ended.promise
  #isGivenJob = false
  #hasEnd = false
  #isCutShort = false
  #hasEnded = false
  /** By somebody else than us; bubblewrap tells it as a shell does. */
  #wasKilled = false
  #problem: ProcessEnd = null
  #errors = ''
  #isOutOfMemory = false
  #events = 0

  constructor(options: PlaywrightProcessOptions) {
    this.#options = options
    const { launch, limits, group, mayStray } = options
    // Whoever waits for it hears of it; it may be that nobody does.
    this.#ready.promise.catch(() => {})
    const hearer: Hearer = {
      started: (pid) => {
        group?.add(pid).then(
          () => this.#launched.write(GATE_FD, '\n', { isLast: true }),
          (error: unknown) => this.#giveUp({ problem: `it could not be limited: ${error}`, ours: true }),
        )
      },
      lines: (descriptor, lines) => {
        for (const line of lines) this.#line(descriptor, line)
      },
      tooMuch: () => this.#giveUp({ problem: 'it wrote more than 100 MiB, or a line of more than 4', ours: false }),
      usedUp: (what) => this.#giveUp({ problem: this.#usedUp(what), ours: false }),
      ended: ({ code, signal, error }) => this.#end(code, signal, error),
    }
    if (typeof launch === 'function') {
      this.#launched = launch(hearer, LIMITS)
      return
    }
    const given: Record<number, string | Uint8Array | null> = { [JOB]: null }
    if (launch.filter !== null) given[FILTER_FD] = launch.filter
    if (group !== null) given[GATE_FD] = null
    const { env, user } = launch
    const { command, args } = group === null ? launch : behindGate(launch)
    const order = { command, args, env, user, given, limits: LIMITS, isAlone: mayStray && user !== null }
    this.#launched = launchProcess(group === null ? { ...order, most: limits } : order, hearer)
  }

  /** Whether nothing more can come of it. */
  get isOver(): boolean {
    return this.#problem !== null || this.#hasEnd || this.#hasEnded
  }

  /** @throws Error when it does not come to be ready */
  async ready(): Promise<void> {
    const withinMs = this.#options.readyWithinMs ?? READY_WITHIN_MS
    const timer = setTimeout(
      () => this.#giveUp({ problem: `it was not ready within ${withinMs / 1000} s`, ours: true }),
      withinMs,
    )
    try {
      await this.#ready.promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Resolves when the process is gone: null when it said that the run had come to an end of its own. */
  async run(job: PlaywrightJob): Promise<ProcessEnd> {
    this.#isGivenJob = true
    const killedBefore = await killedForMemory()
    // A process that was forked is as old as its run.
    const before = typeof this.#options.launch === 'function' ? NOT_BEGUN : this.#processorTime()
    const begunAt = performance.now()
    this.#write({ is: 'job', job })
    let outOfTime = afterLimit(job.limitMs, null)
    const interrupting = setTimeout(() => {
      const now = this.#processorTime()
      if (before !== null && now !== null) {
        const waitedMs = now.waitedMs - before.waitedMs
        outOfTime = afterLimit(job.limitMs, {
          waitedMs,
          usedMs: now.usedMs - before.usedMs,
          processors: this.#processors,
        })
      }
      this.#write({ is: 'interrupt' })
    }, job.limitMs)
    const killing = setTimeout(() => this.#giveUp(outOfTime), job.limitMs + LAST_WORDS_MS)
    await this.ended
    clearTimeout(interrupting)
    clearTimeout(killing)
    // It looks at a clock of its own too, and may be the first to see that the time is over.
    if (this.#hasEnd) return this.#isCutShort && performance.now() - begunAt >= job.limitMs ? outOfTime : null
    const cause = await this.#options.group?.outOfMemory().catch(() => null)
    if (cause === 'own') return { problem: this.#usedUp('bytes'), ours: false }
    if (cause === 'machine' || (this.#wasKilled && (await killedForMemory()) > killedBefore)) {
      return { problem: 'the machine had no memory left for it', ours: true, isForWantOfRoom: true }
    }
    return this.#problem
  }

  /** With all that it has started. */
  kill(): void {
    this.#launched.kill()
  }

  /** Of it and all below it until now; null: it is gone, or the kernel does not tell. */
  #processorTime(): { waitedMs: number; usedMs: number } | null {
    const pid = this.#launched.pid()
    const waitedMs = pid === null ? null : waitedForProcessorMs(pid)
    return pid === null || waitedMs === null ? null : { waitedMs, usedMs: usedOfProcessorsMs(pid) }
  }

  get #processors(): number {
    return Math.min(availableParallelism(), this.#options.limits.processors)
  }

  #usedUp(what: 'bytes' | 'tasks'): string {
    const { bytes, tasks } = this.#options.limits
    if (what === 'bytes') return `it used more memory than the ${Math.round(bytes / MEBIBYTE)} MiB that it may`
    return `it had more processes and threads than the ${tasks} that it may`
  }

  #write(line: JobLine): void {
    this.#launched.write(JOB, `${JSON.stringify(line)}\n`, { isLast: false })
  }

  #line(descriptor: number, line: string): void {
    if (this.isOver) return
    if (descriptor !== EVENTS) {
      // Scripts write through Playwright; what comes here is of the process itself.
      if (descriptor !== ERRORS) return
      this.#errors = (this.#errors + line).slice(0, 2000)
      this.#isOutOfMemory ||= saysOutOfMemory(line)
      return
    }
    this.#events += 1
    if (this.#events > MOST_EVENTS) {
      this.#giveUp({ problem: `it told of more than ${MOST_EVENTS} events`, ours: false })
      return
    }
    if (this.#events > MOST_REMARKS && !NO_REMARK.test(line)) return
    const event = read(line)
    if (event === null || (event.is !== 'ready' && !this.#isGivenJob)) {
      this.#giveUp({ problem: 'it brought back something that is no result', ours: !this.#isGivenJob })
      return
    }
    if (event.is === 'ready') this.#ready.resolve()
    this.#options.hear(event)
    if (event.is !== 'end') return
    this.#hasEnd = true
    this.#isCutShort = event.status === 'interrupted'
    this.kill()
  }

  #giveUp(problem: NonNullable<ProcessEnd>): void {
    if (!this.#hasEnd) this.#problem ??= problem
    this.#ready.reject(new Error(problem.problem))
    this.kill()
  }

  #end(code: number | null, signal: string | null, error: string | null): void {
    this.#wasKilled = this.#problem === null && (signal === 'SIGKILL' || code === 128 + 9)
    const end = this.#endOf(code, signal, error)
    if (!this.#hasEnd) this.#problem ??= end
    this.#hasEnded = true
    this.#ready.reject(new Error(end.problem))
    this.#ended.resolve()
  }

  #endOf(code: number | null, signal: string | null, error: string | null): NonNullable<ProcessEnd> {
    const seen = this.#errors === '' ? '' : `: ${this.#errors.slice(0, 500)}`
    if (error !== null) {
      const what = this.#isGivenJob ? 'its process was lost' : 'it could not be started'
      return { problem: `${what}: ${error}${seen}`, ours: true }
    }
    const crash = crashOf(code, signal)
    if (crash === null) return { problem: `${withoutResult(code, signal)}${seen}`, ours: !this.#isGivenJob }
    if (this.#isOutOfMemory) return { problem: `${USED_ITS_HEAP}${seen}`, ours: false }
    return { problem: `its process crashed (${crash})${seen}`, ours: true }
  }
}

/** @param time null: nobody tells */
function afterLimit(limitMs: number, time: (OwnUse & { waitedMs: number }) | null): NonNullable<ProcessEnd> {
  const problem = `it was not done within ${limitMs / 1000} s`
  if (time === null || !isLimitOurs(limitMs, time.waitedMs, time)) return { problem, ours: false, isOutOfTime: true }
  return {
    problem: `${problem}, of which it waited ${(time.waitedMs / 1000).toFixed(1)} s for a processor`,
    ours: true,
    isForWantOfRoom: true,
  }
}

function withoutResult(code: number | null, signal: string | null): string {
  // What Node.js ends with when nothing is left that could settle what it waits for.
  if (code === 13) return 'it waits for something that never comes'
  return `it ended without a result (${signal ?? `exit code ${code}`})`
}

/** How often the kernel has ended a process of this machine for want of memory. */
async function killedForMemory(): Promise<number> {
  const text = await readFile('/proc/vmstat', 'utf8').catch(() => '')
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0)
}

function read(line: string): ScriptEvent | null {
  try {
    const value: unknown = JSON.parse(line)
    return EVENT.Check(value) ? value : null
  } catch {
    return null
  }
}
