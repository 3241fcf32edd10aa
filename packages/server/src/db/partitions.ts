/** Partitions of results and roll-ups: made ahead, dropped when they are old enough, with whatever else is as old. */
import { sql } from 'kysely'
import { uuid7Floor } from '../uuid7.ts'
import type { Db } from './database.ts'

const DAY_MS = 86_400_000
const DAYS_AHEAD = 3
const TABLES = ['check_results', 'result_details', 'page_measurements'] as const
const MONTHLY = ['roll_ups_hour', 'roll_ups_day'] as const
/** Two servers must not make the same partition at once. */
const PARTITION_LOCK = 7_283_302

const dayName = (dayMs: number) => new Date(dayMs).toISOString().slice(0, 10).replaceAll('-', '')
const monthName = (atMs: number) => dayName(atMs).slice(0, 6)
const monthAfter = (atMs: number, months: number) => {
  const at = new Date(atMs)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months)
}

/** Makes the partitions from yesterday to a few days ahead. */
export async function makePartitions(db: Db, nowMs: number): Promise<void> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(tx)
    for (let day = today - DAY_MS; day <= today + DAYS_AHEAD * DAY_MS; day += DAY_MS) {
      for (const table of TABLES) {
        await sql`create table if not exists ${sql.table(`${table}_${dayName(day)}`)} partition of ${sql.table(table)}
          for values from (${sql.lit(uuid7Floor(day))}) to (${sql.lit(uuid7Floor(day + DAY_MS))})`.execute(tx)
      }
    }
  })
  await makeRollUpPartitions(db, today - DAY_MS, today + DAYS_AHEAD * DAY_MS)
}

/** Makes the partitions of roll-ups from one instant to another. */
export async function makeRollUpPartitions(db: Db, fromMs: number, toMs: number): Promise<void> {
  const make = (tx: Db, table: string, name: string, from: number, to: number) =>
    sql`create table if not exists ${sql.table(`${table}_${name}`)} partition of ${sql.table(table)}
      for values from (${sql.lit(new Date(from).toISOString())}) to (${sql.lit(new Date(to).toISOString())})`.execute(
      tx,
    )
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(tx)
    for (let month = monthAfter(fromMs, 0); month <= toMs; month = monthAfter(month, 1))
      for (const table of MONTHLY) await make(tx, table, monthName(month), month, monthAfter(month, 1))
  })
}

/**
 * Drops what is older than the retention and returns the names of what went. Details stay a day and a bit longer: a
 * result may share the detail of one that was recorded up to a day before. Roll-ups stay for months, and as long as results.
 */
export async function dropOldPartitions(
  db: Db,
  nowMs: number,
  retentionDays: number,
  aggregateMonths = 25,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    join pg_class p on p.oid = i.inhparent where p.relname = any(${[...TABLES, ...MONTHLY]}::text[])`.execute(db)
  // What has not been rolled up yet would be missing from all figures for ever; before rolling up has begun, that is all.
  const rolledUp = await sql<{ to_ms: number | null }>`
    select (extract(epoch from min(rolled_up_to)) * 1000)::float8 as to_ms from roll_up_progress`.execute(db)
  const rolledUpToMs = rolledUp.rows[0]?.to_ms ?? 0
  const keptFromMs = nowMs - retentionDays * DAY_MS
  const oldest = {
    check_results: Math.min(keptFromMs, rolledUpToMs),
    result_details: nowMs - (retentionDays + 2) * DAY_MS,
  }
  const oldestMonth = monthName(Math.min(monthAfter(nowMs, -aggregateMonths), keptFromMs))
  const first: Record<string, string> = {
    check_results: dayName(oldest.check_results),
    result_details: dayName(oldest.result_details),
    page_measurements: dayName(oldest.check_results),
    roll_ups_hour: oldestMonth,
    roll_ups_day: oldestMonth,
  }
  const old = rows
    .map((row) => row.name)
    .filter((name) => name.slice(name.lastIndexOf('_') + 1) < (first[name.slice(0, name.lastIndexOf('_'))] ?? ''))
  for (const name of old) await sql`drop table if exists ${sql.table(name)}`.execute(db)
  const before = new Date(oldest.check_results)
  await sql`delete from missed_runs where recorded_at < ${before}`.execute(db)
  // What points to a result that is gone goes with it; notifications go with their alerts.
  await sql`delete from check_sessions where stopped_at < ${before}`.execute(db)
  await sql`delete from alert_decisions where at < ${before}`.execute(db)
  // Of trouble that goes on for so long people are still reminded.
  await sql`
    delete from check_alerts a where created_at < ${before}
      and not exists (select from alert_reminders r where r.alert_id = a.id)`.execute(db)
  // Digests are about many alerts.
  await sql`delete from notifications where check_alert_id is null and created_at < ${before}`.execute(db)
  await sql`delete from error_groups where last_seen < ${before} and not archived_for_ever`.execute(db)
  await sql`delete from error_group_days where day < (${before}::timestamptz at time zone 'UTC')::date`.execute(db)
  await sql`delete from heartbeat_events where at < ${before}`.execute(db)
  await sql`delete from coverage where minute < ${before}`.execute(db)
  return old
}
