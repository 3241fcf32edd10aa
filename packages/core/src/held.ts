/**
 * Whether an alert of a check is held because of what the check depends on: the checks that it names, and those that these
 * name in turn. A check that holds others back must be one of which people hear: not switched off, muted or in maintenance.
 *
 * It holds while it is failing and people were told so. Until they are, because its threshold is not reached or its newest
 * failure is being tried once more, it holds for some minutes only: what it brought down may be judged before it, but
 * either way somebody hears.
 */
import type { TargetState } from '@vedette/schema'
import type { Pause } from './heartbeat.ts'

/** For how long a check may hold others whose trouble nobody was told of, and for how long a run that is due is waited for. */
export const UNHEARD_MS = 5 * 60_000

export interface Ancestor {
  checkId: string
  name: string
  state: TargetState
  /** When its trouble, or its quiet, began. */
  sinceMs: number
  /** Somebody was told that it is in this state. */
  isTold: boolean
  /** When the run began that has failed and is being tried once more; null: none is. */
  triedSinceMs: number | null
  muted: boolean
  activated: boolean
  pause: Pause | null
}

export interface Holder {
  checkId: string
  name: string
  isBeingTried: boolean
}

/**
 * The one to name; null: the check speaks for itself. Those that fail come before those in question.
 *
 * @param heldSinceMs since when an alert of the check is held; null: none is yet
 */
export function holderOf(ancestors: readonly Ancestor[], heldSinceMs: number | null, nowMs: number): Holder | null {
  const isYoung = (sinceMs: number) => nowMs < Math.min(sinceMs, heldSinceMs ?? sinceMs) + UNHEARD_MS
  const heard = ancestors.filter((ancestor) => isHeard(ancestor, nowMs))
  const failing = heard.find(({ state, sinceMs, isTold }) => state === 'failing' && (isTold || isYoung(sinceMs)))
  const holder =
    failing ??
    heard.find(({ state, triedSinceMs }) => state !== 'failing' && triedSinceMs !== null && isYoung(triedSinceMs))
  if (holder === undefined) return null
  const { checkId, name } = holder
  return { checkId, name, isBeingTried: failing === undefined }
}

/**
 * Whether a held alert is to be told now, without a run that says so. A check that runs soon after people were told that
 * what it depends on is well is given the chance to be well too, but not for long.
 *
 * @param runsSoon whether the check runs by itself within `UNHEARD_MS`
 */
export function isReleased(
  ancestors: readonly Ancestor[],
  { heldSinceMs, runsSoon }: { heldSinceMs: number; runsSoon: boolean },
  nowMs: number,
): boolean {
  if (holderOf(ancestors, heldSinceMs, nowMs) !== null) return false
  const isJustWell = ancestors.some(
    ({ state, isTold, sinceMs }) => state === 'passing' && isTold && nowMs < sinceMs + UNHEARD_MS,
  )
  return !(runsSoon && isJustWell)
}

function isHeard({ muted, activated, pause }: Ancestor, nowMs: number): boolean {
  return activated && !muted && !(pause !== null && pause.fromMs <= nowMs && nowMs < pause.untilMs)
}

/** The checks on the way from one back to itself; null: there is none. */
export function cycleThrough(start: string, dependsOn: ReadonlyMap<string, readonly string[]>): string[] | null {
  const cameFrom = new Map<string, string>()
  const waiting = [start]
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    for (const next of dependsOn.get(at) ?? []) {
      if (next === start) {
        const way = [at]
        for (let back = cameFrom.get(at); back !== undefined; back = cameFrom.get(back)) way.unshift(back)
        return way
      }
      if (cameFrom.has(next)) continue
      cameFrom.set(next, at)
      waiting.push(next)
    }
  }
  return null
}
