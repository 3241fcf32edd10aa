/** A secret URL that runs a check or a group. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, Uuid } from './shape.ts'

const fields = {
  id: Type.Integer(),
  token: Type.String({ description: 'The last part of the URL. Masked for readers who may not run checks.' }),
  created_at: DateTime,
  called_at: Nullable(DateTime),
  updated_at: Nullable(DateTime),
}
export const CheckTrigger = Type.Object({ ...fields, checkId: Uuid })
export type CheckTrigger = Static<typeof CheckTrigger>
export const GroupTrigger = Type.Object({ ...fields, groupId: Type.Integer() })
export type GroupTrigger = Static<typeof GroupTrigger>

/** What the call of a trigger answers: 200 when all passed, else 503. */
export const TriggerOutcome = Type.Object({
  hasFailures: Type.Boolean(),
  responseTime: Type.Optional(Type.Number({ description: 'Milliseconds; of API checks.' })),
})
export type TriggerOutcome = Static<typeof TriggerOutcome>
export const GroupTriggerOutcome = Type.Array(
  Type.Object({
    checkId: Uuid,
    name: Type.String(),
    hasFailures: Type.Boolean(),
    responseTime: Type.Optional(Type.Number()),
  }),
)
export type GroupTriggerOutcome = Static<typeof GroupTriggerOutcome>
