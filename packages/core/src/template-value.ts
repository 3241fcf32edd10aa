/** Values in templates: what JSON can say. Entries are only ever looked up as own ones. */

export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly TemplateValue[]
  | { readonly [name: string]: TemplateValue }

export type TemplateVariables = { readonly [name: string]: TemplateValue }

export function isList(value: TemplateValue): value is readonly TemplateValue[] {
  return Array.isArray(value)
}

export function isRecord(value: TemplateValue): value is TemplateVariables {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is written where the value stands. Records have no text. */
export function textOf(value: TemplateValue): string {
  if (value === null || value === undefined) return ''
  if (isList(value)) return value.map(textOf).join(',')
  return typeof value === 'object' ? '' : String(value)
}

export function isTruthy(value: TemplateValue): boolean {
  return isList(value) ? value.length > 0 : Boolean(value)
}

/** An own entry of a record or a list; undefined for everything else. */
export function entryOf(value: TemplateValue, name: string): TemplateValue {
  if (isList(value)) {
    if (name === 'length') return value.length
    return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined
  }
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
