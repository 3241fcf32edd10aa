/** Unions that a property discriminates, as JSON Schema has them validated and OpenAPI has them described. */
import type { TSchema } from 'typebox'

interface DiscriminatedUnion {
  anyOf: TSchema[]
  discriminator: { propertyName: string }
}

function isDiscriminated(schema: object): schema is DiscriminatedUnion {
  return 'discriminator' in schema && 'anyOf' in schema
}

/** The same schema with every such union, at any depth, written as `oneOf`. */
export function withOneOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withOneOf)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).map(([name, part]) => [name, withOneOf(part)])
  if (!isDiscriminated(schema)) return Object.fromEntries(parts)
  const { anyOf: oneOf, ...rest } = Object.fromEntries(parts)
  return { type: 'object', ...rest, oneOf }
}

/** Of such a union, the shape that a value claims to have; any other schema is itself. */
export function variantOf(schema: TSchema, value: unknown): TSchema {
  if (!isDiscriminated(schema)) return schema
  const { propertyName } = schema.discriminator
  const word: unknown = Reflect.get(Object(value), propertyName)
  return schema.anyOf.find((variant) => wordsOf(variant, propertyName).includes(word)) ?? schema
}

/** What the property may hold in a variant. */
export function wordsOf(variant: object, propertyName: string): unknown[] {
  const property = Object(Reflect.get(Object(Reflect.get(variant, 'properties')), propertyName))
  return 'const' in property ? [property.const] : Array.isArray(property.enum) ? property.enum : []
}
