import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScriptStep, ScriptTest } from '@vedette/schema'
import fc from 'fast-check'
import {
  axisOf,
  bySource,
  errorsBesideSteps,
  isFlaky,
  placeOf,
  type StepNode,
  stepTree,
  triesOf,
  withGaps,
} from './step-tree.ts'

const error = (message: string) => ({ message, stack: null, snippet: null, location: null })

const step = (title: string, depth: number, more: Partial<ScriptStep> = {}): ScriptStep => ({
  title,
  category: 'pw:api',
  depth,
  start: 0,
  duration: 10,
  error: null,
  location: null,
  ...more,
})

const aTest = (more: Partial<ScriptTest>): ScriptTest => ({
  title: ['one'],
  project: '',
  location: { file: 'a.spec.ts', line: 1, column: 1 },
  retry: 0,
  isLast: true,
  status: 'passed',
  expected: 'passed',
  start: 0,
  duration: 100,
  errors: [],
  annotations: [],
  steps: [],
  ...more,
})

const flat = (nodes: readonly StepNode[]): ScriptStep[] => nodes.flatMap((node) => [node.step, ...flat(node.children)])

test('a step belongs to the last one before it of less depth', () => {
  const [a, d] = stepTree([step('a', 0), step('b', 1), step('c', 2), step('c2', 2), step('b2', 1), step('d', 0)])
  assert.deepEqual(
    a?.children.map(({ step, children }) => [step.title, children.map(({ step }) => step.title)]),
    [
      ['b', ['c', 'c2']],
      ['b2', []],
    ],
  )
  assert.equal(d?.step.title, 'd')
})

test('whatever the depths, each step is in the tree once and in its order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6)), (depths) => {
      const steps = depths.map((depth, index) => step(`${index}`, depth))
      assert.deepEqual(flat(stepTree(steps)), steps)
    }),
  )
})

test('an error is told by the innermost step that tells it, and troubles all around it', () => {
  const [outer, other] = stepTree([
    step('buy', 0, { error: error('too slow') }),
    step('click', 1),
    step('expect', 1, { error: error('too slow') }),
    step('after', 0, { error: error('another') }),
  ])
  assert.equal(outer?.tells, null)
  assert.ok(outer?.isTroubled)
  assert.deepEqual(
    outer?.children.map(({ tells, isTroubled }) => [tells?.message, isTroubled]),
    [
      [undefined, false],
      ['too slow', true],
    ],
  )
  assert.equal(other?.tells?.message, 'another')
})

test('a bar never leaves its axis, and one without an end reaches the end of the test', () => {
  const numbers = fc.double({ min: -1000, max: 10_000, noNaN: true })
  fc.assert(
    fc.property(
      numbers,
      fc.option(fc.double({ min: 0, max: 9000, noNaN: true })),
      fc.nat(5000),
      (start, took, whole) => {
        const { left, width } = placeOf({ ...step('a', 0), start, duration: took }, { start: 100, duration: whole })
        assert.ok(left >= 0 && width >= 0 && left + width <= 100.000001)
      },
    ),
  )
  assert.deepEqual(placeOf({ ...step('a', 0), start: 125, duration: null }, { start: 100, duration: 100 }), {
    left: 25,
    width: 75,
  })
})

test('tries of one test stand together, the first one first', () => {
  const tests = [aTest({ retry: 1 }), aTest({ title: ['two'] }), aTest({ retry: 0, isLast: false })]
  assert.deepEqual(
    triesOf(tests).map(({ tries, last }) => [tries.map(({ retry }) => retry), last.title]),
    [
      [[0, 1], ['one']],
      [[0], ['two']],
    ],
  )
})

test('tests stand by their project and file, and those that passed at a later try are flaky', () => {
  const inFile = (file: string, more: Partial<ScriptTest>) => aTest({ ...more, location: { file, line: 1, column: 1 } })
  const sources = bySource(
    triesOf([
      inFile('a.spec.ts', { project: 'shop', status: 'failed', isLast: false }),
      inFile('b.spec.ts', { project: 'shop' }),
      inFile('a.spec.ts', { project: 'till' }),
      inFile('a.spec.ts', { project: 'shop', retry: 1 }),
      inFile('a.spec.ts', { project: 'shop', title: ['two'], status: 'failed' }),
    ]),
  )
  assert.deepEqual(
    sources.map(({ project, file, tests }) => [project, file, tests.map(isFlaky)]),
    [
      ['shop', 'a.spec.ts', [true, false]],
      ['shop', 'b.spec.ts', [false]],
      ['till', 'a.spec.ts', [false]],
    ],
  )
})

test('beside its steps a test tells only what none of them tells', () => {
  const one = aTest({ errors: [error('a'), error('b')], steps: [step('x', 0, { error: error('a') })] })
  assert.deepEqual(
    errorsBesideSteps(one).map(({ message }) => message),
    ['b'],
  )
})

test('of many, the first are shown and those that must be; the rest lies in gaps that can be opened', () => {
  const items = ['a', 'b', 'c', 'd!', 'e', 'f']
  const shownWith = (opened: number[]) =>
    withGaps(items, { most: 2, mustShow: (item) => item.endsWith('!'), opened: new Set(opened) }).map((one) =>
      'item' in one ? one.item : `${one.from}-${one.to}`,
    )
  assert.deepEqual(shownWith([]), ['a', 'b', '2-3', 'd!', '4-6'])
  assert.deepEqual(shownWith([2, 4]), ['a', 'b', 'c', 'd!', 'e', '5-6'])
  fc.assert(
    fc.property(fc.array(fc.boolean()), fc.nat(5), fc.array(fc.nat(20)), (must, most, opened) => {
      const shown = withGaps(must, { most, mustShow: (item) => item, opened: new Set(opened) })
      const indexes = shown.flatMap((one) =>
        'item' in one ? [one.index] : Array.from({ length: one.to - one.from }, (_, index) => one.from + index),
      )
      assert.deepEqual(indexes, [...must.keys()], 'nothing is lost, nothing told twice')
    }),
  )
})

test('the axis of a test holds all of its steps, also what its duration does not count', () => {
  const steps = [step('launch', 0, { start: 40, duration: 900 }), step('go', 0, { start: 950, duration: null })]
  assert.deepEqual(axisOf({ start: 50, duration: 500, steps }), { start: 40, duration: 910 })
  assert.deepEqual(axisOf({ start: 50, duration: 1500, steps }), { start: 40, duration: 1510 })
  assert.deepEqual(axisOf({ start: 50, duration: 500, steps: [] }), { start: 50, duration: 500 })
})
