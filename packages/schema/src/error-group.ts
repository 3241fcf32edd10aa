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
