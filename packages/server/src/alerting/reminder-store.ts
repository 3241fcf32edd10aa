import type { Pause, Reminder } from '@vedette/core'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'

/** Begins the reminders of an episode; those of an earlier one are over. To be called with the check’s state locked. */
export async function beginReminders(
  tx: Db,
  begun: readonly (Reminder & { checkNo: number; alertId: number })[],
): Promise<void> {
  if (begun.length === 0) return
  await sql`
    insert into alert_reminders (check_no, alert_id, due_at, sent)
    select check_no, alert_id, to_timestamp(due_ms / 1000), sent
    from unnest(${plainArray(begun.map((r) => r.checkNo))}::int[], ${plainArray(begun.map((r) => r.alertId))}::bigint[],
      ${plainArray(begun.map((r) => r.dueAtMs))}::float8[], ${plainArray(begun.map((r) => r.sent))}::int[])
      as t(check_no, alert_id, due_ms, sent)
    on conflict (check_no) do update set alert_id = excluded.alert_id, due_at = excluded.due_at, sent = excluded.sent`.execute(
    tx,
  )
}

export interface RenewedReminder {
  checkNo: number
  /** The newest news. */
  alertId: number
  /** The first of the news that are told now. */
  firstAlertId: number
  /** Begins where nobody was told of the episode before: the check was muted. */
  ifFirst: Reminder
  /** Start of the episode. */
  sinceMs: number
}

/** People are reminded of the newest news. */
export async function renewReminders(tx: Db, news: readonly RenewedReminder[]): Promise<void> {
  if (news.length === 0) return
  await sql`
    with news as (
      select * from unnest(${plainArray(news.map((n) => n.checkNo))}::int[], ${plainArray(news.map((n) => n.alertId))}::bigint[],
        ${plainArray(news.map((n) => n.firstAlertId))}::bigint[], ${plainArray(news.map((n) => n.ifFirst.dueAtMs))}::float8[],
        ${plainArray(news.map((n) => n.sinceMs))}::float8[]) as t(check_no, alert_id, first_alert_id, due_ms, since_ms)
    ), renewed as (
      update alert_reminders r set alert_id = news.alert_id from news where r.check_no = news.check_no
    )
    insert into alert_reminders (check_no, alert_id, due_at)
    select check_no, alert_id, to_timestamp(due_ms / 1000) from news
    where not exists (select from alert_decisions d
      where d.check_no = news.check_no and d.at >= to_timestamp(news.since_ms / 1000)
        and d.alert_id < news.first_alert_id and d.rule <> 'certificate-expires')
    on conflict (check_no) do nothing`.execute(tx)
}

export async function endReminders(tx: Db, checkNos: readonly number[]): Promise<void> {
  if (checkNos.length === 0) return
  await sql`delete from alert_reminders where check_no = any(${plainArray(checkNos)}::int[])`.execute(tx)
}

/** After one was sent: when the next one is due. */
export async function moveReminders(tx: Db, moved: readonly (Reminder & { checkNo: number })[]): Promise<void> {
  if (moved.length === 0) return
  await sql`
    update alert_reminders r set due_at = to_timestamp(t.due_ms / 1000), sent = t.sent
    from unnest(${plainArray(moved.map((m) => m.checkNo))}::int[], ${plainArray(moved.map((m) => m.dueAtMs))}::float8[],
      ${plainArray(moved.map((m) => m.sent))}::int[]) as t(check_no, due_ms, sent)
    where r.check_no = t.check_no`.execute(tx)
}

/**
 * Locks the states of checks whose reminder is due or is to end. What another server has in hand, and what maintenance
 * holds, is passed over.
 */
export async function lockReminded(tx: Db, nowMs: number, limit: number): Promise<number[]> {
  const now = new Date(nowMs)
  const { rows } = await sql<{ check_no: number }>`
    select s.check_no
    from alert_reminders r join checks c on c.no = r.check_no join check_states s on s.check_no = r.check_no
    where s.state = 'passing' or c.effective_muted or not c.effective_activated
      or (r.due_at <= ${now} and (c.paused_from is null or c.paused_from > ${now} or c.paused_until <= ${now}))
    order by s.check_no limit ${limit} for update of s skip locked`.execute(tx)
  return rows.map((row) => row.check_no)
}

/** A reminder with the alert of which it reminds, and what else decides about it. */
export interface ReminderInHand {
  checkNo: number
  reminder: Reminder
  activated: boolean
  pause: Pause | null
  /** Null unless somebody is on it. */
  acknowledgedBy: string | null
  alertId: number
  locationNo: number | null
  resultId: string
  responseTimeMs: number
  error: string | null
  statusCode: number | null
  startedAt: Date
}

/** To be called with the states of the checks locked. */
export async function remindersOf(tx: Db, checkNos: readonly number[]): Promise<ReminderInHand[]> {
  const rows = await tx
    .selectFrom('alert_reminders as r')
    .innerJoin('check_alerts as a', 'a.id', 'r.alert_id')
    .innerJoin('checks as c', 'c.no', 'r.check_no')
    .innerJoin('check_states as s', 's.check_no', 'r.check_no')
    .leftJoin('acknowledgements as k', (join) =>
      join.onRef('k.check_no', '=', 's.check_no').onRef('k.since', '=', 's.since'),
    )
    .select(['r.check_no', 'r.alert_id', 'r.due_at', 'r.sent', 'c.effective_activated', 'c.paused_from'])
    .select(['c.paused_until', 'a.location_no', 'a.result_id', 'a.response_time_ms', 'a.error', 'a.status_code'])
    .select(['a.started_at', 'k.by_whom'])
    .where('r.check_no', 'in', checkNos)
    .orderBy('r.check_no')
    .execute()
  return rows.map((row) => ({
    checkNo: row.check_no,
    reminder: { dueAtMs: row.due_at.getTime(), sent: row.sent },
    activated: row.effective_activated,
    pause:
      row.paused_from === null || row.paused_until === null
        ? null
        : { fromMs: row.paused_from.getTime(), untilMs: row.paused_until.getTime() },
    acknowledgedBy: row.by_whom,
    alertId: row.alert_id,
    locationNo: row.location_no,
    resultId: row.result_id,
    responseTimeMs: row.response_time_ms,
    error: row.error,
    statusCode: row.status_code,
    startedAt: row.started_at,
  }))
}
