/** Where results live. PostgreSQL is the first place; whatever takes its place answers the same questions. */
import type { PastRun } from '@vedette/core'
import type { RunDetail, Verdict } from '@vedette/schema'
import type { Db } from '../db/database.ts'
import type { ResultFlags } from './result-row.ts'

/** What a result tells beyond its row; kept when it is news. */
export interface ResultDetail {
  /** Why the run failed or was in error. */
  error: string | null
  /** Null when only the error was kept. */
  answer: RunDetail | null
}

export interface NewResult {
  id: string
  checkNo: number
  locationNo: number
  startedAtMs: number
  checkRunId: number
  /** The result whose detail this one shares; null when none was kept. */
  detailId: string | null
  detail: ResultDetail | null
  recordedAfterMs: number
  durationMs: number
  responseTimeMs: number
  /** In the order of the kind. */
  phases: readonly number[] | null
  statusCode: number | null
  attempt: number
  flags: ResultFlags
}

export interface StoredResult extends Omit<NewResult, 'detail'> {
  detail: ResultDetail | null
}

export interface ResultQuery {
  fromMs: number | null
  toMs: number | null
  locationNo: number | null
  hasFailures: boolean | null
  resultType: 'FINAL' | 'ATTEMPT' | 'ALL'
  /** Results before this one. */
  before: string | null
  limit: number
  /** About how much time lies between two results: it says how far back a page is likely to reach. */
  gapMs: number
}

export interface ResultMark {
  checkNo: number
  id: string
  verdict: Verdict
  startedAtMs: number
  responseTimeMs: number
  locationNo: number
}

export interface ResultPoint extends ResultMark {
  phases: readonly number[] | null
}

/** A final result as its run is judged by it. */
export interface FinalResult {
  id: string
  checkRunId: number
  locationNo: number
  verdict: Verdict
  startedAtMs: number
  durationMs: number
  responseTimeMs: number
  statusCode: number | null
}

export interface ResultStore {
  /** Part of the transaction that records what the results mean. Appending a result again changes nothing. */
  append(tx: Db, results: readonly NewResult[]): Promise<void>
  /** Newest first, with details. */
  page(db: Db, checkNo: number, query: ResultQuery): Promise<StoredResult[]>
  /** Newest first, by number of page, with how many there are in all. Made for windows of hours. */
  numberedPage(
    db: Db,
    checkNo: number,
    query: Omit<ResultQuery, 'before' | 'fromMs' | 'toMs' | 'gapMs'> & { fromMs: number; toMs: number; offset: number },
  ): Promise<{ results: StoredResult[]; total: number }>
  find(db: Db, checkNo: number, id: string): Promise<StoredResult | undefined>
  /** The newest result before another that passed, at the same location if there is one. */
  lastPassed(db: Db, before: StoredResult): Promise<StoredResult | undefined>
  /** The final results of one run, one for each of its locations that has ended, in the order of their due times. */
  finalsOf(db: Db, checkNo: number, checkRunId: number): Promise<FinalResult[]>
  /** Runs with the verdicts of their locations, in the order of their ends. */
  pastRuns(db: Db, checkNo: number, window: { fromMs: number; toMs: number; limit: number }): Promise<PastRun[]>
  /** The newest final results of each check, newest first. */
  latest(db: Db, checkNos: readonly number[], count: number): Promise<ResultMark[]>
  /** Final results since an instant, newest first. */
  since(db: Db, checkNo: number, fromMs: number, limit: number): Promise<ResultPoint[]>
}
