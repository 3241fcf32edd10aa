/** Every way to put a value of a wrong type into what is otherwise right, made from the schema. */
import Type, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { exampleOf } from '../http/describe/example.ts'
import { asJson, asList, isJson, type Json } from '../http/describe/json.ts'

export interface Mistake {
  /** The field that is wrong, dotted. */
  path: string
  /** The whole, with the wrong value in it. */
  value: unknown
  /** What the field should have been. */
  schema: unknown
}

function keyOf({ path, value, schema }: Mistake): string {
  const wrong = path.split('.').reduce((place: unknown, step) => Reflect.get(Object(place), step), value)
  return JSON.stringify([path, wrong, schema])
}

type Put = (part: unknown) => unknown

export function mistakesIn(schema: unknown): Mistake[] {
  // What all variants of a body have in common is tried in one of them.
  const all = within(schema, [], (part) => part)
  return [...new Map(all.map((mistake) => [keyOf(mistake), mistake])).values()]
}

function within(schema: unknown, path: readonly string[], put: Put): Mistake[] {
  const wrong = path.length === 0 ? [] : wrongValuesFor(schema)
  return [
    ...wrong.map((value) => ({ path: path.join('.'), value: put(value), schema })),
    ...alternativesOf(schema).flatMap((shape) => insideOf(shape, path, put)),
  ]
}

/** What stands in for a schema: each object and list that it may be. */
function alternativesOf(schema: unknown): unknown[] {
  const shape = merged(asJson(schema))
  const parts = [...asList(shape.anyOf), ...asList(shape.oneOf)]
  return parts.length === 0 ? [shape] : parts.flatMap(alternativesOf)
}

/** An intersection of objects as the one object that it is. */
function merged(shape: Json): Json {
  const parts = asList(shape.allOf).map((part) => merged(asJson(part)))
  if (parts.length === 0) return shape
  const properties = Object.assign({}, ...parts.map((part) => part.properties))
  return { type: 'object', properties, required: parts.flatMap((part) => asList(part.required)) }
}

function insideOf(schema: unknown, path: readonly string[], put: Put): Mistake[] {
  const shape = asJson(schema)
  if (shape.type === 'array') {
    if (shape.maxItems === 0) return []
    const items = asList(exampleOf(shape, { of: 'whole' }))
    return within(shape.items, [...path, '0'], (item) => put([item, ...items.slice(1)]))
  }
  if (shape.type !== 'object') return []
  const whole = asJson(exampleOf(shape, { of: 'whole' }))
  const values = asJson(Object.values(asJson(shape.patternProperties))[0] ?? shape.additionalProperties)
  const fields = Object.entries({
    ...(isJson(whole) && 'key' in whole ? { key: values } : {}),
    ...asJson(shape.properties),
  })
  return fields.flatMap(([name, part]) => within(part, [...path, name], (value) => put({ ...whole, [name]: value })))
}

const OTHERS = ['of another type', 7.5, true, {}, []]

/** A value of another type, and null where there must be something; none for what takes anything. */
function wrongValuesFor(schema: unknown): unknown[] {
  const shape: TSchema = Type.Unsafe<unknown>(asJson(schema))
  const isRefused = (value: unknown) => !Value.Check(shape, value)
  const takesText = typesOf(schema).includes('string')
  const other = OTHERS.find((value) => isRefused(value) && !(takesText && typeof value === 'string'))
  return [...(other === undefined ? [] : [other]), ...(isRefused(null) ? [null] : [])]
}

function typesOf(schema: unknown): string[] {
  return alternativesOf(schema).flatMap((shape) => {
    const { type, enum: words } = asJson(shape)
    return [...(typeof type === 'string' ? [type] : []), ...asList(words).map((word) => typeof word)]
  })
}
