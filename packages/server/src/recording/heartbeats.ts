/**
 * What pings mean, and what it means when none comes. Both are recorded as the ends of runs are: the event, the state of
 * the check, its alert and the notifications in one transaction.
 */
import { randomUUID } from 'node:crypto'
import {
  advanceWatch,
  afterPing,
  afterStart,
  type HeartbeatWatch,
  judgePing,
  type MissedPing,
  type Outage,
  wordsOfFailure,
  wordsOfMissed,
} from '@vedette/core'
import type { Db } from '../db/database.ts'
import { isPaused } from '../scheduling/lanes.ts'
import type { LocationView } from '../scheduling/location-view.ts'
import { followIncidents } from './automated-incidents.ts'
import * as store from './heartbeat-store.ts'
import { type Happening, judgeHappenings } from './judge-checks.ts'
import type { RecordingParts } from './record-reports.ts'
import { type CheckInHand, lockChecks, moveRuns } from './store.ts'

export interface Ping {
  tells: 'success' | 'start' | 'failure'
  exitCode: number | null
  source: string
  userAgent: string | null
  body: string | null
  /** Of a failure: what it says instead of words about the exit code. */
  error?: string
}

/** Records what a job tells of itself. Of a heartbeat that is switched off nothing is kept. */
export async function recordPing(parts: RecordingParts, checkNo: number, ping: Ping): Promise<void> {
  const view = await parts.locations()
  await parts.db.transaction().execute(async (tx) => {
    const [check] = await lockChecks(tx, [checkNo])
    const [heartbeat] = await store.lockHeartbeats(tx, [checkNo])
    if (check === undefined || heartbeat?.activated !== true) return
    const { rhythm, watch, pause } = heartbeat
    const nowMs = parts.clock.nowMs()
    if (ping.tells === 'start') {
      await store.saveWatches(tx, [{ checkNo, watch: afterStart(rhythm, watch, nowMs), lastPingMs: null }])
      return
    }
    const isFailure = ping.tells === 'failure'
    // What fails in maintenance is expected to.
    if (isFailure && isPaused(pause, nowMs)) return
    const event: store.NewEvent = {
      id: randomUUID(),
      checkNo,
      state: isFailure ? 'FAILING' : judgePing(watch, nowMs),
      atMs: nowMs,
      source: ping.source,
      userAgent: ping.userAgent,
      error: isFailure ? (ping.error ?? wordsOfFailure(ping.exitCode)) : null,
      body: ping.body,
      exitCode: ping.exitCode,
      durationMs: watch?.jobStartedMs == null ? null : Math.max(0, nowMs - watch.jobStartedMs),
    }
    // A timer that maintenance holds stays held.
    const next = afterPing(rhythm, Math.max(nowMs, watch?.timerMs ?? nowMs))
    await store.saveWatches(tx, [{ checkNo, watch: next, lastPingMs: isFailure ? null : nowMs }])
    await record(tx, parts, view, [check], [event])
  })
}

/** New settings, or a heartbeat that is switched on again: what was waited for is not expected any more. */
export async function restartTimer(tx: Db, checkNo: number, nowMs: number): Promise<void> {
  const [heartbeat] = await store.lockHeartbeats(tx, [checkNo])
  if (heartbeat === undefined || heartbeat.watch === null) return
  await store.saveWatches(tx, [{ checkNo, watch: afterPing(heartbeat.rhythm, nowMs), lastPingMs: null }])
}

export interface WatchOutcome {
  missed: number
  /** Time in which nobody was there to take pings, and which has just ended. */
  outage: Outage | null
}

/** Servers look every second. Who has not looked for so long was not there; who starts has just not been there. */
const AWAY_AFTER_MS = 10_000
const AWAY_BEFORE_START_MS = 2000
/** Pings may come somewhat before they are due: an outage concerns those too. */
const ABOUT_MS = 60_000
const BATCH = 500

/** Any number of servers may look at once: who has locked a heartbeat finds what it has missed. */
export async function watchHeartbeats(
  parts: RecordingParts,
  { starting }: { starting: boolean },
): Promise<WatchOutcome> {
  const { db, clock } = parts
  const view = await parts.locations()
  const outcome = await db.transaction().execute(async (tx): Promise<WatchOutcome> => {
    const seenMs = await store.lockLastSeen(tx)
    const nowMs = clock.nowMs()
    const allowedMs = starting ? AWAY_BEFORE_START_MS : AWAY_AFTER_MS
    const outage = seenMs !== null && nowMs - seenMs > allowedMs ? { fromMs: seenMs, untilMs: nowMs } : null
    const concerned = outage === null ? [] : await store.watchedBefore(tx, nowMs + ABOUT_MS)
    const missed = concerned.length === 0 ? 0 : await advance(tx, parts, view, concerned, { nowMs, outage })
    await store.noteSeen(tx, nowMs)
    return { missed, outage }
  })
  for (;;) {
    const { found, missed } = await db.transaction().execute(async (tx) => {
      const nowMs = clock.nowMs()
      const changing = await store.lockChanging(tx, nowMs, BATCH)
      return { found: changing.length, missed: await advance(tx, parts, view, changing, { nowMs, outage: null }) }
    })
    outcome.missed += missed
    if (found < BATCH) return outcome
  }
}

/** Brings heartbeats to what they wait for now. Returns how many pings they have missed. */
async function advance(
  tx: Db,
  parts: RecordingParts,
  view: LocationView,
  checkNos: readonly number[],
  when: { nowMs: number; outage: Outage | null },
): Promise<number> {
  if (checkNos.length === 0) return 0
  const checks = await lockChecks(tx, checkNos)
  const changes: { checkNo: number; watch: HeartbeatWatch; lastPingMs: null }[] = []
  const events: store.NewEvent[] = []
  for (const { checkNo, activated, rhythm, watch, pause } of await store.lockHeartbeats(tx, checkNos)) {
    if (!activated || watch === null) continue
    const moved = advanceWatch(rhythm, watch, { ...when, pause })
    if (moved.watch !== watch) changes.push({ checkNo, watch: moved.watch, lastPingMs: null })
    events.push(...moved.missed.map((missed) => toEvent(checkNo, missed)))
  }
  await store.saveWatches(tx, changes)
  await record(tx, parts, view, checks, events)
  return events.length
}

async function record(
  tx: Db,
  parts: RecordingParts,
  view: LocationView,
  checks: readonly CheckInHand[],
  events: readonly store.NewEvent[],
): Promise<void> {
  if (events.length === 0) return
  await store.insertEvents(tx, events)
  const byNo = new Map(checks.map((check) => [check.no, check]))
  const happenings = events.flatMap((event) => {
    const check = byNo.get(event.checkNo)
    return check === undefined ? [] : [toHappening(check, event)]
  })
  const { changes, alerts, turns, undue } = await judgeHappenings(tx, parts, view, happenings, parts.clock.nowMs())
  await moveRuns(tx, [], changes)
  if (alerts.length + undue.length > 0) await parts.enqueueAlerts(tx, alerts, undue)
  await followIncidents(tx, turns, parts.subscribers)
}

function toEvent(checkNo: number, missed: MissedPing): store.NewEvent {
  return {
    id: randomUUID(),
    checkNo,
    state: 'FAILING',
    atMs: missed.atMs,
    source: null,
    userAgent: null,
    error: wordsOfMissed(missed),
    body: null,
    exitCode: null,
    durationMs: null,
  }
}

/** An event as its check is judged by it: nobody ran anything, so it is from nowhere. */
function toHappening(check: CheckInHand, event: store.NewEvent): Happening {
  return {
    check,
    result: {
      id: event.id,
      checkRunId: event.atMs,
      locationNo: null,
      verdict: event.state === 'FAILING' ? 'failed' : 'passed',
      startedAtMs: event.atMs,
      durationMs: 0,
      responseTimeMs: event.durationMs,
      statusCode: null,
      error: event.error,
    },
  }
}
