import type { HeartbeatWatch, Pause, Rhythm } from '@vedette/core'
import type { HeartbeatState } from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'
import { toPause } from '../scheduling/pause-store.ts'

/** Of the checks that a token is not of, none is told apart. */
export async function findByToken(db: Db, token: string): Promise<number | undefined> {
  const row = await db.selectFrom('heartbeats').select('check_no').where('token', '=', token).executeTakeFirst()
  return row?.check_no
}

/** A heartbeat with what is waited for; null before its first ping. */
export interface HeartbeatInHand {
  checkNo: number
  activated: boolean
  rhythm: Rhythm
  watch: HeartbeatWatch | null
  pause: Pause | null
}

/** To be called with the states of the checks locked: that is what keeps everybody in one order. */
export async function lockHeartbeats(tx: Db, checkNos: readonly number[]): Promise<HeartbeatInHand[]> {
  const { rows } = await sql<{
    check_no: number
    activated: boolean
    rhythm: Rhythm
    timer_started_at: Date | null
    due_at: Date | null
    deadline_at: Date | null
    job_started_at: Date | null
    paused_from: Date | null
    paused_until: Date | null
  }>`
    select h.check_no, c.effective_activated as activated, c.settings->'heartbeat' as rhythm, h.timer_started_at,
      h.due_at, h.deadline_at, h.job_started_at, c.paused_from, c.paused_until
    from heartbeats h join checks c on c.no = h.check_no
    where h.check_no = any(${plainArray(checkNos)}::int[]) order by h.check_no for update of h`.execute(tx)
  return rows.map((row) => ({
    checkNo: row.check_no,
    activated: row.activated,
    rhythm: row.rhythm,
    watch:
      row.timer_started_at === null || row.due_at === null || row.deadline_at === null
        ? null
        : {
            timerMs: row.timer_started_at.getTime(),
            dueMs: row.due_at.getTime(),
            deadlineMs: row.deadline_at.getTime(),
            jobStartedMs: row.job_started_at?.getTime() ?? null,
          },
    pause: toPause(row),
  }))
}

/** Locks the states of heartbeats that have missed a ping, or that maintenance holds or lets go. Others’ are passed over. */
export async function lockChanging(tx: Db, nowMs: number, limit: number): Promise<number[]> {
  const now = new Date(nowMs)
  const { rows } = await sql<{ check_no: number }>`
    select s.check_no
    from heartbeats h join checks c on c.no = h.check_no join check_states s on s.check_no = h.check_no
    where h.deadline_at is not null and c.effective_activated and (h.deadline_at <= ${now}
      or (c.paused_from <= ${now} and c.paused_until > h.timer_started_at and h.deadline_at >= c.paused_from)
      or (h.timer_started_at > ${now} and c.paused_until is distinct from h.timer_started_at))
    order by h.deadline_at limit ${limit} for update of s skip locked`.execute(tx)
  return rows.map((row) => row.check_no)
}

/** Those that an outage may concern: running, and expected before an instant. */
export async function watchedBefore(tx: Db, dueBeforeMs: number): Promise<number[]> {
  const { rows } = await sql<{ check_no: number }>`
    select h.check_no from heartbeats h join checks c on c.no = h.check_no
    where h.due_at <= ${new Date(dueBeforeMs)} and h.deadline_at is not null and c.effective_activated
    order by h.check_no`.execute(tx)
  return rows.map((row) => row.check_no)
}

export async function saveWatches(
  tx: Db,
  changes: readonly { checkNo: number; watch: HeartbeatWatch; lastPingMs: number | null }[],
): Promise<void> {
  if (changes.length === 0) return
  const ms = (read: (change: (typeof changes)[number]) => number | null) => plainArray(changes.map(read))
  await sql`
    update heartbeats h set timer_started_at = to_timestamp(t.timer_ms / 1000), due_at = to_timestamp(t.due_ms / 1000),
      deadline_at = to_timestamp(t.deadline_ms / 1000), job_started_at = to_timestamp(t.job_ms / 1000),
      last_ping_at = coalesce(to_timestamp(t.ping_ms / 1000), h.last_ping_at)
    from unnest(${ms(({ checkNo }) => checkNo)}::int[], ${ms(({ watch }) => watch.timerMs)}::float8[],
      ${ms(({ watch }) => watch.dueMs)}::float8[], ${ms(({ watch }) => watch.deadlineMs)}::float8[],
      ${ms(({ watch }) => watch.jobStartedMs)}::float8[], ${ms(({ lastPingMs }) => lastPingMs)}::float8[])
      as t(check_no, timer_ms, due_ms, deadline_ms, job_ms, ping_ms)
    where h.check_no = t.check_no`.execute(tx)
}

export interface NewEvent {
  id: string
  checkNo: number
  state: HeartbeatState
  atMs: number
  source: string | null
  userAgent: string | null
  error: string | null
  body: string | null
  exitCode: number | null
  durationMs: number | null
}

export async function insertEvents(tx: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx
    .insertInto('heartbeat_events')
    .values(
      events.map((event) => ({
        id: event.id,
        check_no: event.checkNo,
        state: event.state,
        at: new Date(event.atMs),
        source: event.source,
        user_agent: event.userAgent,
        error: event.error,
        body: event.body,
        exit_code: event.exitCode,
        duration_ms: event.durationMs,
      })),
    )
    .execute()
}

/** When servers were last there to take pings; null when that was never noted. Held until the transaction ends. */
export async function lockLastSeen(tx: Db): Promise<number | null> {
  const row = await tx.selectFrom('heartbeat_watch').select('seen_at').forUpdate().executeTakeFirst()
  return row?.seen_at.getTime() ?? null
}

export async function noteSeen(tx: Db, atMs: number): Promise<void> {
  await sql`
    insert into heartbeat_watch (seen_at) values (${new Date(atMs)})
    on conflict (is_only) do update set seen_at = greatest(heartbeat_watch.seen_at, excluded.seen_at)`.execute(tx)
}
