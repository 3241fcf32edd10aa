/** Foreign values as short text for messages. Never longer than asked, however large or deep the value is. */

/** A character that takes two units is kept whole or left out. */
export function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(HALF_AT_END, '')}…`
}

const HALF_AT_END = /[\ud800-\udbff]$/

/** Text in quotes, everything else as JSON. */
export function show(value: unknown, limit = 200): string {
  const parts: string[] = []
  write(value, limit, 0, parts)
  return shorten(parts.join(''), limit)
}

/** Appends the JSON of a value and returns how many characters are left; stops when there are none. */
function write(value: unknown, left: number, depth: number, parts: string[]): number {
  if (left <= 0) return left
  if (Array.isArray(value)) return writeAll(value.entries(), '[', ']', left, depth, parts)
  if (typeof value === 'object' && value !== null) {
    return writeAll(Object.entries(value).values(), '{', '}', left, depth, parts)
  }
  const text = typeof value === 'string' ? JSON.stringify(shorten(value, left + 1)) : String(value)
  parts.push(text)
  return left - text.length
}

function writeAll(
  entries: Iterable<[number | string, unknown]>,
  open: string,
  close: string,
  left: number,
  depth: number,
  parts: string[],
): number {
  parts.push(open)
  let rest = left - 2
  let first = true
  for (const [key, item] of entries) {
    if (rest <= 0) break
    if (!first) parts.push(',')
    first = false
    if (typeof key === 'string') {
      const name = `${JSON.stringify(shorten(key, rest + 1))}:`
      parts.push(name)
      rest -= name.length
    }
    rest = depth > 64 ? write('…', rest, depth, parts) : write(item, rest - 1, depth + 1, parts)
  }
  parts.push(close)
  return rest
}
