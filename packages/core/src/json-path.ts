/**
 * JSONPath by RFC 9535, and two liberties that users are used to: an empty path means the whole document, and a path
 * may end in `.length`. The library parses; we walk, because its walk has no limits and runs patterns on the
 * backtracking engine. Nothing of a path is ever evaluated as code.
 */
import { JSONPathEnvironment, type JSONPathQuery, jsonpath } from 'json-p3'
import { boundedCache } from './bounded-cache.ts'
import { matches, PATTERN_LIMIT, problemOfPattern } from './pattern.ts'

/** How many nodes one evaluation may touch, comparisons included. */
export const VISITED_NODES_LIMIT = 100_000
export const DEPTH_LIMIT = 64

const { expressions, selectors } = jsonpath
type Expression = InstanceType<typeof expressions.FilterExpression>
type Selector = InstanceType<typeof jsonpath.JSONPathSelector>

interface Compiled {
  query: JSONPathQuery
  /** For a path ending in `.length`: the path before it. */
  owner: JSONPathQuery | null
}

/** Why a path cannot be used, or null. */
export function problemOfJsonPath(path: string): string | null {
  const compiled = compile(path.trim())
  return 'problem' in compiled ? compiled.problem : null
}

/** All values that a path finds in a document. Throws where `problemOfJsonPath` objects, and at the limits. */
export function findValues(path: string, document: unknown): unknown[] {
  const trimmed = path.trim()
  if (trimmed === '' || trimmed === '$') return [document]
  const compiled = compile(trimmed)
  if ('problem' in compiled) throw new Error(`the JSON path ${compiled.problem}`)
  const walk = new Walk(document)
  if (compiled.owner === null) return walk.find(compiled.query, document)
  return walk.find(compiled.owner, document).flatMap((owner) => lengthOf(owner))
}

/** The member called length where there is one, as RFC 9535 has it; else how long a list or a text is. */
function lengthOf(value: unknown): unknown[] {
  if (typeof value === 'string' || Array.isArray(value)) return [value.length]
  return isObject(value) && Object.hasOwn(value, 'length') ? [value.length] : []
}

const environment = new JSONPathEnvironment()
/** The library does not export this class. */
const descendantSegment = environment.compile('$..a').segments[0]?.constructor

const compileUnlessKnown = boundedCache<Compiled | { problem: string }>(500, (path) => {
  if (!path.startsWith('$')) return { problem: 'does not begin with $' }
  const suffix = /[^.]\.length$/.test(path) ? '.length' : ''
  try {
    return {
      query: environment.compile(path),
      owner: suffix === '' ? null : environment.compile(path.slice(0, -suffix.length)),
    }
  } catch (error) {
    return { problem: `is not valid: ${error instanceof Error ? error.message : error}` }
  }
})

function compile(path: string): Compiled | { problem: string } {
  if (path === '') return compileUnlessKnown('$')
  if (path.length > 2048) return { problem: 'is longer than 2048 characters' }
  return compileUnlessKnown(path)
}

/** One evaluation over one document, with its budget. */
class Walk {
  readonly root: unknown
  #left = VISITED_NODES_LIMIT

  constructor(root: unknown) {
    this.root = root
  }

  find(query: JSONPathQuery, start: unknown): unknown[] {
    let nodes = [start]
    for (const segment of query.segments) {
      const found: unknown[] = []
      const deep = segment.constructor === descendantSegment
      for (const node of nodes) {
        if (deep) this.#descend(node, segment.selectors, found, 1)
        else for (const selector of segment.selectors) this.#select(selector, node, found)
      }
      nodes = found
    }
    return nodes
  }

  #spend(nodes: number): void {
    this.#left -= nodes
    if (this.#left < 0) throw new Error(`the JSON path touches more than ${VISITED_NODES_LIMIT} nodes`)
  }

  #descend(node: unknown, wanted: readonly Selector[], found: unknown[], depth: number): void {
    if (depth > DEPTH_LIMIT) throw new Error(`the document is nested more than ${DEPTH_LIMIT} levels deep`)
    for (const selector of wanted) this.#select(selector, node, found)
    for (const child of childrenOf(node)) {
      this.#spend(1)
      if (typeof child === 'object' && child !== null) this.#descend(child, wanted, found, depth + 1)
    }
  }

  #select(selector: Selector, node: unknown, found: unknown[]): void {
    this.#spend(1)
    if (selector instanceof selectors.NameSelector) {
      if (isObject(node) && Object.hasOwn(node, selector.name)) found.push(node[selector.name])
    } else if (selector instanceof selectors.IndexSelector) {
      if (!Array.isArray(node)) return
      const index = selector.index < 0 ? node.length + selector.index : selector.index
      if (index >= 0 && index < node.length) found.push(node[index])
    } else if (selector instanceof selectors.SliceSelector) {
      if (Array.isArray(node)) this.#slice(selector, node, found)
    } else if (selector instanceof selectors.WildcardSelector) {
      for (const child of childrenOf(node)) {
        this.#spend(1)
        found.push(child)
      }
    } else if (selector instanceof selectors.FilterSelector) {
      for (const child of childrenOf(node)) {
        this.#spend(1)
        if (this.#holds(selector.expression, child)) found.push(child)
      }
    }
  }

  #slice(
    { start, stop, step = 1 }: InstanceType<typeof selectors.SliceSelector>,
    list: readonly unknown[],
    found: unknown[],
  ): void {
    if (step === 0) return
    const within = (bound: number, low: number, high: number) =>
      Math.min(Math.max(bound < 0 ? list.length + bound : bound, low), high)
    const [low, high] = step > 0 ? [0, list.length] : [-1, list.length - 1]
    const from = start === undefined ? (step > 0 ? 0 : high) : within(start, low, high)
    const to = stop === undefined ? (step > 0 ? high : -1) : within(stop, low, high)
    for (let index = from; step > 0 ? index < to : index > to; index += step) {
      this.#spend(1)
      found.push(list[index])
    }
  }

  #holds(expression: Expression, current: unknown): boolean {
    if (expression instanceof expressions.LogicalExpression) return this.#holds(expression.expression, current)
    if (expression instanceof expressions.PrefixExpression) return !this.#holds(expression.right, current)
    if (expression instanceof expressions.InfixExpression) {
      const { left, operator, right } = expression
      if (operator === '&&') return this.#holds(left, current) && this.#holds(right, current)
      if (operator === '||') return this.#holds(left, current) || this.#holds(right, current)
      return this.#compare(this.#value(left, current), operator, this.#value(right, current))
    }
    if (expression instanceof expressions.FilterQuery) return this.#nodes(expression, current).length > 0
    if (expression instanceof expressions.FunctionExtension) return this.#call(expression, current) === true
    return expression instanceof expressions.BooleanLiteral && expression.value
  }

  #nodes(expression: Expression, current: unknown): unknown[] {
    if (!(expression instanceof expressions.FilterQuery)) return []
    return this.find(expression.path, expression instanceof expressions.RootQuery ? this.root : current)
  }

  /** A value, or nothing: undefined, which no JSON holds. */
  #value(expression: Expression, current: unknown): unknown {
    if (expression instanceof expressions.FilterQuery) {
      const nodes = this.#nodes(expression, current)
      return nodes.length === 1 ? nodes[0] : undefined
    }
    if (expression instanceof expressions.FunctionExtension) return this.#call(expression, current)
    if (expression instanceof expressions.NullLiteral) return null
    if (
      expression instanceof expressions.StringLiteral ||
      expression instanceof expressions.NumberLiteral ||
      expression instanceof expressions.BooleanLiteral
    ) {
      return expression.value
    }
    return undefined
  }

  #call({ name, args }: InstanceType<typeof expressions.FunctionExtension>, current: unknown): unknown {
    const [first, second] = args
    if (first === undefined) return undefined
    switch (name) {
      case 'count':
        return this.#nodes(first, current).length
      case 'value': {
        const nodes = this.#nodes(first, current)
        return nodes.length === 1 ? nodes[0] : undefined
      }
      case 'length': {
        const value = this.#value(first, current)
        if (typeof value === 'string') return [...value].length
        if (Array.isArray(value)) return value.length
        return isObject(value) ? Object.keys(value).length : undefined
      }
      case 'match':
      case 'search': {
        const text = this.#value(first, current)
        const pattern = second === undefined ? undefined : this.#value(second, current)
        if (typeof text !== 'string' || typeof pattern !== 'string') return false
        this.#spend(1 + Math.floor(text.length / 100))
        const ours = withStrictDots(pattern)
        return problemOfPattern(ours) === null && matches(ours, text, name === 'match')
      }
      default:
        return undefined
    }
  }

  #compare(left: unknown, operator: string, right: unknown): boolean {
    switch (operator) {
      case '==':
        return this.#equal(left, right)
      case '!=':
        return !this.#equal(left, right)
      case '<':
        return isLess(left, right)
      case '>':
        return isLess(right, left)
      case '<=':
        return isLess(left, right) || this.#equal(left, right)
      case '>=':
        return isLess(right, left) || this.#equal(left, right)
      default:
        return false
    }
  }

  #equal(left: unknown, right: unknown): boolean {
    this.#spend(1)
    if (left === right) return true
    if (Array.isArray(left) && Array.isArray(right)) {
      return left.length === right.length && left.every((item, index) => this.#equal(item, right[index]))
    }
    if (!isObject(left) || !isObject(right)) return false
    const keys = Object.keys(left)
    this.#spend(keys.length)
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && this.#equal(left[key], right[key]))
    )
  }
}

/** What is escaped, a class of characters, or a dot. */
const DOTS = /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\./gs

/** In the patterns of JSONPath a dot is no carriage return either. Source: RFC 9485, section 5.4. */
function withStrictDots(pattern: string): string {
  const strict = pattern.replaceAll(DOTS, (found) => (found === '.' ? '[^\\n\\r]' : found))
  return strict.length > PATTERN_LIMIT ? pattern : strict
}

function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right
  return typeof left === 'string' && typeof right === 'string' && left < right
}

function childrenOf(node: unknown): readonly unknown[] {
  if (Array.isArray(node)) return node
  return isObject(node) ? Object.values(node) : []
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
