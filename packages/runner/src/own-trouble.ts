/**
 * Watches this process for trouble of its own, so that no target is blamed for it: an event loop that stood still, a
 * wall clock that jumped, a network that is gone. Time is that of the monotonic clock.
 */
import net from 'node:net'
import type { Judgement } from '@vedette/core'
import type { ProbePhase } from '@vedette/schema'

/** Shorter delays are the ordinary life of a busy machine. */
export const STALL_MS = 250
export const CLOCK_JUMP_MS = 2000

const TICK_MS = 50
const REMEMBERED_MS = 60_000
const CONTROL_TIMEOUT_MS = 2000
const CONTROL_AGE_MS = 3000

interface Episode {
  from: number
  to: number
  reason: string
}

export interface ControlTarget {
  host: string
  port: number
}

export class TroubleWatch {
  readonly #controls: readonly ControlTarget[]
  readonly #episodes: Episode[] = []
  #timer: NodeJS.Timeout | null = null
  #lastTick = performance.now()
  #clockOffset = Date.now() - performance.now()
  #control: { askedAt: number; answer: Promise<boolean> } | null = null
  #isCutOff = false

  constructor(controls: readonly ControlTarget[] = []) {
    this.#controls = controls
  }

  start(): void {
    this.#lastTick = performance.now()
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Why this runner cannot judge targets now, for whoever operates it; null when all is well. */
  get current(): string | null {
    if (this.#isCutOff) return 'none of the control targets can be reached: the network of this runner seems to be gone'
    return this.during(performance.now() - 10_000, performance.now())
  }

  /** What struck this process between two instants, or null. */
  during(from: number, to: number): string | null {
    // Work that piled up during a stall may come before the tick that notices it.
    this.#noticeStall(performance.now())
    return this.#episodes.find((episode) => episode.from < to && episode.to > from)?.reason ?? null
  }

  /**
   * Why a judgement cannot stand, or null. What passed has passed, and an answer that is wrong is wrong however slowly
   * we read it; but neither slowness nor silence can be told from trouble here.
   */
  async doubt(
    { verdict, networkError, overMaxResponseTime, assertions }: Judgement,
    { from, to, phase }: { from: number; to: number; phase: ProbePhase | null },
  ): Promise<string | null> {
    const isTimed = assertions.some(({ source, error }) => source === 'RESPONSE_TIME' && error !== null)
    const isSlow = verdict === 'degraded' || overMaxResponseTime || isTimed
    if (verdict === 'error' || !(networkError || isSlow)) return null
    const reason = this.during(from, to)
    if (reason !== null) return reason
    const isReachability = networkError && (phase === 'dns' || phase === 'connect')
    if (!isReachability || (await this.#isConnected())) return null
    return 'the network of this runner is gone: none of its control targets can be reached'
  }

  #tick(): void {
    const now = performance.now()
    this.#noticeStall(now)
    this.#lastTick = now
    const offset = Date.now() - now
    if (Math.abs(offset - this.#clockOffset) > CLOCK_JUMP_MS) {
      const seconds = ((offset - this.#clockOffset) / 1000).toFixed(1)
      this.#remember({ from: now - TICK_MS, to: now, reason: `the clock of this runner jumped by ${seconds} s` })
    }
    this.#clockOffset = offset
    while ((this.#episodes[0]?.to ?? now) < now - REMEMBERED_MS) this.#episodes.shift()
  }

  #noticeStall(now: number): void {
    const late = now - this.#lastTick - TICK_MS
    if (this.#timer === null || late <= STALL_MS) return
    this.#remember({ from: this.#lastTick, to: now, reason: `this runner stood still for ${Math.round(late)} ms` })
    this.#lastTick = now
  }

  #remember(episode: Episode): void {
    this.#episodes.push(episode)
    if (this.#episodes.length > 1000) this.#episodes.shift()
  }

  /** Asked only when a run failed, and not more often than the answer ages. */
  async #isConnected(): Promise<boolean> {
    if (this.#controls.length === 0) return true
    const now = performance.now()
    if (this.#control === null || now - this.#control.askedAt > CONTROL_AGE_MS) {
      const answer = Promise.any(this.#controls.map(reach)).then(
        () => true,
        () => false,
      )
      this.#control = { askedAt: now, answer }
    }
    const isConnected = await this.#control.answer
    this.#isCutOff = !isConnected
    return isConnected
  }
}

function reach({ host, port }: ControlTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port })
    socket.setTimeout(CONTROL_TIMEOUT_MS, () => socket.destroy(new Error('no answer')))
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
