/**
 * The fourteen comparisons. Targets are text, so they are aligned with what was found: a number is compared with the
 * number the target spells, a text with the text, `true`, `false` and `null` by their names. Texts that look like
 * numbers stay texts, so that version 1.10 does not equal 1.1, unless the target was given as a number.
 *
 * Several values must all satisfy the comparison. No value at all fails what expects something and passes what
 * expects nothing.
 */
import type { Comparison } from '@vedette/schema'
import { show } from './show.ts'

type Target = string | number
/** Whether one value satisfies the comparison; a text says why the two cannot be compared. */
type Test = (value: unknown, target: Target) => boolean | string

interface Rule {
  /** Completes "expected … ". */
  phrase: (target: Target) => string
  test: Test
  /** What the comparison says when nothing was found. */
  nothing: boolean
}

/** Why the values do not satisfy the comparison, or null when they do. */
export function compare(comparison: Comparison, found: readonly unknown[], target: Target): string | null {
  const { phrase, test, nothing } = rules[comparison]
  if (found.length === 0) return nothing ? null : `expected a value ${phrase(target)}, but nothing was found`
  for (const value of found) {
    const held = test(value, target)
    if (held !== true) {
      return `expected ${show(value)} ${phrase(target)}${typeof held === 'string' ? `, but ${held}` : ''}`
    }
  }
  return null
}

const not =
  (test: Test): Test =>
  (value, target) => {
    const held = test(value, target)
    return typeof held === 'string' ? held : !held
  }

const equals: Test = (value, target) => {
  if (typeof value === 'number' || typeof target === 'number') {
    const left = numberOf(value)
    const right = numberOf(target)
    if (left !== null && right !== null) return left === right
  }
  return textOf(value) === String(target)
}

const contains: Test = (value, target) => {
  if (Array.isArray(value)) return value.some((item) => equals(item, target) === true)
  return textOf(value).includes(String(target))
}

const numeric =
  (holds: (value: number, target: number) => boolean): Test =>
  (value, target) => {
    const left = numberOf(value)
    const right = numberOf(target)
    if (right === null) return 'the target is not a number'
    return left === null ? 'that is not a number' : holds(left, right)
  }

const isEmpty: Test = (value) => {
  if (typeof value === 'object' && value !== null) {
    return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
  }
  return value === null || value === ''
}

const isNull: Test = (value) => value === null

const hasKey: Test = (value, target) => {
  if (Array.isArray(value)) return Object.hasOwn(value, target) && String(target) !== 'length'
  if (typeof value !== 'object' || value === null) return 'that has no keys'
  return Object.hasOwn(value, target)
}

const hasValue: Test = (value, target) => {
  if (typeof value !== 'object' || value === null) return 'that has no values'
  return Object.values(value).some((item) => equals(item, target) === true)
}

const word = (target: Target) =>
  typeof target === 'number' || numberOf(target) !== null ? String(target) : show(target)
const plain = (text: string) => () => text
const aimed = (text: string) => (target: Target) => `${text} ${word(target)}`

const rules: { [C in Comparison]: Rule } = {
  EQUALS: { phrase: aimed('to equal'), test: equals, nothing: false },
  NOT_EQUALS: { phrase: aimed('not to equal'), test: not(equals), nothing: true },
  GREATER_THAN: { phrase: aimed('to be greater than'), test: numeric((a, b) => a > b), nothing: false },
  LESS_THAN: { phrase: aimed('to be less than'), test: numeric((a, b) => a < b), nothing: false },
  CONTAINS: { phrase: aimed('to contain'), test: contains, nothing: false },
  NOT_CONTAINS: { phrase: aimed('not to contain'), test: not(contains), nothing: true },
  IS_EMPTY: { phrase: plain('to be empty'), test: isEmpty, nothing: true },
  NOT_EMPTY: { phrase: plain('not to be empty'), test: not(isEmpty), nothing: false },
  IS_NULL: { phrase: plain('to be null'), test: isNull, nothing: true },
  NOT_NULL: { phrase: plain('not to be null'), test: not(isNull), nothing: false },
  HAS_KEY: { phrase: aimed('to have the key'), test: hasKey, nothing: false },
  NOT_HAS_KEY: { phrase: aimed('not to have the key'), test: not(hasKey), nothing: true },
  HAS_VALUE: { phrase: aimed('to have the value'), test: hasValue, nothing: false },
  NOT_HAS_VALUE: { phrase: aimed('not to have the value'), test: not(hasValue), nothing: true },
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/

/** The number that a value is or spells. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > 400) return null
  const text = value.trim()
  return NUMBER.test(text) ? Number(text) : null
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
