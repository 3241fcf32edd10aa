/** The one shape of every refusal. */
import Type, { type Static } from 'typebox'

export const Problem = Type.Object({
  statusCode: Type.Integer(),
  error: Type.String({ description: 'The HTTP reason phrase.' }),
  message: Type.String(),
  attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  validation: Type.Optional(
    Type.Object({
      source: Type.Enum(['payload', 'query', 'params', 'headers']),
      keys: Type.Array(Type.String(), { description: 'Dotted paths of the offending fields.' }),
    }),
  ),
  requestId: Type.Optional(Type.String({ description: 'Quote it when reporting a fault.' })),
})
export type Problem = Static<typeof Problem>
