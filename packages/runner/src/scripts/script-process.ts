/** One process from its start to its end: hands it the job, reads what it says, and ends it with all that it started. */
import { isLimitOurs } from '@vedette/core'
import type { LogEntry } from '@vedette/schema'
import { Value } from 'typebox/value'
import type { ScriptGroup } from './control-group.ts'
import { behindGate, FILTER_FD, GATE_FD, type Launch } from './isolation.ts'
import { launchProcess } from './launcher.ts'
import { waitedForProcessorMs } from './processor.ts'
import { type ScriptDone, type ScriptJob, ScriptMessage } from './script-job.ts'

const ENTRIES_LIMIT = 1000

/** The descriptors of the process that we hold the other end of, besides that of its filter. */
const OUTPUT = 1
const ERRORS = 2
const JOB = 3
const RESULT = 4
/** Characters that may have come in all when some come from this one. */
const LIMITS: Readonly<Record<number, number>> = {
  [OUTPUT]: 1024 * 1024,
  [ERRORS]: 1024 * 1024,
  [RESULT]: 2 * 1024 * 1024,
}

const OUT_OF_MEMORY = 'it used more memory than it may'

/** `problem`: why the script did not come to its end. `ours`: it could not be started, or was kept from its time. */
export type ScriptEnd = { log: LogEntry[] } & ({ done: ScriptDone } | { problem: string; ours: boolean })

type Answer = { done: ScriptDone } | { problem: string; ours: boolean }

/** @param group in which it runs, with all that it starts */
export async function runProcess(
  launch: Launch,
  job: ScriptJob,
  limitMs: number,
  group: ScriptGroup | null,
): Promise<ScriptEnd> {
  const log: LogEntry[] = []
  const answer = await new Promise<Answer>((resolve) => start(launch, job, limitMs, group, log, resolve))
  if (group === null || 'done' in answer || answer.ours) return { log, ...answer }
  const cause = await group.outOfMemory().catch(() => null)
  if (cause === 'own') return { log, problem: OUT_OF_MEMORY, ours: false }
  if (cause === 'machine') return { log, problem: 'the machine had no memory left for it', ours: true }
  return { log, ...answer }
}

interface Begun {
  pid: number
  /** Its time began when it was ordered. */
  afterMs: number
}

function start(
  launch: Launch,
  job: ScriptJob,
  limitMs: number,
  group: ScriptGroup | null,
  log: LogEntry[],
  resolve: (answer: Answer) => void,
) {
  let answer: Answer | null = null
  let errors = ''
  let begun: Begun | null = null
  const settle = (found: Answer) => {
    answer ??= found
    launched.kill()
  }
  const note = (level: string, msg: string) => {
    if (answer === null && log.length < ENTRIES_LIMIT) log.push({ time: Date.now(), msg: msg.slice(0, 16_384), level })
  }
  const hear: Record<number, (line: string) => void> = {
    [OUTPUT]: (line) => note('INFO', line),
    [ERRORS]: (line) => {
      errors = (errors + line).slice(0, 2000)
      note('ERROR', line)
    },
    [RESULT]: (line) => {
      if (answer !== null) return
      const said = read(line)
      if (said === null) settle({ problem: 'it brought back something that is no result', ours: false })
      else if (said.is === 'log') note(said.level, said.msg)
      else settle(said.is === 'done' ? { done: said } : { problem: said.message, ours: false })
    },
  }

  const given: Record<number, string | Uint8Array | null> = { [JOB]: JSON.stringify(job) }
  if (launch.filter !== null) given[FILTER_FD] = launch.filter
  if (group !== null) given[GATE_FD] = null
  const { command, args } = group === null ? launch : behindGate(launch)
  const orderedAt = performance.now()
  const launched = launchProcess(
    {
      command,
      args,
      // Nothing of ours may be read from it; the tools are found where systems have them.
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
      user: launch.user,
      given,
      limits: LIMITS,
    },
    {
      started(pid) {
        begun = { pid, afterMs: performance.now() - orderedAt }
        group?.add(pid).then(
          () => launched.write(GATE_FD, '\n', { isLast: true }),
          // Where it has gone before it was put there, its end says why and has come first.
          (error: unknown) => settle({ problem: `it could not be limited: ${error}`, ours: true }),
        )
      },
      lines(descriptor, lines) {
        for (const line of lines) hear[descriptor]?.(line)
      },
      tooMuch(descriptor) {
        const did = descriptor === RESULT ? 'brought back' : 'wrote'
        settle({ problem: `it ${did} more than ${(LIMITS[descriptor] ?? 0) / 1024 / 1024} MiB`, ours: false })
      },
      ended({ code, signal, error }) {
        clearTimeout(timer)
        if (error !== null) answer ??= { problem: `it could not be started: ${error}`, ours: true }
        resolve(answer ?? { problem: withoutResult(code, signal, errors), ours: false })
      },
    },
  )
  const timer = setTimeout(() => settle(afterLimit(limitMs, begun)), limitMs)
}

function afterLimit(limitMs: number, begun: Begun | null): Answer {
  const problem = `it was not done within ${limitMs / 1000} s`
  const inside = begun === null ? null : waitedForProcessorMs(begun.pid)
  const waitedMs = begun === null ? limitMs : inside === null ? null : begun.afterMs + inside
  if (waitedMs === null || !isLimitOurs(limitMs, waitedMs)) return { problem, ours: false }
  return { problem: `${problem}, of which it waited ${(waitedMs / 1000).toFixed(1)} s for a processor`, ours: true }
}

function withoutResult(code: number | null, signal: string | null, errors: string): string {
  if (code === 13) return 'it waits for something that never comes'
  if (/heap out of memory|Array buffer allocation failed/.test(errors)) return OUT_OF_MEMORY
  return `it ended without a result (${signal === null ? `exit code ${code}` : signal})`
}

function read(line: string): ScriptMessage | null {
  try {
    const value: unknown = JSON.parse(line)
    return Value.Check(ScriptMessage, value) ? value : null
  } catch {
    return null
  }
}
