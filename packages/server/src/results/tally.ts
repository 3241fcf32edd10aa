/** What results add up to: how many ended how, and how their times are spread. */
import { type Cell, ExactValues, PercentileSketch, type Spread } from '@vedette/core'
import { VERDICTS, type Verdict } from '@vedette/schema'

export class Tally {
  /** Final results by verdict. */
  readonly #finals: Record<Verdict, number> = { passed: 0, degraded: 0, failed: 0, error: 0 }
  readonly #spreads: (ExactValues | PercentileSketch)[] = []
  readonly #exact: boolean
  /** Attempts that were followed by another. */
  retries = 0

  constructor(exact: boolean) {
    this.#exact = exact
  }

  /** Of tallies that were made from roll-ups, or so that they could be. */
  static sum(tallies: readonly Tally[]): Tally {
    const sum = new Tally(false)
    for (const tally of tallies) {
      for (const verdict of VERDICTS) sum.#finals[verdict] += tally.#finals[verdict]
      sum.retries += tally.retries
      for (const [measure, spread] of tally.#spreads.entries()) if (spread !== undefined) sum.#merge(measure, spread)
    }
    return sum
  }

  get results(): number {
    const { passed, degraded, failed, error } = this.#finals
    return passed + degraded + failed + error
  }

  countOf(verdict: Verdict): number {
    return this.#finals[verdict]
  }

  addResult({ verdict, final }: { verdict: Verdict; final: boolean }, times: readonly (number | null)[]): void {
    this.#count(verdict, final, 1)
    if (!final || verdict === 'error') return
    for (const [measure, time] of times.entries()) if (time !== null) this.#spreadAt(measure).add(time)
  }

  addCell({ verdict, final, count, times }: Cell): void {
    this.#count(verdict, final, count)
    if (!final) return
    for (const [measure, sketch] of times.entries()) this.#merge(measure, sketch)
  }

  /** How a measurement is spread; undefined when there is none. */
  spread(measure: number): Spread | undefined {
    return this.#spreads[measure]
  }

  /** Percentage of final results that did not fail; what was our own trouble is left out. Null without any. */
  availability(): number | null {
    const { passed, degraded, failed } = this.#finals
    const judged = passed + degraded + failed
    return judged === 0 ? null : (100 * (passed + degraded)) / judged
  }

  #merge(measure: number, added: ExactValues | PercentileSketch): void {
    const spread = this.#spreadAt(measure)
    if (!(spread instanceof PercentileSketch && added instanceof PercentileSketch))
      throw new Error('Exact figures cannot be had from sketches, nor sketches from them.')
    spread.merge(added)
  }

  #count(verdict: Verdict, final: boolean, count: number): void {
    if (final) this.#finals[verdict] += count
    else this.retries += count
  }

  #spreadAt(measure: number): ExactValues | PercentileSketch {
    let spread = this.#spreads[measure]
    if (spread === undefined) {
      spread = this.#exact ? new ExactValues() : new PercentileSketch()
      this.#spreads[measure] = spread
    }
    return spread
  }
}
