/** Counts how often something happens. */
export class Pace {
  #since = performance.now()
  #count = 0
  #last = 0

  count(): void {
    this.#roll()
    this.#count += 1
  }

  /** In the second before the present one, or in the present one when that has more already. */
  perSecond(): number {
    this.#roll()
    return Math.max(this.#last, this.#count)
  }

  #roll(): void {
    const elapsed = performance.now() - this.#since
    if (elapsed < 1000) return
    this.#last = elapsed < 2000 ? this.#count : 0
    this.#count = 0
    this.#since = performance.now()
  }
}
