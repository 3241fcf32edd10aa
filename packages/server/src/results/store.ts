/** Results in PostgreSQL: narrow rows in daily partitions, details compressed beside them. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { PastRun } from '@vedette/core'
import { VERDICTS } from '@vedette/schema'
import { type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { timeOfUuid7, uuid7Floor } from '../uuid7.ts'
import { measuredPages } from './measured-pages.ts'
import { FINAL_FLAG, packFlags, unpackFlags } from './result-row.ts'
import type {
  FinalResult,
  NewResult,
  ResultDetail,
  ResultMark,
  ResultPoint,
  ResultQuery,
  ResultStore,
  StoredResult,
} from './result-store.ts'

export const postgresResults: ResultStore = {
  append: appendResults,
  page: pageOfResults,
  numberedPage: numberedPageOfResults,
  find: findResult,
  lastPassed,
  finalsOf: finalResultsOf,
  pastRuns,
  latest: latestResults,
  since: resultsSince,
}

/** A run's id carries its due time, its start may be later by this much at most. */
const START_AFTER_DUE_MS = 15 * 60_000

async function appendResults(tx: Db, results: readonly NewResult[]): Promise<void> {
  const phase = (index: number) => results.map((result) => result.phases?.[index] ?? null)
  await sql`
    /* prepared: append-results */
    insert into check_results (id, check_no, location_no, started_at, check_run_id, detail_id, recorded_after_ms, duration_ms,
      response_time_ms, wait_ms, dns_ms, tcp_ms, first_byte_ms, download_ms, status_code, attempt, flags)
    select id, check_no, location_no, to_timestamp(started / 1000), check_run_id, detail_id, recorded_after, duration,
      response_time, wait, dns, tcp, first_byte, download, status_code, attempt, flags
    from unnest(${plainArray(results.map((r) => r.id))}::uuid[], ${plainArray(results.map((r) => r.checkNo))}::int[],
      ${plainArray(results.map((r) => r.locationNo))}::int[], ${plainArray(results.map((r) => r.startedAtMs))}::float8[],
      ${plainArray(results.map((r) => r.checkRunId))}::bigint[], ${plainArray(results.map((r) => r.detailId))}::uuid[],
      ${plainArray(results.map((r) => Math.round(r.recordedAfterMs)))}::int[], ${plainArray(results.map((r) => r.durationMs))}::real[],
      ${plainArray(results.map((r) => r.responseTimeMs))}::real[], ${plainArray(phase(0))}::real[], ${plainArray(phase(1))}::real[], ${plainArray(phase(2))}::real[],
      ${plainArray(phase(3))}::real[], ${plainArray(phase(4))}::real[], ${plainArray(results.map((r) => r.statusCode))}::smallint[],
      ${plainArray(results.map((r) => r.attempt))}::smallint[], ${plainArray(results.map((r) => packFlags(r.flags)))}::smallint[])
      as t(id, check_no, location_no, started, check_run_id, detail_id, recorded_after, duration, response_time, wait, dns, tcp,
        first_byte, download, status_code, attempt, flags)
    on conflict do nothing`.execute(tx)
  const detailed = results.filter((result) => result.detail !== null)
  if (detailed.length === 0) return
  await sql`
    insert into result_details (id, check_no, detail)
    select * from unnest(${plainArray(detailed.map((r) => r.id))}::uuid[], ${plainArray(detailed.map((r) => r.checkNo))}::int[],
      ${detailed.map((r) => packDetail(r.detail))}::bytea[])
    on conflict do nothing`.execute(tx)
  await appendPages(tx, detailed)
}

async function appendPages(tx: Db, results: readonly NewResult[]): Promise<void> {
  const pages = results.flatMap(({ id, checkNo, detail }) =>
    measuredPages(detail?.answer).map((page) => ({ id, checkNo, ...page })),
  )
  if (pages.length === 0) return
  const vital = (place: number) => plainArray(pages.map(({ vitals }) => vitals[place] ?? null))
  await sql`
    insert into page_measurements (check_no, id, page_index, url, ttfb, fcp, lcp, cls, tbt)
    select * from unnest(${plainArray(pages.map((p) => p.checkNo))}::int[], ${plainArray(pages.map((p) => p.id))}::uuid[],
      ${plainArray(pages.map((p) => p.index))}::smallint[], ${pages.map((p) => p.url)}::text[],
      ${vital(0)}::real[], ${vital(1)}::real[], ${vital(2)}::real[], ${vital(3)}::real[], ${vital(4)}::real[])
    on conflict do nothing`.execute(tx)
}

function packDetail(detail: ResultDetail | null): Buffer {
  const text = Buffer.from(JSON.stringify(detail))
  return zstdCompressSync(text, { chunkSize: chunkFor(text.length) })
}

function unpackDetail(packed: Buffer): ResultDetail {
  return JSON.parse(zstdDecompressSync(packed, { chunkSize: chunkFor(packed.length * 4) }).toString())
}

/** Pages have a hundred small details: with 16 KiB for each, unpacking them brings on five times as many collections. */
const chunkFor = (bytes: number): number => Math.min(65_536, Math.max(1024, bytes))

type ResultRow = Selectable<Tables['check_results']>

async function pageOfResults(db: Db, checkNo: number, query: ResultQuery): Promise<StoredResult[]> {
  return withDetails(db, checkNo, await rowsOfPage(db, checkNo, query))
}

/**
 * A filter that most results do not pass is answered by the index alone, and rows are read for the page only. Without
 * one, a statement more would cost more than it spares.
 */
async function rowsOfPage(db: Db, checkNo: number, query: ResultQuery): Promise<ResultRow[]> {
  if (query.hasFailures === null && query.resultType !== 'ATTEMPT')
    return lookBack(db, checkNo, query, (reached) => reached.selectAll().execute())
  const isInIndex =
    query.fromMs === null && query.toMs === null && query.locationNo === null && query.limit <= IDS_AT_ONCE
  const found = isInIndex
    ? await idsByIndex(db, checkNo, query)
    : await lookBack(db, checkNo, query, (reached) => reached.select('id').execute())
  if (found.length === 0) return []
  return db
    .selectFrom('check_results')
    .selectAll()
    .where('check_no', '=', checkNo)
    .where(sql<SqlBool>`id = any(${plainArray(found.map(({ id }) => id))}::uuid[])`)
    .orderBy('id', 'desc')
    .execute()
}

/**
 * One index after the other, newest first, until the page is full. With a plan for any parameters this takes a third of
 * what planning for these very ones does, day by day of the retention.
 */
async function idsByIndex(db: Db, checkNo: number, query: ResultQuery): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    /* prepared: result-ids */
    select id from check_results
    where check_no = ${checkNo} and id < ${query.before ?? NEWEST_ID}::uuid
      and (${query.hasFailures}::boolean is null or (flags & 3 = 2) = ${query.hasFailures}::boolean)
      and (${query.resultType}::text = 'ALL' or (flags & ${sql.lit(FINAL_FLAG)} <> 0) = (${query.resultType}::text = 'FINAL'))
    order by id desc limit ${sql.lit(IDS_AT_ONCE)}`.execute(db)
  return rows.slice(0, query.limit)
}

/** Part of the statement: with a limit that it does not know, the database plans for a tenth of all results. */
const IDS_AT_ONCE = 101

const NEWEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** A page reaches back at least as far as this, that a check which slept a while needs no second look. */
const LEAST_REACH_MS = 6 * 3_600_000

/**
 * How far back one looks, in steps: a statement costs time for each partition that it may have to open, and a second
 * statement costs as much again. The first step is twice as far as the page should reach, the last is everything.
 */
function reachesOf({ limit, gapMs }: ResultQuery): (number | null)[] {
  const first = Math.max(LEAST_REACH_MS, 2 * limit * gapMs)
  return [first, 4 * first, null]
}

/** What a page has, read step by step. */
async function lookBack<R>(
  db: Db,
  checkNo: number,
  query: ResultQuery,
  read: (reached: SelectQueryBuilder<Tables, 'check_results', object>) => Promise<R[]>,
): Promise<R[]> {
  const { fromMs, toMs, before } = query
  const oldest = fromMs === null ? null : uuid7Floor(fromMs - START_AFTER_DUE_MS)
  let newest = before
  if (toMs !== null && (newest === null || uuid7Floor(toMs) < newest)) newest = uuid7Floor(toMs)
  const page: R[] = []
  for (const reachMs of reachesOf(query)) {
    const fromTime = (newest === null ? Date.now() : timeOfUuid7(newest)) - (reachMs ?? Number.POSITIVE_INFINITY)
    const reached = uuid7Floor(fromTime)
    const isLast = reachMs === null || (oldest !== null && reached <= oldest)
    const inReach = db
      .selectFrom('check_results')
      .where('check_no', '=', checkNo)
      .$if(newest !== null, (q) => q.where('id', '<', newest ?? ''))
      .$if(!isLast || oldest !== null, (q) => q.where('id', '>=', isLast ? (oldest ?? '') : reached))
      .$if(fromMs !== null, (q) => q.where('started_at', '>=', new Date(fromMs ?? 0)))
      .$if(toMs !== null, (q) => q.where('started_at', '<', new Date(toMs ?? 0)))
      .$call((q) => filtered(q, query))
      .orderBy('id', 'desc')
      .limit(query.limit - page.length)
    page.push(...(await read(inReach)))
    if (isLast || page.length >= query.limit) break
    newest = reached
  }
  return page
}

type Filter = Pick<ResultQuery, 'locationNo' | 'hasFailures' | 'resultType'>

/** All of them are answered by the index alone, the location excepted. */
function filtered<O>(query: SelectQueryBuilder<Tables, 'check_results', O>, filter: Filter) {
  return query
    .$if(filter.locationNo !== null, (q) => q.where('location_no', '=', filter.locationNo ?? 0))
    .$if(filter.hasFailures !== null, (q) =>
      filter.hasFailures ? q.where(sql<SqlBool>`flags & 3 = 2`) : q.where(sql<SqlBool>`flags & 3 <> 2`),
    )
    .$if(filter.resultType !== 'ALL', (q) =>
      q.where(sql<SqlBool>`(flags & ${FINAL_FLAG} <> 0) = ${filter.resultType === 'FINAL'}`),
    )
}

async function numberedPageOfResults(
  db: Db,
  checkNo: number,
  query: Parameters<ResultStore['numberedPage']>[2],
): Promise<{ results: StoredResult[]; total: number }> {
  const matching = db
    .selectFrom('check_results')
    .where('check_no', '=', checkNo)
    .where('id', '>=', uuid7Floor(query.fromMs - START_AFTER_DUE_MS))
    .where('id', '<', uuid7Floor(query.toMs))
    .where('started_at', '>=', new Date(query.fromMs))
    .where('started_at', '<', new Date(query.toMs))
    .$call((q) => filtered(q, query))
  const rows = await matching.selectAll().orderBy('id', 'desc').limit(query.limit).offset(query.offset).execute()
  const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { results: await withDetails(db, checkNo, rows), total }
}

async function findResult(db: Db, checkNo: number, id: string): Promise<StoredResult | undefined> {
  const rows = await db
    .selectFrom('check_results')
    .selectAll()
    .where('check_no', '=', checkNo)
    .where('id', '=', id)
    .execute()
  const [result] = await withDetails(db, checkNo, rows)
  return result
}

async function lastPassed(db: Db, { checkNo, id, locationNo }: StoredResult): Promise<StoredResult | undefined> {
  const passed = db
    .selectFrom('check_results')
    .selectAll()
    .where('check_no', '=', checkNo)
    .where('id', '<', id)
    .where(sql<SqlBool>`flags & 3 = ${sql.lit(VERDICTS.indexOf('passed'))}`)
    .orderBy('id', 'desc')
    .limit(1)
  const here = await passed.where('location_no', '=', locationNo).execute()
  const [result] = await withDetails(db, checkNo, here.length > 0 ? here : await passed.execute())
  return result
}

/** In a statement of their own, which names the details: it opens the partitions of their days only. */
async function withDetails(db: Db, checkNo: number, rows: readonly ResultRow[]): Promise<StoredResult[]> {
  const ids = [...new Set(rows.flatMap(({ detail_id }) => detail_id ?? []))]
  const kept = new Map<string, ResultDetail>()
  if (ids.length > 0) {
    const found = await db
      .selectFrom('result_details')
      .select(['id', 'detail'])
      .where('check_no', '=', checkNo)
      .where(sql<SqlBool>`id = any(${plainArray(ids)}::uuid[])`)
      .execute()
    for (const { id, detail } of found) kept.set(id, unpackDetail(detail))
  }
  return rows.map((row) => toStoredResult(row, kept.get(row.detail_id ?? '') ?? null))
}

/** Clocks that differ by less than this do no harm. */
const CLOCKS_APART_MS = 60_000

async function finalResultsOf(db: Db, checkNo: number, checkRunId: number): Promise<FinalResult[]> {
  const { rows } = await sql<MarkRow & { duration_ms: number; status_code: number | null }>`
    select check_no, id, flags, started_at, response_time_ms, location_no, duration_ms, status_code from check_results
    where check_no = ${checkNo} and id >= ${uuid7Floor(checkRunId - CLOCKS_APART_MS)}::uuid
      and check_run_id = ${checkRunId} and flags & ${FINAL_FLAG} <> 0
    order by started_at, id`.execute(db)
  return rows.map((row) => ({
    ...toMark(row),
    checkRunId,
    durationMs: row.duration_ms,
    statusCode: row.status_code,
  }))
}

async function pastRuns(
  db: Db,
  checkNo: number,
  { fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number },
): Promise<PastRun[]> {
  const { rows } = await sql<{ ended_ms: number; flags: string }>`
    select max(extract(epoch from started_at) * 1000 + duration_ms)::float8 as ended_ms,
      string_agg(flags::text, ',' order by started_at, id) as flags
    from check_results
    where check_no = ${checkNo} and id >= ${uuid7Floor(fromMs)}::uuid and id < ${uuid7Floor(toMs)}::uuid
      and flags & ${FINAL_FLAG} <> 0
    group by check_run_id order by 1 limit ${limit}`.execute(db)
  return rows.map(({ ended_ms, flags }) => ({
    atMs: Math.round(ended_ms),
    verdicts: flags.split(',').map((packed) => unpackFlags(Number(packed)).verdict),
  }))
}

/** Where many checks are looked at, the newest results of most of them are in here. */
const RECENT_MS = 2 * 86_400_000

async function latestResults(db: Db, checkNos: readonly number[], count: number): Promise<ResultMark[]> {
  const recent = await latestSince(db, checkNos, count, Date.now() - RECENT_MS)
  const found = new Map<number, number>()
  for (const { checkNo } of recent) found.set(checkNo, (found.get(checkNo) ?? 0) + 1)
  const rare = checkNos.filter((no) => (found.get(no) ?? 0) < count)
  if (rare.length === 0) return recent
  const all = await latestSince(db, rare, count, 0)
  return [...recent.filter(({ checkNo }) => !rare.includes(checkNo)), ...all]
}

async function latestSince(db: Db, checkNos: readonly number[], count: number, sinceMs: number): Promise<ResultMark[]> {
  const { rows } = await sql<MarkRow>`
    select c.no as check_no, r.id, r.flags, r.started_at, r.response_time_ms, r.location_no
    from unnest(${plainArray(checkNos)}::int[]) as c(no), lateral (
      select id, flags, started_at, response_time_ms, location_no from check_results
      where check_no = c.no and flags & ${FINAL_FLAG} <> 0 and id >= ${uuid7Floor(sinceMs)}::uuid
      order by id desc limit ${count}) r`.execute(db)
  return rows.map(toMark)
}

async function resultsSince(db: Db, checkNo: number, fromMs: number, limit: number): Promise<ResultPoint[]> {
  const { rows } = await sql<MarkRow & PhaseColumns>`
    select check_no, id, flags, started_at, response_time_ms, location_no, wait_ms, dns_ms, tcp_ms, first_byte_ms, download_ms
    from check_results
    where check_no = ${checkNo} and id >= ${uuid7Floor(fromMs)}::uuid and flags & ${FINAL_FLAG} <> 0
    order by id desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...toMark(row), phases: phasesOf(row) }))
}

interface MarkRow {
  check_no: number
  id: string
  flags: number
  started_at: Date
  response_time_ms: number
  location_no: number
}

interface PhaseColumns {
  wait_ms: number | null
  dns_ms: number | null
  tcp_ms: number | null
  first_byte_ms: number | null
  download_ms: number | null
}

function toMark(row: MarkRow): ResultMark {
  return {
    checkNo: row.check_no,
    id: row.id,
    verdict: unpackFlags(row.flags).verdict,
    startedAtMs: row.started_at.getTime(),
    responseTimeMs: row.response_time_ms,
    locationNo: row.location_no,
  }
}

function phasesOf(row: PhaseColumns): number[] | null {
  if (row.first_byte_ms === null) return null
  return [row.wait_ms ?? 0, row.dns_ms ?? 0, row.tcp_ms ?? 0, row.first_byte_ms, row.download_ms ?? 0]
}

function toStoredResult(row: ResultRow, detail: ResultDetail | null): StoredResult {
  return {
    id: row.id,
    checkNo: row.check_no,
    locationNo: row.location_no,
    startedAtMs: row.started_at.getTime(),
    checkRunId: row.check_run_id,
    detailId: row.detail_id,
    detail,
    recordedAfterMs: row.recorded_after_ms,
    durationMs: row.duration_ms,
    responseTimeMs: row.response_time_ms,
    phases: phasesOf(row),
    statusCode: row.status_code,
    attempt: row.attempt,
    flags: unpackFlags(row.flags),
  }
}

/** Adds what a server counted in a minute to what it added before. */
export async function addCoverage(
  db: Db,
  serverId: string,
  atMs: number,
  minute: { done: number; inError: number; lateness: readonly number[] },
): Promise<void> {
  await sql`
    insert into coverage (server_id, minute, done, in_error, lateness)
    values (${serverId}, ${new Date(atMs)}, ${minute.done}, ${minute.inError}, ${minute.lateness})
    on conflict (minute, server_id) do update set done = coverage.done + excluded.done,
      in_error = coverage.in_error + excluded.in_error,
      lateness = array(select a + b from unnest(coverage.lateness, excluded.lateness) as t(a, b))`.execute(db)
}
