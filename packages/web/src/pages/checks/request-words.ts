import { plural } from '../../components/number.ts'

/** What a request has beyond its address: “1 header, 2 assertions”. Empty for nothing. */
export function requestWords(request: unknown): string {
  const parts = [
    { key: 'headers', noun: 'header' },
    { key: 'queryParameters', noun: 'query parameter' },
    { key: 'assertions', noun: 'assertion' },
  ]
    .map(({ key, noun }) => ({ noun, count: lengthOf(request, key) }))
    .filter(({ count }) => count > 0)
    .map(({ noun, count }) => plural(count, noun))
  return parts.join(', ')
}

function lengthOf(request: unknown, key: string): number {
  const list: unknown = typeof request === 'object' && request !== null ? Reflect.get(request, key) : undefined
  return Array.isArray(list) ? list.length : 0
}
