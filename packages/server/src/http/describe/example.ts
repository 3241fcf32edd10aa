/**
 * An example of what a schema describes: hand-made as far as `examples` has it, the rest made from defaults, bounds and names.
 * The same schema always gives the same example.
 */
import { examples } from '@vedette/schema'
import { wordsOf } from '../one-of.ts'
import { asJson, asList, asTexts, isJson, type Json } from './json.ts'
import { nameOfSchema } from './named-schemas.ts'

export interface ExampleOptions {
  /**
   * `request`: what one has to send. `answer`: every field, as it may look. `whole`: every field there may be, nothing
   * hand-made and nothing null, so that no part of the schema is missing.
   */
  of: 'request' | 'answer' | 'whole'
}

const INSTANT = '2026-01-10T08:00:00.000Z'
const FORMATS: Record<string, string> = {
  uuid: '7c1a4b52-6c1d-4a39-9b7e-0f6e4f6a2c11',
  'date-time': INSTANT,
  date: '2026-01-10',
  uri: 'https://shop.example.org/',
  email: 'alice@example.org',
}

/** What fields of these names usually hold, if their schema agrees. */
const BY_NAME: [RegExp, string][] = [
  [/^(id|.*Id)$/, '42'],
  [/^name$/, 'Shop'],
  [/url|link|href/i, 'https://shop.example.org/'],
  [/^(slug.*|privateLocations)$/i, 'cellar'],
  [/domain|host/i, 'shop.example.org'],
  [/description|message/i, 'Something to know'],
  [/^tags?$/, 'shop'],
  [/location|region/i, 'eu-west-1'],
  [/_at$|At$|Seen$|date|time|^from$|^to$/i, INSTANT],
  [/address|email/i, 'alice@example.org'],
  [/color/i, '#336699'],
  [/number|phone/i, '+4915550100'],
  [/version/i, '1.0.0'],
  [/sha256|bundle/i, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
]
const ANY_TEXT = [
  'text',
  'Shop',
  'shop',
  'A',
  '2026-01-10',
  INSTANT,
  '#336699',
  'https://shop.example.org/',
  '12',
  '+4915550100',
  'me',
  '',
]

const MAX_OPTIONAL = 4

export function exampleOf(schema: unknown, options: ExampleOptions, name = ''): unknown {
  const shape = asJson(schema)
  if (options.of !== 'whole') {
    const [own] = asList(shape.examples)
    if (own !== undefined) return own
    if ('default' in shape && !isJson(shape.default)) return shape.default
  }
  if ('const' in shape) return shape.const
  const [word] = asList(shape.enum)
  if (word !== undefined) return word
  if ('anyOf' in shape || 'oneOf' in shape) return oneOf(shape, options, name)
  if ('allOf' in shape) return Object.assign({}, ...asList(shape.allOf).map((part) => exampleOf(part, options)))
  switch (shape.type) {
    case 'object':
      return anObject(shape, options)
    case 'array':
      return shape.maxItems === 0 ? [] : manyOf(shape, exampleOf(shape.items, options, name))
    case 'string':
      return aText(shape, name)
    case 'integer':
    case 'number':
      return aNumber(shape)
    case 'boolean':
      return shape.default ?? true
    case 'null':
      return null
    default:
      return 'text'
  }
}

const handMade = new Map<string, object>(Object.entries(examples))

/** The alternative that the hand-made example is of, else the first that is not null. */
function oneOf(shape: Json, options: ExampleOptions, name: string): unknown {
  const all = asList(shape.anyOf ?? shape.oneOf)
  const made = madeFor(shape, options)
  const first = all.find((part) => asJson(part).type !== 'null') ?? all[0]
  if (made === undefined) return exampleOf(first, options, name)
  const { propertyName } = asJson(shape.discriminator)
  const word = Reflect.get(made, String(propertyName))
  const meant = all.find((part) => wordsOf(asJson(part), String(propertyName)).includes(word))
  return { ...asJson(exampleOf(meant ?? first, options, name)), ...made }
}

function madeFor(shape: Json, { of }: ExampleOptions): object | undefined {
  return of === 'whole' ? undefined : handMade.get(nameOfSchema(shape) ?? '')
}

function anObject(shape: Json, options: ExampleOptions): Json {
  const properties = Object.entries(asJson(shape.properties))
  const required = new Set(asTexts(shape.required))
  const optional = properties.filter(([name]) => !required.has(name)).map(([name]) => name)
  const made = madeFor(shape, options)
  const wanted = new Set(required.size === 0 && made === undefined ? optional.slice(0, MAX_OPTIONAL) : required)
  const shown = properties.filter(([name]) => options.of !== 'request' || wanted.has(name))
  const object = Object.fromEntries(shown.map(([name, part]) => [name, exampleOf(part, options, name)]))
  const [further] = Object.values(asJson(shape.patternProperties))
  const values = further ?? (isJson(shape.additionalProperties) ? shape.additionalProperties : undefined)
  if (values !== undefined && properties.length === 0) return { key: exampleOf(values, options) }
  return { ...object, ...made }
}

function manyOf(shape: Json, item: unknown): unknown[] {
  return Array.from({ length: Math.max(1, Number(shape.minItems ?? 1)) }, () => item)
}

function aText(shape: Json, name: string): string {
  const format = FORMATS[String(shape.format)]
  if (format !== undefined) return format
  const pattern = typeof shape.pattern === 'string' ? new RegExp(shape.pattern) : /(?:)/
  const [least, most] = [Number(shape.minLength ?? 0), Number(shape.maxLength ?? Number.POSITIVE_INFINITY)]
  const fits = (text: string) => text.length >= least && text.length <= most && pattern.test(text)
  const named = BY_NAME.filter(([names]) => names.test(name)).map(([, text]) => text)
  const preset = typeof shape.default === 'string' && shape.default !== '' ? [shape.default] : []
  return [...preset, ...named, ...ANY_TEXT].find(fits) ?? 'x'.repeat(least)
}

function aNumber(shape: Json): number {
  if (typeof shape.default === 'number') return shape.default
  const least = Number(shape.minimum ?? Number.NEGATIVE_INFINITY)
  const most = Number(shape.maximum ?? Number.POSITIVE_INFINITY)
  return Math.min(Math.max(1, least), most)
}
