/** Small building blocks that the other schemas share. */
import Type, { type Static, type TSchema } from 'typebox'

export const Nullable = <T extends TSchema>(schema: T, options: Type.TSchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options)

/** One of several shapes; the word in one of their properties says which. A wrong word is refused by that property's name. */
export const Discriminated = <Variants extends TSchema[]>(
  propertyName: string,
  variants: [...Variants],
  options: Type.TSchemaOptions = {},
) => Type.Union(variants, { ...options, discriminator: { propertyName } })

export const Uuid = Type.String({ format: 'uuid', description: 'A UUID.' })

/** A positive identifier given out by the database. */
export const NumericId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** An instant as the API writes it: ISO 8601 in UTC with milliseconds. */
export const DateTime = Type.String({ format: 'date-time', examples: ['2026-01-10T08:00:00.000Z'] })

/** Milliseconds. */
export const Ms = Type.Number({ minimum: 0, description: 'Milliseconds.' })

/** A header or a query parameter. */
export const KeyValue = Type.Object({
  key: Type.String({ minLength: 1 }),
  value: Type.String({ default: '' }),
  locked: Type.Boolean({ default: false, description: 'Hide the value from readers without write access.' }),
})
export type KeyValue = Static<typeof KeyValue>

/** A variable of a check or a group. */
export const VariableItem = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 255 }),
  value: Nullable(Type.String({ maxLength: 65_536 }), {
    description: 'Null keeps the value of a secret that is there already.',
  }),
  locked: Type.Boolean({ default: false, description: 'Hide the value from readers without write access.' }),
  secret: Type.Boolean({ default: false, description: 'Never show the value again.' }),
})
export type VariableItem = Static<typeof VariableItem>

/** A variable as it is shown: the value of a secret is null. */
export const ShownVariable = Type.Object({
  key: Type.String(),
  value: Nullable(Type.String()),
  locked: Type.Boolean(),
  secret: Type.Boolean(),
})
export type ShownVariable = Static<typeof ShownVariable>
