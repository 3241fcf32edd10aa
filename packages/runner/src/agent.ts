/**
 * A runner's life: sign in, lease what falls due soon, start each run at its due time, report it, say every few
 * seconds that we are alive. It works on through any absence of the server and only stops when it is told to, or when
 * its key is no longer valid.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Abilities, HEARTBEAT_INTERVAL_MS, type HeartbeatRequest, type LeasedRun, routes } from '@vedette/schema'
import { DueQueue } from './due-queue.ts'
import { executeRun, type RunTools } from './execute-run.ts'
import type { Log } from './log.ts'
import { Patience, SOON_MS } from './patience.ts'
import { Reporter } from './reporter.ts'
import { type ServerLink, ServerRefusal } from './server-link.ts'

const HORIZON_MS = 2500
const WAIT_MS = 20_000
const MOST_HELD = 10_000
const FINISH_MS = 30_000
/** A key may be refused for a moment while it is being set up; after so many refusals in a row it is gone. */
const KEY_REFUSALS = 3

export interface AgentOptions {
  link: ServerLink
  tools: RunTools
  log: Log
  name: string
  version: string
  /** Runs executed at the same time. */
  concurrency: number
  /** What it asks about its own network and name server, for whoever operates it. */
  controls: readonly string[]
  /** What it can execute now. */
  abilities: () => Abilities
}

export class Agent {
  readonly #options: AgentOptions
  readonly #reporter: Reporter
  readonly #queue: DueQueue<LeasedRun>
  /** Leases in hand: waiting, running, or not yet acknowledged. */
  readonly #held = new Set<string>()
  readonly #stopping = new AbortController()
  readonly #patience = new Patience()
  #running = 0
  #usualMs = 500
  #runnerId = 0
  #mustSignIn = true
  #refusals = 0
  /** Ends the call for a lease that is under way. */
  #leasing = new AbortController()
  #silentHeartbeats = 0
  /** The abilities that the server knows of. */
  #told = ''
  #wakeLeasing: (() => void) | null = null
  #wakeStopping: (() => void) | null = null
  /** Resolves when the agent has ended, with the reason when it gave up by itself. */
  readonly ended: Promise<string | null>

  constructor(options: AgentOptions) {
    this.#options = options
    this.#queue = new DueQueue(
      (run, dueAt) => void this.#run(run, dueAt),
      () => this.#running < options.concurrency,
    )
    this.#reporter = new Reporter({
      link: options.link,
      log: options.log,
      runnerId: () => this.#runnerId,
      onSettled: (leaseIds) => {
        for (const leaseId of leaseIds) this.#held.delete(leaseId)
      },
      onUnknown: () => this.#forget(),
    })
    this.ended = this.#live()
  }

  /** Leases no more, finishes what runs, brings the reports home and signs out. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wakeLeasing?.()
    await this.ended
  }

  /** Tells the server at once what has been found out, rather than with the next heartbeat. */
  tellNow(): void {
    void this.#sayAlive()
  }

  /** As the server knows it by now. */
  get runnerId(): number {
    return this.#runnerId
  }

  get isSignedIn(): boolean {
    return !this.#mustSignIn
  }

  get dropped(): { reports: number; details: number } {
    return this.#reporter.dropped
  }

  async #live(): Promise<string | null> {
    const heartbeat = setInterval(() => void this.#sayAlive(), HEARTBEAT_INTERVAL_MS)
    let gaveUp: string | null = null
    while (!this.#stopping.signal.aborted && gaveUp === null) {
      try {
        await this.#leaseSome()
        this.#patience.reset()
        this.#refusals = 0
      } catch (error) {
        if (this.#stopping.signal.aborted) break
        gaveUp = await this.#recover(error)
      }
    }
    await this.#finish()
    clearInterval(heartbeat)
    return gaveUp
  }

  async #leaseSome(): Promise<void> {
    const { link } = this.#options
    if (this.#mustSignIn) await this.#signIn()
    const capacity = this.#room()
    if (capacity < 1) {
      await this.#untilRoom()
      return
    }
    this.#leasing = new AbortController()
    const { runs } = await link.call(
      routes.leaseRuns,
      { runnerId: this.#runnerId, capacity, horizonMs: HORIZON_MS, waitMs: WAIT_MS },
      { timeoutMs: WAIT_MS + 10_000, signal: AbortSignal.any([this.#stopping.signal, this.#leasing.signal]) },
    )
    const receivedAt = performance.now()
    const [first] = runs
    if (first !== undefined) this.#options.tools.watch.noteServerTime(first.dueAtMs - first.dueInMs)
    for (const run of runs) {
      this.#held.add(run.leaseId)
      this.#queue.add(run, receivedAt + run.dueInMs)
      this.#options.tools.playwright?.prepareFor(run, this.#options.tools.bundles)
    }
  }

  /** As many runs are held as can be started before the horizon, judged by how long they usually take. */
  #room(): number {
    const { concurrency } = this.#options
    const startable = Math.ceil(concurrency * (1 + HORIZON_MS / Math.max(this.#usualMs, 10)))
    return Math.min(MOST_HELD, startable) - this.#queue.size - this.#running
  }

  #untilRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeLeasing = resolve
    })
  }

  async #run(run: LeasedRun, dueAt: number): Promise<void> {
    this.#running += 1
    const report = await executeRun(run, dueAt, this.#options.tools)
    this.#running -= 1
    this.#usualMs += (report.durationMs - this.#usualMs) * 0.05
    this.#reporter.push(report)
    this.#queue.resume()
    if (this.#wakeLeasing !== null && this.#room() > 0) {
      this.#wakeLeasing()
      this.#wakeLeasing = null
    }
    if (this.#running === 0) this.#wakeStopping?.()
  }

  async #signIn(): Promise<void> {
    const { link, name, version, controls, log } = this.#options
    const abilities = this.#options.abilities()
    const request = { name, version, ...abilities, controls: [...controls], ...this.#isolation() }
    const { runnerId, locations } = await link.call(routes.runnerSignIn, request, { signal: this.#stopping.signal })
    this.#runnerId = runnerId
    this.#mustSignIn = false
    this.#told = JSON.stringify(abilities)
    log('INFO', `signed in as runner ${runnerId} of ${locations.join(', ') || 'no location yet'}`)
  }

  /** Nothing until all is found out that scripts need: a first heartbeat comes after it. */
  #isolation(): Pick<HeartbeatRequest, 'isolation'> {
    const { scriptHost, playwright } = this.#options.tools
    const isolation = playwright?.equipment === null ? null : (scriptHost?.isolation ?? null)
    return isolation === null ? {} : { isolation }
  }

  /** The server does not know us any more: what waits will be leased again, by us or by another. */
  #forget(): void {
    this.#mustSignIn = true
    for (const { leaseId } of this.#queue.items()) this.#held.delete(leaseId)
    this.#queue.clear()
  }

  /** Returns a reason to give up, or null after a wait. */
  async #recover(error: unknown): Promise<string | null> {
    const { log } = this.#options
    const message = error instanceof Error ? error.message : String(error)
    const status = error instanceof ServerRefusal ? error.status : null
    if (status === 410) {
      log('WARN', 'the server does not know this runner any more, signing in again')
      this.#forget()
      await this.#patience.wait(this.#stopping.signal)
      return null
    }
    if (status === 401 || status === 403) {
      this.#refusals += 1
      if (this.#refusals >= KEY_REFUSALS) return `the server refuses the location key: ${message}`
      await wait(1000 * this.#refusals, undefined, { signal: this.#stopping.signal }).catch(() => {})
      return null
    }
    log('WARN', `cannot lease: ${message}`)
    await this.#patience.wait(this.#stopping.signal, status === 503 ? SOON_MS : undefined)
    return null
  }

  async #sayAlive(): Promise<void> {
    const { link, tools, log } = this.#options
    if (this.#mustSignIn) return
    const { current: trouble, isCutOff } = tools.watch
    const abilities = this.#options.abilities()
    const told = JSON.stringify(abilities)
    const request = {
      runnerId: this.#runnerId,
      holding: [...this.#held],
      trouble,
      isCutOff,
      clockMs: Date.now(),
      ...this.#isolation(),
      ...(told === this.#told ? {} : { abilities }),
      ...(tools.playwright && { scriptLoad: tools.playwright.load }),
    }
    try {
      await link.call(routes.runnerHeartbeat, request, { timeoutMs: HEARTBEAT_INTERVAL_MS })
      this.#told = told
      this.#silentHeartbeats = 0
    } catch (error) {
      // The call for a lease may wait long on a connection that is dead, or for a key that is gone: it is made anew.
      this.#silentHeartbeats += 1
      if (error instanceof ServerRefusal || this.#silentHeartbeats > 1) this.#leasing.abort()
      log('DEBUG', `heartbeat: ${error instanceof Error ? error.message : error}`)
      if (error instanceof ServerRefusal && error.status === 410) this.#forget()
    }
  }

  async #finish(): Promise<void> {
    const { link, log } = this.#options
    for (const { leaseId } of this.#queue.items()) this.#held.delete(leaseId)
    this.#queue.clear()
    if (this.#running > 0) {
      log('INFO', `finishing ${this.#running} runs`)
      const timer = new AbortController()
      const finished = new Promise<void>((resolve) => {
        this.#wakeStopping = resolve
      })
      await Promise.race([finished, wait(FINISH_MS, undefined, { signal: timer.signal }).catch(() => {})])
      timer.abort()
    }
    await this.#reporter.flush(5000)
    this.#reporter.close()
    if (this.#mustSignIn) return
    const goodbye = { runnerId: this.#runnerId, trouble: null }
    await link.call(routes.runnerSignOut, goodbye, { timeoutMs: 2000 }).catch(() => {})
  }
}
