/**
 * In place of the first process that Playwright would start for a worker: the worker is loaded into this process, where
 * everything it needs is loaded already. Messages go round through JSON, as they would between processes. Further workers
 * are processes, as always.
 */
import { AsyncResource } from 'node:async_hooks'
import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import type { Compiled } from './compiled.ts'
import type { PlaywrightInside, WorkerInside } from './playwright.ts'

const { parse, stringify } = JSON
const soon = setImmediate
const WORKER_ENTRY = /[\\/]playwright[\\/]lib[\\/]worker[\\/]workerProcessEntry\.js$/
const OUTER = new AsyncResource('VedetteWorker')

/** Says that the script has ended its process; thrown to unwind it. */
class Ended extends Error {
  override name = 'ProcessEnded'
}

export class StandIn extends EventEmitter {
  /** Listeners of the runner, from before there was a worker. */
  readonly interrupters = process.listeners('SIGINT')
  #isAlive = true
  #wasToldToStop = false
  #worker: WorkerInside | null = null
  readonly #environment = { ...process.env }
  readonly #write = { out: process.stdout.write, err: process.stderr.write }

  constructor(
    entry: string,
    environment: NodeJS.ProcessEnv,
    { ProcessRunner }: PlaywrightInside['common'],
    compiled: Compiled,
  ) {
    super()
    for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value
    const standIn = this
    const { dispatchEvent } = ProcessRunner.prototype
    ProcessRunner.prototype.dispatchEvent = function (method, params) {
      standIn.#worker = this
      dispatchEvent.call(this, method, params)
    }
    Object.assign(process, { send: (message: unknown) => this.#fromWorker(message), connected: true })
    process.argv = [process.execPath, entry]
    soon(() => {
      try {
        compiled.load(() => createRequire(entry)(entry))
      } catch (error) {
        this.emit('error', error)
        this.end(1)
      }
    })
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** From the runner. A process would hear of it later. */
  send(message: unknown): boolean {
    const text = stringify(message)
    soon(() => {
      if (!this.#isAlive) return
      const copy: unknown = parse(text)
      if (typeof copy === 'object' && copy !== null && 'method' in copy && copy.method === '__stop__')
        this.#wasToldToStop = true
      process.emit('message', copy, undefined)
    })
    return true
  }

  /** At once: what a script did last, before it never came back, is to be known. */
  #fromWorker(message: unknown): boolean {
    if (!this.#isAlive) return false
    const copy: unknown = parse(stringify(message))
    OUTER.runInAsyncScope(() => this.emit('message', copy))
    return true
  }

  /** The worker, or the script in it, ends its process. */
  end(code: number): void {
    if (!this.#isAlive) {
      if (!this.#wasToldToStop) throw new Ended('the process has ended')
      return
    }
    this.#isAlive = false
    this.#restore()
    // Nothing of the test runs any more: no hook, no fixture.
    const never = () => new Promise<never>(() => {})
    const test = this.#worker?._currentTest
    if (test) Object.assign(test, { _runAsStep: never, _runWithTimeout: never })
    soon(() => OUTER.runInAsyncScope(() => this.emit('exit', code, null)))
    if (!this.#wasToldToStop) throw new Ended(`the process has ended with code ${code}`)
  }

  /** What the worker did to the process is not what a further worker, or the end, should see. */
  #restore(): void {
    process.stdout.write = this.#write.out
    process.stderr.write = this.#write.err
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name]
    Object.assign(process.env, this.#environment)
  }
}

/** @param started called with the one stand-in */
export function standInForFirstWorker(
  common: PlaywrightInside['common'],
  compiled: Compiled,
  started: (standIn: StandIn) => void,
): void {
  const { fork } = childProcess
  const answer = (entry: string | URL, ...rest: unknown[]): unknown => {
    if (typeof entry !== 'string' || !WORKER_ENTRY.test(entry))
      return Reflect.apply(fork, childProcess, [entry, ...rest])
    childProcess.fork = fork
    const options = rest.find(
      (value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value),
    )
    const environment = options && 'env' in options && typeof options.env === 'object' ? options.env : {}
    const standIn = new StandIn(entry, { ...environment }, common, compiled)
    started(standIn)
    return standIn
  }
  Reflect.set(childProcess, 'fork', answer)
}
