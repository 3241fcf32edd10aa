import { type AlertState, UNHEARD_MS } from '@vedette/core'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'

/** A check of which an alert is held. */
export interface HeldCheck {
  checkNo: number
  accountId: string
  dependsOn: string[]
  heldSinceMs: number
  /** Whether it has a run due by itself within `UNHEARD_MS`. */
  runsSoon: boolean
}

/** Those that may be told of: not switched off, and in no maintenance. Without locks. */
export async function findHeld(db: Db, nowMs: number): Promise<HeldCheck[]> {
  const { rows } = await sql<{
    check_no: number
    account_id: string
    depends_on: string[]
    held_since: Date
    runs_soon: boolean
  }>`
    select s.check_no, c.account_id, coalesce(c.effective_settings -> 'dependsOn', '[]') as depends_on, s.held_since,
      exists (select from schedule r where r.check_no = s.check_no and r.session_id is null
        and r.due_at < ${new Date(nowMs + UNHEARD_MS)}) as runs_soon
    from check_states s join checks c on c.no = s.check_no
    where s.held_since is not null and ${mayBeTold(nowMs)}
    order by s.check_no`.execute(db)
  return rows.map((row) => ({
    checkNo: row.check_no,
    accountId: row.account_id,
    dependsOn: row.depends_on,
    heldSinceMs: row.held_since.getTime(),
    runsSoon: row.runs_soon,
  }))
}

/** Locks the states of those that are still held. What another server has in hand is passed over. */
export async function lockHeld(tx: Db, checkNos: readonly number[], nowMs: number): Promise<number[]> {
  const { rows } = await sql<{ check_no: number }>`
    select s.check_no from check_states s join checks c on c.no = s.check_no
    where s.check_no = any(${plainArray(checkNos)}::int[]) and s.held_since is not null and ${mayBeTold(nowMs)}
    order by s.check_no for update of s skip locked`.execute(tx)
  return rows.map((row) => row.check_no)
}

function mayBeTold(nowMs: number) {
  const now = new Date(nowMs)
  return sql`s.state <> 'passing' and c.effective_activated
    and (c.paused_from is null or c.paused_from > ${now} or c.paused_until <= ${now})`
}

/** What an alert was about when it was held for the last time. */
export interface HeldNews {
  checkNo: number
  resultId: string
  checkRunId: number | null
  /** Of a heartbeat: what its event says. */
  event: { error: string | null; atMs: number; durationMs: number | null } | null
}

export async function newsOf(tx: Db, checkNos: readonly number[]): Promise<Map<number, HeldNews>> {
  const { rows } = await sql<{
    check_no: number
    result_id: string
    check_run_id: number | null
    at: Date | null
    error: string | null
    duration_ms: number | null
  }>`
    select d.check_no, d.result_id, d.check_run_id, e.at, e.error, e.duration_ms
    from unnest(${plainArray(checkNos)}::int[]) as t(check_no)
    cross join lateral (select check_no, result_id, check_run_id from alert_decisions d
      where d.check_no = t.check_no and d.rule = 'parent-failing' and d.result_id is not null
        and d.inputs -> 'reminder' is null
      order by d.at desc, d.id desc limit 1) d
    left join heartbeat_events e on e.id = d.result_id and e.check_no = d.check_no`.execute(tx)
  return new Map(
    rows.map(({ check_no, result_id, check_run_id, at, error, duration_ms }) => [
      check_no,
      {
        checkNo: check_no,
        resultId: result_id,
        checkRunId: check_run_id,
        event: at === null ? null : { error, atMs: at.getTime(), durationMs: duration_ms },
      },
    ]),
  )
}

/** What was held has been told. To be called with the states of the checks locked. */
export async function noteTold(
  tx: Db,
  told: readonly ({ checkNo: number } & Pick<AlertState, 'notifiedFailure' | 'notifiedDegraded'>)[],
): Promise<void> {
  if (told.length === 0) return
  await sql`
    update check_states s set held_since = null, notified_failure = t.failure, notified_degraded = t.degraded
    from unnest(${plainArray(told.map((one) => one.checkNo))}::int[],
      ${plainArray(told.map((one) => one.notifiedFailure))}::bool[],
      ${plainArray(told.map((one) => one.notifiedDegraded))}::bool[]) as t(check_no, failure, degraded)
    where s.check_no = t.check_no`.execute(tx)
}
