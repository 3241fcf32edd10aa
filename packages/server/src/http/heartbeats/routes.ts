/** Heartbeats: pings from jobs, and what came of them. */
import { cleanOutput, isLinkPreview, suggestRhythm } from '@vedette/core'
import { type HeartbeatAvailability, type HeartbeatStats, routes } from '@vedette/schema'
import { notFound } from '../../app-error.ts'
import type { Caller } from '../../auth/caller.ts'
import type { StoredCheckOf } from '../../checks/check.ts'
import { findCheck } from '../../checks/store.ts'
import type { Db } from '../../db/database.ts'
import { findByToken } from '../../recording/heartbeat-store.ts'
import { type Ping, recordPing } from '../../recording/heartbeats.ts'
import type { RecordingParts } from '../../recording/record-reports.ts'
import { readWindow, type TimeWindow } from '../instants.ts'
import type { Call, Serve } from '../serve.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000

/** So many tell a rhythm. */
const PINGS_FOR_SUGGESTION = 40

export function serveHeartbeats(serve: Serve, recording: RecordingParts): void {
  const { db, clock } = recording
  type Pinging = Pick<Call<typeof routes.ping>, 'params' | 'proven' | 'request'>
  const take = async ({ params, proven, request }: Pinging, tells: Ping['tells'], exitCode: number | null = null) => {
    const userAgent = request.headers['user-agent']
    const source =
      request.headers.origin ??
      request.headers.referer ??
      `${request.protocol.toUpperCase()} ${request.method} from ${userAgent ?? 'an unnamed client'}`
    const checkNo = await findByToken(db, params.pingToken)
    if (checkNo === undefined) throw notFound()
    proven()
    if (isLinkPreview(userAgent)) return { ok: true }
    await recordPing(recording, checkNo, {
      tells,
      exitCode,
      source: source.slice(0, 500),
      userAgent: userAgent?.slice(0, 500) ?? null,
      body: typeof request.body === 'string' ? cleanOutput(request.body) : null,
    })
    return { ok: true }
  }
  const alive = (call: Pinging) => take(call, 'success')
  serve(routes.ping, alive)
  serve(routes.pingByPost, alive)
  serve(routes.pingOlder, alive)
  serve(routes.pingOlderByPost, alive)
  const begins = (call: Pinging) => take(call, 'start')
  serve(routes.pingStart, begins)
  serve(routes.pingStartByPost, begins)
  const failed = (call: Pinging) => take(call, 'failure')
  serve(routes.pingFail, failed)
  serve(routes.pingFailByPost, failed)
  const ended = (call: Pick<Call<typeof routes.pingExitCode>, 'params' | 'proven' | 'request'>) => {
    const { exitCode } = call.params
    return take(call, exitCode === 0 ? 'success' : 'failure', exitCode)
  }
  serve(routes.pingExitCode, ended)
  serve(routes.pingExitCodeByPost, ended)

  serve(routes.getHeartbeatTimer, async ({ params, caller }) => {
    const check = await getHeartbeat(db, caller, params.checkId)
    const timer = await store.timerOf(db, check.no)
    if (timer === undefined) throw notFound()
    return timer
  })

  serve(routes.getHeartbeatSuggestion, async ({ params, caller }) => {
    const check = await getHeartbeat(db, caller, params.checkId)
    const pings = await store.latestPings(db, check.no, PINGS_FOR_SUGGESTION)
    const found = suggestRhythm(check.settings.heartbeat, pings)
    if (found === null) return { suggestion: null }
    const { period, periodUnit, grace, graceUnit, schedule } = found.rhythm
    return {
      suggestion: {
        heartbeat: { period, periodUnit, grace, graceUnit, schedule },
        changes: found.changes,
        pings: pings.length,
        fitsAsSet: found.fits.asSet,
        fitsAsSuggested: found.fits.asSuggested,
      },
    }
  })

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
