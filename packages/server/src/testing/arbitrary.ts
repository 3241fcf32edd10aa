/** Values that a schema accepts, made for property tests: whatever the shape allows may come. */

import fc from 'fast-check'
import type { TSchema } from 'typebox'

/** Instead of what the schema alone would bring, by the path of the field (`request.url`, `headers.*.key`). */
export type Instead = Readonly<Record<string, fc.Arbitrary<unknown>>>

export function arbitraryOf(schema: TSchema, instead: Instead = {}, path = ''): fc.Arbitrary<unknown> {
  const own = instead[path]
  if (own !== undefined) return own
  const shape = Object.fromEntries<unknown>(Object.entries(schema))
  if (Array.isArray(shape.anyOf)) return fc.oneof(...shape.anyOf.map((part) => arbitraryOf(part, instead, path)))
  if (Array.isArray(shape.enum)) return fc.constantFrom(...shape.enum)
  if ('const' in shape) return fc.constant(shape.const)
  switch (shape.type) {
    case 'object':
      return objectOf(shape, instead, path)
    case 'array':
      return fc.array(arbitraryOf(Object(shape.items), instead, `${path}.*`), {
        minLength: numberIn(shape.minItems, 0),
        maxLength: Math.min(numberIn(shape.maxItems, 3), 3),
      })
    case 'string':
      return textOf(shape)
    case 'integer':
      return fc.integer({ min: numberIn(shape.minimum, -1000), max: numberIn(shape.maximum, 1_000_000) })
    case 'number':
      return fc.integer({
        min: numberIn(shape.minimum, numberIn(shape.exclusiveMinimum, -1) + 1),
        max: numberIn(shape.maximum, 1000),
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.constant('anything')
  }
}

function objectOf(shape: Record<string, unknown>, instead: Instead, path: string): fc.Arbitrary<unknown> {
  const properties: Record<string, TSchema> = Object.assign({}, shape.properties)
  const model: Record<string, fc.Arbitrary<unknown>> = {}
  for (const [name, part] of Object.entries(properties)) {
    model[name] = arbitraryOf(part, instead, path === '' ? name : `${path}.${name}`)
  }
  const required = Array.isArray(shape.required) ? shape.required.map(String) : []
  return fc.record(model, { requiredKeys: required, noNullPrototype: true })
}

/** Letters of many alphabets; a NUL is refused everywhere. */
function textOf(shape: Record<string, unknown>): fc.Arbitrary<string> {
  if (shape.format === 'uuid') return fc.uuid({ version: 4 })
  if (shape.format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString())
  if (typeof shape.pattern === 'string') return fc.stringMatching(new RegExp(shape.pattern), { maxLength: 20 })
  const maxLength = Math.min(numberIn(shape.maxLength, 20), 20)
  return fc
    .string({ unit: 'grapheme-composite', minLength: numberIn(shape.minLength, 0), maxLength })
    .map((text) => [...text].slice(0, maxLength).join(''))
    .filter(
      (text) =>
        !text.includes('\0') &&
        text.length >= numberIn(shape.minLength, 0) &&
        text.length <= numberIn(shape.maxLength, 1000),
    )
}

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
