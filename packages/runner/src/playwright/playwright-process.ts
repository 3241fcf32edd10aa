/** One process that runs Playwright once: started ahead of its run, given one job, heard, and gone when this is done with it. */
import { Value } from 'typebox/value'
import { FILTER_FD, type Launch } from '../scripts/isolation.ts'
import { launchProcess } from '../scripts/launcher.ts'
import { ScriptEvent } from './event.ts'
import type { JobLine, PlaywrightJob } from './job.ts'

const OUTPUT = 1
const ERRORS = 2
const JOB = 3
const EVENTS = 4
const MEGABYTE = 1024 * 1024
/** Characters that may have come in all when some come from this one. Files are told as base64. */
const LIMITS: Readonly<Record<number, number>> = {
  [OUTPUT]: 100 * MEGABYTE,
  [ERRORS]: 100 * MEGABYTE,
  [EVENTS]: 100 * MEGABYTE,
}
/** After an interruption, until it is ended with all that it started. */
const LAST_WORDS_MS = 2000
/** To be loaded and ready: a busy machine is slow. */
const READY_WITHIN_MS = 60_000

/** `ours`: what the script did cannot be the reason. */
export type ProcessEnd = { problem: string; ours: boolean } | null

export class PlaywrightProcess {
  readonly #launched: ReturnType<typeof launchProcess>
  readonly #hear: (event: ScriptEvent) => void
  readonly #ready = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  /** Whether the last of it is gone. */
  readonly ended: Promise<void> = this.#ended.promise
  #isGivenJob = false
  #hasEnd = false
  #problem: ProcessEnd = null
  #errors = ''
  #pid: number | null = null

  constructor(launch: Launch, hear: (event: ScriptEvent) => void) {
    this.#hear = hear
    // Whoever waits for it hears of it; it may be that nobody does.
    this.#ready.promise.catch(() => {})
    const given: Record<number, string | Uint8Array | null> = { [JOB]: null }
    if (launch.filter !== null) given[FILTER_FD] = launch.filter
    const { command, args, user } = launch
    const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }
    this.#launched = launchProcess(
      { command, args, env, user, given, limits: LIMITS },
      {
        started: (pid) => {
          this.#pid = pid
        },
        lines: (descriptor, lines) => {
          for (const line of lines) this.#line(descriptor, line)
        },
        tooMuch: () => this.#giveUp({ problem: 'it wrote more than 100 MiB', ours: false }),
        ended: ({ code, signal, error }) => this.#end(code, signal, error),
      },
    )
  }

  get pid(): number | null {
    return this.#pid
  }

  get isOver(): boolean {
    return this.#problem !== null || this.#hasEnd
  }

  /** @throws Error when it does not come to be ready */
  async ready(): Promise<void> {
    const timer = setTimeout(
      () => this.#giveUp({ problem: `it was not ready within ${READY_WITHIN_MS / 1000} s`, ours: true }),
      READY_WITHIN_MS,
    )
    try {
      await this.#ready.promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** Resolves when the process is gone: null when it said that the run had come to its end. */
  async run(job: PlaywrightJob): Promise<ProcessEnd> {
    this.#isGivenJob = true
    this.#write({ is: 'job', job })
    const interrupting = setTimeout(() => this.#write({ is: 'interrupt' }), job.limitMs)
    const problem = `it was not done within ${job.limitMs / 1000} s`
    const killing = setTimeout(() => this.#giveUp({ problem, ours: false }), job.limitMs + LAST_WORDS_MS)
    await this.ended
    clearTimeout(interrupting)
    clearTimeout(killing)
    return this.#hasEnd ? null : this.#problem
  }

  /** With all that it has started. */
  kill(): void {
    this.#launched.kill()
  }

  #write(line: JobLine): void {
    this.#launched.write(JOB, `${JSON.stringify(line)}\n`, { isLast: false })
  }

  #line(descriptor: number, line: string): void {
    if (this.isOver) return
    if (descriptor !== EVENTS) {
      // Scripts write through Playwright; what comes here is of the process itself.
      if (descriptor === ERRORS) this.#errors = (this.#errors + line).slice(0, 2000)
      return
    }
    const event = read(line)
    if (event === null) {
      this.#giveUp({ problem: 'it brought back something that is no result', ours: !this.#isGivenJob })
      return
    }
    if (event.is === 'ready') this.#ready.resolve()
    this.#hear(event)
    if (event.is !== 'end') return
    this.#hasEnd = true
    this.kill()
  }

  #giveUp(problem: NonNullable<ProcessEnd>): void {
    this.#problem ??= problem
    this.#ready.reject(new Error(problem.problem))
    this.kill()
  }

  #end(code: number | null, signal: string | null, error: string | null): void {
    const how =
      error === null
        ? `it ended without a result (${signal ?? `exit code ${code}`})`
        : `it could not be started: ${error}`
    const seen = this.#errors === '' ? '' : `: ${this.#errors.slice(0, 500)}`
    this.#problem ??= { problem: `${how}${seen}`, ours: error !== null || !this.#isGivenJob }
    this.#ready.reject(new Error(this.#problem.problem))
    this.#ended.resolve()
  }
}

function read(line: string): ScriptEvent | null {
  try {
    const value: unknown = JSON.parse(line)
    return Value.Check(ScriptEvent, value) ? value : null
  } catch {
    return null
  }
}
