/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export function storable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text).toWellFormed()
}

/** Every text in a value, and every key, made fit. */
export function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), cleanValue(item, clean)]))
}
