/**
 * Runs scripts with Playwright, each in a process of its own that is gone when this is done with it. Leases come seconds
 * before their runs are due: a process is started then, so that it is loaded when it is needed.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { LeasedRun, RuntimeId, ScriptEngine } from '@vedette/schema'
import type { Equipment } from '../abilities.ts'
import type { Log } from '../log.ts'
import type { Dialer } from '../probes/http/dialer.ts'
import { type EgressProxy, openEgressProxy } from '../scripts/egress-proxy.ts'
import { NO_ISOLATION } from '../scripts/isolation.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import { type Browsers, findSystemBrowsers, linkBrowsers } from './browsers.ts'
import { type FoldedRun, RunFold } from './fold-events.ts'
import type { PlaywrightJob } from './job.ts'
import { PlaywrightProcess } from './playwright-process.ts'
import { engineOf, type InstalledRuntime, installedRuntimes, runtimesHere } from './runtimes.ts'
import { launchPlaywright } from './sandbox.ts'

/** What a run needs of the machine; runs that do not get it in time are in error. */
const MEMORY_BYTES = { page: 300 * 1024 * 1024, request: 120 * 1024 * 1024 }
const WAITS_MS = 30_000
/** A process that was made ready for a run that did not come. */
const UNUSED_MS = 60_000

export interface PlaywrightHostOptions {
  log: Log
  /** How processes are kept apart here. */
  scripts: ScriptHost
  dialer: Pick<Dialer, 'addressOf'>
  /** Runs at the same time. */
  concurrency: number
  runtimes?: readonly InstalledRuntime[]
  /** The program that an operator names. */
  chromium?: string | null
}

export interface WantedRun {
  runtimeId: RuntimeId
  /** Whether pages are opened. */
  hasPages: boolean
}

export type PlaywrightEnd = FoldedRun & {
  /** Why the run did not come to its end. */
  problem: { text: string; ours: boolean } | null
}

/** A process, its folder and its way out. */
interface Prepared {
  wanted: WantedRun
  process: PlaywrightProcess
  fold: (fold: RunFold) => void
  proxy: EgressProxy
  unused: NodeJS.Timeout
  close(): Promise<void>
}

export class PlaywrightHost {
  readonly #options: PlaywrightHostOptions
  readonly #runtimes: readonly InstalledRuntime[]
  readonly #browsers = new Map<RuntimeId, Promise<Browsers>>()
  readonly #prepared = new Set<Prepared>()
  #folder: Promise<string> | null = null
  #running = 0
  #equipment: Equipment | null = null

  constructor(options: PlaywrightHostOptions) {
    this.#options = options
    this.#runtimes = options.runtimes ?? installedRuntimes()
  }

  get runtimes(): readonly InstalledRuntime[] {
    return this.#runtimes
  }

  /** Has a process ready for a run that will come soon, if it is one of a script. */
  prepareFor(run: LeasedRun): void {
    if (run.kind === 'MULTI_STEP' || run.kind === 'BROWSER')
      this.prepare({ runtimeId: run.settings.runtimeId, hasPages: run.kind === 'BROWSER' })
  }

  /** Starts a process. Never throws: the run itself will find out. */
  prepare(wanted: WantedRun): void {
    if (this.#prepared.size >= this.#options.concurrency) return
    this.#start(wanted).then(
      (prepared) => this.#prepared.add(prepared),
      (error: unknown) =>
        this.#options.log('WARN', `a process for a script could not be made ready: ${reasonOf(error)}`),
    )
  }

  async run(wanted: WantedRun, job: PlaywrightJob): Promise<PlaywrightEnd> {
    const startedAtMs = Date.now()
    try {
      await this.#slot(wanted)
    } catch (error) {
      return nothing(wanted, startedAtMs, reasonOf(error))
    }
    this.#running += 1
    try {
      return await this.#runNow(wanted, job)
    } catch (error) {
      return nothing(wanted, startedAtMs, reasonOf(error))
    } finally {
      this.#running -= 1
    }
  }

  /** What pages are opened with; null: they cannot be. */
  async browser(runtimeId: RuntimeId): Promise<Browsers['browser']> {
    const runtime = this.#runtimes.find(({ id }) => id === runtimeId)
    return runtime === undefined ? null : (await this.#browsersOf(runtime)).browser
  }

  /** What has been found; null until then. */
  get equipment(): Equipment | null {
    return this.#equipment
  }

  /** Finds out what is installed. Never throws: what cannot be told of is not there. */
  async look(): Promise<void> {
    const runtimes = runtimesHere(this.#runtimes)
    const [first] = this.#runtimes
    const browsers =
      first === undefined
        ? null
        : await this.#browsersOf(first).catch((error: unknown) => {
            this.#options.log('WARN', `the browser of this machine cannot be used: ${reasonOf(error)}`)
            return null
          })
    this.#equipment = { runtimes, browser: browsers?.browser ?? null, recordsVideo: browsers?.hasVideo ?? false }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#prepared].map((prepared) => prepared.close()))
    if (this.#folder !== null) await rm(await this.#folder, { recursive: true, force: true })
  }

  async #runNow(wanted: WantedRun, job: PlaywrightJob): Promise<PlaywrightEnd> {
    const prepared = this.#take(wanted) ?? (await this.#start(wanted))
    clearTimeout(prepared.unused)
    try {
      await prepared.process.ready()
      const browser = wanted.hasPages ? await this.browser(wanted.runtimeId) : null
      const startedAtMs = Date.now()
      const facts = {
        runtimeId: wanted.runtimeId,
        engine: this.#engineOf(wanted.runtimeId),
        browser: browser === null ? null : `${browser.name} ${browser.version}`,
      }
      const fold = new RunFold(facts, startedAtMs)
      prepared.fold(fold)
      const problem = await prepared.process.run(job)
      const folded = fold.finish(Date.now())
      folded.run.jobLog.push(...prepared.proxy.refusals)
      folded.run.jobLog.sort((a, b) => a.time - b.time)
      return { ...folded, problem: problem === null ? null : { text: problem.problem, ours: problem.ours } }
    } finally {
      await prepared.close()
    }
  }

  #take(wanted: WantedRun): Prepared | null {
    for (const prepared of this.#prepared) {
      const { runtimeId, hasPages } = prepared.wanted
      if (prepared.process.isOver || runtimeId !== wanted.runtimeId || hasPages !== wanted.hasPages) continue
      this.#prepared.delete(prepared)
      return prepared
    }
    return null
  }

  async #start(wanted: WantedRun): Promise<Prepared> {
    const runtime = this.#runtimes.find(({ id }) => id === wanted.runtimeId)
    if (runtime === undefined) throw new Error(`the runtime ${wanted.runtimeId} is not installed here`)
    const way = await this.#options.scripts.way()
    if (way === null) throw new Error(NO_ISOLATION)
    const browsers = wanted.hasPages ? await this.#browsersOf(runtime) : null
    if (browsers !== null && browsers.browser === null) throw new Error('there is no browser on this machine')
    const folder = await mkdtemp(join(tmpdir(), 'vedette-script-'))
    try {
      // Whoever the script runs as may pass, and nobody may look.
      await chmod(folder, 0o711)
      const socket = join(folder, 'egress.sock')
      const proxy = await openEgressProxy(socket, this.#options.dialer)
      const room = { engine: this.#engineOf(runtime.id), modules: runtime.modules, browsers, socket, folder }
      let fold: RunFold | null = null
      const started = new PlaywrightProcess(launchPlaywright(way, room), (event) => fold?.hear(event))
      const prepared: Prepared = {
        wanted,
        process: started,
        fold: (given) => {
          fold = given
        },
        proxy,
        unused: setTimeout(() => void prepared.close(), UNUSED_MS).unref(),
        close: async () => {
          clearTimeout(prepared.unused)
          this.#prepared.delete(prepared)
          started.kill()
          await started.ended
          proxy.close()
          await rm(folder, { recursive: true, force: true })
        },
      }
      return prepared
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  #engineOf(runtimeId: RuntimeId): ScriptEngine {
    return engineOf(this.#runtimes.find(({ id }) => id === runtimeId)?.version ?? '')
  }

  #browsersOf({ id, modules }: InstalledRuntime): Promise<Browsers> {
    let found = this.#browsers.get(id)
    if (found === undefined) {
      found = this.#linkBrowsers(id, modules)
      this.#browsers.set(id, found)
    }
    return found
  }

  async #linkBrowsers(id: RuntimeId, modules: string): Promise<Browsers> {
    this.#folder ??= mkdtemp(join(tmpdir(), 'vedette-browsers-'))
    const folder = await this.#folder
    await chmod(folder, 0o755)
    const browsers = await linkBrowsers(
      modules,
      join(folder, id),
      await findSystemBrowsers(this.#options.chromium ?? undefined),
    )
    for (const remark of browsers.remarks) this.#options.log('WARN', remark)
    return browsers
  }

  /** @throws Error when there was no room in time */
  async #slot({ hasPages }: WantedRun): Promise<void> {
    const needed = hasPages ? MEMORY_BYTES.page : MEMORY_BYTES.request
    const untilMs = performance.now() + WAITS_MS
    while (this.#running >= this.#options.concurrency || process.availableMemory() < needed) {
      if (performance.now() > untilMs) {
        throw new Error(
          `this runner had no room for the script within ${WAITS_MS / 1000} s: ${this.#running} others are running, ${Math.round(process.availableMemory() / 1024 / 1024)} MiB of memory are free`,
        )
      }
      await wait(50)
    }
  }
}

function nothing({ runtimeId }: WantedRun, startedAtMs: number, text: string): PlaywrightEnd {
  const fold = new RunFold({ runtimeId, engine: 'plain', browser: null }, startedAtMs)
  return { ...fold.finish(Date.now()), problem: { text, ours: true } }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
