/** How a check is doing now. */
import Type, { type Static } from 'typebox'
import { Acknowledgement } from './acknowledgement.ts'
import { DateTime, Nullable, Uuid } from './shape.ts'

export const CheckStatus = Type.Object({
  name: Type.String(),
  checkId: Uuid,
  hasFailures: Type.Boolean(),
  hasErrors: Type.Boolean(),
  isDegraded: Type.Boolean(),
  longestRun: Nullable(Type.Number()),
  shortestRun: Nullable(Type.Number()),
  lastRunLocation: Nullable(Type.String()),
  lastCheckRunId: Nullable(Type.String()),
  sslDaysRemaining: Nullable(Type.Integer(), {
    description:
      'Whole days until the certificate of the host or domain of the check expires; null: none was seen yet.',
  }),
  acknowledgement: Nullable(Acknowledgement, {
    description: 'Of its present trouble; null: nobody has said to be on it.',
  }),
  cannotRun: Nullable(Type.String(), {
    description:
      'Why no runner that is there can execute the check: a runtime, a browser or isolation is missing. Its slots are recorded as missed until it changes. Null: one can, or nobody serves its locations now.',
  }),
  created_at: DateTime,
  updated_at: DateTime,
})
export type CheckStatus = Static<typeof CheckStatus>
