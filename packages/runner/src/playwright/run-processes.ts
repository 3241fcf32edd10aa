/** Furnishes processes for runs, started or forked: each with a folder, a way out and limits that go when it is closed. */
import type { Log } from '../log.ts'
import type { Dialer } from '../probes/http/dialer.ts'
import type { ScriptGroup } from '../scripts/control-group.ts'
import { openEgressProxy } from '../scripts/egress-proxy.ts'
import { makeFolder } from '../scripts/own-folders.ts'
import type { Found } from '../scripts/script-host.ts'
import { crashOf } from './crash.ts'
import type { RunFold } from './fold-events.ts'
import { forkProcess } from './forked-process.ts'
import type { Machine } from './machine.ts'
import { PlaywrightProcess, type PlaywrightProcessOptions } from './playwright-process.ts'
import type { PreparedRun, WantedRun } from './prepared-run.ts'
import { inFolder, type Undo } from './run-folder.ts'
import { type CompiledPlace, launchPlaywright, limitsOf, socketIn } from './sandbox.ts'
import type { TemplateProcess } from './template-process.ts'

type LaunchOf = PlaywrightProcessOptions['launch']

export interface RunProcessesOptions {
  log: Log
  machine: Machine
  dialer: Pick<Dialer, 'addressOf'>
  /** Instead of what scripts may use. */
  limits?: PlaywrightProcessOptions['limits']
}

export class RunProcesses {
  readonly #options: RunProcessesOptions
  /** All that has not been closed yet. */
  readonly #open = new Set<Promise<PreparedRun>>()
  #isClosed = false

  constructor(options: RunProcessesOptions) {
    this.#options = options
  }

  limitsFor(wanted: WantedRun): PlaywrightProcessOptions['limits'] {
    return this.#options.limits ?? limitsOf(wanted)
  }

  /** A process of its own. @throws Error with why there can be none */
  start(wanted: WantedRun, compiled: CompiledPlace | null): Promise<PreparedRun> {
    return this.#keep(async (closed) => {
      const { machine, log } = this.#options
      const { modules, way, browsers } = await machine.partsFor(wanted)
      const { runtimeId, bundle = null } = wanted
      const place = { engine: machine.engineOf(wanted), modules, browsers, bundle, compiled }
      const facts = { runtimeId, engine: place.engine, browser: nameOf(browsers?.browser) }
      return inFolder({ makeFolder: () => makeFolder('script'), closed, log }, async (folder, undo) => {
        const nests = await machine.canNest(way, place)
        const launch = () => launchPlaywright(way, { ...place, nests, folder })
        return { ...(await this.#furnish(wanted, way, folder, launch, undo)), facts, crashedEarly: () => false }
      })
    })
  }

  /** A copy of a template. @param gone called when nothing of it is left, with whether it crashed */
  fork(template: TemplateProcess, wanted: WantedRun, gone: (hasCrashed: boolean) => void): Promise<PreparedRun> {
    return this.#keep(async (closed) => {
      const { machine, log } = this.#options
      const { way, browsers } = await machine.partsFor(wanted)
      const facts = { runtimeId: wanted.runtimeId, engine: 'forked', browser: nameOf(browsers?.browser) } as const
      let hasCrashed = false
      let isLost = false
      let hasBegun = false
      const ended = () => {
        closed()
        gone(hasCrashed)
      }
      return inFolder({ makeFolder: () => template.makePlace(), closed: ended, log }, async (place, undo) => {
        const launch = (group: ScriptGroup | null): LaunchOf => {
          return (hearer, limits) =>
            forkProcess(
              { template, place, limits, isGated: group !== null },
              {
                ...hearer,
                lines: (descriptor, lines) => {
                  hasBegun ||= lines.some((line) => !line.startsWith('{"is":"ready"'))
                  hearer.lines(descriptor, lines)
                },
                ended: (end) => {
                  hasCrashed = crashOf(end.code, end.signal) !== null
                  isLost = end.error !== null
                  hearer.ended(end)
                },
              },
            )
        }
        const furnished = await this.#furnish(wanted, way, place, launch, undo)
        return { ...furnished, facts, crashedEarly: () => (hasCrashed || isLost) && !hasBegun }
      })
    })
  }

  /** Ends what still runs, and leaves nothing of it. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#open].map(async (made) => (await made).close()))
  }

  #keep(make: (closed: () => void) => Promise<PreparedRun>): Promise<PreparedRun> {
    if (this.#isClosed) return Promise.reject(new Error('this runner is ending'))
    const made = make(() => this.#open.delete(made))
    this.#open.add(made)
    made.catch(() => this.#open.delete(made))
    return made
  }

  /** @param launch called when its way out is there */
  async #furnish(
    wanted: WantedRun,
    way: Found,
    folder: string,
    launch: (group: ScriptGroup | null) => Promise<LaunchOf> | LaunchOf,
    undo: Undo,
  ): Promise<Pick<PreparedRun, 'process' | 'tell' | 'proxy'>> {
    const proxy = await openEgressProxy(socketIn(folder), this.#options.dialer)
    undo(async () => proxy.close())
    const limits = this.limitsFor(wanted)
    const group = (await way.groups?.open({ ...limitsOf(wanted), ...limits })) ?? null
    if (group !== null) undo(() => group.close())
    let fold: RunFold | null = null
    const hear: PlaywrightProcessOptions['hear'] = (event) => fold?.hear(event)
    const mayStray = way.level === 'reduced'
    const process = new PlaywrightProcess({ launch: await launch(group), limits, group, mayStray, hear })
    undo(async () => {
      process.kill()
      await process.ended
    })
    const tell = (given: RunFold) => {
      fold = given
    }
    return { process, tell, proxy }
  }
}

const nameOf = (browser: { name: string; version: string } | null | undefined) =>
  browser ? `${browser.name} ${browser.version}` : null
