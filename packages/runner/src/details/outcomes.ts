/** Outcomes of assertions, fit to be kept. */
import type { AssertionOutcome } from '@vedette/schema'
import type { Scrub } from './masks.ts'
import { cleanValue } from './storable.ts'

export function cleanOutcomes(assertions: readonly AssertionOutcome[], clean: Scrub): AssertionOutcome[] {
  return assertions.map((outcome) => ({
    ...outcome,
    target: typeof outcome.target === 'string' ? clean(outcome.target) : outcome.target,
    error: outcome.error === null ? null : clean(outcome.error),
    actual: cleanValue(outcome.actual, clean),
  }))
}
