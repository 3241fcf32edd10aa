/**
 * Runs scripts with Playwright, each in a process of its own that is gone when this is done with it. Leases come seconds
 * before their runs are due: a process is started then, so that it is loaded when it is needed.
 */
import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LeasedRun, LeasedRunOf, RuntimeId, ScriptEngine, ScriptLoad } from '@vedette/schema'
import type { Equipment } from '../abilities.ts'
import type { Log } from '../log.ts'
import type { Dialer } from '../probes/http/dialer.ts'
import type { ScriptGroup } from '../scripts/control-group.ts'
import { type EgressProxy, openEgressProxy } from '../scripts/egress-proxy.ts'
import { FILTER_FD, NO_ISOLATION } from '../scripts/isolation.ts'
import { launchProcess } from '../scripts/launcher.ts'
import { makeFolder, markInUse } from '../scripts/own-folders.ts'
import type { Found, ScriptHost } from '../scripts/script-host.ts'
import { type Browsers, findSystemBrowsers, linkBrowsers } from './browsers.ts'
import type { BundleCache } from './bundle-cache.ts'
import { CompiledCode, canBeShared } from './compiled-code.ts'
import { crashOf } from './crash.ts'
import { type FoldedRun, RunFold } from './fold-events.ts'
import { forkProcess } from './forked-process.ts'
import type { PlaywrightJob } from './job.ts'
import { PlaywrightProcess, type PlaywrightProcessOptions } from './playwright-process.ts'
import { primer } from './primer.ts'
import { Room } from './room.ts'
import { canForkHere, engineOf, type InstalledRuntime, installedRuntimes, runtimesHere } from './runtimes.ts'
import { type CompiledPlace, launchNesting, launchPlaywright, limitsOf, type Place, socketIn } from './sandbox.ts'
import { TemplateProcess } from './template-process.ts'
import { Templates } from './templates.ts'
import { Translations, translationKey } from './translations.ts'

/** What a run usually needs of the machine; runs that do not get it in time are in error. */
const MEMORY_BYTES = { suite: 600 * 1024 * 1024, page: 300 * 1024 * 1024, request: 120 * 1024 * 1024 }
const WAITS_MS = 30_000
/** Of a wait that is told in the log of the run. */
const LONG_WAIT_MS = 1000
/** A process that was made ready for a run that did not come. */
const UNUSED_MS = 60_000
/** Processes that are loaded for later at the same time: runs and checks that are due now need the processors. */
const LOADING_AT_ONCE = 1

export interface PlaywrightHostOptions {
  log: Log
  /** How processes are kept apart here. */
  scripts: Pick<ScriptHost, 'way'>
  dialer: Pick<Dialer, 'addressOf'>
  /** Runs at the same time. */
  concurrency: number
  runtimes?: readonly InstalledRuntime[]
  /** The program that an operator names. */
  chromium?: string | null
  /** How long a run waits for room. */
  waitsMs?: number
  /** How long a process stays ready that nobody uses. */
  unusedMs?: number
  /** Instead of what the system says. */
  freeBytes?: () => number
  /** Whether compiled code of the runtimes is kept while this is open: worth it from the third run on. */
  keepsCompiled?: boolean
  /** Instead of what scripts may use. */
  limits?: PlaywrightProcessOptions['limits']
  /** `forked`: where the machine can do it, runs are forked from a process that has everything loaded. */
  engine?: 'warm' | 'forked'
}

export interface WantedRun {
  runtimeId: RuntimeId
  /** Whether pages are opened. */
  hasPages: boolean
  /** Whose run it is, if its translation may be kept for the next. */
  checkId?: string
  /** The archive, of a suite. */
  bundle?: string
}

export type PlaywrightEnd = FoldedRun & {
  /** Why the run did not come to its end. */
  problem: { text: string; ours: boolean } | null
}

/** A process, its folder and its way out. */
interface Prepared {
  engine: ScriptEngine
  process: PlaywrightProcess
  tell: (fold: RunFold) => void
  proxy: EgressProxy
  /** Whether the process crashed before anything of the script ran in it. */
  crashedEarly(): boolean
  close(): Promise<void>
}

/** A process that is made ready for a run to come; null while it is not its turn. */
interface Wish {
  wanted: WantedRun
  made: Promise<Prepared> | null
  unused: NodeJS.Timeout
}

export class PlaywrightHost {
  readonly #options: PlaywrightHostOptions
  readonly #runtimes: readonly InstalledRuntime[]
  readonly #browsers = new Map<RuntimeId, Promise<Browsers>>()
  readonly #room: Room
  readonly #wishes = new Set<Wish>()
  /** All that has not been closed yet. */
  readonly #open = new Set<Promise<Prepared>>()
  readonly #compiled: CompiledCode
  readonly #translations = new Translations()
  #folder: Promise<{ path: string; release(): void }> | null = null
  #nests: Promise<boolean> | null = null
  #loading = 0
  #isClosed = false
  #equipment: Equipment | null = null
  /** Null: nothing is forked. */
  readonly #templates: Templates<WantedRun, TemplateProcess> | null
  readonly #untried = new Set<TemplateProcess>()

  constructor(options: PlaywrightHostOptions) {
    this.#options = options
    this.#runtimes = options.runtimes ?? installedRuntimes()
    const { concurrency: places, waitsMs = WAITS_MS, freeBytes } = options
    this.#room = new Room({ places, waitsMs, ...(freeBytes !== undefined && { freeBytes }) })
    this.#compiled = new CompiledCode(
      () => this.#sharedFolder(),
      (reason) => {
        const text = `scripts take longer to start, for compiled code could not be kept: ${reason}`
        if (!this.#isClosed) options.log('WARN', text)
      },
    )
    const { engine, log } = options
    const make = (wanted: WantedRun) => this.#makeTemplate(wanted)
    this.#templates = engine === 'forked' ? new Templates({ log, keyOf, make }) : null
  }

  get load(): ScriptLoad {
    return this.#room.load
  }

  get runtimes(): readonly InstalledRuntime[] {
    return this.#runtimes
  }

  /** Has a process ready for a run that will come soon, if it is one of a script. */
  prepareFor(run: LeasedRun, bundles?: BundleCache): void {
    if (run.kind === 'PLAYWRIGHT') void this.#prepareSuite(run, bundles)
    if (run.kind === 'MULTI_STEP' || run.kind === 'BROWSER')
      this.prepare({ runtimeId: run.settings.runtimeId, hasPages: run.kind === 'BROWSER' })
  }

  /** Resolves when runs of a kind are forked, or are not going to be: whether they are. */
  async forks(wanted: WantedRun): Promise<boolean> {
    if (!this.#canFork(wanted)) return false
    await this.#templates?.made(wanted)
    return this.#templates?.has(wanted) ?? false
  }

  /** Starts a process, soon. Never throws: the run itself will find out. */
  prepare(wanted: WantedRun): void {
    if (this.#isClosed || this.#wishes.size >= this.#options.concurrency) return
    // That needs nothing ahead.
    if (this.#canFork(wanted) && this.#templates?.has(wanted)) return
    const unused = setTimeout(() => {
      this.#forget(wish)
      wish.made?.then((prepared) => prepared.close(), ignore)
    }, this.#options.unusedMs ?? UNUSED_MS).unref()
    const wish: Wish = { wanted, made: null, unused }
    this.#wishes.add(wish)
    this.#loadNext()
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
      leave = await this.#room.enter(neededBy(wanted))
    } catch (error) {
      return nothing(wanted, reasonOf(error))
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
      return end
    } catch (error) {
      return nothing(wanted, reasonOf(error))
    } finally {
      leave()
      this.#keepCompiled(wanted).catch(ignore)
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

  /** Ends what still runs, and leaves nothing behind. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#room.close()
    for (const wish of this.#wishes) this.#forget(wish)
    for (const template of this.#untried) template.kill()
    const closing = [...this.#open].map(async (made) => (await made).close())
    await Promise.allSettled([...closing, this.#templates?.close()])
    await Promise.allSettled(this.#browsers.values())
    if (this.#folder === null) return
    const folder = await this.#folder
    folder.release()
    await rm(folder.path, { recursive: true, force: true })
  }

  async #runNow(wanted: WantedRun, job: PlaywrightJob): Promise<PlaywrightEnd> {
    // A suite starts processes of its own anyway.
    const forked = job.is === 'suite' ? null : await this.#fork(wanted)
    if (forked !== null) {
      const end = await this.#runIn(forked, wanted, job)
      if (end.problem === null || this.#isClosed || !forked.crashedEarly()) return end
      this.#options.log('WARN', `a forked process crashed before its script ran: ${end.problem.text}`)
    }
    return this.#runIn((await this.#takeReady(wanted)) ?? (await this.#make(wanted)), wanted, job)
  }

  async #runIn(prepared: Prepared, wanted: WantedRun, job: PlaywrightJob): Promise<PlaywrightEnd> {
    try {
      await prepared.process.ready()
      const browser = wanted.hasPages ? await this.browser(wanted.runtimeId) : null
      const facts = {
        runtimeId: wanted.runtimeId,
        engine: prepared.engine,
        browser: browser === null ? null : `${browser.name} ${browser.version}`,
      }
      const fold = new RunFold(facts, Date.now())
      prepared.tell(fold)
      const problem = await prepared.process.run(job)
      const folded = fold.finish(Date.now())
      folded.run.jobLog.push(...prepared.proxy.refusals)
      folded.run.jobLog.sort((a, b) => a.time - b.time)
      if (problem === null) return { ...folded, problem }
      if (this.#isClosed) return { ...folded, problem: ENDING }
      if (problem.isOutOfTime) folded.run.status = 'timedout'
      return { ...folded, problem: { text: problem.problem, ours: problem.ours } }
    } finally {
      await prepared.close()
    }
  }

  /** One that was made ready for it, or is just being, and is well. Each is used once. */
  async #takeReady({ runtimeId, hasPages, bundle }: WantedRun): Promise<Prepared | null> {
    const wish = [...this.#wishes].find(
      ({ wanted }) => wanted.runtimeId === runtimeId && wanted.hasPages === hasPages && wanted.bundle === bundle,
    )
    if (wish === undefined) return null
    this.#forget(wish)
    try {
      const prepared = await wish.made
      await prepared?.process.ready()
      return prepared
    } catch {
      // Whoever was loading it has it closed.
      return null
    }
  }

  #forget(wish: Wish): void {
    this.#wishes.delete(wish)
    clearTimeout(wish.unused)
  }

  /** One after the other, while there is memory for it. */
  #loadNext(): void {
    const wish = [...this.#wishes].find(({ made }) => made === null)
    if (wish === undefined || this.#loading >= LOADING_AT_ONCE || !this.#room.has(neededBy(wish.wanted))) return
    this.#loading += 1
    const made = this.#make(wish.wanted)
    wish.made = made
    const load = async () => {
      const { process, close } = await made
      process.ended.then(async () => {
        this.#forget(wish)
        await close()
      }, ignore)
      await process.ready()
    }
    load()
      .catch((error: unknown) => {
        const isExpected = this.#isClosed || !this.#wishes.has(wish)
        this.#forget(wish)
        if (isExpected) return
        this.#options.log('WARN', `a process for a script could not be made ready: ${reasonOf(error)}`)
      })
      .finally(() => {
        this.#loading -= 1
        this.#loadNext()
      })
  }

  /** After a first run, which has done without and told whatever is wrong: then nobody waits for it. */
  async #keepCompiled(wanted: WantedRun): Promise<void> {
    if (this.#options.keepsCompiled !== true || this.#isClosed || this.#engineOf(wanted) !== 'warm') return
    const way = await this.#options.scripts.way()
    if (way === null || !canBeShared(way) || !this.#room.has(neededBy(wanted))) return
    await this.#compiled.make(keyOf(wanted), async (compiled) => {
      const { process, tell, close } = await this.#make(wanted, compiled)
      try {
        await process.ready()
        const fold = new RunFold({ runtimeId: wanted.runtimeId, engine: 'warm', browser: null }, Date.now())
        tell(fold)
        const problem = await process.run(primer(wanted.hasPages))
        const { run } = fold.finish(Date.now())
        if (run.status !== 'passed') throw new Error(problem?.problem ?? run.errors[0]?.message ?? run.status)
      } finally {
        await close()
      }
    })
  }

  /** @param filled the folder that the process fills, which runs no script of anybody then */
  #make(wanted: WantedRun, filled: CompiledPlace | null = null): Promise<Prepared> {
    if (this.#isClosed) return Promise.reject(new Error('this runner is ending'))
    // A suite starts processes of its own, for which nothing was compiled.
    const compiled = filled ?? (wanted.bundle === undefined ? this.#compiled.find(keyOf(wanted)) : null)
    const made = this.#start(wanted, compiled, () => this.#open.delete(made))
    this.#open.add(made)
    made.catch(() => this.#open.delete(made))
    return made
  }

  /** @param closed called when nothing of it is left */
  async #start(wanted: WantedRun, compiled: CompiledPlace | null, closed: () => void): Promise<Prepared> {
    const { runtime, way, browsers } = await this.#found(wanted)
    const { bundle = null } = wanted
    const place = { engine: this.#engineOf(wanted), modules: runtime.modules, browsers, bundle, compiled }
    const make: Make = async (folder, undo) => {
      const nests = browsers !== null && (await this.#canNest(way, { ...place, nests: true }))
      const launch = () => launchPlaywright(way, { ...place, nests, folder })
      return {
        ...(await this.#furnish(wanted, way, folder, launch, undo)),
        engine: place.engine,
        crashedEarly: () => false,
      }
    }
    return this.#inFolder(() => makeFolder('script'), make, closed)
  }

  /** What a run is made of here. @throws Error */
  async #found({ runtimeId, hasPages }: WantedRun) {
    const runtime = this.#runtimes.find(({ id }) => id === runtimeId)
    if (runtime === undefined) throw new Error(`the runtime ${runtimeId} is not installed here`)
    const way = await this.#options.scripts.way()
    if (way === null) throw new Error(NO_ISOLATION)
    const browsers = hasPages ? await this.#browsersOf(runtime) : null
    if (browsers !== null && browsers.browser === null) throw new Error('there is no browser on this machine')
    return { runtime, way, browsers }
  }

  /** @param launch called when its way out is there */
  async #furnish(
    wanted: WantedRun,
    way: Found,
    folder: string,
    launch: (
      group: ScriptGroup | null,
    ) => Promise<PlaywrightProcessOptions['launch']> | PlaywrightProcessOptions['launch'],
    undo: (how: () => Promise<void>) => void,
  ): Promise<Pick<Prepared, 'process' | 'tell' | 'proxy'>> {
    const proxy = await openEgressProxy(socketIn(folder), this.#options.dialer)
    undo(async () => proxy.close())
    const limits = this.#options.limits ?? limitsOf(wanted)
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

  /** Only for what is known to bear it; until a template has been made, and tried, runs are started as ever. */
  #canFork(wanted: WantedRun): boolean {
    return this.#templates !== null && this.#engineOf(wanted) === 'warm' && canForkHere()
  }

  /** Null: not now, or not at all. */
  async #fork(wanted: WantedRun): Promise<Prepared | null> {
    const lent = this.#canFork(wanted) ? (this.#templates?.lend(wanted) ?? null) : null
    if (lent === null) return null
    try {
      const prepared = await this.#forkFrom(lent.template, wanted, lent.giveBack)
      try {
        await prepared.process.ready()
        return prepared
      } catch (error) {
        lent.giveBack(true)
        await prepared.close()
        throw error
      }
    } catch (error) {
      lent.giveBack(true)
      if (!this.#isClosed) this.#options.log('WARN', `a process for a script could not be forked: ${reasonOf(error)}`)
      return null
    }
  }

  /** @param gone called when nothing of it is left, with whether it crashed */
  #forkFrom(template: TemplateProcess, wanted: WantedRun, gone: (hasCrashed: boolean) => void): Promise<Prepared> {
    if (this.#isClosed) return Promise.reject(new Error('this runner is ending'))
    const forking = this.#startForking(template, wanted, (hasCrashed) => {
      this.#open.delete(forking)
      gone(hasCrashed)
    })
    this.#open.add(forking)
    forking.catch(() => this.#open.delete(forking))
    return forking
  }

  async #startForking(
    template: TemplateProcess,
    wanted: WantedRun,
    gone: (hasCrashed: boolean) => void,
  ): Promise<Prepared> {
    const { way } = await this.#found(wanted)
    let hasCrashed = false
    let hasBegun = false
    const make: Make = async (place, undo) => {
      const launch = (group: ScriptGroup | null): PlaywrightProcessOptions['launch'] => {
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
                hearer.ended(end)
              },
            },
          )
      }
      const furnished = await this.#furnish(wanted, way, place, launch, undo)
      return { ...furnished, engine: 'forked', crashedEarly: () => hasCrashed && !hasBegun }
    }
    return this.#inFolder(
      () => template.makePlace(),
      make,
      () => gone(hasCrashed),
    )
  }

  /** @throws Error with why there can be none */
  async #makeTemplate(wanted: WantedRun): Promise<TemplateProcess> {
    const { runtime, way, browsers } = await this.#found(wanted)
    const { modules } = runtime
    const nests =
      browsers !== null &&
      (await this.#canNest(way, {
        engine: 'forked',
        modules,
        browsers,
        nests: true,
        bundle: null,
        compiled: null,
      }))
    const limits = this.#options.limits ?? limitsOf(wanted)
    const template = await TemplateProcess.start({
      way,
      place: { modules, browsers, nests },
      limits,
    })
    this.#untried.add(template)
    try {
      if (this.#isClosed) throw new Error('this runner is ending')
      await template.ready()
      await this.#try(template, wanted)
      return template
    } catch (error) {
      template.kill()
      await template.ended
      throw error
    } finally {
      this.#untried.delete(template)
    }
  }

  /** A small run that uses most of it. @throws Error when it does not end as it must */
  async #try(template: TemplateProcess, wanted: WantedRun): Promise<void> {
    let hasCrashed = false
    const prepared = await this.#forkFrom(template, wanted, (value) => {
      hasCrashed = value
    })
    const end = await this.#runIn(prepared, wanted, trialOf(wanted))
    const found = end.run.tests.map(({ title, status }) => `${title.at(-1)}: ${status}`).join()
    const why = end.problem?.text ?? end.run.errors[0]?.message ?? found
    if (hasCrashed || end.problem !== null || found !== 'all is there: passed')
      throw new Error(`a process that was forked did not do what it must: ${why}`)
  }

  /** What is made for a run is undone in the opposite order, whatever becomes of it; the folder goes last. */
  async #inFolder(makePlace: () => Promise<string>, make: Make, closed: () => void): Promise<Prepared> {
    const folder = await makePlace()
    const undoing: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
    let closing: Promise<void> | null = null
    const closeAll = async () => {
      for (const undo of undoing.reverse()) {
        await undo().catch((error: unknown) =>
          this.#options.log('WARN', `something of a script is left: ${reasonOf(error)}`),
        )
      }
      closed()
    }
    const close = () => {
      closing ??= closeAll()
      return closing
    }
    try {
      return { ...(await make(folder, (how) => undoing.push(how))), close }
    } catch (error) {
      await close()
      throw error
    }
  }

  /** A suite decides itself what is loaded, and how often. */
  #engineOf({ runtimeId, bundle }: WantedRun): ScriptEngine {
    return bundle === undefined ? engineOf(this.#runtimes.find(({ id }) => id === runtimeId)?.version ?? '') : 'plain'
  }

  /** Found out by doing it, once. */
  #canNest(way: Found, place: Omit<Place, 'folder'>): Promise<boolean> {
    this.#nests ??= this.#tryNesting(way, place)
    return this.#nests
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
      join(await this.#sharedFolder(), id),
      await findSystemBrowsers(this.#options.chromium ?? undefined),
    )
    for (const remark of browsers.remarks) this.#options.log('WARN', remark)
    return browsers
  }

  async #sharedFolder(): Promise<string> {
    if (this.#isClosed) throw new Error(ENDING.text)
    this.#folder ??= makeSharedFolder()
    return (await this.#folder).path
  }
}

/** Makes what is in a folder, and tells how to undo it. */
type Make = (folder: string, undo: (how: () => Promise<void>) => void) => Promise<Omit<Prepared, 'close'>>

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

const ENDING = { text: 'this runner is ending', ours: true }

const keyOf = ({ runtimeId, hasPages }: WantedRun) => `${runtimeId}-${hasPages ? 'pages' : 'requests'}`
const neededBy = ({ hasPages, bundle }: WantedRun) =>
  MEMORY_BYTES[bundle !== undefined ? 'suite' : hasPages ? 'page' : 'request']

function nothing({ runtimeId }: WantedRun, text: string): PlaywrightEnd {
  const now = Date.now()
  const fold = new RunFold({ runtimeId, engine: 'plain', browser: null }, now)
  return { ...fold.finish(now), problem: { text, ours: true } }
}

/** What a run needs that its process could lack: expectations that fail, requests, translated code, random numbers, a browser. */
function trialOf({ hasPages }: WantedRun): PlaywrightJob {
  const onPage = `await page.setContent('<p>there</p>'); await expect(page.locator('p')).toHaveText('there')`
  const content = `import { test, expect } from '@playwright/test'
test('all is there', async ({ ${hasPages ? 'page' : 'request'} }) => {
  expect(() => expect(1 as number).toBe(2)).toThrow(/Expected: 2/)
  await test.step('waits', () => new Promise((resolve) => setTimeout(resolve, 1)))
  expect(Math.random()).not.toBe(Math.random())
  ${hasPages ? onPage : 'expect(request).toBeTruthy()'}
})`
  const files = [{ path: 'trial.spec.ts', content, encoding: 'utf8' }] as const
  const recording = { trace: 'off', video: 'off', screenshot: 'off' } as const
  return { is: 'test', entry: 'trial.spec.ts', files, variables: {}, limitMs: 60_000, recording }
}

const ignore = () => {}
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
