/** From bytes to text by the charset of a Content-Type; UTF-8 where it names none, or none that is known. */

export function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const charset = contentType === undefined ? undefined : charsetOf(contentType)
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') return utf8(bytes)
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return utf8(bytes)
  }
}

function utf8(bytes: Buffer): string {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return bytes.toString('utf8', hasMark ? 3 : 0, bytes.length)
}

function charsetOf(contentType: string): string | undefined {
  const at = contentType.search(/charset=/i)
  if (at < 0) return undefined
  const value = contentType.slice(at + 8, at + 60).replace(/^"/, '')
  return /^[^\s";,]+/.exec(value)?.[0].toLowerCase()
}
