/**
 * A runner in this process, which no fault strikes: it passes every run at its due time and notes which reports the
 * server has acknowledged.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type LeasedRun, type RunReport, routes } from '@vedette/schema'
import { Api, Refusal } from './api.ts'

export class RunnerElsewhere {
  readonly #api: Api
  readonly #end = new AbortController()
  readonly #held = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  #runnerId: number | undefined
  /** The results of reports that the server said it has accepted. */
  readonly acknowledged = new Set<string>()
  /** Runs whose reports it said it would not take. */
  readonly dropped = new Set<string>()
  readonly #life: Promise<unknown>

  constructor(url: string, key: string) {
    this.#api = new Api(url, key)
    this.#life = Promise.all([this.#lease(), this.#sayAlive()])
  }

  get broken(): readonly string[] {
    return this.#api.broken
  }

  /** Brings home what it has in hand and signs out. */
  async stop(): Promise<void> {
    this.#end.abort()
    await this.#life
    await Promise.all(this.#running)
    if (this.#runnerId === undefined) return
    await this.#api.call(routes.runnerSignOut, { body: { runnerId: this.#runnerId, trouble: null } }).catch(() => {})
  }

  async #lease(): Promise<void> {
    while (!this.#end.signal.aborted) {
      try {
        const runnerId = await this.#signedIn()
        const body = { runnerId, capacity: 100, horizonMs: 1000, waitMs: 5000 }
        const { runs } = await this.#api.call(routes.leaseRuns, { body }, this.#end.signal)
        for (const run of runs) this.#start(run)
      } catch (error) {
        await this.#recover(error)
      }
    }
  }

  async #signedIn(): Promise<number> {
    if (this.#runnerId === undefined) {
      const body = { name: 'elsewhere', version: 'test', kinds: ['API' as const] }
      const { runnerId } = await this.#api.call(routes.runnerSignIn, { body }, this.#end.signal)
      this.#runnerId = runnerId
    }
    return this.#runnerId
  }

  async #recover(error: unknown): Promise<void> {
    if (error instanceof Refusal && error.status === 410) this.#runnerId = undefined
    await wait(100, undefined, { signal: this.#end.signal }).catch(() => {})
  }

  #start(run: LeasedRun): void {
    this.#held.add(run.leaseId)
    const dueAt = performance.now() + run.dueInMs
    const work = this.#report(run, dueAt).finally(() => {
      this.#held.delete(run.leaseId)
      this.#running.delete(work)
    })
    this.#running.add(work)
  }

  async #report(run: LeasedRun, dueAt: number): Promise<void> {
    await wait(Math.max(0, dueAt - performance.now()))
    const report = passed(run, performance.now() - dueAt)
    const resultId = run.leaseId.split('.').at(-1) ?? ''
    for (;;) {
      try {
        const body = { runnerId: await this.#signedIn(), reports: [report] }
        const { accepted, dropped } = await this.#api.call(routes.reportRuns, { body })
        if (accepted === 1) this.acknowledged.add(resultId)
        if (dropped.length === 1) this.dropped.add(resultId)
        return
      } catch (error) {
        await this.#recover(error)
        if (this.#end.signal.aborted) return
      }
    }
  }

  async #sayAlive(): Promise<void> {
    while (!this.#end.signal.aborted) {
      const body = { runnerId: this.#runnerId ?? 0, holding: [...this.#held], trouble: null }
      if (this.#runnerId !== undefined) await this.#api.call(routes.runnerHeartbeat, { body }).catch(() => {})
      await wait(1000, undefined, { signal: this.#end.signal }).catch(() => {})
    }
  }
}

function passed(run: LeasedRun, lateMs: number): RunReport {
  return {
    leaseId: run.leaseId,
    verdict: 'passed',
    startedAtMs: run.dueAtMs + lateMs,
    durationMs: 1,
    latenessMs: lateMs,
    responseTimeMs: 1,
    overMaxResponseTime: false,
    networkError: false,
    statusCode: 200,
    phases: [0, 0, 0, 1, 0],
    error: null,
    fingerprint: 'same',
    detail: null,
  }
}
