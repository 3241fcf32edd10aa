/** Roll-ups in PostgreSQL, and the results that they are made of. */
import type { RollUpBytes, RollUpLevel } from '@vedette/core'
import { type CheckKind, VERDICTS, type Verdict } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { timeOfUuid7, uuid7Floor } from '../uuid7.ts'
import type { MeasuredPage } from './measured-pages.ts'
import { hasMeasuredPages, type MeasuredColumns } from './measures.ts'
import { FINAL_FLAG, unpackFlags } from './result-row.ts'

export interface KnownCheck {
  no: number
  kind: CheckKind
}

/** A result as far as it is summed up. */
export interface MeasuredResult {
  id: string
  checkNo: number
  locationNo: number
  /** Its due time: by it results are told apart by time, as in their partitions. */
  dueAtMs: number
  startedAtMs: number
  verdict: Verdict
  final: boolean
  statusCode: number | null
  attempt: number
  columns: MeasuredColumns
  /** In their order; none unless they were asked for. */
  pages: readonly MeasuredPage[]
}

export interface StoredRollUp {
  checkNo: number
  locationNo: number
  startsAtMs: number
  /** 0: whole runs. */
  page: number
  url: string | null
  main: Buffer
  /** Null when it was not asked for. */
  others: Buffer | null
}

export interface TimeRange {
  fromMs: number
  toMs: number
}

const TABLES = { hour: 'roll_ups_hour', day: 'roll_ups_day' } as const

/** Up to when everything is rolled up; null before the first time. */
export async function rolledUpTo(db: Db): Promise<number | null> {
  const row = await db.selectFrom('roll_up_progress').select('rolled_up_to').executeTakeFirst()
  return row?.rolled_up_to.getTime() ?? null
}

/** The same, held until the transaction ends; undefined when somebody else holds it. */
export async function lockProgress(tx: Db): Promise<number | undefined> {
  const row = await tx.selectFrom('roll_up_progress').select('rolled_up_to').forUpdate().skipLocked().executeTakeFirst()
  return row?.rolled_up_to.getTime()
}

/** Does nothing when it has been set before. */
export async function beginProgress(db: Db, atMs: number): Promise<void> {
  await db
    .insertInto('roll_up_progress')
    .values({ rolled_up_to: new Date(atMs) })
    .onConflict((c) => c.doNothing())
    .execute()
}

export async function moveProgress(tx: Db, toMs: number): Promise<void> {
  await tx
    .updateTable('roll_up_progress')
    .set({ rolled_up_to: new Date(toMs) })
    .execute()
}

/** When the oldest result of all was due; null without results. */
export async function oldestResult(db: Db): Promise<number | null> {
  const { rows } = await sql<{ id: string }>`
    select r.id from checks c, lateral (select id from check_results where check_no = c.no order by id limit 1) r
    order by r.id limit 1`.execute(db)
  return rows[0] === undefined ? null : timeOfUuid7(rows[0].id)
}

/** Checks after one, in the order of their numbers. */
export async function checksAfter(db: Db, no: number, limit: number): Promise<KnownCheck[]> {
  return db.selectFrom('checks').select(['no', 'kind']).where('no', '>', no).orderBy('no').limit(limit).execute()
}

/** The results of checks that were due within the ranges, in the order of their ids for each check. */
export async function resultsWithin(
  db: Db,
  checks: readonly KnownCheck[],
  ranges: readonly TimeRange[],
  { withPages }: { withPages: boolean },
): Promise<MeasuredResult[]> {
  const numbers = checks.map(({ no }) => no)
  const visitors = withPages ? checks.filter(({ kind }) => hasMeasuredPages(kind)).map(({ no }) => no) : []
  return perRange(ranges, async (range) => {
    const results = await resultsIn(db, numbers, range)
    if (visitors.length === 0) return results
    return withPagesOf(results, await pagesIn(db, visitors, range))
  })
}

type PageRow = Selectable<Tables['page_measurements']>

async function pagesIn(db: Db, checkNos: readonly number[], { fromMs, toMs }: TimeRange): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    select p.* from unnest(${plainArray(checkNos)}::int[]) as c(no), lateral (
      select * from page_measurements
      where check_no = c.no and id >= ${uuid7Floor(fromMs)}::uuid and id < ${uuid7Floor(toMs)}::uuid
      order by id, page_index) p`.execute(db)
  return rows
}

function withPagesOf(results: readonly MeasuredResult[], rows: readonly PageRow[]): MeasuredResult[] {
  const pages = Map.groupBy(rows, ({ id }) => id)
  return results.map((result) => ({
    ...result,
    pages: (pages.get(result.id) ?? []).map(({ page_index, url, ttfb, fcp, lcp, cls, tbt }) => ({
      index: page_index,
      url,
      vitals: [ttfb, fcp, lcp, cls, tbt],
    })),
  }))
}

/** A statement for each range, so that it opens the partitions of its time only. */
async function perRange<T>(ranges: readonly TimeRange[], read: (range: TimeRange) => Promise<T[]>): Promise<T[]> {
  const found: T[][] = []
  for (let at = 0; at < ranges.length; at += RANGES_AT_ONCE)
    found.push(...(await Promise.all(ranges.slice(at, at + RANGES_AT_ONCE).map(read))))
  return found.flat()
}

/** Intervals that fit no hour have many; others want connections too. */
const RANGES_AT_ONCE = 4

async function resultsIn(db: Db, checkNos: readonly number[], { fromMs, toMs }: TimeRange): Promise<MeasuredResult[]> {
  const { rows } = await sql<MeasuredRow>`
    select r.* from unnest(${plainArray(checkNos)}::int[]) as c(no), lateral (
      select ${sql.join(MEASURED.map((column) => sql.ref(column)))} from check_results
      where check_no = c.no and id >= ${uuid7Floor(fromMs)}::uuid and id < ${uuid7Floor(toMs)}::uuid order by id) r`.execute(
    db,
  )
  return rows.map(toMeasured)
}

const MEASURED = [
  'check_no',
  'id',
  'location_no',
  'started_at',
  'flags',
  'status_code',
  'attempt',
  'response_time_ms',
  'wait_ms',
  'dns_ms',
  'tcp_ms',
  'first_byte_ms',
  'download_ms',
] as const
type MeasuredRow = Pick<Selectable<Tables['check_results']>, (typeof MEASURED)[number]>

function toMeasured(row: MeasuredRow): MeasuredResult {
  const { verdict, final } = unpackFlags(row.flags)
  return {
    id: row.id,
    checkNo: row.check_no,
    locationNo: row.location_no,
    dueAtMs: timeOfUuid7(row.id),
    startedAtMs: row.started_at.getTime(),
    verdict,
    final,
    statusCode: row.status_code,
    attempt: row.attempt,
    columns: row,
    pages: [],
  }
}

/** How many results were due in a range, counted up to a limit. */
export async function countResults(db: Db, checkNo: number, { fromMs, toMs }: TimeRange, limit: number) {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from check_results
      where check_no = ${checkNo} and id >= ${uuid7Floor(fromMs)}::uuid and id < ${uuid7Floor(toMs)}::uuid
      limit ${limit}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** What roll-ups are of: of whole runs, of each of their pages, or both. */
export type RolledUp = 'runs' | 'pages' | 'all'

/** The roll-ups of checks that begin within the ranges. */
export async function rollUpsWithin(
  db: Db,
  level: RollUpLevel,
  checkNos: readonly number[],
  ranges: readonly TimeRange[],
  of: RolledUp,
  withOthers: boolean,
): Promise<StoredRollUp[]> {
  const found = await perRange(ranges, ({ fromMs, toMs }) =>
    db
      .selectFrom(TABLES[level])
      .select(['check_no', 'location_no', 'starts_at', 'page', 'url', 'main'])
      .$if(withOthers, (q) => q.select('others'))
      .where(sql<boolean>`check_no = any(${plainArray(checkNos)}::int[])`)
      .where('starts_at', '>=', new Date(fromMs))
      .where('starts_at', '<', new Date(toMs))
      .$if(of !== 'all', (q) => q.where('page', of === 'runs' ? '=' : '>', 0))
      .orderBy('check_no')
      .orderBy('starts_at')
      .orderBy('location_no')
      .orderBy('page')
      .execute(),
  )
  return found.map((row) => ({
    checkNo: row.check_no,
    locationNo: row.location_no,
    startsAtMs: row.starts_at.getTime(),
    page: row.page,
    url: row.url,
    main: row.main,
    others: row.others ?? null,
  }))
}

export interface NewRollUp extends RollUpBytes {
  checkNo: number
  locationNo: number
  /** 0: whole runs. */
  page: number
  url: string | null
}

/** Written again, a roll-up replaces what was there. */
export async function saveRollUps(
  tx: Db,
  level: RollUpLevel,
  startsAtMs: number,
  rollUps: readonly NewRollUp[],
): Promise<void> {
  if (rollUps.length === 0) return
  const hex = (bytes: Uint8Array) =>
    `"\\\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}"`
  await sql`
    insert into ${sql.table(TABLES[level])} (check_no, starts_at, location_no, page, url, main, others)
    select check_no, ${new Date(startsAtMs)}::timestamptz, location_no, page, url, main, others
    from unnest(${plainArray(rollUps.map((r) => r.checkNo))}::int[], ${plainArray(rollUps.map((r) => r.locationNo))}::int[],
      ${plainArray(rollUps.map((r) => r.page))}::smallint[], ${rollUps.map((r) => r.url)}::text[],
      ${plainArray(rollUps.map((r) => hex(r.main)))}::bytea[], ${plainArray(rollUps.map((r) => hex(r.others)))}::bytea[])
      as t(check_no, location_no, page, url, main, others)
    on conflict (check_no, starts_at, location_no, page) do update set url = excluded.url, main = excluded.main,
      others = excluded.others`.execute(tx)
}

/** Final results due within a range, newest first. */
export async function finalResults(
  db: Db,
  { no: checkNo, kind }: KnownCheck,
  { fromMs, toMs }: TimeRange,
  verdicts: readonly Verdict[],
  { limit, offset }: { limit: number; offset: number },
): Promise<MeasuredResult[]> {
  const rows = await db
    .selectFrom('check_results')
    .select(MEASURED)
    .where('check_no', '=', checkNo)
    .where('id', '>=', uuid7Floor(fromMs))
    .where('id', '<', uuid7Floor(toMs))
    .where(sql<boolean>`flags & ${FINAL_FLAG} <> 0`)
    .where(sql<boolean>`(flags & 3) = any(${plainArray(verdicts.map((verdict) => VERDICTS.indexOf(verdict)))}::int[])`)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const results = rows.map(toMeasured)
  return hasMeasuredPages(kind) ? withPagesOf(results, await pagesOf(db, checkNo, results)) : results
}

async function pagesOf(db: Db, checkNo: number, results: readonly MeasuredResult[]): Promise<PageRow[]> {
  if (results.length === 0) return []
  return db
    .selectFrom('page_measurements')
    .selectAll()
    .where('check_no', '=', checkNo)
    .where(sql<boolean>`id = any(${plainArray(results.map(({ id }) => id))}::uuid[])`)
    .orderBy('id')
    .orderBy('page_index')
    .execute()
}
