/**
 * When a check falls due. Slots are computed from the clock alone, never from the last run: every k periods since
 * 1970 in UTC, shifted by the phase of the check. Missed slots are not made up.
 */

export interface Schedule {
  /** Minutes between slots; 0 means every `frequencyOffset` seconds. */
  frequency: number
  /** Up to a frequency of 60 the phase in tenths of a minute, above it in hours. */
  frequencyOffset: number
  /** Milliseconds added to the phase, so that checks with the same phase do not fall due at the same instant. */
  spreadMs?: number
}

const MINUTE_MS = 60_000
const TENTH_OF_MINUTE_MS = MINUTE_MS / 10
const HOUR_MS = 60 * MINUTE_MS
/** The offsets of sub-minute checks: the seconds between their slots. */
const SUB_MINUTE_OFFSETS = [10, 20, 30]

/** Milliseconds between two slots. */
export function slotInterval({ frequency, frequencyOffset }: Schedule): number {
  return frequency === 0 ? frequencyOffset * 1000 : frequency * MINUTE_MS
}

/** The first slot after an instant. */
export function nextSlot(schedule: Schedule, afterMs: number): number {
  const interval = slotInterval(schedule)
  const phase = phaseOf(schedule)
  return (Math.floor((afterMs - phase) / interval) + 1) * interval + phase
}

/** How many slots lie strictly between two instants. */
export function missedSlots(schedule: Schedule, fromMs: number, toMs: number): number {
  const interval = slotInterval(schedule)
  const first = nextSlot(schedule, fromMs)
  return first >= toMs ? 0 : Math.ceil((toMs - first) / interval)
}

/** Why an offset does not go with a frequency, or null. */
export function problemOfOffset(frequency: number, offset: number): string | null {
  if (frequency === 0) {
    return SUB_MINUTE_OFFSETS.includes(offset) ? null : 'must be 10, 20 or 30 when "frequency" is 0'
  }
  const highest = highestOffset(frequency)
  if (Number.isInteger(offset) && offset >= 1 && offset <= highest) return null
  return `must be between 1 and ${highest} when "frequency" is ${frequency}`
}

/** An offset for a check that has none; `random01` from 0 up to 1 spreads checks over the period. */
export function chooseOffset(frequency: number, random01: number): number {
  return frequency === 0 ? 10 : 1 + Math.floor(random01 * highestOffset(frequency))
}

/** How far slots may be shifted without leaving the place that the offset gives them: `spreadMs` is below this. */
export function spreadRange({ frequency, frequencyOffset }: Schedule): number {
  if (frequency === 0) return frequencyOffset * 1000
  return frequency <= 60 ? TENTH_OF_MINUTE_MS : MINUTE_MS
}

function highestOffset(frequency: number): number {
  return frequency <= 60 ? Math.floor(frequency * 10) : Math.ceil(frequency / 60)
}

function phaseOf(schedule: Schedule): number {
  const { frequency, frequencyOffset, spreadMs = 0 } = schedule
  const phase = frequency === 0 ? 0 : frequencyOffset * (frequency <= 60 ? TENTH_OF_MINUTE_MS : HOUR_MS)
  return (phase + spreadMs) % slotInterval(schedule)
}
