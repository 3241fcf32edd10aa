/** What came of heartbeats, counted as results are. */
import { HEARTBEAT_STATES, type HeartbeatState } from '@vedette/schema'
import { sql } from 'kysely'
import { plainArray } from '../db/arrays.ts'
import type { Db } from '../db/database.ts'

export interface CountedPings {
  checkNo: number
  /** The window, by its place. */
  window: number
  pings: number
  missing: number
}

/** Heartbeats without events in a window are left out. */
export async function countPings(
  db: Db,
  checkNos: readonly number[],
  windows: readonly { fromMs: number; toMs: number }[],
  states: readonly HeartbeatState[] = HEARTBEAT_STATES,
): Promise<CountedPings[]> {
  const instants = (times: readonly number[]) => times.map((at) => new Date(at).toISOString())
  const { rows } = await sql<{ check_no: number; place: number; pings: number; missing: number }>`
    select e.check_no, w.place - 1 as place, count(*) filter (where e.state <> 'FAILING') as pings,
      count(*) filter (where e.state = 'FAILING') as missing
    from unnest(${instants(windows.map(({ fromMs }) => fromMs))}::timestamptz[],
        ${instants(windows.map(({ toMs }) => toMs))}::timestamptz[]) with ordinality as w(from_at, to_at, place)
      join heartbeat_events e on e.at >= w.from_at and e.at < w.to_at
    where e.check_no = any(${plainArray(checkNos)}::int[]) and e.state = any(${states}::text[])
    group by e.check_no, w.place`.execute(db)
  return rows.map(({ check_no, place, pings, missing }) => ({ checkNo: check_no, window: place, pings, missing }))
}
