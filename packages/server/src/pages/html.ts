/** Markup in which every value is escaped, unless it is markup itself. The same rules do for XML. */

export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Part = Markup | string | number | null | readonly Part[]

/** Values are text, in elements and in quoted attributes; null is nothing, lists are put one after the other. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const [first = '', ...rest] = literals
  return new Markup(rest.reduce((text, literal, index) => text + written(parts[index] ?? null) + literal, first))
}

/** Text that is markup already. Nothing that anybody wrote may get here. */
export function trusted(text: string): Markup {
  return new Markup(text)
}

function written(part: Part): string {
  if (part === null) return ''
  if (part instanceof Markup) return part.text
  return typeof part === 'string' || typeof part === 'number' ? escaped(String(part)) : part.map(written).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Without what neither HTML nor XML can hold. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
  )
}
