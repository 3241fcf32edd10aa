import type { HeartbeatEvent, HeartbeatTimer } from '@vedette/schema'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'
import type { TimeWindow } from '../instants.ts'

/** The token by which the heartbeat is pinged. False when another heartbeat has it. */
export async function keepToken(tx: Db, checkNo: number, token: string): Promise<boolean> {
  const taken = await tx
    .selectFrom('heartbeats')
    .select('check_no')
    .where('token', '=', token)
    .where('check_no', '<>', checkNo)
    .executeTakeFirst()
  if (taken !== undefined) return false
  await tx
    .insertInto('heartbeats')
    .values({ check_no: checkNo, token })
    .onConflict((c) => c.column('check_no').doUpdateSet({ token }))
    .execute()
  return true
}

export async function timerOf(db: Db, checkNo: number): Promise<HeartbeatTimer | undefined> {
  const row = await db
    .selectFrom('heartbeats as h')
    .innerJoin('checks as c', 'c.no', 'h.check_no')
    .select([
      'h.last_ping_at',
      'h.job_started_at',
      'h.due_at',
      'h.deadline_at',
      'c.effective_activated',
      'c.paused_until',
    ])
    .select(sql<boolean>`coalesce(c.paused_from <= now() and c.paused_until > now(), false)`.as('held'))
    .where('h.check_no', '=', checkNo)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const text = (at: Date | null) => at?.toISOString() ?? null
  return {
    lastPingAt: text(row.last_ping_at),
    jobStartedAt: text(row.job_started_at),
    dueAt: row.effective_activated ? text(row.due_at) : null,
    deadlineAt: row.effective_activated ? text(row.deadline_at) : null,
    heldUntil: row.held ? text(row.paused_until) : null,
  }
}

/** When the latest pings came that told of success, in the order of their coming. */
export async function latestPings(db: Db, checkNo: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('heartbeat_events')
    .select('at')
    .where('check_no', '=', checkNo)
    .where('state', '<>', 'FAILING')
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.at.getTime()).reverse()
}

export async function listEvents(
  db: Db,
  checkNo: number,
  window: TimeWindow | null,
  limit: number,
): Promise<HeartbeatEvent[]> {
  const rows = await db
    .selectFrom('heartbeat_events')
    .selectAll()
    .where('check_no', '=', checkNo)
    .$if(window !== null, (q) =>
      q.where('at', '>=', new Date(window?.fromMs ?? 0)).where('at', '<', new Date(window?.toMs ?? 0)),
    )
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toEvent)
}

export async function findEvent(db: Db, checkNo: number, id: string): Promise<HeartbeatEvent | undefined> {
  const row = await db
    .selectFrom('heartbeat_events')
    .selectAll()
    .where('check_no', '=', checkNo)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toEvent(row)
}

export interface EventCount {
  pings: number
  missing: number
}

export async function countEvents(db: Db, checkNo: number, { fromMs, toMs }: TimeWindow): Promise<EventCount> {
  const { rows } = await sql<EventCount>`
    select count(*) filter (where state <> 'FAILING') as pings, count(*) filter (where state = 'FAILING') as missing
    from heartbeat_events
    where check_no = ${checkNo} and at >= ${new Date(fromMs)} and at < ${new Date(toMs)}`.execute(db)
  return rows[0] ?? { pings: 0, missing: 0 }
}

function toEvent(row: Selectable<Tables['heartbeat_events']>): HeartbeatEvent {
  return {
    id: row.id,
    state: row.state,
    timestamp: row.at.toISOString(),
    source: row.source,
    userAgent: row.user_agent,
    error: row.error,
    exitCode: row.exit_code,
    duration: row.duration_ms,
    body: row.body,
  }
}
