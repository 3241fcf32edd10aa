/** The process that is forked for runs, in a sandbox of its own: loaded once, and told by a line each to make a run. */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Way } from '../scripts/isolation.ts'
import { launchProcess } from '../scripts/launcher.ts'
import { makeFolder, markInUse } from '../scripts/own-folders.ts'
import { findInside } from '../scripts/process-use.ts'
import { seccompFilter } from '../scripts/seccomp.ts'
import { bringForkAddon } from './fork-addon.ts'
import type { Primer } from './inside/prime.ts'
import type { ForkLimits } from './inside/template.ts'
import { primer } from './primer.ts'
import { launchTemplate, limitsOf, ownSocketIn, type Place, type PlaywrightLaunch } from './sandbox.ts'

const ERRORS = 2
const ORDERS = 3
const EVENTS = 4
const MOST_CHARACTERS = 1024 * 1024
/** To be loaded, and to have done what is done the first time: a busy machine is slow. */
const READY_WITHIN_MS = 60_000

export interface TemplateOptions {
  way: Way
  place: Omit<Place, 'folder' | 'engine' | 'compiled' | 'bundle'>
  /** What a run may use. */
  limits: Pick<ForkLimits, 'bytes' | 'tasks'>
}

export class TemplateProcess {
  readonly folder: string
  readonly #launched: ReturnType<typeof launchProcess>
  readonly #ready = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  /** Called with why a run could not be made. */
  readonly #waiting = new Map<string, (why: string) => void>()
  #pid: number | null = null
  #lastName = 0
  #errors = ''
  #isOver = false
  /** Keeps us alive until its end is told: else its folder would stay. */
  #staying: NodeJS.Timeout | undefined

  /** @throws Error where this machine cannot have one */
  static async start({ way, place, limits: { bytes, tasks } }: TemplateOptions): Promise<TemplateProcess> {
    const hasPages = place.browsers !== null
    const filter = way.level === 'strict' && way.filter !== null ? filterOf(way.filter, hasPages) : null
    if (filter === null) throw new Error('that needs the isolation level "strict", with a filter of system calls')
    if (place.browsers?.programs.some((path) => /^\/(?:tmp|dev)\//.test(path)))
      throw new Error('the browser is where each run has a folder of its own')
    const { jobBytes: jobSize, scratchBytes: scratchSize, sharedMemoryBytes: sharedSize } = limitsOf({ hasPages })
    const limits: ForkLimits = { hasPages, bytes, tasks, jobSize, scratchSize, sharedSize }
    const folder = await makeFolder('runs')
    const release = await markInUse(folder)
    const remove = async () => {
      release()
      await rm(folder, { recursive: true, force: true })
    }
    try {
      await bringForkAddon(join(folder, 'fork.node'))
      await writeFile(join(folder, 'filter'), filter)
      await writeFile(join(folder, 'limits.json'), JSON.stringify(limits))
      await writeFile(join(folder, 'primer.json'), JSON.stringify(primerOf(hasPages)))
      // Whatever mask the runner has: it is another user who reads them.
      for (const name of ['fork.node', 'filter', 'limits.json', 'primer.json']) await chmod(join(folder, name), 0o644)
      return new TemplateProcess(
        folder,
        launchTemplate(way, { ...place, engine: 'forked', folder, compiled: null, bundle: null }),
        remove,
      )
    } catch (error) {
      await remove()
      throw error
    }
  }

  private constructor(folder: string, { command, args, env, user }: PlaywrightLaunch, remove: () => Promise<void>) {
    this.folder = folder
    this.#ready.promise.catch(() => {})
    const limits = { 1: MOST_CHARACTERS, [ERRORS]: MOST_CHARACTERS, [EVENTS]: MOST_CHARACTERS }
    this.#launched = launchProcess(
      { command, args, env, user, given: { [ORDERS]: null }, limits },
      {
        started: (pid) => {
          this.#pid = pid
        },
        lines: (descriptor, lines) => {
          for (const line of lines) this.#hear(descriptor, line)
        },
        tooMuch: () => this.kill(),
        ended: ({ code, signal, error }) => {
          this.#isOver = true
          clearInterval(this.#staying)
          const why =
            error ?? `the template has ended (${signal ?? `exit code ${code}`}): ${this.#errors.slice(0, 500)}`
          this.#ready.reject(new Error(why))
          for (const tell of this.#waiting.values()) tell(why)
          remove().then(this.#ended.resolve, this.#ended.reject)
        },
      },
    )
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether nothing of it is left. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** @throws Error when it does not come to be ready */
  async ready(): Promise<void> {
    const timer = setTimeout(() => {
      this.#ready.reject(new Error(`the template was not ready within ${READY_WITHIN_MS / 1000} s`))
      this.kill()
    }, READY_WITHIN_MS)
    try {
      await this.#ready.promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** For a run: it appears where the template sees it. */
  async makePlace(): Promise<string> {
    this.#lastName += 1
    const place = join(this.folder, `run${this.#lastName}`)
    await mkdir(place)
    await chmod(place, 0o711)
    return place
  }

  /**
   * @param name of the place of the run
   * @param failed called with why no process could be made
   * @returns takes that back
   */
  order(name: string, failed: (why: string) => void): () => void {
    if (this.#isOver) failed('the template has ended')
    else {
      this.#waiting.set(name, failed)
      this.#launched.write(ORDERS, `${name}\n`, { isLast: false })
    }
    return () => this.#waiting.delete(name)
  }

  /** The number that a process of a run has on this machine. @param number as the template sees it; in its own eyes it is 1 */
  pidOf(number: number): number | null {
    return this.#pid === null ? null : findInside(this.#pid, [number, 1])
  }

  /** With all runs that it has made. */
  kill(): void {
    if (!this.#isOver) this.#staying ??= setInterval(() => {}, 60_000)
    this.#launched.kill()
  }

  #hear(descriptor: number, line: string): void {
    if (descriptor === EVENTS) {
      this.#ready.resolve()
      return
    }
    this.#errors = (this.#errors + line).slice(-2000)
    const [, name = '', why = ''] = /^failed (\S+) (.*)$/.exec(line) ?? []
    this.#waiting.get(name)?.(`a process could not be forked: ${why}`)
  }
}

const primerOf = (hasPages: boolean): Primer => ({ job: primer(hasPages), socket: ownSocketIn('/tmp') })

/** Of the runs: they put it on themselves. */
const filterOf = (filter: Buffer, hasPages: boolean) =>
  hasPages ? seccompFilter(process.arch, { nests: true }) : filter
