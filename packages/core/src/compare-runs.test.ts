import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScriptRun, ScriptStep } from '@vedette/schema'
import fc from 'fast-check'
import { compareRuns, pairScreenshots } from './compare-runs.ts'
import {
  consoleMessage,
  failedRequest,
  scriptError,
  scriptRun,
  scriptRuns,
  scriptStep,
  scriptTest,
  seenPage,
} from './testing/script-runs.ts'

const NOTHING = { firstStep: null, tests: [], consoleErrors: [], failedRequests: [], pages: [] }

const inTest = (steps: ScriptStep[]) => scriptRun({ tests: [scriptTest('buys', steps)] })
const firstOf = (mine: ScriptStep[], its: ScriptStep[]) => {
  const step = compareRuns(inTest(mine), inTest(its)).firstStep
  return step && [step.difference, ...step.path]
}
const broken = { error: scriptError('it is not visible') }

test('a run compared with itself has no difference', () => {
  fc.assert(fc.property(scriptRuns, (run) => assert.deepEqual(compareRuns(run, structuredClone(run)), NOTHING)))
})

test('in which order pages said and asked for something makes no difference', () => {
  const shuffled = ({ console, failedRequests, ...run }: ScriptRun): ScriptRun => ({
    ...run,
    console: console.toReversed(),
    failedRequests: failedRequests.toReversed(),
  })
  fc.assert(
    fc.property(scriptRuns, scriptRuns, (run, other) => {
      const told = compareRuns(run, other)
      assert.deepEqual(compareRuns(shuffled(run), shuffled(other)), told)
      assert.deepEqual(compareRuns(shuffled(run), run), NOTHING)
    }),
  )
})

test('what is new was not there, and all that was not there is new', () => {
  const total = (items: { times: number }[]) => items.reduce((sum, { times }) => sum + times, 0)
  fc.assert(
    fc.property(scriptRuns, (run) => {
      const { consoleErrors, failedRequests, pages } = compareRuns(run, scriptRun())
      assert.equal(total(consoleErrors), run.console.filter(({ level }) => level === 'error').length)
      assert.equal(total(failedRequests), run.failedRequests.length)
      assert.deepEqual(pages, [])
      assert.deepEqual({ ...compareRuns(scriptRun(), run), tests: [] }, NOTHING)
    }),
  )
})

test('a step that fails is found, wherever it is', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 }), fc.nat(), (depths, n) => {
      const steps = depths.map((depth, index) => scriptStep(`step ${'abcdefghijkl'[index]}`, { depth }))
      const at = n % steps.length
      const failing = steps.map((step, index) => (index === at ? { ...step, ...broken } : step))
      const { firstStep } = compareRuns(inTest(failing), inTest(steps))
      assert.equal(firstStep?.difference, 'FAILED')
      assert.equal(firstStep.path.at(-1), steps[at]?.title)
    }),
  )
})

test('of nested steps the innermost reason is told', () => {
  const steps = (more: Partial<ScriptStep>) => [
    scriptStep('Before Hooks', { category: 'hook' }),
    scriptStep('pay', { category: 'test.step', ...more }),
    scriptStep('open the basket', { depth: 1 }),
    scriptStep('press the button', { depth: 1, ...more }),
  ]
  assert.deepEqual(firstOf(steps(broken), steps({})), ['FAILED', 'pay', 'press the button'])
  assert.deepEqual(firstOf(steps({}), steps(broken)), ['RECOVERED', 'pay', 'press the button'])
  assert.deepEqual(firstOf(steps({ duration: null }), steps({})), ['FAILED', 'pay', 'press the button'])
  assert.deepEqual(firstOf(steps({ duration: 4000 }), steps({})), ['SLOWER', 'pay', 'press the button'])
})

test('what a failing step did not come to is no news, what comes instead is', () => {
  const well = [
    scriptStep('pay', { category: 'test.step' }),
    scriptStep('press the button', { depth: 1 }),
    scriptStep('read the number', { depth: 1 }),
    scriptStep('sign out'),
    scriptStep('After Hooks', { category: 'hook' }),
  ]
  const [pay, press, , signOut, after] = well
  assert.ok(pay && press && signOut && after)
  assert.deepEqual(firstOf([{ ...pay, ...broken }, press, after], well), ['FAILED', 'pay'])
  assert.deepEqual(firstOf([pay, press, after], well), ['MISSING', 'pay', 'read the number'])
  assert.deepEqual(firstOf([...well.slice(0, 3), after], well), ['MISSING', 'sign out'])
  const banner = scriptStep('close the banner')
  assert.deepEqual(firstOf([...well.slice(0, 3), banner, signOut, after], well), ['ADDED', 'close the banner'])
})

test('how often an expectation looked is no difference, nor are numbers and a little time', () => {
  const looks = (times: number) => [
    scriptStep('toPass', { category: 'expect' }),
    ...Array.from({ length: times }, () => scriptStep('toBeVisible', { category: 'expect', depth: 1, ...broken })),
  ]
  assert.equal(firstOf(looks(3), looks(1)), null)
  assert.equal(firstOf([scriptStep('pay order 7', { duration: 900 })], [scriptStep('pay order 8')]), null)
  assert.equal(firstOf([scriptStep('pay', { duration: 3900 })], [scriptStep('pay', { duration: 2000 })]), null)
})

test('tests that ended otherwise are told, by their last try', () => {
  const failing = scriptTest('buys', [], { status: 'failed', errors: [scriptError('no button')] })
  const run = scriptRun({ tests: [{ ...failing, isLast: false }, failing, scriptTest('is new', [])] })
  const other = scriptRun({ tests: [scriptTest('signs in', []), scriptTest('buys', [])] })
  const told = compareRuns(run, other).tests.map((test) => [test.title[0], test.result, test.with, test.error?.message])
  assert.deepEqual(told, [
    ['buys', 'failed', 'passed', 'no button'],
    ['is new', 'passed', null, undefined],
    ['signs in', null, 'passed', undefined],
  ])
})

test('errors of pages are told apart without numbers, ids and query strings', () => {
  const other = scriptRun({
    console: [consoleMessage('order 17 is gone'), consoleMessage('item 3 of 5')],
    failedRequests: [failedRequest('http://shop.test/orders/5?token=a')],
  })
  const run = scriptRun({
    console: [
      consoleMessage('order 18 is gone'),
      consoleMessage('item 4 of 9'),
      consoleMessage('no price', { time: 9 }),
      consoleMessage('no price', { time: 4 }),
      consoleMessage('a hint', { level: 'info' }),
    ],
    failedRequests: [
      failedRequest('http://shop.test/orders/7?token=b'),
      failedRequest('http://shop.test/orders/7', { method: 'POST' }),
    ],
  })
  const { consoleErrors, failedRequests } = compareRuns(run, other)
  assert.deepEqual(
    consoleErrors,
    [consoleMessage('no price', { time: 4 })].map((one) => ({ ...one, times: 2 })),
  )
  assert.deepEqual(
    failedRequests.map(({ method, times }) => [method, times]),
    [['POST', 1]],
  )
})

test('pages are worse by their scores, each visit with the same visit before', () => {
  const run = scriptRun({
    pages: [
      seenPage('http://shop.test/?n=1', [900, 400, 900, 0.02, null]),
      seenPage('http://shop.test/orders/8', [100, 400, 4100, 0.3, 50]),
      seenPage('http://shop.test/new', [5000, 5000, 5000, 1, 900]),
    ],
  })
  const other = scriptRun({
    pages: [seenPage('http://shop.test/orders/7'), seenPage('http://shop.test/?n=2', [790, 400, 900, 0.02, 50])],
  })
  const told = compareRuns(run, other).pages.map(({ pageIndex, webVitals }) => [
    pageIndex,
    ...webVitals.map((vital) => `${vital.name} ${vital.with.score} ${vital.result.score}`),
  ])
  assert.deepEqual(told, [
    [0, 'TTFB GOOD NEEDS_IMPROVEMENT'],
    [1, 'LCP GOOD POOR', 'CLS GOOD POOR'],
  ])
})

test('screenshots of the same moment stand side by side', () => {
  const shot = (name: string, test: string | null = 'buys') => ({
    type: 'screenshot' as const,
    name,
    contentType: 'image/png',
    size: 1,
    test,
  })
  const trace = { ...shot('1-trace.zip'), type: 'trace' as const }
  const mine = [trace, shot('2-basket.png'), shot('3-test-failed-1.png')]
  const its = [shot('0-basket.png'), shot('1-receipt.png'), shot('2-test-finished-1.png'), trace]
  assert.deepEqual(
    pairScreenshots(mine, its).map(({ result, with: other }) => [result?.name ?? null, other?.name ?? null]),
    [
      ['2-basket.png', '0-basket.png'],
      ['3-test-failed-1.png', '2-test-finished-1.png'],
      [null, '1-receipt.png'],
    ],
  )
})
