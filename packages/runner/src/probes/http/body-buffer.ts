/** Collects the bytes of a body: as many as asked for are kept, the rest is only counted. */
export class BodyBuffer {
  readonly #keep: number
  #bytes: Buffer = EMPTY
  #kept = 0
  received = 0

  constructor(keep: number) {
    this.#keep = keep
  }

  /** Copies: the chunk may be overwritten afterwards. */
  append(chunk: Buffer, start: number, end: number): void {
    this.received += end - start
    const stop = Math.min(end, start + this.#keep - this.#kept)
    const needed = this.#kept + stop - start
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(this.#kept === 0 ? needed : Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#kept)
      this.#bytes = larger
    }
    if (stop > start) this.#kept += chunk.copy(this.#bytes, this.#kept, start, stop)
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#kept)
  }

  /** Whether something was received that is not kept. */
  get isCut(): boolean {
    return this.received > this.#kept
  }
}

const EMPTY = Buffer.alloc(0)
