import type { HeartbeatEvent, HeartbeatSettings, HeartbeatState } from '@vedette/schema'
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

/** A timer that runs starts anew: whatever it waited for is not what is expected now. */
export async function restartTimer(tx: Db, checkNo: number): Promise<void> {
  await sql`
    update heartbeats set timer_started_at = now() where check_no = ${checkNo} and timer_started_at is not null`.execute(
    tx,
  )
}

export interface PingedHeartbeat {
  checkNo: number
  activated: boolean
  rhythm: HeartbeatSettings
  timerStartedAt: Date | null
}

/** Pings of one heartbeat follow each other. */
export async function lockByToken(tx: Db, token: string): Promise<PingedHeartbeat | undefined> {
  const { rows } = await sql<{
    check_no: number
    activated: boolean
    rhythm: HeartbeatSettings
    timer_started_at: Date | null
  }>`
    select h.check_no, c.effective_activated as activated, c.settings->'heartbeat' as rhythm, h.timer_started_at
    from heartbeats h join checks c on c.no = h.check_no where h.token = ${token}::uuid for update of h`.execute(tx)
  const [row] = rows
  return (
    row && {
      checkNo: row.check_no,
      activated: row.activated,
      rhythm: row.rhythm,
      timerStartedAt: row.timer_started_at,
    }
  )
}

export async function recordPing(
  tx: Db,
  checkNo: number,
  ping: { state: HeartbeatState; at: Date; source: string; userAgent: string | null },
): Promise<void> {
  await tx
    .insertInto('heartbeat_events')
    .values({ check_no: checkNo, state: ping.state, at: ping.at, source: ping.source, user_agent: ping.userAgent })
    .execute()
  await tx
    .updateTable('heartbeats')
    .set({ timer_started_at: ping.at, last_ping_at: ping.at })
    .where('check_no', '=', checkNo)
    .execute()
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
  }
}
