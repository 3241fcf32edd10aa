/** Which names in templates nobody knows, as far as that can be told without running anything. */
import { TEMPLATE_HELPERS } from '@vedette/schema'

/** One name alone between braces; what belongs to a block or has arguments is left alone. */
const TAG = /(\\?)\{\{\{?~?&?\s*([^\s!"#%&'()*+,./;<=>@[\\\]^`{|}~]+)\s*~?\}?\}\}/g
/** Inside of these a name is one of what the block is about. */
const OTHER_SCOPE = /\{\{~?\s*#\s*(each|with)\b/
const NUMBER = /^-?\d+$/
const NO_VARIABLES: ReadonlySet<string> = new Set([
  ...TEMPLATE_HELPERS,
  'else',
  'this',
  'true',
  'false',
  'null',
  'undefined',
])

export function unknownNames(text: string, known: ReadonlySet<string>): string[] {
  if (!text.includes('{{') || OTHER_SCOPE.test(text)) return []
  const names = [...text.matchAll(TAG)].flatMap(([, backslash, name = '']) => (backslash === '' ? [name] : []))
  return [...new Set(names)].filter((name) => !known.has(name) && !NO_VARIABLES.has(name) && !NUMBER.test(name))
}

const ASSIGNMENT =
  /\bprocess\s*\.\s*env\s*(?:\.\s*([A-Za-z_$][\w$]*)|\[\s*(['"`])([^'"`]+)\2\s*\])\s*(?:\?\?|\|\||&&|\+)?=(?!=)/g

/** The variables that a script gives a value, where it does so plainly. */
export const namesSetBy = (script: string): string[] =>
  [...script.matchAll(ASSIGNMENT)].map(([, plain, , quoted]) => plain ?? quoted ?? '')
