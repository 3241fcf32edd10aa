/**
 * JavaScript and TypeScript in pieces that are coloured: as much as a reader needs, and never an error.
 * Together the pieces are the text, whatever it is.
 */

export const LOOKS = ['plain', 'comment', 'string', 'number', 'keyword', 'call', 'type'] as const
export type Look = (typeof LOOKS)[number]

export interface Piece {
  text: string
  look: Look
}

const KEYWORDS = new Set(
  (
    'abstract as asserts async await break case catch class const continue debugger declare default delete do else enum ' +
    'export extends finally for from function get if implements import in infer instanceof interface is keyof let ' +
    'namespace new of override package private protected public readonly return satisfies set static super switch this ' +
    'throw try type typeof unique using var void while with yield'
  ).split(' '),
)
const VALUES = new Set(['true', 'false', 'null', 'undefined', 'NaN', 'Infinity'])
/** Not always keywords: in front of these they are names. */
const AFTER_NAME = /^\s*(?:[=,;:)\]}.?]|$)/
const SOFT = new Set(
  'abstract as asserts async declare from get implements infer interface is keyof namespace of override package private protected public readonly satisfies set static type unique using'.split(
    ' ',
  ),
)

/** A comment, a text, a number, a word, space, or any other sign. */
const PIECE =
  /(\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:\\[\s\S]|[^'\\\n])*'?|"(?:\\[\s\S]|[^"\\\n])*"?)|((?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?\d+)?)n?)|([\p{ID_Start}$_][\p{ID_Continue}$]*)|(\s+)|(?:[\s\S])/uy
const REGEXP = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,500}\]|[^/\\[\n]){1,1000}\/[a-z]*/y
const TEXT = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])+/y

/** The pieces of each line, without the line breaks. */
export function highlight(code: string): Piece[][] {
  const lines: Piece[][] = [[]]
  let line = lines[0] ?? []
  const addWithin = (text: string, look: Look) => {
    const last = line.at(-1)
    if (last?.look === look) last.text += text
    else if (text !== '') line.push({ text, look })
  }
  const add = (text: string, look: Look) => {
    if (!text.includes('\n')) return addWithin(text, look)
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) {
        line = []
        lines.push(line)
      }
      addWithin(part, look)
    }
  }
  /** Of each template that is open, how many braces are open within its expression. */
  const templates: number[] = []
  let at = 0
  /** The last that was neither space nor comment: a slash after a value divides. */
  let before = ''
  const matchAt = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(code)
  }
  /** From within a template on, to its end or its next expression. */
  const readText = () => {
    const text = matchAt(TEXT)?.[0] ?? ''
    add(text, 'string')
    at += text.length
    if (code[at] === '`') {
      add('`', 'string')
      at += 1
      before = '`'
    } else if (code[at] === '$') {
      add('${', 'keyword')
      at += 2
      before = '{'
      templates.push(0)
    } else {
      // A backslash that ends everything.
      add(code.slice(at), 'string')
      at = code.length
    }
  }
  while (at < code.length) {
    const regexp = code[at] === '/' && !isValue(before) ? matchAt(REGEXP)?.[0] : undefined
    if (regexp !== undefined) {
      add(regexp, 'string')
      at += regexp.length
      before = '/x/'
      continue
    }
    const found = matchAt(PIECE)
    const [, comment, string, number, word, space] = found ?? []
    const text = found?.[0] ?? code.slice(at)
    at += text.length
    if (comment !== undefined) add(text, 'comment')
    else if (space !== undefined) add(text, 'plain')
    else {
      const open = templates.at(-1)
      if (text === '`') {
        add(text, 'string')
        readText()
        continue
      }
      if (text === '}' && open === 0) {
        templates.pop()
        add(text, 'keyword')
        readText()
        continue
      }
      if (open !== undefined && (text === '{' || text === '}')) {
        templates[templates.length - 1] = open + (text === '{' ? 1 : -1)
      }
      if (string !== undefined) add(text, 'string')
      else if (number !== undefined) add(text, 'number')
      else if (word !== undefined) add(text, lookOfWord(word, before, code.slice(at, at + 40)))
      else add(text, 'plain')
      before = text
    }
  }
  return lines
}

function lookOfWord(word: string, before: string, after: string): Look {
  if (before !== '.' && before !== '?.') {
    if (VALUES.has(word)) return 'number'
    if (KEYWORDS.has(word) && !(SOFT.has(word) && AFTER_NAME.test(after)) && !/^\s*:/.test(after)) return 'keyword'
  }
  if (/^\s*(?:<[\w\s,.]*>)?\(/.test(after)) return 'call'
  return /^\p{Lu}\p{Ll}/u.test(word) ? 'type' : 'plain'
}

/** Whether what ends so can be divided. */
const isValue = (end: string): boolean =>
  /[\p{ID_Continue}$)\]}'"`/]$/u.test(end) && !(KEYWORDS.has(end) && end !== 'this')
