/** How a value is written into each kind of place, so that it stays a value there. */

export const encodings = {
  /** A component of a URL or of a form. */
  url: (text: string) => encodeURIComponent(text.toWellFormed()),
  /** The inside of a JSON string. */
  json: (text: string) => JSON.stringify(text).slice(1, -1),
  html: (text: string) => text.replace(/[&<>"']/g, (character) => HTML[character] ?? character),
  /** The value of a header: nothing that could begin another one. */
  header: (text: string) => text.replace(LINE_BREAKS, ' '),
  plain: (text: string) => text,
} as const
export type Encoding = keyof typeof encodings

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const LINE_BREAKS = /[\r\n\0]+/g

/** The encoding that values need in a body of this content type. */
export function encodingOfBody(contentType: string): Encoding {
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (type === '' || type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'url'
  if (type === 'text/html' || type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml')) return 'html'
  return 'plain'
}
