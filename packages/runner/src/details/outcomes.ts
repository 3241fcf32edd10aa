/** Outcomes of assertions, fit to be kept. */
import { scrubTexts } from '@vedette/core'
import type { AssertionOutcome } from '@vedette/schema'
import type { Scrub } from './masks.ts'

export function cleanOutcomes(assertions: readonly AssertionOutcome[], clean: Scrub): AssertionOutcome[] {
  return assertions.map((outcome) => ({
    ...outcome,
    target: typeof outcome.target === 'string' ? clean(outcome.target) : outcome.target,
    error: outcome.error === null ? null : clean(outcome.error),
    actual: scrubTexts(outcome.actual, clean),
  }))
}
