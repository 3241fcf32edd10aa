/** What has a name in `@vedette/schema` is described once, under that name, and referred to from everywhere else. */
import * as vocabulary from '@vedette/schema'
import { withOneOf } from '../one-of.ts'
import { asJson, asList, isJson, type Json } from './json.ts'

const PREFIX = '#/components/schemas/'

const nameable = Object.entries<unknown>(vocabulary)
  .filter(([name, value]) => /^[A-Z]\w*[a-z]/.test(name) && isNameable(value))
  // Of two names for the same thing the shorter one wins.
  .toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))

/** Objects, lists of words and unions; a mere text or number says more in its place. */
function isNameable(value: unknown): boolean {
  return isJson(value) && ('properties' in value || 'enum' in value || ('anyOf' in value && !isNullable(value)))
}

function isNullable(schema: Json): boolean {
  return asList(schema.anyOf).some((part) => asJson(part).type === 'null')
}

/** By content and not by identity, because making a field optional makes a copy of its schema. */
const nameOf = new Map(nameable.map(([name, schema]) => [JSON.stringify(schema), name] as const).toReversed())

export function nameOfSchema(schema: unknown): string | undefined {
  return isJson(schema) ? nameOf.get(JSON.stringify(schema)) : undefined
}

/** Refers to named schemas, and collects those that it referred to. */
export class NamedSchemas {
  readonly components: Record<string, unknown> = {}

  /** The schema with references to those that have a name, and with unions as OpenAPI has them. */
  refer(schema: unknown): unknown {
    return withOneOf(this.#refer(schema))
  }

  #refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.#refer(part))
    if (!isJson(schema)) return schema
    const name = nameOfSchema(schema)
    if (name !== undefined) return this.#referTo(name, schema)
    // The same thing with words or a default of its own: those stay beside the reference.
    const { description, default: preset, ...bare } = schema
    const bareName = nameOfSchema(bare)
    if (bareName === undefined) return this.#within(schema)
    return {
      ...this.#referTo(bareName, bare),
      ...(description === undefined ? {} : { description }),
      ...(preset === undefined ? {} : { default: preset }),
    }
  }

  #referTo(name: string, schema: Json): Json {
    if (!Object.hasOwn(this.components, name)) {
      this.components[name] = {} // named first: what is described may contain itself
      this.components[name] = withOneOf(this.#within(schema))
    }
    return { $ref: `${PREFIX}${name}` }
  }

  #within(schema: Json): Json {
    return Object.fromEntries(
      Object.entries(schema).map(([key, part]) => [key, LITERAL.has(key) ? part : this.#refer(part)]),
    )
  }
}

/** Keywords whose values are data, not schemas. */
const LITERAL = new Set(['default', 'examples', 'enum', 'const', 'required'])
