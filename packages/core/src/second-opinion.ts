/**
 * Whether the failure that one place saw is confirmed by another before it counts. Only where no answer came: an answer
 * that is wrong is wrong whoever asked, but silence may be the trouble of the place itself.
 *
 * A place that was contradicted and fails again is believed, until it has seen the target well: an outage that only one
 * place can see is told one turn later, never hidden.
 */

import type { TargetState, Verdict } from '@vedette/schema'

/**
 * - `none`: nobody is asked
 * - `possible`: a failure would be the first word about an outage, and another place can be asked
 * - `asked`: this attempt is the opinion of the other place
 * - `asked-in-vain`: this attempt is of the first place again, because the other one could not tell
 */
export type SecondOpinion = 'none' | 'possible' | 'asked' | 'asked-in-vain'

export interface OpinionState {
  /** Where the attempt was made. */
  locationNo: number
  /** The place whose failure is in question; null: none is. */
  opinionOn: number | null
  /** Places whose last failure was contradicted, and that have not seen the target well since. */
  contradicted: readonly number[]
}

export function secondOpinion(
  { locationNo, opinionOn, contradicted }: OpinionState,
  { state, canAsk }: { state: TargetState; canAsk: boolean },
): SecondOpinion {
  if (opinionOn !== null) return opinionOn === locationNo ? 'asked-in-vain' : 'asked'
  return canAsk && state !== 'failing' && !contradicted.includes(locationNo) ? 'possible' : 'none'
}

/** The contradicted places once an attempt has ended. */
export function contradictedAfter(
  { locationNo, opinionOn, contradicted }: OpinionState,
  verdict: Verdict,
): readonly number[] {
  if (verdict !== 'passed' && verdict !== 'degraded') return contradicted
  const others = contradicted.filter((no) => no !== locationNo)
  return opinionOn === null || opinionOn === locationNo || others.includes(opinionOn) ? others : [...others, opinionOn]
}
