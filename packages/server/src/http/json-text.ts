/**
 * What JSON may say and the database cannot keep, or what is only written to exhaust whoever reads it. Looks at the
 * text, in one pass, before it is parsed.
 */

const DEEPEST = 64
const BACKSLASH = 0x5c
const QUOTE = 0x22

/** Why a text of JSON is not accepted, or null. Whether it is JSON at all is for the parser to say. */
export function problemOfJson(text: string): string | null {
  return problemOfEscapes(text) ?? problemOfDepth(text)
}

/** Escapes are rare: only a text that holds a suspicious one is read from escape to escape. */
function problemOfEscapes(text: string): string | null {
  if (!/\\u(?:0000|d[89a-f])/i.test(text)) return null
  let highAt = Number.NEGATIVE_INFINITY
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', at)) {
    if (text[at + 1] !== 'u') {
      at += 2
      continue
    }
    const unit = Number.parseInt(text.slice(at + 2, at + 6), 16)
    const followsHigh = highAt === at - 6
    const isLow = unit >= 0xdc00 && unit <= 0xdfff
    if (unit === 0) return 'The body holds a NUL character.'
    if (isLow !== followsHigh || (highAt >= 0 && !followsHigh)) return HALF
    highAt = unit >= 0xd800 && unit <= 0xdbff ? at : Number.NEGATIVE_INFINITY
    at += 6
  }
  return highAt >= 0 ? HALF : null
}

const HALF = 'The body holds half of a surrogate pair.'

function problemOfDepth(text: string): string | null {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOfString(text, at)
    // [ and { differ from ] and } by two.
    else if (unit === 0x5b || unit === 0x7b) depth += 1
    else if (unit === 0x5d || unit === 0x7d) depth -= 1
    if (depth > DEEPEST) return `The body is nested deeper than ${DEEPEST} levels.`
  }
  return null
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
