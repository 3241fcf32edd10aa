/** Schemas in words: a type for a cell, a row for each field. */
import { asJson, asList, asTexts, type Json } from '../../packages/server/src/http/describe/json.ts'

/** Where the page of the schemas is, seen from the page that refers to it. */
export type LinkTo = (schemaName: string) => string

export interface Field {
  name: string
  type: string
  preset: string
  isRequired: boolean
  description: string
}

export function typeInWords(schema: unknown, linkTo: LinkTo): string {
  const shape = asJson(schema)
  const name = nameIn(shape)
  if (name !== undefined) return `[${name}](${linkTo(name)})`
  const variants = variantsOf(shape)
  if (variants.length > 0) return [...new Set(variants.map((variant) => typeInWords(variant, linkTo)))].join(' or ')
  const parts = asList(shape.allOf)
  if (parts.length > 0) return [...new Set(parts.map((part) => typeInWords(part, linkTo)))].join(' and ')
  if ('const' in shape) return code(shape.const)
  if (Array.isArray(shape.enum)) return wordsIn(shape.enum)
  switch (shape.type) {
    case 'array':
      return `list of ${typeInWords(shape.items, linkTo)}${span(shape.minItems, shape.maxItems, ' items')}`
    case 'string':
      return textInWords(shape)
    case 'integer':
    case 'number':
      return `${shape.type}${span(shape.minimum, shape.maximum, '')}`
    case 'object': {
      const values = Object.values(asJson(shape.patternProperties))[0]
      return values === undefined ? 'object' : `object of ${typeInWords(values, linkTo)} by key`
    }
    default:
      return typeof shape.type === 'string' ? shape.type : 'anything'
  }
}

const MOST_WORDS = 30
const SOME_WORDS = 8

function wordsIn(words: readonly unknown[]): string {
  const shown = words
    .slice(0, words.length > MOST_WORDS ? SOME_WORDS : MOST_WORDS)
    .map(code)
    .join(', ')
  return words.length > MOST_WORDS ? `${shown} and ${words.length - SOME_WORDS} more, see \`/openapi.json\`` : shown
}

function textInWords(shape: Json): string {
  const form = typeof shape.format === 'string' ? ` (${shape.format})` : ''
  const pattern = typeof shape.pattern === 'string' ? `, ${code(shape.pattern)}` : ''
  return `text${form}${span(shape.minLength, shape.maxLength, ' characters')}${pattern}`
}

function span(least: unknown, most: unknown, unit: string): string {
  if (least === undefined && most === undefined) return ''
  if (least === undefined) return `, at most ${most}${unit}`
  if (most === undefined) return `, at least ${least}${unit}`
  return `, ${least} to ${most}${unit}`
}

const SAID_BY_TYPE = 'A UUID.'

/** A row for each field, those of objects within it included; what has a name is told elsewhere. */
export function fieldsOf(schema: unknown, linkTo: LinkTo, prefix = ''): Field[] {
  const shape = asJson(schema)
  const required = new Set(asTexts(shape.required))
  const own = Object.entries(asJson(shape.properties)).flatMap(([name, part]) => {
    const { description, default: preset } = asJson(part)
    const path = `${prefix}${name}`
    const field = {
      name: path,
      type: typeInWords(part, linkTo),
      preset: preset === undefined ? '' : code(preset),
      isRequired: required.has(name) && preset === undefined,
      description: typeof description === 'string' && description !== SAID_BY_TYPE ? description : '',
    }
    return [field, ...within(part, linkTo, path)]
  })
  const variants =
    'properties' in shape ? [] : variantsOf(shape).filter((variant) => nameIn(asJson(variant)) === undefined)
  const parts = asList(shape.allOf).flatMap((part) => fieldsOf(part, linkTo, prefix))
  return [
    ...own,
    ...parts,
    ...fieldsOfVariants(variants, String(asJson(shape.discriminator).propertyName), linkTo, prefix),
  ]
}

/** A row for each field of any variant; where they differ it says which variant has what. */
function fieldsOfVariants(
  variants: readonly unknown[],
  discriminator: string,
  linkTo: LinkTo,
  prefix: string,
): Field[] {
  const rows = new Map<string, { label: string; field: Field }[]>()
  for (const variant of variants) {
    const label = typeInWords(asJson(asJson(variant).properties)[discriminator], linkTo)
    for (const field of fieldsOf(variant, linkTo, prefix))
      rows.set(field.name, [...(rows.get(field.name) ?? []), { label, field }])
  }
  return [...rows].flatMap(([name, entries]) => {
    const [first] = entries
    if (first === undefined) return []
    const types = [...new Set(entries.map(({ field }) => field.type))]
    if (name === `${prefix}${discriminator}`) return [{ ...first.field, type: types.join(', ') }]
    if (types.length === 1 && entries.length === variants.length) return [first.field]
    const labelsOf = (type: string) => entries.filter(({ field }) => field.type === type).map(({ label }) => label)
    return [{ ...first.field, type: types.map((type) => `${type} for ${labelsOf(type).join(', ')}`).join('; ') }]
  })
}

function within(schema: unknown, linkTo: LinkTo, path: string): Field[] {
  const shape = asJson(schema)
  if (nameIn(shape) !== undefined) return []
  if (shape.type === 'array') return within(shape.items, linkTo, `${path}[]`)
  if ('properties' in shape || 'allOf' in shape) return fieldsOf(shape, linkTo, `${path}.`)
  return variantsOf(shape).flatMap((variant) => within(variant, linkTo, path))
}

export function nameIn(shape: Json): string | undefined {
  return typeof shape.$ref === 'string' ? shape.$ref.split('/').at(-1) : undefined
}

export function variantsOf(shape: Json): readonly unknown[] {
  return asList(shape.anyOf ?? shape.oneOf)
}

function code(value: unknown): string {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** Of something that is answered: it has all of its fields, unless one says otherwise. */
export function answerTable(fields: readonly Field[]): string {
  return table(
    ['Field', 'Type', 'Meaning'],
    fields.map(({ name, type, isRequired, preset, description }) => [
      `\`${name}\``,
      type,
      isRequired || preset !== '' ? description : `${description} May be absent.`.trim(),
    ]),
  )
}

/** Of something that is sent. */
export function fieldTable(fields: readonly Field[]): string {
  return table(
    ['Field', 'Type', 'Default', 'Meaning'],
    fields.map(({ name, type, preset, isRequired, description }) => [
      `\`${name}\``,
      type,
      isRequired ? '*required*' : preset,
      description,
    ]),
  )
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}
