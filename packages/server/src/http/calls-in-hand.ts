/** What is being answered: a stop waits for it, and whoever only waits for news is answered at once. */
import type { ServerResponse } from 'node:http'

export class CallsInHand {
  readonly #stopping = new AbortController()
  #count = 0
  #whenNone: () => void = () => {}

  /** Until its answer has left, or nobody waits for it any more. */
  follow(response: ServerResponse): void {
    if (response.closed) return
    this.#count += 1
    response.once('close', () => this.#ended())
  }

  /** Until the work has ended: it goes on when whoever asked has gone. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1
    try {
      return await work()
    } finally {
      this.#ended()
    }
  }

  /** Aborted when nobody waits for the answer any more, or when the server is about to stop. */
  over(response: ServerResponse): AbortSignal {
    const hungUp = new AbortController()
    if (response.closed) hungUp.abort()
    else response.once('close', () => hungUp.abort())
    return AbortSignal.any([hungUp.signal, this.#stopping.signal])
  }

  /** Resolves when the calls in hand have been answered; at the latest after `patienceMs`. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping.abort()
    if (this.#count === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs)
      this.#whenNone = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #ended(): void {
    this.#count -= 1
    if (this.#count === 0) this.#whenNone()
  }
}
