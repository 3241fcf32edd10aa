/**
 * Maintenance keeps checks from running by themselves. Every few seconds each check is told its present or next pause
 * (`checks.paused_from`, `paused_until`); lanes that fall due in it go on with the first slot after it, and come back
 * when the pause ends early. Leasing refuses what would begin in a pause, so nothing depends on being in time here.
 */
import { occurrencesBetween } from '@vedette/core'
import { noteMaintenance } from '../alerting/decision-store.ts'
import type { Db } from '../db/database.ts'
import { notify } from '../db/signals.ts'
import { isPaused, nextSlotOf, type Pause, slotsOf } from './lanes.ts'
import { isDueSoon } from './lease.ts'
import * as store from './pause-store.ts'

/** Pauses are known this long before they begin. */
const LOOK_AHEAD_MS = 24 * 3_600_000

export interface MaintenanceOutcome {
  /** Checks that are paused now. */
  paused: number
  /** Checks whose pause has just ended, and the slots that they did not run in it. */
  resumed: { checks: number; slots: number }
}

export async function followMaintenance(db: Db, nowMs: number): Promise<MaintenanceOutcome> {
  const present = await store.loadPauses(db)
  const wanted = await wantedPauses(db, present, nowMs)
  const changes = [...new Set([...present.keys(), ...wanted.keys()])].flatMap((checkNo) => {
    const before = present.get(checkNo) ?? null
    const pause = wanted.get(checkNo) ?? null
    return before?.fromMs === pause?.fromMs && before?.untilMs === pause?.untilMs ? [] : [{ checkNo, pause }]
  })
  const isActive = (pause: Pause | undefined) => isPaused(pause ?? null, nowMs)
  const paused = [...wanted.values()].filter(isActive).length
  if (changes.length === 0 && wanted.size === 0) return { paused, resumed: { checks: 0, slots: 0 } }
  return db.transaction().execute(async (tx) => {
    const changed = new Set(await store.setPauses(tx, changes))
    const lanes = await store.lockLanes(tx, [...changed])
    await moveLanes(tx, lanes, changed, nowMs)
    if (paused > 0) await noteMaintenance(tx, nowMs)
    const ended = [...changed].flatMap((no) => {
      const before = present.get(no)
      return before !== undefined && before.fromMs <= nowMs && !isActive(wanted.get(no)) ? [[no, before] as const] : []
    })
    const pauses = new Map(ended)
    const slots = lanes.reduce((sum, lane) => {
      const pause = pauses.get(lane.no)
      return pause === undefined ? sum : sum + slotsOf(lane, pause.fromMs - 1, Math.min(pause.untilMs - 1, nowMs))
    }, 0)
    return { paused, resumed: { checks: ended.length, slots } }
  })
}

/** The present or next pause of every check that has one: windows that overlap make one pause. */
async function wantedPauses(db: Db, present: ReadonlyMap<number, Pause>, nowMs: number): Promise<Map<number, Pause>> {
  const windows = await store.loadWindows(db, nowMs)
  const spans = windows.flatMap((window) =>
    occurrencesBetween(window, nowMs, nowMs + LOOK_AHEAD_MS).map(({ startsAtMs, endsAtMs }) => ({
      accountId: window.accountId,
      tags: window.tags,
      allChecks: window.pauseAllChecks,
      fromMs: startsAtMs,
      untilMs: endsAtMs,
    })),
  )
  const pauses = new Map<number, Pause>()
  const found = await store.checksWithin(db, spans)
  for (const { checkNo, fromMs, untilMs } of found.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const pause = pauses.get(checkNo)
    if (pause === undefined) pauses.set(checkNo, { fromMs, untilMs })
    else if (fromMs <= pause.untilMs) pause.untilMs = Math.max(pause.untilMs, untilMs)
  }
  // One window may end while another goes on: the pause began with the first of them.
  for (const [checkNo, pause] of pauses) {
    const before = present.get(checkNo)
    if (before !== undefined && isPaused(pause, nowMs) && before.untilMs >= pause.fromMs)
      pause.fromMs = Math.min(pause.fromMs, before.fromMs)
  }
  return pauses
}

async function moveLanes(
  tx: Db,
  lanes: readonly store.PausableLane[],
  changed: ReadonlySet<number>,
  nowMs: number,
): Promise<void> {
  const moves = lanes.flatMap((lane) => {
    const dueAtMs = dueAfter(lane, changed.has(lane.no), nowMs)
    return lane.idle && dueAtMs !== lane.dueAtMs ? [{ ...lane, dueAtMs }] : []
  })
  await store.moveIdleLanes(tx, moves)
  const soon = moves.filter((move) => isDueSoon(move.dueAtMs, nowMs))
  if (soon.length > 0) await notify(tx, 'runs', [...new Set(soon.map((move) => move.locationNo))].join(','))
}

/** Out of the pause; and back to the next slot, for a lane that an earlier pause had sent further. */
function dueAfter(lane: store.PausableLane, isChanged: boolean, nowMs: number): number {
  const next = nextSlotOf(lane, nowMs)
  const dueAtMs = isChanged && lane.dueAtMs > next ? next : lane.dueAtMs
  return lane.pause !== null && isPaused(lane.pause, dueAtMs) ? nextSlotOf(lane, lane.pause.untilMs - 1) : dueAtMs
}
