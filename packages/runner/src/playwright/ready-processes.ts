/** Processes that are started ahead of their runs, so that they are loaded when these are due. Each is used once. */
import type { Log } from '../log.ts'
import type { PreparedRun, WantedRun } from './prepared-run.ts'

/** One that was made ready for a run that did not come. */
const UNUSED_MS = 60_000
/** Loaded for later at the same time: runs and checks that are due now need the processors. */
const LOADING_AT_ONCE = 1

export interface ReadyProcessesOptions {
  log: Log
  make: (wanted: WantedRun) => Promise<PreparedRun>
  /** Whether there is memory for it now. */
  hasRoom: (wanted: WantedRun) => boolean
  /** As many are had at most. */
  most: number
  /** How long one stays that nobody uses. */
  unusedMs?: number | undefined
}

/** A process that is made ready for a run to come; null while it is not its turn. */
interface Wish {
  wanted: WantedRun
  made: Promise<PreparedRun> | null
  unused: NodeJS.Timeout
}

export class ReadyProcesses {
  readonly #options: ReadyProcessesOptions
  readonly #wishes = new Set<Wish>()
  #loading = 0
  #isClosed = false

  constructor(options: ReadyProcessesOptions) {
    this.#options = options
  }

  /** Starts one, soon. Never throws: the run itself will find out. */
  prepare(wanted: WantedRun): void {
    if (this.#isClosed || this.#wishes.size >= this.#options.most) return
    const unused = setTimeout(() => {
      this.#forget(wish)
      wish.made?.then((prepared) => prepared.close(), ignore)
    }, this.#options.unusedMs ?? UNUSED_MS).unref()
    const wish: Wish = { wanted, made: null, unused }
    this.#wishes.add(wish)
    this.#loadNext()
  }

  /** One that was made ready for such a run, or is just being, and is well. */
  async take({ runtimeId, hasPages, bundle }: WantedRun): Promise<PreparedRun | null> {
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

  /** Whoever makes the processes closes those that nobody has taken. */
  close(): void {
    this.#isClosed = true
    for (const wish of this.#wishes) this.#forget(wish)
  }

  #forget(wish: Wish): void {
    this.#wishes.delete(wish)
    clearTimeout(wish.unused)
  }

  /** One after the other. */
  #loadNext(): void {
    const wish = [...this.#wishes].find(({ made }) => made === null)
    if (wish === undefined || this.#loading >= LOADING_AT_ONCE || !this.#options.hasRoom(wish.wanted)) return
    this.#loading += 1
    const made = this.#options.make(wish.wanted)
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
        const reason = error instanceof Error ? error.message : error
        this.#options.log('WARN', `a process for a script could not be made ready: ${reason}`)
      })
      .finally(() => {
        this.#loading -= 1
        this.#loadNext()
      })
  }
}

const ignore = () => {}
