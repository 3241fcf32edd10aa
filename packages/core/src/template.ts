/**
 * The template language of requests and messages: `{{NAME}}` is written as the place needs it, `{{{NAME}}}` as it is.
 * Names are looked up as own entries, unknown ones are empty, and values are never parsed again. Time, ids and chance
 * come in with the context. Rendering takes a bounded number of steps and writes a bounded text.
 */
import { boundedCache } from './bounded-cache.ts'
import { TemplateError } from './template-error.ts'
import { type HelperContext, helpers, isHelper } from './template-helpers.ts'
import { isLanguageBlock, type LanguageBlock, parseTemplate } from './template-parse.ts'
import type { Block, Expression, Node, Path } from './template-tree.ts'
import {
  entryOf,
  isList,
  isRecord,
  isTruthy,
  type TemplateValue,
  type TemplateVariables,
  textOf,
} from './template-value.ts'

export const OUTPUT_LIMIT = 256 * 1024
const STEP_LIMIT = 200_000

export interface TemplateContext extends HelperContext {
  variables: TemplateVariables
  /** Makes a value fit for the place it stands in, after the texts written so far; see `encodings`. */
  encode(text: string, before: readonly string[]): string
}

/** Why a template cannot be used, or null. */
export function problemOfTemplate(text: string): string | null {
  if (!text.includes('{{')) return null
  const parsed = parse(text)
  return parsed instanceof TemplateError ? `is not a template we can read: ${parsed.message}` : null
}

/** @throws TemplateError where `problemOfTemplate` objects, and when the text or the work grows too large. */
export function renderTemplate(text: string, context: TemplateContext): string {
  if (!text.includes('{{')) return text
  const nodes = parse(text)
  if (nodes instanceof TemplateError) throw nodes
  const rendering: Rendering = { context, parts: [], left: OUTPUT_LIMIT, steps: STEP_LIMIT }
  render(nodes, { value: context.variables, loop: null, outer: null }, rendering)
  return rendering.parts.join('')
}

const CACHED_TEXT_LIMIT = 16 * 1024
const parseUnlessKnown = boundedCache<Node[] | TemplateError>(500, parseOrRefuse)

function parse(text: string): Node[] | TemplateError {
  return text.length > CACHED_TEXT_LIMIT ? parseOrRefuse(text) : parseUnlessKnown(text)
}

function parseOrRefuse(text: string): Node[] | TemplateError {
  try {
    return parseTemplate(text)
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
}

/** What names mean at a place: the variables, and inside of loops the items, innermost first. */
interface Scope {
  value: TemplateValue
  loop: TemplateVariables | null
  outer: Scope | null
}

interface Rendering {
  context: TemplateContext
  parts: string[]
  /** Bytes that may still be written. */
  left: number
  /** Units of work that may still be done: one a node, and more for long texts. */
  steps: number
}

function render(nodes: readonly Node[], scope: Scope, rendering: Rendering): void {
  for (const node of nodes) {
    if (node.is === 'text') write(node.text, 0, rendering)
    else if (node.is === 'block') renderBlock(node, scope, rendering)
    else {
      const text = textOf(evaluate(node.expression, scope, rendering))
      spend(text.length, node.at, rendering)
      write(node.raw ? text : rendering.context.encode(text, rendering.parts), node.at, rendering)
    }
  }
}

function write(text: string, at: number, rendering: Rendering): void {
  spend(text.length, at, rendering)
  rendering.left -= text.length > rendering.left ? text.length : bytesOf(text)
  if (rendering.left < 0) throw new TemplateError(`the text grows beyond ${OUTPUT_LIMIT / 1024} KiB`, at)
  rendering.parts.push(text)
}

function spend(length: number, at: number, rendering: Rendering): void {
  rendering.steps -= 1 + (length >> 6)
  if (rendering.steps < 0) throw new TemplateError('the template takes too much work', at)
}

function bytesOf(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    // A half of a surrogate pair stands for two of the pair's four bytes.
    if (code > 0x7ff && (code < 0xd800 || code > 0xdfff)) bytes += 2
    else if (code > 0x7f) bytes += 1
  }
  return bytes
}

type RenderBlock = (value: TemplateValue, block: Block, scope: Scope, rendering: Rendering) => void

const languageBlocks: { [B in LanguageBlock]: RenderBlock } = {
  if: (value, block, scope, rendering) => render(isTruthy(value) ? block.body : block.otherwise, scope, rendering),
  unless: (value, block, scope, rendering) => render(isTruthy(value) ? block.otherwise : block.body, scope, rendering),
  with: (value, block, scope, rendering) => {
    if (isTruthy(value)) render(block.body, { value, loop: null, outer: scope }, rendering)
    else render(block.otherwise, scope, rendering)
  },
  each: (value, block, scope, rendering) => {
    const entries: readonly (readonly [string | number, TemplateValue])[] = isList(value)
      ? value.map((item, index) => [index, item])
      : isRecord(value)
        ? Object.entries(value)
        : []
    if (entries.length === 0) return render(block.otherwise, scope, rendering)
    spend(entries.length, block.at, rendering)
    for (const [index, [key, item]] of entries.entries()) {
      spend(0, block.at, rendering)
      const loop = { index, key, first: index === 0, last: index === entries.length - 1 }
      render(block.body, { value: item, loop, outer: scope }, rendering)
    }
  },
}

function renderBlock(block: Block, scope: Scope, rendering: Rendering): void {
  spend(0, block.at, rendering)
  const { subject, args } = block
  const [argument] = args
  if (isLanguageBlock(subject.text)) {
    const value = argument === undefined ? undefined : evaluate(argument, scope, rendering)
    languageBlocks[subject.text](value, block, scope, rendering)
  } else if (args.length > 0) {
    const condition = call(subject.text, args, subject.at, scope, rendering)
    languageBlocks.if(condition, block, scope, rendering)
  } else {
    // The block of a variable is a loop, a scope or a condition, as its value is.
    const value = evaluate(subject, scope, rendering)
    const meaning = isList(value) ? 'each' : isRecord(value) ? 'with' : 'if'
    languageBlocks[meaning](value, block, scope, rendering)
  }
}

function evaluate(expression: Expression, scope: Scope, rendering: Rendering): TemplateValue {
  if (expression.is === 'literal') return expression.value
  if (expression.is === 'call') return call(expression.name, expression.args, expression.at, scope, rendering)
  const bare = !expression.data && !expression.explicit && expression.names.length === 1
  // Names of helpers with a dollar cannot be taken by variables.
  if (bare && expression.text.startsWith('$') && isHelper(expression.text)) {
    return call(expression.text, [], expression.at, scope, rendering)
  }
  spend(0, expression.at, rendering)
  const found = find(expression, scope)
  if (found !== undefined || !bare || !isHelper(expression.text)) return found
  return call(expression.text, [], expression.at, scope, rendering)
}

function call(
  name: string,
  args: readonly Expression[],
  at: number,
  scope: Scope,
  rendering: Rendering,
): TemplateValue {
  if (!isHelper(name)) return undefined
  const values = args.map((argument) => evaluate(argument, scope, rendering))
  for (const value of values) spend(sizeOf(value), at, rendering)
  const result = helpers[name](values, rendering.context)
  const size = sizeOf(result)
  if (size > OUTPUT_LIMIT) throw new TemplateError(`"${name}" makes a text beyond ${OUTPUT_LIMIT / 1024} KiB`, at)
  spend(size, at, rendering)
  return result
}

function sizeOf(value: TemplateValue): number {
  if (typeof value === 'string') return value.length
  return isList(value) ? value.reduce((sum: number, item) => sum + 1 + sizeOf(item), 0) : 1
}

function find(path: Path, scope: Scope): TemplateValue {
  const [first] = path.names
  if (path.data) return first === undefined ? undefined : findLoopFact(path, first, scope)
  let from: Scope | null = scope
  for (let up = 0; up < path.up && from; up += 1) from = from.outer
  if (path.explicit || first === undefined) return follow(from?.value, path.names)
  while (from && !holds(from.value, first)) from = from.outer
  return follow(from?.value, path.names)
}

function findLoopFact(path: Path, first: string, scope: Scope): TemplateValue {
  let from: Scope = scope
  if (first === 'root') {
    while (from.outer) from = from.outer
    return follow(from.value, path.names.slice(1))
  }
  let skip = path.up
  for (let at: Scope | null = scope; at; at = at.outer) {
    if (at.loop === null) continue
    if (skip === 0) return entryOf(at.loop, first)
    skip -= 1
  }
  return undefined
}

function holds(value: TemplateValue, name: string): boolean {
  return isRecord(value) && Object.hasOwn(value, name)
}

function follow(value: TemplateValue, names: readonly string[]): TemplateValue {
  let found = value
  for (const name of names) found = entryOf(found, name)
  return found
}
