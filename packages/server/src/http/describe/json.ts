/** Reading JSON of which only the shape is known: schemas, and the description of the API. */
export type Json = Record<string, unknown>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an object; an empty one if it is none. */
export function asJson(value: unknown): Json {
  return isJson(value) ? value : {}
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asTexts(value: unknown): string[] {
  return asList(value).filter((item) => typeof item === 'string')
}
