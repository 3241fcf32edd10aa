import type { WindowRule } from '@vedette/core'
import { sql } from 'kysely'
import type { CheckSettings } from '../checks/check.ts'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import type { Pause } from './lanes.ts'

export interface PausingWindow extends WindowRule {
  accountId: string
  tags: string[]
  pauseAllChecks: boolean
}

/** Windows that apply to something and are not over. */
export async function loadWindows(db: Db, nowMs: number): Promise<PausingWindow[]> {
  const rows = await db
    .selectFrom('maintenance_windows')
    .selectAll()
    .where((eb) => eb.or([eb('pause_all_checks', '=', true), eb(sql`cardinality(tags)`, '>', 0)]))
    .where((eb) => eb.or([eb('repeat_unit', 'is not', null), eb('ends_at', '>', new Date(nowMs))]))
    .execute()
  return rows.map((row) => ({
    accountId: row.account_id,
    tags: row.tags,
    pauseAllChecks: row.pause_all_checks,
    startsAtMs: row.starts_at.getTime(),
    endsAtMs: row.ends_at.getTime(),
    repeatUnit: row.repeat_unit,
    repeatInterval: row.repeat_interval,
    repeatEndsAtMs: row.repeat_ends_at?.getTime() ?? null,
    timezone: row.timezone,
  }))
}

export interface PausingSpan extends Pause {
  accountId: string
  tags: string[]
  allChecks: boolean
}

/** The checks to which spans of maintenance apply, each with its span. */
export async function checksWithin(db: Db, spans: readonly PausingSpan[]): Promise<(Pause & { checkNo: number })[]> {
  if (spans.length === 0) return []
  const { rows } = await sql<{ check_no: number; from_ms: number; until_ms: number }>`
    select c.no as check_no, w."fromMs" as from_ms, w."untilMs" as until_ms
    from jsonb_to_recordset(${JSON.stringify(spans)}::jsonb)
      as w("accountId" uuid, tags text[], "allChecks" boolean, "fromMs" float8, "untilMs" float8)
    join checks c on c.account_id = w."accountId" and (w."allChecks" or c.effective_tags && w.tags)`.execute(db)
  return rows.map((row) => ({ checkNo: row.check_no, fromMs: row.from_ms, untilMs: row.until_ms }))
}

export async function loadPauses(db: Db): Promise<Map<number, Pause>> {
  const rows = await db
    .selectFrom('checks')
    .select(['no', 'paused_from', 'paused_until'])
    .where('paused_until', 'is not', null)
    .execute()
  return new Map(
    rows.flatMap((row) => {
      const pause = toPause(row)
      return pause === null ? [] : [[row.no, pause] as const]
    }),
  )
}

/** Returns the checks that were changed. Those at which somebody is at work are left for the next time. */
export async function setPauses(
  tx: Db,
  changes: readonly { checkNo: number; pause: Pause | null }[],
): Promise<number[]> {
  if (changes.length === 0) return []
  const { rows } = await sql<{ no: number }>`
    with free as (
      select no from checks where no = any(${plainArray(changes.map((c) => c.checkNo))}::int[])
      for no key update skip locked)
    update checks c set paused_from = to_timestamp(t.from_ms / 1000), paused_until = to_timestamp(t.until_ms / 1000)
    from free join unnest(${plainArray(changes.map((c) => c.checkNo))}::int[],
      ${plainArray(changes.map((c) => c.pause?.fromMs ?? null))}::float8[],
      ${plainArray(changes.map((c) => c.pause?.untilMs ?? null))}::float8[]) as t(no, from_ms, until_ms) on t.no = free.no
    where c.no = free.no returning c.no`.execute(tx)
  return rows.map((row) => row.no)
}

export interface PausableLane {
  id: number
  no: number
  settings: CheckSettings
  createdAt: Date
  locationNo: number
  dueAtMs: number
  /** Neither in hand nor between two attempts. */
  idle: boolean
  pause: Pause | null
}

/**
 * Locks the lanes of some checks, and all that fall due in a pause, but for those at which somebody is at work. Those of
 * the checks named are waited for: what is passed over now would not be named again.
 */
export async function lockLanes(tx: Db, checkNos: readonly number[]): Promise<PausableLane[]> {
  await sql`
    select from schedule where session_id is null and check_no = any(${plainArray(checkNos)}::int[])
    order by check_no, id for update`.execute(tx)
  const { rows } = await sql<{
    id: number
    check_no: number
    settings: CheckSettings
    created_at: Date
    location_no: number
    due_ms: number
    idle: boolean
    paused_from: Date | null
    paused_until: Date | null
  }>`
    select s.id, s.check_no, c.effective_settings as settings, c.created_at, s.location_no, (extract(epoch from s.due_at) * 1000)::float8 as due_ms,
      s.lease_id is null and s.attempt = 1 as idle, c.paused_from, c.paused_until
    from schedule s join checks c on c.no = s.check_no
    where s.session_id is null and (c.no = any(${plainArray(checkNos)}::int[])
      or (c.paused_until is not null and s.lease_id is null and s.attempt = 1
        and s.due_at >= c.paused_from and s.due_at < c.paused_until))
    for update of s skip locked`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    no: row.check_no,
    settings: row.settings,
    createdAt: row.created_at,
    locationNo: row.location_no,
    dueAtMs: row.due_ms,
    idle: row.idle,
    pause: toPause(row),
  }))
}

/** Idle lanes go on from another slot; a run that was lost before it began is not made up. */
export async function moveIdleLanes(
  tx: Db,
  moves: readonly { no: number; id: number; dueAtMs: number }[],
): Promise<void> {
  if (moves.length === 0) return
  await sql`
    update schedule s set due_at = to_timestamp(m.due_ms / 1000), check_run_id = null, first_started_at = null, losses = 0, errors = 0
    from unnest(${plainArray(moves.map((m) => m.no))}::int[], ${plainArray(moves.map((m) => m.id))}::bigint[],
      ${plainArray(moves.map((m) => m.dueAtMs))}::float8[]) as m(check_no, id, due_ms)
    where s.check_no = m.check_no and s.id = m.id`.execute(tx)
}

export function toPause(row: { paused_from: Date | null; paused_until: Date | null }): Pause | null {
  const { paused_from: from, paused_until: until } = row
  return from === null || until === null ? null : { fromMs: from.getTime(), untilMs: until.getTime() }
}
