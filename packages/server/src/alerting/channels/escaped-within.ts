/** Escaped text with a limit. */

/** As much of the text as fits once it is escaped, with a sign where it was cut; no escape and no character is cut apart. */
export function escapedWithin(text: string, limit: number, escaped: (character: string) => string): string {
  const pieces: string[] = []
  let length = 0
  let fitting = 0
  for (const character of text.toWellFormed()) {
    const piece = escaped(character)
    length += piece.length
    if (length > limit) return limit < 1 ? '' : `${pieces.slice(0, fitting).join('')}…`
    pieces.push(piece)
    // Room for the sign is kept until it is known that none is needed.
    if (length <= limit - 1) fitting = pieces.length
  }
  return pieces.join('')
}
