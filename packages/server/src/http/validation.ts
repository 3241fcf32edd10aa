/** Checks bodies, queries and path parameters against the routes' schemas, and words what is wrong with them. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TObject, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { AppError, type InvalidField } from '../app-error.ts'
import { variantOf, withOneOf, wordsOf } from './one-of.ts'

const ajv = new Ajv({
  strict: false,
  allErrors: false,
  coerceTypes: false,
  useDefaults: false,
  verbose: true,
  discriminator: true,
})
addFormats.default(ajv, ['date-time', 'uuid', 'uri', 'email'])

const compiled = {
  strictly: new WeakMap<TSchema, ValidateFunction>(),
  asSent: new WeakMap<TSchema, ValidateFunction>(),
}

/** A schema for what a client sends: a field that has a default need not be there. `complete` fills it in. */
function asSent(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asSent)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.assign({}, schema)
  for (const [name, part] of Object.entries(schema)) Reflect.set(copy, name, asSent(part))
  const properties = Object(Reflect.get(schema, 'properties'))
  const required: unknown = Reflect.get(schema, 'required')
  if (!Array.isArray(required)) return copy
  const hasDefault = (name: string) => Object.hasOwn(Object(Reflect.get(properties, name)), 'default')
  Reflect.set(
    copy,
    'required',
    required.filter((name) => !hasDefault(String(name))),
  )
  return copy
}

/** @throws AppError `invalid` that names the first field that is wrong. */
export function validate(schema: TSchema, value: unknown, source: InvalidField['source']): void {
  const known = source === 'payload' ? compiled.asSent : compiled.strictly
  let check = known.get(schema)
  if (check === undefined) {
    const shape = withOneOf(schema)
    check = ajv.compile(Object(source === 'payload' ? asSent(shape) : shape))
    known.set(schema, check)
  }
  if (check(value)) return
  const error = mostTelling(check.errors ?? [])
  if (error === undefined) throw new AppError('invalid', 'The request is not valid.', { source, keys: [] })
  const path = pathOf(error)
  const subject = path === '' ? `The ${source}` : `"${path}"`
  throw new AppError('invalid', `${subject} ${reasonOf(error)}`, { source, keys: path === '' ? [] : [path] })
}

/** A body with unknown keys dropped. */
export function clean<T>(schema: TSchema, value: T): T {
  const copy = structuredClone(value)
  Value.Clean(variantOf(schema, value), copy)
  return copy
}

/** A body with unknown keys dropped and defaults filled in. Call it on values that were validated. */
export function complete<S extends TSchema>(schema: S, value: unknown): unknown {
  const shape = variantOf(schema, value)
  // Filled in first: a part that lacks what has a default would be of no shape that can be cleaned.
  return Value.Clean(shape, Value.Default(shape, structuredClone(value)))
}

/**
 * A query string as the route types it: texts become numbers, booleans and lists; unknown keys are dropped; defaults
 * are filled in. Lists may repeat the key or carry brackets, and those of known words may be separated by
 * commas. Objects are spelt `name[key]=…`, `name.key=…` or as a JSON text.
 */
export function readQuery(schema: TObject, raw: Readonly<Record<string, unknown>>): unknown {
  const query: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries<TSchema>(schema.properties)) {
    const given = isObject(shape) ? objectIn(name, raw) : (raw[name] ?? raw[`${name}[]`])
    if (given !== undefined) query[name] = typed(shape, given)
    refuseNul(name, given, 'query')
  }
  validate(schema, query, 'query')
  return Value.Default(schema, query)
}

/** Path parameters as the route types them. */
export function readParams(schema: TObject, raw: Readonly<Record<string, unknown>>): unknown {
  const params: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries<TSchema>(schema.properties)) {
    params[name] = typed(shape, raw[name])
    refuseNul(name, raw[name], 'params')
  }
  validate(schema, params, 'params')
  return params
}

/** The database knows no text with such a character. */
function refuseNul(name: string, given: unknown, source: InvalidField['source']): void {
  if (JSON.stringify(given)?.includes('\\u0000')) {
    throw new AppError('invalid', `"${name}" must not hold the character NUL`, { source, keys: [name] })
  }
}

function typed(shape: TSchema, given: unknown): unknown {
  const type = 'type' in shape ? shape.type : undefined
  if (type === 'array') return [given].flat().flatMap((part) => listIn(shape, String(part)))
  const value = lastOf(given)
  if (typeof value !== 'string') return value
  if (type === 'integer' || type === 'number')
    return value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value)
  if (type === 'boolean')
    return value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value
  return value
}

function isObject(shape: TSchema): boolean {
  return 'type' in shape && shape.type === 'object'
}

function objectIn(name: string, raw: Readonly<Record<string, unknown>>): unknown {
  const given = lastOf(raw[name])
  if (given !== undefined) return jsonIn(String(given))
  const parts = Object.entries(raw).flatMap(([key, value]) => {
    const part = partOf(name, key)
    return part === null ? [] : [[part, lastOf(value)] as const]
  })
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}

/** Left as it is when it is no JSON: the schema then objects. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function partOf(name: string, key: string): string | null {
  if (key.startsWith(`${name}.`)) return key.slice(name.length + 1)
  return key.startsWith(`${name}[`) && key.endsWith(']') ? key.slice(name.length + 1, -1) : null
}

function lastOf(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : value
}

/** Words from a list of ours may be separated by commas; words of the user's may hold one. */
function listIn(shape: TSchema, given: string): string[] {
  const hasOwnWords = Object.hasOwn(Object(Reflect.get(shape, 'items')), 'enum')
  return hasOwnWords ? given.split(',') : [given]
}

/** Of a union’s complaints, those of the alternative that matched deepest say what the sender meant. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const depth = (error: ErrorObject) => pathOf(error).split('.').length + (error.keyword === 'type' ? 0 : 0.5)
  const plain = errors.filter((error) => error.keyword !== 'anyOf')
  return (plain.length > 0 ? plain : errors).toSorted((a, b) => depth(b) - depth(a))[0]
}

function pathOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') path.push(String(error.params.missingProperty))
  if (error.keyword === 'discriminator') path.push(String(error.params.tag))
  return path.join('.')
}

function reasonOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'discriminator':
      return error.params.tagValue === undefined ? 'is required' : `must be one of ${variantWords(error).join(', ')}`
    case 'type':
      return `must be ${article(String(error.params.type))}`
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(error.params.allowedValue)}`
    case 'minimum':
      return `must be ${error.params.limit} or more`
    case 'maximum':
      return `must be ${error.params.limit} or less`
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have ${error.params.limit} characters or more`
    case 'maxLength':
      return `must have ${error.params.limit} characters or fewer`
    case 'minItems':
      return `must have ${error.params.limit} items or more`
    case 'maxItems':
      return `must have ${error.params.limit} items or fewer`
    case 'minProperties':
    case 'maxProperties':
      return `must have ${error.params.limit} ${error.params.limit === 1 ? 'entry' : 'entries'}`
    case 'additionalProperties':
      return `has no entry "${error.params.additionalProperty}"`
    case 'pattern': {
      const examples: unknown = error.parentSchema?.examples
      if (Array.isArray(examples) && examples.length > 0) return `must look like ${examples[0]}`
      return 'has characters that are not allowed, or is too long'
    }
    case 'format':
      return `must be a valid ${error.params.format}`
    default:
      return error.message ?? 'is not valid'
  }
}

function variantWords(error: ErrorObject): unknown[] {
  const variants: unknown = error.parentSchema?.oneOf
  return Array.isArray(variants) ? variants.flatMap((variant) => wordsOf(variant, error.params.tag)) : []
}

function article(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
