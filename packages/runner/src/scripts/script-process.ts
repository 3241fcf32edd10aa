/** One process from its start to its end: hands it the job, reads what it says, and ends it with all that it started. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { LogEntry } from '@vedette/schema'
import { Value } from 'typebox/value'
import type { ScriptGroup } from './control-group.ts'
import { FILTER_FD, type Launch } from './isolation.ts'
import { type ScriptDone, type ScriptJob, ScriptMessage } from './script-job.ts'

const OUTPUT_LIMIT = 1024 * 1024
const RESULT_LIMIT = 1024 * 1024
const ENTRIES_LIMIT = 1000
const CLEANUP_MS = 2000
const GATE_FD = 6

const OUT_OF_MEMORY = 'it used more memory than it may'

/** `problem`: why the script did not come to its end. `ours`: it could not be started. */
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

function start(
  launch: Launch,
  job: ScriptJob,
  limitMs: number,
  group: ScriptGroup | null,
  log: LogEntry[],
  resolve: (answer: Answer) => void,
) {
  const { command, args } = group === null ? launch : behindGate(launch)
  const child = spawn(command, args, {
    // Nothing of ours may be read from it; the tools are found where systems have them.
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: [
      ...(['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const),
      launch.filter === null ? 'ignore' : 'pipe',
      group === null ? 'ignore' : 'pipe',
    ],
    detached: true,
    ...(launch.user !== null && { uid: launch.user, gid: launch.user }),
  })
  let answer: Answer | null = null
  let errors = ''
  const settle = (found: Answer) => {
    answer ??= found
    killAll(child)
  }
  const timer = setTimeout(() => {
    settle({ problem: `it was not done within ${limitMs / 1000} s`, ours: false })
    // What does not even end when it is killed is not waited for.
    setTimeout(finish, CLEANUP_MS).unref()
  }, limitMs)
  let isFinished = false
  const finish = () => {
    if (isFinished) return
    isFinished = true
    clearTimeout(timer)
    killAll(child)
    for (const stream of child.stdio) stream?.destroy()
    resolve(answer ?? { problem: 'it ended without a result', ours: true })
  }

  let output = 0
  const take = (bytes: number, limit: number, what: string): boolean => {
    output += bytes
    if (output <= limit) return true
    settle({ problem: `it ${what} more than ${limit / 1024 / 1024} MiB`, ours: false })
    return false
  }
  const note = (level: string, msg: string) => {
    if (answer === null && log.length < ENTRIES_LIMIT) log.push({ time: Date.now(), msg: msg.slice(0, 16_384), level })
  }

  eachLine(
    child.stdout,
    OUTPUT_LIMIT,
    (line) => note('INFO', line),
    (bytes) => take(bytes, OUTPUT_LIMIT, 'wrote'),
  )
  eachLine(
    child.stderr,
    OUTPUT_LIMIT,
    (line) => {
      errors = (errors + line).slice(0, 2000)
      note('ERROR', line)
    },
    (bytes) => take(bytes, OUTPUT_LIMIT, 'wrote'),
  )
  eachLine(
    readable(child.stdio[4]),
    RESULT_LIMIT,
    (line) => {
      if (answer !== null) return
      const said = read(line)
      if (said === null) settle({ problem: 'it brought back something that is no result', ours: false })
      else if (said.is === 'log') note(said.level, said.msg)
      else settle(said.is === 'done' ? { done: said } : { problem: said.message, ours: false })
    },
    (bytes) => take(bytes, OUTPUT_LIMIT + RESULT_LIMIT, 'brought back'),
  )

  const pipes: readonly ChildProcess['stdio'][number][] = child.stdio
  send(pipes[3], JSON.stringify(job))
  if (launch.filter !== null) send(pipes[FILTER_FD], launch.filter)
  if (group !== null && child.pid !== undefined) {
    group.add(child.pid).then(
      () => send(pipes[GATE_FD], '\n'),
      // Gone before it was put there: its end says why.
      (error: unknown) =>
        child.exitCode === null && settle({ problem: `it could not be limited: ${error}`, ours: true }),
    )
  }

  child.once('error', (error) => {
    settle({ problem: `it could not be started: ${error.message}`, ours: true })
    finish()
  })
  child.once('exit', () => {
    // Somebody may still hold the pipes: the first process of the group is what counts.
    killAll(child)
    setTimeout(finish, CLEANUP_MS).unref()
  })
  child.once('close', (code, signal) => {
    answer ??= { problem: withoutResult(code, signal, errors), ours: false }
    finish()
  })
}

/** Nothing is started before it is in its group. */
function behindGate({ command, args }: Launch): Pick<Launch, 'command' | 'args'> {
  return { command: 'sh', args: ['-c', `read -r _ <&${GATE_FD} && exec "$@" ${GATE_FD}<&-`, 'sh', command, ...args] }
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

/** Lines of at most so many characters; what is longer is cut. */
function eachLine(
  stream: Readable | null,
  limit: number,
  onLine: (line: string) => void,
  takes: (bytes: number) => boolean,
): void {
  if (stream === null) return
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('error', () => {})
  stream.on('data', (text: string) => {
    if (!takes(text.length)) return
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, limit)
    for (const line of lines) if (line !== '') onLine(line)
  })
  stream.on('end', () => {
    if (rest !== '') onLine(rest)
  })
}

/** The whole group: the tools that keep the script end it and all that it started when they end. */
function killAll(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // None of them is left.
  }
}

function readable(stream: ChildProcess['stdio'][number]): Readable | null {
  return stream !== null && stream !== undefined && 'read' in stream ? stream : null
}

/** It may be gone before it has read all: its end says why. */
function send(stream: ChildProcess['stdio'][number], what: string | Buffer): void {
  if (stream === null || stream === undefined || !('write' in stream)) throw new Error('the process has no way in')
  stream.on('error', () => {})
  stream.end(what)
}
