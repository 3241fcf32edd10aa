/** Things ordered by the instant at which they fall due: a binary heap and one timer for the nearest. */

interface Entry<T> {
  dueAt: number
  item: T
}

/** So many are started in one turn of the event loop; the others after it has looked at its connections. */
const STARTED_AT_ONCE = 32

export class DueQueue<T> {
  readonly #start: (item: T, dueAt: number) => void
  readonly #mayStart: () => boolean
  #heap: Entry<T>[] = []
  #timer: NodeJS.Timeout | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #isPaused = false

  /** `mayStart` is asked before each start; after it said no, `resume` must be called. */
  constructor(start: (item: T, dueAt: number) => void, mayStart: () => boolean) {
    this.#start = start
    this.#mayStart = mayStart
  }

  get size(): number {
    return this.#heap.length
  }

  *items(): Iterable<T> {
    for (const { item } of this.#heap) yield item
  }

  add(item: T, dueAt: number): void {
    const heap = this.#heap
    let at = heap.push({ dueAt, item }) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      const entry = heap[at]
      if (above === undefined || entry === undefined || above.dueAt <= entry.dueAt) break
      heap[parent] = entry
      heap[at] = above
      at = parent
    }
    this.#arm()
  }

  clear(): void {
    this.#heap = []
    this.#arm()
  }

  /** There is room again. */
  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#arm()
  }

  #arm(): void {
    const dueAt = this.#heap[0]?.dueAt ?? Number.POSITIVE_INFINITY
    if (this.#isPaused || (this.#timer !== null && this.#timerAt <= dueAt)) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#timerAt = dueAt
    if (dueAt === Number.POSITIVE_INFINITY) return
    // Rounded up, since timers count whole milliseconds and nothing may start before it is due.
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, Math.ceil(dueAt - performance.now())))
  }

  #fire(): void {
    this.#timer = null
    const now = performance.now()
    for (let started = 0; started < STARTED_AT_ONCE; started += 1) {
      const first = this.#heap[0]
      if (first === undefined || first.dueAt > now) break
      if (!this.#mayStart()) {
        this.#isPaused = true
        return
      }
      this.#takeFirst()
      this.#start(first.item, first.dueAt)
    }
    this.#arm()
  }

  #takeFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const right = left + 1
      const leftDue = heap[left]?.dueAt ?? Number.POSITIVE_INFINITY
      const rightDue = heap[right]?.dueAt ?? Number.POSITIVE_INFINITY
      const child = rightDue < leftDue ? right : left
      const below = heap[child]
      if (below === undefined || below.dueAt >= last.dueAt) break
      heap[at] = below
      at = child
    }
    heap[at] = last
  }
}
