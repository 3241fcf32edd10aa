/**
 * Whether an alert of a check is held because of what the check depends on: the checks that it names, and those that these
 * name in turn. A check that holds others back must be one of which people hear: not switched off, muted or in maintenance.
 *
 * It holds while it is failing, whether its threshold was reached or not, and while its newest failure is being tried once
 * more: what it brought down may be judged before it. Nothing is lost by that: what was held is told with the next run in
 * trouble that finds all of them well.
 */
import type { TargetState } from '@vedette/schema'
import type { Pause } from './heartbeat.ts'

export interface Ancestor {
  checkId: string
  name: string
  state: TargetState
  /** A run of it has failed and is being tried once more. */
  isBeingTried: boolean
  muted: boolean
  activated: boolean
  pause: Pause | null
}

export type Holder = Pick<Ancestor, 'checkId' | 'name' | 'isBeingTried'>

/** The one to name; null: the check speaks for itself. Those that fail come before those in question. */
export function holderOf(ancestors: readonly Ancestor[], nowMs: number): Holder | null {
  const heard = ancestors.filter(
    ({ muted, activated, pause }) =>
      activated && !muted && !(pause !== null && pause.fromMs <= nowMs && nowMs < pause.untilMs),
  )
  const holder = heard.find(({ state }) => state === 'failing') ?? heard.find(({ isBeingTried }) => isBeingTried)
  if (holder === undefined) return null
  const { checkId, name, state } = holder
  return { checkId, name, isBeingTried: state !== 'failing' }
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
