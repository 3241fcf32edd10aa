/**
 * A question about our own surroundings, asked of several at once: all is well when one of them answers. Many failures
 * at one moment are one question, and a good answer only counts for what failed before it was asked.
 */
import { setTimeout as wait } from 'node:timers/promises'

/** Between two questions, however many failures ask for one. */
const GAP_MS = 100
/** What does not answer now need not be asked again at once. */
const BAD_FOR_MS = 1000

export interface ControlAnswer {
  well: boolean
  askedAt: number
  answeredAt: number
}

export interface ControlOptions {
  /** Each resolves when it answers and throws when it does not. */
  ask: readonly (() => Promise<unknown>)[]
  /** Nobody chose it: silence means nothing until it has answered once. */
  mustProveItself?: boolean
  onAnswer?: (answer: ControlAnswer) => void
}

interface Question {
  askedAt: number
  /** Null: not answered yet. */
  well: boolean | null
  answer: Promise<boolean>
}

export class Control {
  readonly #options: ControlOptions
  #last: Question | null = null
  #hasAnswered = false

  constructor(options: ControlOptions) {
    this.#options = options
  }

  /** Whether there is anything that could answer. */
  get exists(): boolean {
    return this.#options.ask.length > 0
  }

  /** What was found last. */
  get isWell(): boolean {
    return this.#last?.well !== false
  }

  /** Whether one of them answers, asked after an instant of the monotonic clock. True when there is none to ask. */
  async answersAfter(instant: number): Promise<boolean> {
    if (!this.exists) return true
    for (;;) {
      const last = this.#last
      if (last !== null) {
        const isBadStill = last.well === false && performance.now() - last.askedAt < BAD_FOR_MS
        if (last.askedAt >= instant || isBadStill) return last.answer
        if (last.well === null) {
          await last.answer
          continue
        }
      }
      this.#begin()
    }
  }

  #begin(): void {
    const now = performance.now()
    const askedAt = Math.max(now, (this.#last?.askedAt ?? Number.NEGATIVE_INFINITY) + GAP_MS)
    const question: Question = { askedAt, well: null, answer: this.#ask(askedAt - now) }
    this.#last = question
    void question.answer.then((well) => {
      question.well = well
      this.#options.onAnswer?.({ well, askedAt, answeredAt: performance.now() })
    })
  }

  async #ask(delayMs: number): Promise<boolean> {
    const { ask, mustProveItself = false } = this.#options
    if (delayMs > 0) await wait(delayMs)
    const answers = await Promise.any(ask.map((one) => one())).then(
      () => true,
      () => false,
    )
    this.#hasAnswered ||= answers
    return answers || (mustProveItself && !this.#hasAnswered)
  }
}
