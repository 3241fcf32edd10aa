/** The lanes of a check: one that goes round its locations, or one for each of them. */
import { missedSlots, nextSlot, type Schedule, spreadRange } from '@vedette/core'
import { type CheckKind, RUNNABLE_KINDS } from '@vedette/schema'
import type { CheckSettings, InForce, StoredCheck } from '../checks/check.ts'

/**
 * A check runs for the first time this long after it was made or switched on, unless somebody runs it before. Longer
 * than runners look ahead: what they have leased already could not be replaced any more.
 */
export const FIRST_RUN_DELAY_MS = 5000

export interface Lane {
  locationNo: number
  parallel: boolean
}

export function lanesOf(
  { kind, effective }: { kind: CheckKind; effective: Pick<InForce<CheckSettings>, 'activated' | 'settings'> },
  locations: readonly number[],
): Lane[] {
  const [first] = locations
  // No runner can run the other kinds: planned, they would only be missed.
  const isRunnable = RUNNABLE_KINDS.some((runnable) => runnable === kind)
  if (!isRunnable || !effective.activated || first === undefined) return []
  if (!effective.settings.runParallel) return [{ locationNo: first, parallel: false }]
  return locations.map((locationNo) => ({ locationNo, parallel: true }))
}

/** A stretch of time in which maintenance keeps a check from running by itself; its end is not part of it. */
export interface Pause {
  fromMs: number
  untilMs: number
}

export interface Scheduled extends Pick<StoredCheck, 'no' | 'createdAt'> {
  settings: Pick<CheckSettings, 'frequency' | 'frequencyOffset'>
}

/** The first slot of a check after an instant, in milliseconds since 1970. */
export function nextSlotOf(check: Scheduled, afterMs: number): number {
  return nextSlot({ ...frequencyOf(check), spreadMs: spreadOf(check) }, afterMs)
}

/** Slots of a check after one instant and up to another, less those that maintenance skips. */
export function slotsBetween(check: Scheduled & { pause: Pause | null }, afterMs: number, toMs: number): number {
  const { pause } = check
  const skipped =
    pause === null ? 0 : slotsOf(check, Math.max(afterMs, pause.fromMs - 1), Math.min(toMs, pause.untilMs - 1))
  return slotsOf(check, afterMs, toMs) - skipped
}

/** Slots of a check after one instant and up to another. */
export function slotsOf(check: Scheduled, afterMs: number, toMs: number): number {
  return missedSlots({ ...frequencyOf(check), spreadMs: spreadOf(check) }, afterMs, toMs + 1)
}

export function isPaused(pause: Pause | null, atMs: number): boolean {
  return pause !== null && pause.fromMs <= atMs && atMs < pause.untilMs
}

/**
 * Checks with the same frequency and offset are spread over the time that the offset leaves open, evenly by the golden
 * ratio. A check that runs several times a minute counts its slots from its first run.
 */
function spreadOf({ no, createdAt, settings }: Scheduled): number {
  const range = spreadRange(settings)
  if (settings.frequency === 0) return (createdAt.getTime() + FIRST_RUN_DELAY_MS) % range
  return Math.floor(((no * 0.6180339887) % 1) * range)
}

/** The next place in the rotation that somebody serves; the next one when nobody serves any. */
export function nextInRotation(
  locations: readonly number[],
  rotation: number,
  isServed: (no: number) => boolean,
): { rotation: number; locationNo: number } | null {
  const count = locations.length
  for (let step = 1; step <= count; step += 1) {
    const place = (rotation + step) % count
    const locationNo = locations[place]
    if (locationNo !== undefined && isServed(locationNo)) return { rotation: place, locationNo }
  }
  const place = (rotation + 1) % Math.max(1, count)
  const locationNo = locations[place]
  return locationNo === undefined ? null : { rotation: place, locationNo }
}

function frequencyOf({ settings: { frequency, frequencyOffset } }: Scheduled): Schedule {
  return { frequency, frequencyOffset }
}
