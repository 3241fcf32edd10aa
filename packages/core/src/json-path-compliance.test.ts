/**
 * The compliance test suite of the authors of RFC 9535, whole: it lies in the package jsonpath-rfc9535, which is here for
 * nothing else. And paths that nobody thought of, against the walk of the library whose parser we use.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { query } from 'json-p3'
import { findValues, problemOfJsonPath } from './json-path.ts'

interface Case {
  name: string
  selector: string
  document?: unknown
  result?: unknown[]
  /** Where the order is free. */
  results?: unknown[][]
  invalid_selector?: boolean
}

const folder = new URL(
  'src/__tests__/jsonpath-compliance-test-suite/',
  import.meta.resolve('jsonpath-rfc9535/package.json'),
)
const { tests }: { tests: Case[] } = JSON.parse(readFileSync(fileURLToPath(new URL('cts.json', folder)), 'utf8'))

/** By the name of the case: why we do otherwise. */
const exceptions: Readonly<Record<string, string>> = {
  'basic, no leading whitespace': 'Paths are typed into forms: blanks around them mean nothing.',
  'basic, no trailing whitespace': 'Paths are typed into forms: blanks around them mean nothing.',
}

function keepsTo({ selector, document, result, results, invalid_selector: isInvalid = false }: Case): boolean {
  if (isInvalid) return problemOfJsonPath(selector) !== null
  const allowed = results ?? [result]
  return (
    problemOfJsonPath(selector) === null &&
    allowed.some((one) => isDeepStrictEqual(findValues(selector, document), one))
  )
}

test(`the compliance test suite holds: ${tests.length} cases`, () => {
  assert.ok(tests.length > 600)
  assert.deepEqual(
    tests.filter((one) => !keepsTo(one)).map(({ name }) => name),
    Object.keys(exceptions),
  )
})

/**
 * Paths made of nearly all that there is. Not of patterns, which the library also runs on what is no text, nor of `$` inside
 * of filters, which it takes for something else inside of another filter: there the suite speaks.
 */
const { segments } = fc.letrec<{ segments: string; filter: string; value: string; query: string }>((tie) => {
  const name = fc.constantFrom('a', 'b', 'c')
  const int = fc.integer({ min: -3, max: 3 })
  const selector = fc.oneof(
    { weight: 3, arbitrary: name.map((one) => `'${one}'`) },
    { weight: 2, arbitrary: int.map(String) },
    fc.constant('*'),
    fc.tuple(fc.option(int), fc.option(int), fc.option(int)).map((parts) => parts.map((part) => part ?? '').join(':')),
    { weight: 2, arbitrary: tie('filter').map((filter) => `?${filter}`) },
  )
  const segment = fc.oneof(
    name.map((one) => `.${one}`),
    fc.constantFrom('.*', '..*', '..a'),
    fc.array(selector, { minLength: 1, maxLength: 3 }).map((parts) => `[${parts.join(',')}]`),
    selector.map((one) => `..[${one}]`),
  )
  const singular = fc
    .array(
      fc.oneof(
        name.map((one) => `.${one}`),
        int.map((no) => `[${no}]`),
      ),
      { maxLength: 2 },
    )
    .map((rest) => `@${rest.join('')}`)
  return {
    segments: fc.array(segment, { maxLength: 3, depthIdentifier: 'path' }).map((parts) => parts.join('')),
    query: tie('segments').map((rest) => `@${rest}`),
    value: fc.oneof(
      { depthIdentifier: 'path', maxDepth: 3 },
      singular,
      fc.constantFrom('1', '-1.5', "'a'", 'true', 'false', 'null', "''"),
      singular.map((one) => `length(${one})`),
      tie('query').map((one) => `count(${one})`),
      tie('query').map((one) => `value(${one})`),
    ),
    filter: fc.oneof(
      { depthIdentifier: 'path', maxDepth: 3 },
      singular,
      fc
        .tuple(tie('value'), fc.constantFrom('==', '!=', '<', '<=', '>', '>='), tie('value'))
        .map((parts) => parts.join(' ')),
      tie('query'),
      tie('query').map((one) => `!${one}`),
      fc.tuple(tie('filter'), fc.constantFrom('&&', '||'), tie('filter')).map(([a, how, b]) => `(${a}) ${how} (${b})`),
    ),
  }
})

const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(0, 1, -1.5, 'a', 'ab', '', true, null),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('document'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('document'), { maxLength: 4 }),
  ),
}))

/** In which order the parts of objects come is free, and so is that of descendants. */
const inOrder = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).toSorted()

/** The library does not read more after a filter in brackets that stand inside of a function. */
const isKnownRefusal = (problem: string | null) =>
  /unexpected (filter selector token|token in bracketed selection)/.test(problem ?? '')

test('finds what the library itself finds, whatever the path and the document', () => {
  fc.assert(
    fc.property(segments, document, (path, value) => {
      const problem = problemOfJsonPath(`$${path}`)
      fc.pre(!isKnownRefusal(problem))
      assert.equal(problem, null)
      const theirs = query(`$${path}`, JSON.parse(JSON.stringify(value))).values()
      assert.deepEqual(inOrder(findValues(`$${path}`, value)), inOrder(theirs))
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 2000) },
  )
})
