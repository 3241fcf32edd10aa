/**
 * Runs scripts with Playwright, each in a process of its own that is gone when this is done with it. Leases come seconds
 * before their runs are due: a process is started then, so that it is loaded when it is needed.
 */
import type { LeasedRun, LeasedRunOf, RuntimeId, ScriptLoad } from '@vedette/schema'
import type { Equipment } from '../abilities.ts'
import type { Browsers } from './browsers.ts'
import type { BundleCache } from './bundle-cache.ts'
import { type Attempt, CompiledCode, canBeShared } from './compiled-code.ts'
import { Forking } from './forking.ts'
import type { PlaywrightJob } from './job.ts'
import { Machine, type MachineOptions } from './machine.ts'
import {
  kindOf,
  type PlaywrightEnd,
  type PreparedRun,
  perform,
  type WantedRun,
  withoutProcess,
} from './prepared-run.ts'
import { primer } from './primer.ts'
import { ReadyProcesses } from './ready-processes.ts'
import { Room } from './room.ts'
import { RunProcesses, type RunProcessesOptions } from './run-processes.ts'
import type { InstalledRuntime } from './runtimes.ts'
import type { CompiledPlace } from './sandbox.ts'
import { Translations, translationKey } from './translations.ts'

export type { PlaywrightEnd, WantedRun }

/** What a run usually needs of the machine; runs that do not get it in time are in error. */
const MEMORY_BYTES = { suite: 600 * 1024 * 1024, page: 300 * 1024 * 1024, request: 120 * 1024 * 1024 }
const WAITS_MS = 30_000
/** Of a wait that is told in the log of the run. */
const LONG_WAIT_MS = 1000

export interface PlaywrightHostOptions extends MachineOptions, Omit<RunProcessesOptions, 'machine'> {
  /** Runs at the same time. */
  concurrency: number
  /** How long a run waits for room. */
  waitsMs?: number
  /** How long a process stays ready that nobody uses. */
  unusedMs?: number
  /** Instead of what the system says. */
  freeBytes?: () => number
  /** Whether compiled code of the runtimes is kept while this is open: worth it from the third run on. */
  keepsCompiled?: boolean
  /** `forked`: where the machine can do it, runs are forked from a process that has everything loaded. */
  engine?: 'warm' | 'forked'
}

export class PlaywrightHost {
  readonly #options: PlaywrightHostOptions
  readonly #machine: Machine
  readonly #room: Room
  readonly #processes: RunProcesses
  readonly #ready: ReadyProcesses
  /** Null: nothing is forked. */
  readonly #forking: Forking | null
  readonly #compiled: CompiledCode
  readonly #translations = new Translations()
  #isClosed = false

  constructor(options: PlaywrightHostOptions) {
    this.#options = options
    const { log, concurrency, waitsMs = WAITS_MS, unusedMs, freeBytes } = options
    const machine = new Machine(options)
    this.#machine = machine
    this.#room = new Room({ places: concurrency, waitsMs, ...(freeBytes !== undefined && { freeBytes }) })
    const processes = new RunProcesses({ ...options, machine })
    this.#processes = processes
    const make = (wanted: WantedRun) => this.#start(wanted)
    const hasRoom = (wanted: WantedRun) => this.#room.has(bytesFor(wanted))
    this.#ready = new ReadyProcesses({ log, make, hasRoom, most: concurrency, unusedMs })
    this.#forking = options.engine === 'forked' ? new Forking({ log, machine, processes }) : null
    this.#compiled = new CompiledCode({
      folder: () => machine.sharedFolder(),
      trouble: (reason) => {
        const text = `scripts take longer to start, for compiled code could not be kept; it is tried again later: ${reason}`
        if (!this.#isClosed) log('WARN', text)
      },
    })
  }

  get load(): ScriptLoad {
    return this.#room.load
  }

  get runtimes(): readonly InstalledRuntime[] {
    return this.#machine.runtimes
  }

  /** What has been found; null until then. */
  get equipment(): Equipment | null {
    const found = this.#machine.equipment
    if (found === null) return null
    const runtimes = found.runtimes.map((runtime) =>
      this.#forking?.isDoneFor(runtime.id) ? { ...runtime, engine: 'forked' as const } : runtime,
    )
    return { ...found, runtimes }
  }

  /** Finds out what is installed. Never throws: what cannot be told of is not there. */
  look(): Promise<void> {
    return this.#machine.look()
  }

  /** What pages are opened with; null: they cannot be. */
  browser(runtimeId: RuntimeId): Promise<Browsers['browser']> {
    return this.#machine.browser(runtimeId)
  }

  /** Resolves when runs of a kind are forked, or are not going to be: whether they are. */
  async forks(wanted: WantedRun): Promise<boolean> {
    return (await this.#forking?.made(wanted)) ?? false
  }

  /** Has a process ready for a run that will come soon, if it is one of a script. */
  prepareFor(run: LeasedRun, bundles?: BundleCache): void {
    if (run.kind === 'PLAYWRIGHT') void this.#prepareSuite(run, bundles)
    if (run.kind === 'MULTI_STEP' || run.kind === 'BROWSER')
      this.prepare({ runtimeId: run.settings.runtimeId, hasPages: run.kind === 'BROWSER' })
  }

  /** Starts a process, soon. Never throws: the run itself will find out. */
  prepare(wanted: WantedRun): void {
    // What is forked needs nothing ahead.
    if (!this.#isClosed && !this.#forking?.has(wanted)) this.#ready.prepare(wanted)
  }

  /** Never throws, either. */
  async #prepareSuite(
    { settings, leaseId }: LeasedRunOf<'PLAYWRIGHT'>,
    bundles: BundleCache | undefined,
  ): Promise<void> {
    const { runtimeId, hasPages, bundle: sha256 } = settings
    const bundle = await bundles?.fileOf(sha256, leaseId).catch(() => undefined)
    if (bundle !== undefined) this.prepare({ runtimeId, hasPages, bundle })
  }

  async run(wanted: WantedRun, job: PlaywrightJob): Promise<PlaywrightEnd> {
    const askedAt = performance.now()
    let leave: () => void
    try {
      leave = await this.#room.enter(bytesFor(wanted))
    } catch (error) {
      return withoutProcess(wanted, reasonOf(error))
    }
    try {
      const waitedMs = performance.now() - askedAt
      const key = translationKey(wanted.checkId, wanted.runtimeId, job)
      const known = key === null ? null : this.#translations.find(key)
      const end = await this.#runNow(wanted, known === null ? job : { ...job, files: [...job.files, ...known] })
      if (key !== null && end.problem === null && end.cache.size > 0) this.#translations.keep(key, end.cache)
      if (waitedMs >= LONG_WAIT_MS) {
        const msg = `The run waited ${(waitedMs / 1000).toFixed(1)} s for room on this runner`
        end.run.jobLog.unshift({ time: end.run.startTime, msg, level: 'WARN' })
      }
      return end.problem !== null && this.#isClosed ? { ...end, problem: ENDING } : end
    } catch (error) {
      return withoutProcess(wanted, reasonOf(error))
    } finally {
      leave()
      this.#keepCompiled(wanted).catch(ignore)
    }
  }

  /** Ends what still runs, and leaves nothing behind. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#room.close()
    this.#ready.close()
    await Promise.allSettled([this.#forking?.close(), this.#processes.close()])
    await this.#machine.close()
  }

  async #runNow(wanted: WantedRun, job: PlaywrightJob): Promise<PlaywrightEnd> {
    // A suite starts processes of its own anyway.
    const forked = job.is === 'suite' ? null : ((await this.#forking?.fork(wanted)) ?? null)
    if (forked !== null) {
      const end = await perform(forked, job)
      if (end.problem?.ours !== true || this.#isClosed || !forked.crashedEarly()) return end
      this.#options.log('WARN', `a forked process was gone before its script ran: ${end.problem.text}`)
    }
    return perform((await this.#ready.take(wanted)) ?? (await this.#start(wanted)), job)
  }

  #start(wanted: WantedRun): Promise<PreparedRun> {
    // A suite starts processes of its own, for which nothing was compiled.
    const compiled = wanted.bundle === undefined ? this.#compiled.find(kindOf(wanted)) : null
    return this.#processes.start(wanted, compiled)
  }

  /** After a first run, which has done without and told whatever is wrong: then nobody waits for it. */
  async #keepCompiled(wanted: WantedRun): Promise<void> {
    if (this.#options.keepsCompiled !== true || this.#isClosed || this.#machine.engineOf(wanted) !== 'warm') return
    const way = await this.#options.scripts.way()
    if (way === null || !canBeShared(way) || !this.#room.has(bytesFor(wanted))) return
    await this.#compiled.make(kindOf(wanted), (place) => this.#fillCompiled(wanted, place))
  }

  /** @param place is filled by a process that runs no script of anybody */
  async #fillCompiled(wanted: WantedRun, place: CompiledPlace): Promise<Attempt> {
    const { run, problem } = await perform(await this.#processes.start(wanted, place), primer(wanted.hasPages))
    if (run.status === 'passed') return 'filled'
    if (this.#isClosed || problem?.isForWantOfRoom) return 'not now'
    throw new Error(problem?.text ?? run.errors[0]?.message ?? run.status)
  }
}

const ENDING = { text: 'this runner is ending', ours: true }

const bytesFor = ({ hasPages, bundle }: WantedRun) =>
  MEMORY_BYTES[bundle !== undefined ? 'suite' : hasPages ? 'page' : 'request']

const ignore = () => {}
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
