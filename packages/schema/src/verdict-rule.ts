/** What decided a verdict, as one word. The sentence beside it tells what was seen. */
import Type, { type Static } from 'typebox'

export const VERDICT_RULES = [
  'all-is-well',
  'assertion-broken',
  'answer-not-acceptable',
  'script-failed',
  'script-timed-out',
  'over-max-response-time',
  'over-degraded-response-time',
  'answer-weak',
  'no-answer',
  'our-trouble',
] as const
export const VerdictRule = Type.Enum(VERDICT_RULES, {
  description:
    'What decided: the first broken assertion; an answer that is not acceptable whatever is asserted, such as an error status; a script of which a test failed, or that was ended at its time limit; its time; no answer, by the doing of the target; trouble of the monitor itself.',
})
export type VerdictRule = Static<typeof VerdictRule>
