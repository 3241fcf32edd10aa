/** What scripts find on this machine: runtimes, a way to keep them apart, browsers and what these can do in there. */
import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RuntimeId, ScriptEngine } from '@vedette/schema'
import type { Equipment } from '../abilities.ts'
import type { Log } from '../log.ts'
import { FILTER_FD, NO_ISOLATION } from '../scripts/isolation.ts'
import { launchProcess } from '../scripts/launcher.ts'
import { makeFolder, markInUse } from '../scripts/own-folders.ts'
import type { Found, ScriptHost } from '../scripts/script-host.ts'
import { type Browsers, findSystemBrowsers, linkBrowsers } from './browsers.ts'
import type { WantedRun } from './prepared-run.ts'
import { engineOf, type InstalledRuntime, installedRuntimes, runtimesHere } from './runtimes.ts'
import { launchNesting, type Place } from './sandbox.ts'

export interface MachineOptions {
  log: Log
  /** How processes are kept apart here. */
  scripts: Pick<ScriptHost, 'way'>
  runtimes?: readonly InstalledRuntime[]
  /** The program that an operator names. */
  chromium?: string | null
}

export class Machine {
  readonly runtimes: readonly InstalledRuntime[]
  readonly #options: MachineOptions
  readonly #browsers = new Map<RuntimeId, Promise<Browsers>>()
  #shared: Promise<{ path: string; release(): void }> | null = null
  #nests: Promise<boolean> | null = null
  #isClosed = false
  #equipment: Equipment | null = null

  constructor(options: MachineOptions) {
    this.#options = options
    this.runtimes = options.runtimes ?? installedRuntimes()
  }

  /** What has been found; null until then. */
  get equipment(): Equipment | null {
    return this.#equipment
  }

  /** Finds out what is installed. Never throws: what cannot be told of is not there. */
  async look(): Promise<void> {
    const runtimes = runtimesHere(this.runtimes)
    const [first] = this.runtimes
    const browsers =
      first === undefined
        ? null
        : await this.#browsersOf(first).catch((error: unknown) => {
            this.#options.log('WARN', `the browser of this machine cannot be used: ${reasonOf(error)}`)
            return null
          })
    this.#equipment = { runtimes, browser: browsers?.browser ?? null, recordsVideo: browsers?.hasVideo ?? false }
  }

  /** What pages are opened with; null: they cannot be. */
  async browser(runtimeId: RuntimeId): Promise<Browsers['browser']> {
    const runtime = this.#runtime(runtimeId)
    return runtime === null ? null : (await this.#browsersOf(runtime)).browser
  }

  /** A suite decides itself what is loaded, and how often. */
  engineOf({ runtimeId, bundle }: WantedRun): ScriptEngine {
    return bundle === undefined ? engineOf(this.#runtime(runtimeId)?.version ?? '') : 'plain'
  }

  /** What a run is made of here. @throws Error with what is missing */
  async partsFor({ runtimeId, hasPages }: WantedRun) {
    const runtime = this.#runtime(runtimeId)
    if (runtime === null) throw new Error(`the runtime ${runtimeId} is not installed here`)
    const way = await this.#options.scripts.way()
    if (way === null) throw new Error(NO_ISOLATION)
    const browsers = hasPages ? await this.#browsersOf(runtime) : null
    if (browsers !== null && browsers.browser === null) throw new Error('there is no browser on this machine')
    return { modules: runtime.modules, way, browsers }
  }

  /** Whether a browser can make its own sandbox in there. Found out by doing it, once. */
  async canNest(way: Found, place: Omit<Place, 'folder' | 'nests'>): Promise<boolean> {
    if (place.browsers === null) return false
    this.#nests ??= this.#tryNesting(way, { ...place, nests: true })
    return this.#nests
  }

  /** For what runs share, none of which they can write to. */
  async sharedFolder(): Promise<string> {
    if (this.#isClosed) throw new Error('this runner is ending')
    this.#shared ??= makeSharedFolder()
    return (await this.#shared).path
  }

  /** When no run is left. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#browsers.values())
    if (this.#shared === null) return
    const { path, release } = await this.#shared
    release()
    await rm(path, { recursive: true, force: true })
  }

  #runtime(runtimeId: RuntimeId): InstalledRuntime | null {
    return this.runtimes.find(({ id }) => id === runtimeId) ?? null
  }

  async #tryNesting(way: Found, place: Omit<Place, 'folder'>): Promise<boolean> {
    const launch = launchNesting(way, place)
    const problem = launch === null ? 'a browser refuses to be root' : await endOf(launch)
    if (problem !== null)
      this.#options.log('WARN', `browsers of scripts cannot make a sandbox of their own: ${problem}`)
    return problem === null
  }

  #browsersOf({ id, modules }: InstalledRuntime): Promise<Browsers> {
    let found = this.#browsers.get(id)
    if (found === undefined) {
      found = this.#linkBrowsers(id, modules)
      this.#browsers.set(id, found)
      // The next run may have more luck.
      found.catch(() => this.#browsers.delete(id))
    }
    return found
  }

  async #linkBrowsers(id: RuntimeId, modules: string): Promise<Browsers> {
    const browsers = await linkBrowsers(
      modules,
      join(await this.sharedFolder(), id),
      await findSystemBrowsers(this.#options.chromium ?? undefined),
    )
    for (const remark of browsers.remarks) this.#options.log('WARN', remark)
    return browsers
  }
}

async function makeSharedFolder() {
  const path = await makeFolder('shared')
  await chmod(path, 0o755)
  return { path, release: await markInUse(path) }
}

/** Null when all went well. */
function endOf({ command, args, env, user, filter }: NonNullable<ReturnType<typeof launchNesting>>) {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  let errors = ''
  launchProcess(
    { command, args, env, user, given: filter === null ? {} : { [FILTER_FD]: filter }, limits: { 2: 10_000 } },
    {
      started: () => {},
      lines: (_, lines) => {
        errors += lines.join(' ')
      },
      tooMuch: () => {},
      ended: ({ code, error }) => resolve(error ?? (code === 0 ? null : errors.slice(0, 500) || `exit code ${code}`)),
    },
  )
  return promise
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
