/** Heartbeats: pings from jobs, and what came of them. */
import { isLinkPreview, judgePing } from '@vedette/core'
import { type HeartbeatAvailability, type HeartbeatStats, routes } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import type { StoredCheckOf } from '../../checks/check.ts'
import { findCheck } from '../../checks/store.ts'
import type { Clock } from '../../db/clock.ts'
import type { Db } from '../../db/database.ts'
import { readWindow, type TimeWindow } from '../instants.ts'
import type { Call, Serve } from '../serve.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000

export function serveHeartbeats(serve: Serve, db: Db, clock: Clock): void {
  type Pinging = Pick<Call<typeof routes.ping>, 'params' | 'proven' | 'request'>
  const ping = async ({ params, proven, request }: Pinging) => {
    const userAgent = request.headers['user-agent']
    const source =
      request.headers.origin ??
      request.headers.referer ??
      `${request.protocol.toUpperCase()} ${request.method} from ${userAgent ?? 'an unnamed client'}`
    await db.transaction().execute(async (tx) => {
      const heartbeat = await store.lockByToken(tx, params.pingToken)
      if (heartbeat === undefined) throw notFound()
      proven()
      if (!heartbeat.activated || isLinkPreview(userAgent)) return
      const nowMs = clock.nowMs()
      const state = judgePing(heartbeat.rhythm, heartbeat.timerStartedAt?.getTime() ?? null, nowMs)
      await store.recordPing(tx, heartbeat.checkNo, {
        state,
        at: new Date(nowMs),
        source: source.slice(0, 500),
        userAgent: userAgent?.slice(0, 500) ?? null,
      })
    })
    return { ok: true }
  }
  serve(routes.ping, ping)
  serve(routes.pingByPost, ping)
  serve(routes.pingOlder, ping)
  serve(routes.pingOlderByPost, ping)

  serve(routes.getHeartbeatAvailability, async ({ params, query, caller }) => {
    const check = await getHeartbeat(db, caller, params.checkId)
    return availabilityOf(db, check.no, windowOf(query, clock.nowMs()))
  })

  serve(routes.listHeartbeatEvents, async ({ params, query, caller }) => {
    const check = await getHeartbeat(db, caller, params.checkId)
    const nowMs = clock.nowMs()
    const window = query.startTime === undefined && query.endTime === undefined ? null : windowOf(query, nowMs)
    const events = await store.listEvents(db, check.no, window, query.limit ?? 10)
    return [{ events, stats: await statsOf(db, check.no, nowMs) }]
  })

  serve(routes.getHeartbeatEvent, async ({ params, caller }) => {
    const check = await getHeartbeat(db, caller, params.checkId)
    const event = await store.findEvent(db, check.no, params.id)
    if (event === undefined) throw notFound()
    return { event, stats: await statsOf(db, check.no, clock.nowMs()) }
  })
}

async function getHeartbeat(db: Db, caller: Caller, id: string): Promise<StoredCheckOf<'HEARTBEAT'>> {
  const check = await findCheck(db, caller.accountId, id)
  if (check === undefined || check.kind !== 'HEARTBEAT') throw notFound()
  return check
}

function windowOf(query: { startTime?: string | undefined; endTime?: string | undefined }, nowMs: number): TimeWindow {
  const limits = { defaultMs: DAY_MS, maxMs: Number.POSITIVE_INFINITY }
  return readWindow({ from: query.startTime, to: query.endTime }, limits, nowMs, ['startTime', 'endTime'])
}

async function statsOf(db: Db, checkNo: number, nowMs: number): Promise<HeartbeatStats> {
  const last = (days: number) => availabilityOf(db, checkNo, { fromMs: nowMs - days * DAY_MS, toMs: nowMs })
  const [last24Hours, last7Days] = await Promise.all([last(1), last(7)])
  return { last24Hours, last7Days }
}

/** Compared with as long a time before. Null without any event. */
async function availabilityOf(
  db: Db,
  checkNo: number,
  { fromMs, toMs }: TimeWindow,
): Promise<HeartbeatAvailability | null> {
  const [current, previous] = await Promise.all([
    store.countEvents(db, checkNo, { fromMs, toMs }),
    store.countEvents(db, checkNo, { fromMs: fromMs - (toMs - fromMs), toMs: fromMs }),
  ])
  if (current.pings + current.missing + previous.pings + previous.missing === 0) return null
  return {
    successRatio: { previousPeriod: ratio(previous), currentPeriod: ratio(current) },
    totalEntitiesCurrentPeriod: current.pings + current.missing,
  }
}

function ratio({ pings, missing }: store.EventCount): number | null {
  return pings + missing === 0 ? null : (100 * pings) / (pings + missing)
}
