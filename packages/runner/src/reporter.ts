/**
 * Brings reports to the server: in batches, again and again until they are acknowledged. A report may arrive twice
 * without harm. While the server is gone reports are kept, within bounds: first the details of the oldest are given
 * up, then the oldest themselves, and both are counted.
 */
import { type RunReport, routes } from '@vedette/schema'
import type { Log } from './log.ts'
import { Pace } from './pace.ts'
import { Patience, SOON_MS } from './patience.ts'
import { type ServerLink, ServerRefusal } from './server-link.ts'

const BATCH_REPORTS = 500
const BATCH_BYTES = 8 * 1024 * 1024
/** A quiet runner reports at once; a busy one gathers, because every request costs the server a transaction. */
const GATHER_QUIET_MS = 20
const GATHER_BUSY_MS = 200
const BUSY_REPORTS_A_SECOND = 100
const IN_FLIGHT = 2
const KEPT_REPORTS = 200_000
const KEPT_BYTES = 128 * 1024 * 1024

export interface ReporterOptions {
  link: ServerLink
  runnerId: () => number
  log: Log
  /** Called when the reports have arrived, or will never be sent. */
  onSettled: (leaseIds: readonly string[]) => void
  /** Called on a refusal which only signing in again can mend. */
  onUnknown: () => void
}

export class Reporter {
  /** What had to be given up because the server was gone for too long, or refused it. */
  readonly dropped = { reports: 0, details: 0 }
  readonly #options: ReporterOptions
  #waiting: RunReport[] = []
  #bytes = 0
  #sending = 0
  #timer: NodeJS.Timeout | null = null
  #idle: (() => void)[] = []
  readonly #patience = new Patience()
  readonly #pace = new Pace()
  readonly #end = new AbortController()

  constructor(options: ReporterOptions) {
    this.#options = options
  }

  push(report: RunReport): void {
    this.#waiting.push(report)
    this.#pace.count()
    this.#bytes += sizeOf(report)
    if (this.#bytes > KEPT_BYTES || this.#waiting.length > KEPT_REPORTS) this.#giveUpSome()
    if (this.#waiting.length >= BATCH_REPORTS) this.#sendSome()
    else this.#timer ??= setTimeout(() => this.#sendSome(), this.#gatherMs())
  }

  #gatherMs(): number {
    return this.#pace.perSecond() > BUSY_REPORTS_A_SECOND ? GATHER_BUSY_MS : GATHER_QUIET_MS
  }

  /** Resolves when everything has arrived, or when the time is up. */
  async flush(withinMs: number): Promise<void> {
    this.#sendSome()
    if (this.#waiting.length === 0 && this.#sending === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.#idle.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#end.abort()
  }

  #sendSome(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    while (this.#sending < IN_FLIGHT && this.#waiting.length > 0) void this.#sendBatch(this.#takeBatch())
    if (this.#sending === 0 && this.#waiting.length === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }

  #takeBatch(): RunReport[] {
    let bytes = 0
    let count = 0
    for (const report of this.#waiting) {
      bytes += sizeOf(report)
      if (count > 0 && (count >= BATCH_REPORTS || bytes > BATCH_BYTES)) break
      count += 1
    }
    const batch = this.#waiting.splice(0, count)
    for (const report of batch) this.#bytes -= sizeOf(report)
    return batch
  }

  async #sendBatch(reports: RunReport[]): Promise<void> {
    this.#sending += 1
    let left = reports
    while (left.length > 0 && !this.#end.signal.aborted) left = await this.#try(left)
    this.#sending -= 1
    this.#options.onSettled(reports.map(({ leaseId }) => leaseId))
    // Reports that gather while a batch travels go with the next one.
    if (this.#waiting.length >= BATCH_REPORTS || this.#idle.length > 0) this.#sendSome()
    else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#sendSome(), this.#gatherMs())
  }

  /** Returns what must be tried again. */
  async #try(reports: RunReport[]): Promise<RunReport[]> {
    const { link, runnerId, log, onUnknown } = this.#options
    try {
      await link.call(routes.reportRuns, { runnerId: runnerId(), reports }, { signal: this.#end.signal })
      this.#patience.reset()
      return []
    } catch (error) {
      if (this.#end.signal.aborted) return reports
      const status = error instanceof ServerRefusal ? error.status : null
      if (status === 400 || status === 413 || status === 422) {
        // One bad report must not hold up the others: the batch is halved until the bad one is alone.
        if (reports.length === 1) return this.#giveUpRefused(reports, error)
        const half = Math.ceil(reports.length / 2)
        const rest = await this.#try(reports.slice(0, half))
        return [...rest, ...reports.slice(half)]
      }
      log('WARN', `${reports.length} reports could not be delivered yet: ${messageOf(error)}`)
      if (status === 410) onUnknown()
      await this.#patience.wait(this.#end.signal, status === 503 ? SOON_MS : undefined)
      return reports
    }
  }

  #giveUpRefused(reports: RunReport[], error: unknown): RunReport[] {
    this.dropped.reports += 1
    this.#options.log('ERROR', `the server refuses a report for good: ${messageOf(error)}`)
    const [report] = reports
    // Without its detail the verdict may still arrive.
    return report === undefined || report.detail === null ? [] : [{ ...report, detail: null }]
  }

  #giveUpSome(): void {
    const before = { ...this.dropped }
    for (let at = 0; at < this.#waiting.length && this.#bytes > KEPT_BYTES; at += 1) {
      const report = this.#waiting[at]
      if (report === undefined || report.detail === null) continue
      this.#waiting[at] = { ...report, detail: null }
      this.#bytes -= sizeOf(report) - REPORT_BYTES
      this.dropped.details += 1
    }
    const excess = this.#waiting.splice(0, Math.max(0, this.#waiting.length - KEPT_REPORTS))
    if (excess.length > 0) {
      this.#bytes -= excess.reduce((sum, report) => sum + sizeOf(report), 0)
      this.dropped.reports += excess.length
      this.#options.onSettled(excess.map(({ leaseId }) => leaseId))
    }
    if (before.details === 0 && before.reports === 0) {
      this.#options.log('ERROR', 'the server is gone for so long that results must be given up')
    }
  }
}

const REPORT_BYTES = 400

/** Roughly. */
function sizeOf({ detail }: RunReport): number {
  if (detail === null) return REPORT_BYTES
  return REPORT_BYTES + JSON.stringify(detail).length
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
