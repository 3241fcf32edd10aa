/** Somebody says that they are on the trouble of a check. */
import Type, { type Static } from 'typebox'
import { DateTime, Nullable } from './shape.ts'

export const Acknowledgement = Type.Object(
  {
    by: Type.String({ description: 'The person, the name of the key, or the channel whose message had the link.' }),
    at: DateTime,
    note: Nullable(Type.String()),
    troubleSince: Type.String({ format: 'date-time', description: 'Start of the trouble that it is about.' }),
  },
  { description: 'It is over with the trouble that it is about.' },
)
export type Acknowledgement = Static<typeof Acknowledgement>

export const AcknowledgementRequest = Type.Object({
  note: Type.Optional(
    Nullable(Type.String({ maxLength: 1000 }), { default: null, description: 'What others should know.' }),
  ),
})
