/**
 * Adds up the results of a window of time: from the results themselves where they are few, from roll-ups and the results
 * at their edges where they are many. Both ways give the same counts, and percentiles that differ by less than one percent.
 */
import { coverOf, type Piece, RollUp, type RollUpLevel, type Stored } from '@vedette/core'
import type { HeartbeatState, Verdict } from '@vedette/schema'
import type { Db } from '../db/database.ts'
import { countPings } from './heartbeat-store.ts'
import { timesOf } from './measures.ts'
import * as store from './roll-up-store.ts'
import { Tally } from './tally.ts'

const DAY_MS = 86_400_000

/** More results than this are not read one by one. */
export const READ_AT_MOST = 1000

export interface Group {
  checkNo: number
  locationNo: number
  statusCode: number | null
  /** The page whose vitals are measured; null: there is none, or it was not asked for. */
  page: { index: number; url: string } | null
  /** When the result was due, or its roll-up begins. */
  atMs: number
}

export interface Question {
  checks: readonly store.KnownCheck[]
  windows: readonly store.TimeRange[]
  /** Results of the same answer are added up together. */
  groupOf: (group: Group) => string
  /** Which outcomes count. */
  accepts?: (verdict: Verdict) => boolean
  /** Which events of heartbeats count. */
  heartbeatStates?: readonly HeartbeatState[] | undefined
  /** Which measurements are wanted. */
  wants: (measure: number) => boolean
  /** Measure the vitals of pages: those of the first of each run, or a run once for each of its pages. */
  pages?: 'first' | 'each' | undefined
  /** Count attempts that were followed by another as if they were final. */
  withAttempts?: boolean
  /** One by one up to so many results. */
  readAtMost?: number
}

/** Answers a tally for each group that has results. */
export async function measure(
  db: Db,
  question: Question,
  keeping: { retentionDays: number; nowMs: number },
): Promise<Map<string, Tally>> {
  const stored: Stored = {
    rolledUpToMs: (await store.rolledUpTo(db)) ?? 0,
    rawFromMs: Math.floor(keeping.nowMs / DAY_MS - keeping.retentionDays) * DAY_MS,
  }
  const exact = await areFew(db, question, stored)
  const pieces = exact
    ? question.windows.map((window) => ({ level: 'raw' as const, ...window }))
    : question.windows.flatMap(({ fromMs, toMs }) => coverOf(fromMs, toMs, stored))
  const tallies = new Map<string, Tally>()
  const tallyOf = (group: Group) => {
    const key = question.groupOf(group)
    let tally = tallies.get(key)
    if (tally === undefined) {
      tally = new Tally(exact)
      tallies.set(key, tally)
    }
    return tally
  }
  await Promise.all([
    addResults(db, question, pieces, tallyOf),
    addPings(db, question, tallyOf),
    ...(['hour', 'day'] as const).map((level) => addRollUps(db, question, pieces, level, tallyOf)),
  ])
  return tallies
}

/** Whether the results can be read one by one: all must still be there. */
async function areFew(db: Db, question: Question, stored: Stored): Promise<boolean> {
  const [check, ...others] = question.checks
  const [first] = question.windows
  const last = question.windows.at(-1)
  if (check === undefined || first === undefined || last === undefined || others.length > 0) return false
  if (first.fromMs < stored.rawFromMs) return false
  const limit = question.readAtMost ?? READ_AT_MOST
  if (limit === 0) return false
  const days = (last.toMs - first.fromMs) / DAY_MS
  if (days > 2) {
    // One day tells enough of a check that runs often, and is read from one partition or two.
    const aDay = await store.countResults(db, check.no, { fromMs: last.toMs - DAY_MS, toMs: last.toMs }, limit + 1)
    if (aDay * days > 2 * limit) return false
  }
  return (await store.countResults(db, check.no, { fromMs: first.fromMs, toMs: last.toMs }, limit + 1)) <= limit
}

async function addResults(
  db: Db,
  question: Question,
  pieces: readonly Piece[],
  tallyOf: (group: Group) => Tally,
): Promise<void> {
  const kinds = new Map(question.checks.map(({ no, kind }) => [no, kind]))
  const withPages = question.pages !== undefined
  for (const result of await store.resultsWithin(db, question.checks, rangesOf(pieces, 'raw'), { withPages })) {
    const kind = kinds.get(result.checkNo)
    if (kind === undefined || question.accepts?.(result.verdict) === false) continue
    const final = result.final || question.withAttempts === true
    for (const page of question.pages === 'each' ? result.pages : [result.pages[0] ?? null]) {
      const times = timesOf(kind, result.columns, page).map((time, index) => (question.wants(index) ? time : null))
      tallyOf({ ...result, page, atMs: result.dueAtMs }).addResult({ ...result, final }, times)
    }
  }
}

/** Nobody runs heartbeats: a ping counts as a passing result, a missing one as a failing. */
async function addPings(db: Db, question: Question, tallyOf: (group: Group) => Tally): Promise<void> {
  const numbers = question.checks.filter(({ kind }) => kind === 'HEARTBEAT').map(({ no }) => no)
  if (numbers.length === 0) return
  for (const counted of await countPings(db, numbers, question.windows, question.heartbeatStates)) {
    const atMs = question.windows[counted.window]?.fromMs ?? 0
    const tally = tallyOf({ checkNo: counted.checkNo, locationNo: 0, statusCode: null, page: null, atMs })
    const cell = { final: true, statusCode: null, times: [] }
    if (counted.pings > 0) tally.addCell({ ...cell, verdict: 'passed', count: counted.pings })
    if (counted.missing > 0) tally.addCell({ ...cell, verdict: 'failed', count: counted.missing })
  }
}

async function addRollUps(
  db: Db,
  question: Question,
  pieces: readonly Piece[],
  level: RollUpLevel,
  tallyOf: (group: Group) => Tally,
): Promise<void> {
  const ranges = rangesOf(pieces, level)
  if (ranges.length === 0) return
  const numbers = question.checks.map(({ no }) => no)
  const withOthers = OTHERS.some(question.wants)
  // Those of one group are added up as they are read: most cells of a check are alike.
  const sums = new Map<string, { group: Omit<Group, 'statusCode'>; rollUp: RollUp }>()
  const of = question.pages === 'each' ? 'pages' : 'runs'
  for (const row of await store.rollUpsWithin(db, level, numbers, ranges, of, withOthers)) {
    const page = row.url === null ? null : { index: Math.max(0, row.page - 1), url: row.url }
    const group = { checkNo: row.checkNo, locationNo: row.locationNo, page, atMs: row.startsAtMs }
    const key = question.groupOf({ ...group, statusCode: null })
    let sum = sums.get(key)
    if (sum === undefined) {
      sum = { group, rollUp: new RollUp() }
      sums.set(key, sum)
    }
    sum.rollUp.read(row, question.wants)
  }
  for (const { group, rollUp } of sums.values())
    for (const cell of rollUp.cells())
      if (question.accepts?.(cell.verdict) !== false)
        tallyOf({ ...group, statusCode: cell.statusCode }).addCell({
          ...cell,
          final: cell.final || question.withAttempts === true,
        })
}

/** No kind has more measurements besides its main one. */
const OTHERS = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/** The ranges of a level in order, those that touch or overlap made one. */
function rangesOf(pieces: readonly Piece[], level: Piece['level']): store.TimeRange[] {
  const ranges: store.TimeRange[] = []
  for (const { fromMs, toMs } of pieces.filter((piece) => piece.level === level).sort((a, b) => a.fromMs - b.fromMs)) {
    const last = ranges.at(-1)
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else ranges.push({ fromMs, toMs })
  }
  return ranges
}
