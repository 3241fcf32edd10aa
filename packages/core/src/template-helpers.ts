/** The helpers of the template language: functions of their arguments and of what the context brings. */
import type { TemplateHelper } from '@vedette/schema'
import { shorten } from './show.ts'
import { formatInstant, instantOf } from './template-time.ts'
import { entryOf, isList, isRecord, isTruthy, type TemplateValue, textOf } from './template-value.ts'

export interface HelperContext {
  now: Date
  uuid(): string
  /** From 0 up to, but not including, 1. */
  random(): number
}

type Helper = (args: readonly TemplateValue[], context: HelperContext) => TemplateValue

const ISO_SECONDS = 'YYYY-MM-DDTHH:mm:ssZ'
const FALSE_WORDS = new Set(['', '0', 'false', 'n', 'nil', 'no', 'none', 'null', 'off', 'undefined'])

/** `moment format`, or `moment date-or-phrase format`. What is no date has no text. */
const moment: Helper = (args, { now }) => {
  if (args.length < 2) return formatInstant(now, args.length === 0 ? ISO_SECONDS : textOf(args[0]))
  const instant = instantOf(textOf(args[0]), now)
  return instant === null ? '' : formatInstant(instant, textOf(args[1]))
}

/** Values are equal when they are written the same: `"200"` and `200` are. */
const equal = ([a, b]: readonly TemplateValue[]) => textOf(a) === textOf(b)

/** Negative, zero, positive; numbers by size and texts by their characters. */
function order([a, b]: readonly TemplateValue[]): number {
  const [left, right] = [textOf(a), textOf(b)]
  const [x, y] = [Number(left), Number(right)]
  if (left.trim() !== '' && right.trim() !== '' && !Number.isNaN(x) && !Number.isNaN(y)) return x - y
  return left < right ? -1 : left > right ? 1 : 0
}

const greater: Helper = (args) => order(args) > 0
const greaterOrEqual: Helper = (args) => order(args) >= 0
const less: Helper = (args) => order(args) < 0
const lessOrEqual: Helper = (args) => order(args) <= 0
const not =
  (helper: Helper): Helper =>
  (args, context) =>
    !isTruthy(helper(args, context))

const COMPARISONS: Readonly<Record<string, Helper>> = {
  '=': equal,
  '==': equal,
  '===': equal,
  '!=': not(equal),
  '!==': not(equal),
  '<': less,
  '<=': lessOrEqual,
  '>': greater,
  '>=': greaterOrEqual,
}
const compare: Helper = ([left, operator, right], context) => {
  const name = textOf(operator)
  return Object.hasOwn(COMPARISONS, name) ? COMPARISONS[name]?.([left, right], context) : false
}

const isFalsey: Helper = ([value]) => !isTruthy(value) || FALSE_WORDS.has(textOf(value).trim().toLowerCase())

const contains: Helper = ([collection, value]) => {
  if (isList(collection)) return collection.some((item) => equal([item, value]))
  if (isRecord(collection)) return Object.hasOwn(collection, textOf(value))
  return textOf(collection).includes(textOf(value))
}

/** The value of the first tag `key:value` or `key=value`. */
const tagValue: Helper = ([tags, key, fallback]) => {
  const name = textOf(key)
  for (const tag of isList(tags) ? tags.map(textOf) : textOf(tags).split(',')) {
    const separator = tag.charAt(name.length)
    if (tag.startsWith(name) && (separator === ':' || separator === '=')) return tag.slice(name.length + 1)
  }
  return fallback
}

const isOdd: Helper = ([value]) => Math.abs(Number(textOf(value)) % 2) === 1

export const helpers = {
  $UUID: (_, { uuid }) => uuid(),
  $RANDOM_NUMBER: (_, { random }) => Math.floor(random() * 10_001),
  moment,
  date: moment,
  year: ([width], { now }) => formatInstant(now, /^(2|yy|short)$/i.test(textOf(width)) ? 'YY' : 'YYYY'),
  tagValue,
  startsWith: ([prefix, text]) => textOf(text).startsWith(textOf(prefix)),
  // A function as the replacement: in a text, `$&` and its like would be read as patterns.
  replace: ([text, search, replacement]) => textOf(text).replace(textOf(search), () => textOf(replacement)),
  split: ([text, separator, index]) => {
    const parts = textOf(text).split(textOf(separator))
    return index === undefined ? parts : entryOf(parts, textOf(index))
  },
  truncate: ([text, limit]) => {
    const most = Math.floor(Number(textOf(limit)))
    return most > 0 ? shorten(textOf(text), most) : textOf(text)
  },
  lookup: ([collection, name]) => entryOf(collection, textOf(name)),
  default: (values) => values.find((value) => textOf(value) !== '' || isRecord(value)),

  eq: equal,
  is: equal,
  isnt: not(equal),
  gt: greater,
  gte: greaterOrEqual,
  lt: less,
  lte: lessOrEqual,
  compare,
  and: (values) => values.every(isTruthy),
  or: (values) => values.some(isTruthy),
  not: ([value]) => !isTruthy(value),
  neither: (values) => !values.some(isTruthy),
  isFalsey,
  isTruthy: not(isFalsey),
  contains,
  has: (args, context) => (args.length < 2 ? isTruthy(args[0]) : contains(args, context)),

  ifEven: ([value]) => Number(textOf(value)) % 2 === 0,
  ifOdd: isOdd,
  ifNth: ([step, value]) => Number(textOf(value)) % Number(textOf(step)) === 0,
  unlessEq: not(equal),
  unlessGt: not(greater),
  unlessGteq: not(greaterOrEqual),
  unlessLt: not(less),
  unlessLteq: not(lessOrEqual),
} as const satisfies Record<TemplateHelper, Helper>

export function isHelper(name: string): name is TemplateHelper {
  return Object.hasOwn(helpers, name)
}
