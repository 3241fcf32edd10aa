/** Lets in as many runs at a time as the runner may have and the machine has memory for, in the order in which they came. */

import type { ScriptLoad } from '@vedette/schema'

/** By then a run has taken what it needs, and what is free tells of it. */
const SETTLED_MS = 5000
const LOOKS_EVERY_MS = 100
const MEBIBYTE = 1024 * 1024

export interface RoomOptions {
  /** Runs at the same time. */
  places: number
  /** How long a run waits at most. */
  waitsMs: number
  /** Instead of what the system says. */
  freeBytes?: () => number
}

interface Waiting {
  bytes: number
  timer: NodeJS.Timeout
  enter(): void
  refuse(error: Error): void
}

export class Room {
  readonly #options: RoomOptions
  readonly #freeBytes: () => number
  readonly #queue: Waiting[] = []
  /** What those may still take that came in a moment ago. */
  #promised = 0
  #inside = 0
  #turnedAway = 0
  #looking: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: RoomOptions) {
    this.#options = options
    this.#freeBytes = options.freeBytes ?? (() => process.availableMemory())
  }

  get inside(): number {
    return this.#inside
  }

  get load(): ScriptLoad {
    return { running: this.#inside, waiting: this.#queue.length, turnedAway: this.#turnedAway }
  }

  /** Whether one that needs so much could come in at once. */
  has(bytes: number): boolean {
    return !this.#isClosed && this.#inside < this.#options.places && this.#freeBytes() - this.#promised >= bytes
  }

  /**
   * @returns what to call when it is over
   * @throws Error when there was no room in time
   */
  async enter(bytes: number): Promise<() => void> {
    if (this.#isClosed) throw new Error('this runner is ending')
    if (this.#queue.length > 0 || !this.has(bytes)) await this.#wait(bytes)
    else this.#letIn(bytes)
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      this.#inside -= 1
      this.#look()
    }
  }

  /** Whoever still waits is refused, and so is whoever comes. */
  close(): void {
    this.#isClosed = true
    for (const { refuse } of this.#queue.splice(0)) refuse(new Error('this runner is ending'))
    this.#rest()
  }

  #wait(bytes: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = {
      bytes,
      timer: setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1)
        this.#turnedAway += 1
        waiting.refuse(new Error(this.#reason()))
        this.#look()
      }, this.#options.waitsMs),
      enter: () => {
        clearTimeout(waiting.timer)
        resolve()
      },
      refuse: (error) => {
        clearTimeout(waiting.timer)
        reject(error)
      },
    }
    this.#queue.push(waiting)
    // Places become free by themselves; that memory has become free nobody says.
    this.#looking ??= setInterval(() => this.#look(), LOOKS_EVERY_MS)
    return promise
  }

  #look(): void {
    for (let first = this.#queue[0]; first !== undefined && this.has(first.bytes); first = this.#queue[0]) {
      this.#queue.shift()
      this.#letIn(first.bytes)
      first.enter()
    }
    if (this.#queue.length === 0) this.#rest()
  }

  #rest(): void {
    if (this.#looking !== null) clearInterval(this.#looking)
    this.#looking = null
  }

  #letIn(bytes: number): void {
    this.#inside += 1
    this.#promised += bytes
    setTimeout(() => {
      this.#promised -= bytes
    }, SETTLED_MS).unref()
  }

  #reason(): string {
    const free = Math.round((this.#freeBytes() - this.#promised) / MEBIBYTE)
    return (
      `this runner had no room for the script within ${this.#options.waitsMs / 1000} s: ` +
      `${this.#inside} others are running, ${Math.max(0, free)} MiB of memory are free`
    )
  }
}
