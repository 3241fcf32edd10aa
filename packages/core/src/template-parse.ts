/**
 * Text → tree, in one pass over the text. Supported: values, raw values, comments, blocks with `else` and `else if`,
 * subexpressions, `../`, `@` names and white-space control. Partials, named arguments and decorators are refused.
 */
import { TemplateError } from './template-error.ts'
import { helpers, isHelper } from './template-helpers.ts'
import type { Block, Expression, Node, Path } from './template-tree.ts'

export const LANGUAGE_BLOCKS = ['if', 'unless', 'each', 'with'] as const
export type LanguageBlock = (typeof LANGUAGE_BLOCKS)[number]

const DEPTH_LIMIT = 64
const NAME = /[^\s!"#%&'()*+,./;<=>@[\\\]^`{|}~]+/y
const SPACE = /\s*/y
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/

export function isLanguageBlock(name: string): name is LanguageBlock {
  return LANGUAGE_BLOCKS.some((known) => known === name)
}

interface Open {
  block: Block
  /** Opened by an `else if`: ends with the block that it belongs to. */
  chained: boolean
  inverted: boolean
  hasElse: boolean
}

/** @throws TemplateError */
export function parseTemplate(text: string): Node[] {
  const root: Node[] = []
  const open: Open[] = []
  let into = root
  let trimNext = false
  let at = 0

  while (at < text.length) {
    const start = text.indexOf('{{', at)
    if (start < 0) {
      addText(text.slice(at))
      break
    }
    const escaped = start > at && text[start - 1] === '\\'
    addText(text.slice(at, escaped ? start - 1 : start))
    // `\{{` is the text `{{`; `\\{{` is a backslash and a tag.
    if (escaped && (start - 1 === at || text[start - 2] !== '\\')) {
      addText('{{')
      at = start + 2
    } else at = readTag(start)
  }
  const unclosed = open.at(-1)
  if (unclosed) throw new TemplateError(`"${unclosed.block.subject.text}" is never closed`, unclosed.block.at)
  return root

  function addText(piece: string): void {
    const kept = trimNext ? piece.trimStart() : piece
    if (kept === '') return
    trimNext = false
    into.push({ is: 'text', text: kept })
  }

  function trimLast(): void {
    const last = into.at(-1)
    if (last?.is === 'text') last.text = last.text.trimEnd()
  }

  /** Reads the tag that begins at `start` and returns where it ends. */
  function readTag(start: number): number {
    let inner = start + 2
    if (text[inner] === '~') {
      trimLast()
      inner += 1
    }
    if (text[inner] === '!') return readComment(start, inner)
    const raw = text[inner] === '{'
    const sign = text[inner] ?? ''
    const reader = readerOf(text, '{&#^/'.includes(sign) && sign !== '' ? inner + 1 : inner, start)
    reader.skipSpace()
    if (sign === '#') openBlock(reader.path(), reader.args(), false, false)
    else if (sign === '/') closeBlock(reader.path())
    else if (sign === '^') {
      if (reader.isAtEnd()) turnToElse(start)
      else openBlock(reader.path(), reader.args(), true, false)
    } else if (sign === '>' || sign === '*') throw new TemplateError('partials and decorators are not supported', start)
    else readValue(reader, raw || sign === '&', start)
    return finish(reader.close(raw))
  }

  function finish({ end, trims }: { end: number; trims: boolean }): number {
    trimNext = trims
    return end
  }

  /** `{{! … }}`, or `{{!-- … --}}` when it holds braces. */
  function readComment(start: number, inner: number): number {
    const dashes = text.startsWith('!--', inner) ? '--' : ''
    let stop = text.indexOf(`${dashes}}}`, inner + 1)
    if (dashes !== '') {
      stop = text.indexOf('--', inner + 3)
      while (stop >= 0 && !/^~?}}/.test(text.slice(stop + 2, stop + 5))) stop = text.indexOf('--', stop + 1)
    }
    if (stop < 0) throw new TemplateError('the comment is never closed', start)
    const after = stop + dashes.length
    const trims = dashes !== '' ? text[after] === '~' : text[stop - 1] === '~'
    return finish({ end: after + (dashes !== '' && trims ? 3 : 2), trims })
  }

  function readValue(reader: Reader, raw: boolean, start: number): void {
    const expression = reader.expression()
    if (expression.is !== 'path' || expression.text !== 'else') {
      into.push({ is: 'value', at: start, expression: calling(expression, reader.args(), start), raw })
      return
    }
    turnToElse(start)
    if (!reader.isAtEnd()) openBlock(reader.path(), reader.args(), false, true)
  }

  function openBlock(subject: Path, args: Expression[], inverted: boolean, chained: boolean): void {
    const [name] = subject.names
    const language = name !== undefined && isLanguageBlock(subject.text)
    if (language && args.length !== 1) throw new TemplateError(`"${name}" takes one argument`, subject.at)
    if (!language && args.length > 0 && !isHelper(subject.text)) throw unknownHelper(subject)
    if (open.length >= DEPTH_LIMIT) throw new TemplateError('the blocks are nested too deeply', subject.at)
    const block: Block = { is: 'block', at: subject.at, subject, args, body: [], otherwise: [] }
    into.push(block)
    open.push({ block, chained, inverted, hasElse: false })
    into = inverted ? block.otherwise : block.body
  }

  function turnToElse(position: number): void {
    const current = open.at(-1)
    if (!current) throw new TemplateError('"else" stands outside of a block', position)
    if (current.hasElse) throw new TemplateError('the block has a second "else"', position)
    current.hasElse = true
    into = current.inverted ? current.block.body : current.block.otherwise
  }

  function closeBlock(subject: Path): void {
    let current = open.pop()
    while (current?.chained) current = open.pop()
    if (!current) throw new TemplateError(`"${subject.text}" is closed but was never opened`, subject.at)
    if (current.block.subject.text !== subject.text) {
      throw new TemplateError(`"${current.block.subject.text}" is open, but "${subject.text}" is closed`, subject.at)
    }
    const outer = open.at(-1)
    if (!outer) into = root
    else into = outer.hasElse === outer.inverted ? outer.block.body : outer.block.otherwise
  }
}

type Reader = ReturnType<typeof readerOf>

/** Reads the inside of a tag from `from` on. */
function readerOf(text: string, from: number, start: number) {
  let at = from
  let depth = 0

  const skipSpace = () => {
    SPACE.lastIndex = at
    SPACE.test(text)
    at = SPACE.lastIndex
  }
  const isAtEnd = () => {
    skipSpace()
    return at >= text.length || text[at] === '}' || text[at] === '~'
  }
  const name = (): string | null => {
    NAME.lastIndex = at
    const found = NAME.exec(text)?.[0]
    if (found === undefined) return null
    at += found.length
    return found
  }

  function path(): Path {
    skipSpace()
    const begin = at
    const result: Path = { is: 'path', at: begin, text: '', data: false, up: 0, explicit: false, names: [] }
    if (text[at] === '@') {
      result.data = true
      at += 1
    }
    for (let first = true; ; first = false) {
      if (text.startsWith('..', at)) {
        if (result.names.length > 0) throw new TemplateError('".." may only stand at the beginning', at)
        result.up += 1
        result.explicit = true
        at += 2
      } else if (first && text[at] === '.') {
        result.explicit = true
        at += 1
        if (text[at] !== '/') break
        at += 1
        continue
      } else if (text[at] === '[') {
        const stop = text.indexOf(']', at)
        if (stop < 0) throw new TemplateError('"[" is never closed', at)
        result.names.push(text.slice(at + 1, stop))
        at = stop + 1
      } else {
        const found = name()
        if (found === null) throw expected(first ? 'a name' : 'a name after the dot')
        if (first && found === 'this' && !result.data) result.explicit = true
        else result.names.push(found)
      }
      if (text[at] !== '.' && text[at] !== '/') break
      at += 1
    }
    result.text = text.slice(begin, at)
    return result
  }

  function expression(): Expression {
    skipSpace()
    const begin = at
    const character = text[at]
    if (character === '"' || character === "'") {
      const stop = text.indexOf(character, at + 1)
      if (stop < 0) throw new TemplateError('the text in quotes is never closed', at)
      at = stop + 1
      return { is: 'literal', value: text.slice(begin + 1, stop) }
    }
    if (character === '(') {
      depth += 1
      if (depth > DEPTH_LIMIT) throw new TemplateError('the parentheses are nested too deeply', at)
      at += 1
      const subject = path()
      const given = args()
      if (text[at] !== ')') throw expected('")"')
      at += 1
      depth -= 1
      if (!isHelper(subject.text)) throw unknownHelper(subject)
      return { is: 'call', at: begin, name: subject.text, args: given }
    }
    const literal = word()
    return literal ?? path()
  }

  /** A number or one of the words that stand for themselves. */
  function word(): Expression | null {
    let stop = at
    while (stop < text.length && stop - at < 40 && !/[\s(){}"'=|~]/.test(text.charAt(stop))) stop += 1
    const found = text.slice(at, stop)
    const value = NUMBER.test(found) ? Number(found) : WORDS.get(found)
    if (value === undefined && found !== 'undefined') return null
    at = stop
    return { is: 'literal', value }
  }

  function args(): Expression[] {
    const found: Expression[] = []
    while (!isAtEnd() && text[at] !== ')') {
      found.push(expression())
      if (text[at] === '=') throw new TemplateError('named arguments are not supported', at)
    }
    return found
  }

  function close(triple: boolean): { end: number; trims: boolean } {
    skipSpace()
    // The third brace of a raw value stands before the tilde.
    if (triple) {
      if (text[at] !== '}') throw expected('the end of the tag')
      at += 1
    }
    const trims = text[at] === '~'
    if (trims) at += 1
    if (!text.startsWith('}}', at)) throw expected('the end of the tag')
    return { end: at + 2, trims }
  }

  function expected(what: string): TemplateError {
    if (at >= text.length) return new TemplateError('the tag is never closed', start)
    return new TemplateError(`expected ${what}, not "${text.charAt(at)}"`, at)
  }

  return { skipSpace, isAtEnd, path, expression, args, close }
}

const WORDS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

function calling(expression: Expression, args: Expression[], at: number): Expression {
  if (args.length === 0) return expression
  if (expression.is !== 'path') throw new TemplateError('only a helper takes arguments', at)
  if (!isHelper(expression.text)) throw unknownHelper(expression)
  return { is: 'call', at: expression.at, name: expression.text, args }
}

function unknownHelper({ text, at }: Path): TemplateError {
  return new TemplateError(`"${text}" is no helper; known are ${Object.keys(helpers).join(', ')}`, at)
}
