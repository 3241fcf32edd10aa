/** Failures of a check with the same cleaned message. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable, Uuid } from './shape.ts'

export const ErrorGroup = Type.Object({
  id: Uuid,
  checkId: Uuid,
  errorHash: Type.String(),
  rawErrorMessage: Nullable(Type.String()),
  cleanedErrorMessage: Type.String(),
  firstSeen: DateTime,
  lastSeen: DateTime,
  archivedUntilNextEvent: Type.Boolean(),
})
export type ErrorGroup = Static<typeof ErrorGroup>

export const ErrorGroupUpdate = Type.Object({
  archivedUntilNextEvent: Type.Optional(Type.Boolean()),
  archiveForEver: Type.Optional(Type.Boolean()),
})
export type ErrorGroupUpdate = Static<typeof ErrorGroupUpdate>

/** How often a group was seen, day by day. */
export const ErrorGroupCounts = Type.Object({
  errorGroupId: Uuid,
  count: Type.Integer({ description: 'On all these days.' }),
  days: Type.Array(
    Type.Object({ day: Type.String({ description: 'By UTC, such as 2026-01-10.' }), count: Type.Integer() }),
    {
      description: 'Oldest first, without those on which it was not seen.',
    },
  ),
})
export type ErrorGroupCounts = Static<typeof ErrorGroupCounts>
