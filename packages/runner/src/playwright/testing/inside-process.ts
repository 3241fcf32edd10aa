/** Runs jobs of Playwright as the runner does, but without a sandbox, in folders that go when the test is over. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import type { ScriptEngine } from '@vedette/schema'
import { Value } from 'typebox/value'
import { ScriptEvent } from '../event.ts'
import type { PlaywrightJob } from '../job.ts'
import { NODE_FLAGS } from '../node-flags.ts'
import { OWN_WAY_OUT, primer } from '../primer.ts'

export const RUNTIME = join(import.meta.dirname, '../../../runtimes/2025.04/node_modules')
const MAIN = join(import.meta.dirname, '../inside/main.ts')

export interface InsideOptions {
  browsers?: string
  wayOut?: string
  chromiumSandbox?: boolean
  /** Code that was compiled before, or is to be kept there. */
  compiled?: { folder: string; isFilled: boolean }
  modules?: string
  /** Of the job, where it must be the same each time. */
  folder?: string
  /** As whom it runs, with no more processes and threads than this. For root alone. */
  as?: { user: number; tasks: number }
}

/** One process, that takes one job. */
export class InsideProcess {
  readonly child: ChildProcess
  readonly folder: string
  readonly events: ScriptEvent[] = []
  /** What it wrote past the descriptor that is meant for it. */
  stray = ''
  readonly #parent: string
  readonly #ready = Promise.withResolvers<void>()
  readonly #ended: Promise<number | null>
  readonly #listeners: ((event: ScriptEvent) => void)[] = []
  #problem: string | null = null

  constructor(engine: ScriptEngine, options: InsideOptions = {}) {
    this.#parent = options.folder ?? mkdtempSync(join(tmpdir(), 'vedette-inside-'))
    this.folder = join(this.#parent, 'job')
    mkdirSync(this.folder, { recursive: true })
    const modules = options.modules ?? RUNTIME
    // As in the sandbox, packages are found in a folder above.
    symlinkSync(modules, join(this.#parent, 'node_modules'))
    const { browsers = '', wayOut = '', chromiumSandbox = false, compiled, as } = options
    const args = [
      ...[...NODE_FLAGS, MAIN, engine, this.folder, modules, browsers, wayOut, chromiumSandbox ? 'on' : 'off'],
      ...(compiled === undefined ? [] : [compiled.folder, compiled.isFilled ? 'on' : 'off']),
    ]
    const limited = as === undefined ? [] : ['prlimit', `--nproc=${as.tasks}`]
    if (as !== undefined) for (const path of [this.#parent, this.folder]) chownSync(path, as.user, as.user)
    const [command = '', ...rest] = [...limited, process.execPath, ...args]
    this.child = spawn(command, rest, {
      ...(as !== undefined && { uid: as.user, gid: as.user }),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        TMPDIR: this.#parent,
        ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled.folder }),
      },
    })
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        this.stray += text
      })
    const lines = this.child.stdio[4]
    if (!lines || !('readable' in lines)) throw new Error('there is no descriptor 4')
    const reader = createInterface({ input: lines })
    reader.on('line', (line) => this.#hear(line))
    this.#ended = new Promise((resolve) => {
      this.child.once('close', (code) => {
        this.#ready.reject(new Error(`it has ended: ${this.stray}`))
        resolve(code)
      })
    })
    this.#ready.promise.catch(() => {})
  }

  ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Runs its one job to its end. */
  async run(job: PlaywrightJob): Promise<ScriptEvent[]> {
    await this.ready()
    this.#send({ is: 'job', job })
    const code = await this.#ended
    rmSync(this.#parent, { recursive: true, force: true })
    if (this.#problem !== null) throw new Error(this.#problem)
    if (this.events.at(-1)?.is !== 'end') throw new Error(`it did not come to an end (${code}): ${this.stray}`)
    return this.events
  }

  interrupt(): void {
    this.#send({ is: 'interrupt' })
  }

  /** Resolves with the first that fits. */
  heard(fits: (event: ScriptEvent) => boolean): Promise<ScriptEvent> {
    const past = this.events.find(fits)
    if (past) return Promise.resolve(past)
    return new Promise((resolve) => this.#listeners.push((event) => fits(event) && resolve(event)))
  }

  kill(): void {
    this.child.kill('SIGKILL')
    rmSync(this.#parent, { recursive: true, force: true })
  }

  #send(line: object): void {
    const stream = this.child.stdio[3]
    if (isWritable(stream)) stream.write(`${JSON.stringify(line)}\n`)
  }

  #hear(line: string): void {
    const said: unknown = JSON.parse(line)
    if (!Value.Check(ScriptEvent, said)) {
      this.#problem ??= `it said something that is no event: ${line.slice(0, 1000)}`
      return
    }
    this.events.push(said)
    if (said.is === 'ready') this.#ready.resolve()
    for (const listener of this.#listeners) listener(said)
  }
}

function isWritable(stream: unknown): stream is Writable {
  return typeof stream === 'object' && stream !== null && 'write' in stream
}

/** Fills a folder with compiled code, as runners do. */
export async function fillCompiled(folder: string, hasPages: boolean, browsers: string): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'vedette-inside-'))
  const wayOut = join(parent, OWN_WAY_OUT)
  mkdirSync(folder)
  const process = new InsideProcess('warm', { browsers, wayOut, folder: parent, compiled: { folder, isFilled: true } })
  const events = await process.run(primer(hasPages))
  if (only(events, 'end')[0]?.status !== 'passed') throw new Error(`it did not pass: ${JSON.stringify(events)}`)
}

/** The events of one kind. */
export function only<K extends ScriptEvent['is']>(events: readonly ScriptEvent[], is: K) {
  return events.filter((event): event is Extract<ScriptEvent, { is: K }> => event.is === is)
}
