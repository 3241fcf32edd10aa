/**
 * Watches this process for trouble of its own, so that no target is blamed for it: an event loop that stood still, a
 * clock that jumped or is wrong, a network or a name server that is gone. Time is that of the monotonic clock.
 */
import net from 'node:net'
import type { Judgement } from '@vedette/core'
import type { Failure } from '@vedette/schema'
import { Control, type ControlAnswer } from './control.ts'
import { deadGateway } from './gateway.ts'
import type { Names } from './probes/http/names.ts'

/** Shorter delays are the ordinary life of a busy machine. */
export const STALL_MS = 250
export const CLOCK_JUMP_MS = 2000
/** A clock that differs more from the server's than this cannot judge the dates of certificates. */
const CLOCK_OFF_MS = 5 * 60_000

const TICK_MS = 50
const REMEMBERED_MS = 60_000
const CONTROL_TIMEOUT_MS = 2000
/** Controls are also asked without a failure: the server learns that this runner is cut off, and that it is back. */
const LOOK_EVERY_MS = 10_000
const LOOK_EVERY_IN_TROUBLE_MS = 2000

/** Failures that a network which is gone looks like. Whatever else came was said by somebody. */
const SILENCE = new Set([
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
])
const DATED = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

const CUT_OFF = 'none of its control targets can be reached'
const CUT_OFF_6 = 'none of its IPv6 control targets can be reached'
const NO_NAMES = 'its name server knows none of the control names'

interface Episode {
  from: number
  to: number
  reason: string
}

export interface ControlTarget {
  host: string
  port: number
}

export interface TroubleWatchOptions {
  /** Things that are always up: when none of them can be reached, the network of this runner is gone. */
  targets?: readonly ControlTarget[]
  /** Names that always exist: when the name server knows none of them, it is the one in trouble. */
  controlNames?: readonly string[]
  /** The name server that the probes ask. */
  names?: Pick<Names, 'isAnswered'>
  /** Nobody chose the controls: they count once they have answered. */
  areDefaults?: boolean
  /** Milliseconds since 1970, as this machine believes. */
  wallClock?: () => number
  /** The default gateway, when the kernel knows that it does not answer. */
  findDeadGateway?: () => Promise<string | null>
}

/** What a judgement rests on. */
export interface DoubtfulRun {
  from: number
  to: number
  failure: Failure | null
  family: 4 | 6 | null
}

export class TroubleWatch {
  readonly #wallClock: () => number
  readonly #findDeadGateway: () => Promise<string | null>
  readonly #network: Control
  /** Apart where some of the targets are IPv6 addresses. */
  readonly #network6: Control
  readonly #resolver: Control
  readonly #episodes: Episode[] = []
  /** When each control began to be silent. */
  readonly #silentSince = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null
  #lastTick = performance.now()
  #lastLook = performance.now()
  #clockOffset: number
  #serverOffset: number | null = null

  constructor(options: TroubleWatchOptions = {}) {
    const { targets = [], controlNames = [], names, areDefaults = false } = options
    this.#wallClock = options.wallClock ?? Date.now
    this.#findDeadGateway = options.findDeadGateway ?? deadGateway
    this.#clockOffset = this.#wallClock() - performance.now()
    const isIpv6 = ({ host }: ControlTarget) => net.isIPv6(host)
    const others = targets.filter((target) => !isIpv6(target))
    const reaching = (some: readonly ControlTarget[], reason: string) =>
      new Control({
        ask: some.map((target) => () => reach(target)),
        mustProveItself: areDefaults,
        onAnswer: (answer) => this.#note(answer, `the network of this runner is gone: ${reason}`),
      })
    this.#network = reaching(others.length > 0 ? others : targets, CUT_OFF)
    this.#network6 = reaching(others.length > 0 ? targets.filter(isIpv6) : [], CUT_OFF_6)
    this.#resolver = new Control({
      ask: names === undefined ? [] : controlNames.map((name) => () => known(names, name)),
      mustProveItself: areDefaults,
      onAnswer: (answer) => this.#note(answer, `the name server of this runner is in trouble: ${NO_NAMES}`),
    })
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
    if (!this.#network.isWell) return `${CUT_OFF}: the network of this runner seems to be gone`
    if (!this.#resolver.isWell) return `${NO_NAMES}: the name server of this runner seems to be in trouble`
    if (!this.#network6.isWell) return `${CUT_OFF_6}: this runner seems to have no IPv6`
    const off = this.#wrongClock()
    if (off !== null) return off
    return this.during(performance.now() - 10_000, performance.now())
  }

  /** Whether its controls say that nothing it finds can be trusted, until they answer again. */
  get isCutOff(): boolean {
    return !this.#network.isWell || !this.#resolver.isWell
  }

  /** What struck this process between two instants, or null. */
  during(from: number, to: number): string | null {
    // Work that piled up during a stall may come before the tick that notices it.
    this.#noticeStall(performance.now())
    return this.#episodes.find((episode) => episode.from < to && episode.to > from)?.reason ?? null
  }

  /** The server said what time it is. */
  noteServerTime(serverMs: number): void {
    this.#serverOffset = serverMs - performance.now()
  }

  /**
   * Why a judgement cannot stand, or null. What passed has passed, and an answer that is wrong is wrong however slowly
   * we read it; but neither slowness nor silence can be told from trouble here.
   */
  async doubt(
    { verdict, networkError, overMaxResponseTime, assertions }: Judgement,
    { from, to, failure, family }: DoubtfulRun,
  ): Promise<string | null> {
    const isTimed = assertions.some(({ source, error }) => source === 'RESPONSE_TIME' && error !== null)
    const isSlow = verdict === 'degraded' || overMaxResponseTime || isTimed
    if (verdict === 'error' || !(networkError || isSlow)) return null
    const reason = this.during(from, to)
    if (reason !== null) return reason
    if (!networkError || failure === null) return null
    if (DATED.has(failure.code)) return this.#wrongClock()
    if (failure.phase === 'dns') {
      if (!(await this.#resolver.answersAfter(to))) return `the name server of this runner is in trouble: ${NO_NAMES}`
    } else if (!SILENCE.has(failure.code)) return null
    if (family === 6 && !(await this.#network6.answersAfter(to))) return `this runner has no IPv6: ${CUT_OFF_6}`
    if (!(await this.#network.answersAfter(to))) return `the network of this runner is gone: ${CUT_OFF}`
    return this.#cutAtGateway(failure)
  }

  /** The kernel knows a gateway that is gone without being told to look. */
  async #cutAtGateway({ phase, code }: Failure): Promise<string | null> {
    // A ping and a question by UDP have no connection that could fail: their silence is in the answer.
    const isFirst = phase === 'connect' || phase === 'answer'
    if (!isFirst || (code !== 'ETIMEDOUT' && code !== 'EHOSTUNREACH')) return null
    const gateway = await this.#findDeadGateway()
    return gateway && `the network of this runner is gone: its gateway ${gateway} does not answer`
  }

  #wrongClock(): string | null {
    if (this.#serverOffset === null) return null
    const off = this.#wallClock() - performance.now() - this.#serverOffset
    if (Math.abs(off) < CLOCK_OFF_MS) return null
    return `the clock of this runner is ${Math.round(Math.abs(off) / 60_000)} minutes ${off > 0 ? 'ahead of' : 'behind'} the server’s`
  }

  #tick(): void {
    const now = performance.now()
    this.#noticeStall(now)
    this.#lastTick = now
    const offset = this.#wallClock() - now
    if (Math.abs(offset - this.#clockOffset) > CLOCK_JUMP_MS) {
      const seconds = ((offset - this.#clockOffset) / 1000).toFixed(1)
      this.#remember({ from: now - TICK_MS, to: now, reason: `the clock of this runner jumped by ${seconds} s` })
    }
    this.#clockOffset = offset
    while ((this.#episodes[0]?.to ?? now) < now - REMEMBERED_MS) this.#episodes.shift()
    const isWell = this.#network.isWell && this.#network6.isWell && this.#resolver.isWell
    if (now - this.#lastLook > (isWell ? LOOK_EVERY_MS : LOOK_EVERY_IN_TROUBLE_MS)) {
      this.#lastLook = now
      for (const control of [this.#network, this.#network6, this.#resolver]) void control.answersAfter(now)
    }
  }

  #noticeStall(now: number): void {
    const late = now - this.#lastTick - TICK_MS
    if (this.#timer === null || late <= STALL_MS) return
    this.#remember({ from: this.#lastTick, to: now, reason: `this runner stood still for ${Math.round(late)} ms` })
    this.#lastTick = now
  }

  /** From the first silence to the next answer nothing can be held against a target that did not answer either. */
  #note({ well, askedAt, answeredAt }: ControlAnswer, reason: string): void {
    const since = this.#silentSince.get(reason)
    if (well && since === undefined) return
    const from = since ?? askedAt
    if (well) this.#silentSince.delete(reason)
    else this.#silentSince.set(reason, from)
    // IPv6 alone: the rest of the world can still be judged.
    if (!reason.endsWith(CUT_OFF_6)) this.#remember({ from, to: well ? askedAt : answeredAt, reason })
  }

  #remember(episode: Episode): void {
    this.#episodes.push(episode)
    if (this.#episodes.length > 1000) this.#episodes.shift()
  }
}

function reach({ host, port }: ControlTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port })
    // Of our own: a name that is looked up without end keeps the socket’s timer from starting.
    const timer = setTimeout(() => socket.destroy(new Error('no answer')), CONTROL_TIMEOUT_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}

async function known(names: Pick<Names, 'isAnswered'>, name: string): Promise<void> {
  if (!(await names.isAnswered(name))) throw new Error(`${name} is not known`)
}
