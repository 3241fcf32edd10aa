/** The command of a suite, as people write it: read into arguments, because no shell runs it. */

export type ReadCommand = { args: string[]; problem: null } | { args: null; problem: string }

/** What a shell would make something of. In quotes it is a character like any other. */
const SHELL = new Set(['|', '&', ';', '<', '>', '(', ')', '`', '$', '#', '\n', '\r', '*', '?', '~'])
/** Words before the arguments of the test runner. */
const BEGINNINGS: readonly (readonly string[])[] = [
  ['playwright', 'test'],
  ['npx', 'playwright', 'test'],
]
/** Options that make no sense where nobody watches. */
const REFUSED: Readonly<Record<string, string>> = {
  '--ui': 'nobody sees its window',
  '--ui-host': 'nobody sees its window',
  '--ui-port': 'nobody sees its window',
  '--debug': 'nobody sees its window',
  '--headed': 'there is no screen',
  '--list': 'it runs no tests',
  '--help': 'it runs no tests',
  '-h': 'it runs no tests',
  '--version': 'it runs no tests',
  '-V': 'it runs no tests',
  '--only-changed': 'a bundle has no history to compare with',
}
const MOST_ARGUMENTS = 100

/** Null and blank text mean all tests of the project. The problem fits behind the name of the field. */
export function readTestCommand(command: string | null): ReadCommand {
  if (command === null || command.trim() === '') return { args: [], problem: null }
  const words = wordsOf(command)
  if (typeof words === 'string') return refuse(words)
  const beginning = BEGINNINGS.find((one) => one.every((word, index) => words[index] === word))
  if (beginning === undefined) {
    return refuse(
      'must begin with "npx playwright test" or "playwright test": no other program is run. Set variables with environmentVariables',
    )
  }
  const args = words.slice(beginning.length)
  if (args.length > MOST_ARGUMENTS) return refuse(`must have ${MOST_ARGUMENTS} arguments or fewer`)
  for (const arg of args) {
    const [option = ''] = arg.split('=', 1)
    const reason = Object.hasOwn(REFUSED, option) ? REFUSED[option] : undefined
    if (reason !== undefined) return refuse(`must not have the option ${option}: ${reason}`)
  }
  return { args, problem: null }
}

const refuse = (problem: string): ReadCommand => ({ args: null, problem })

/** The words as a shell would part them, or why they are none. */
function wordsOf(command: string): string[] | string {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let at = 0; at < command.length; at += 1) {
    const character = command.charAt(at)
    if (character === '\0') return 'must not have the character NUL'
    if (character === quote) quote = null
    else if (quote === "'") word += character
    else if (character === '\\') {
      at += 1
      if (at >= command.length) return 'must not end with a backslash'
      const next = command.charAt(at)
      // Within double quotes a backslash stands for itself but before these.
      word = (word ?? '') + (quote === '"' && !/["\\$`]/.test(next) ? `\\${next}` : next)
    } else if (quote === '"') {
      if (character === '$' || character === '`') return shellWord(character)
      word += character
    } else if (character === "'" || character === '"') {
      quote = character
      word ??= ''
    } else if (SHELL.has(character)) return shellWord(character)
    else if (/\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + character
  }
  if (quote !== null) return `must close the quote ${quote}`
  if (word !== null) words.push(word)
  return words
}

function shellWord(character: string): string {
  const shown = /[\n\r]/.test(character) ? 'a line break' : `"${character}"`
  return `must not have ${shown} outside of single quotes: no shell runs it`
}
