import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure, ScriptObservation, ScriptRun, ScriptTest } from '@vedette/schema'
import fc from 'fast-check'
import { cleanErrorMessage } from './error-message.ts'
import { judgeScript } from './judge-script.ts'
import { scriptError, scriptRun, scriptRuns, scriptStep, scriptTest } from './testing/script-runs.ts'

const JUDGED_BY = { shouldFail: false, degradedResponseTime: null, maxResponseTime: null }
const seen = (run: ScriptRun): ScriptObservation => ({
  response: run,
  failure: null,
  responseTimeMs: 1200,
  files: [],
  unfinished: null,
})
const brokenOff = (run: ScriptRun, blame: Failure['blame'], message: string): ScriptObservation => ({
  response: null,
  failure: { blame, code: 'ESCRIPT', message, phase: 'prepare' },
  responseTimeMs: 1200,
  files: [],
  unfinished: run,
})
const judge = (observation: ScriptObservation) => {
  const { verdict, rule, error } = judgeScript(JUDGED_BY, observation)
  return { verdict, rule, error }
}

/** A run whose only test fails, or that is one of several. */
const failed = (errors: string[], more: Partial<ScriptTest> = {}, others: ScriptTest[] = []) => {
  const steps = more.steps ?? []
  const test = scriptTest('buys', steps, { status: 'failed', errors: errors.map(scriptError), ...more })
  return scriptRun({ status: 'failed', errors: test.errors, tests: [test, ...others] })
}
const errorOf = (run: ScriptRun) => judge(seen(run)).error

const CLICK =
  "TimeoutError: locator.click: Timeout 500ms exceeded.\nCall log:\n  - waiting for getByRole('button', { name: 'Go' })\n"
const TEXT =
  'Error: expect(locator).toHaveText(expected) failed\n\nLocator:  getByRole(\'heading\')\nExpected: "y"\nReceived: "x"\nTimeout:  300ms\n\nCall log:\n  - waiting for getByRole(\'heading\')\n'
const SOFT = 'Error: expect(received).toBe(expected) // Object.is equality\n\nExpected: 2\nReceived: 1'

test('a failure is told by its test and steps, what was looked for, what was expected and what came', () => {
  const within = (message: string) => [
    scriptStep('signs in', { category: 'test.step' }),
    scriptStep('fills the basket', { category: 'test.step', error: scriptError(message) }),
    scriptStep('adds a lantern', { category: 'test.step', depth: 1, error: scriptError(message) }),
    scriptStep('Click', { depth: 2, error: scriptError(message) }),
    scriptStep('tidies up', { category: 'test.step', error: scriptError('this too') }),
  ]
  const cases: [run: ScriptRun, error: string][] = [
    [
      failed([CLICK], { steps: within(CLICK) }),
      "buys › fills the basket › adds a lantern: locator.click: Timeout 500ms exceeded, waiting for getByRole('button', { name: 'Go' })",
    ],
    [
      failed([TEXT]),
      'buys: expect(locator).toHaveText(expected) failed, Locator: getByRole(\'heading\'), Expected: "y", Received: "x"',
    ],
    [failed([SOFT]), 'buys: expect(received).toBe(expected), Expected: 2, Received: 1'],
    [
      failed(
        [
          'Test timeout of 1500ms exceeded.',
          'Error: locator.click: Test timeout of 1500ms exceeded.\nCall log:\n  - waiting for getByText("Go")\n',
        ],
        { status: 'timedOut' },
      ),
      'buys: locator.click: Test timeout of 1500ms exceeded, waiting for getByText("Go")',
    ],
    [failed(['Test timeout of 1500ms exceeded.'], { status: 'timedOut' }), 'buys: Test timeout of 1500ms exceeded'],
    [failed([], { status: 'passed', expected: 'failed' }), 'buys: it passed, although it was expected to fail'],
    [failed(['no'], {}, [scriptTest('other', [])]), 'buys: no (1 of 2 tests failed)'],
    [scriptRun({ status: 'failed', errors: [scriptError('\n  Error: no tests\n at x')] }), 'no tests'],
    [scriptRun({ status: 'interrupted' }), 'the script ended as interrupted'],
  ]
  for (const [run, error] of cases)
    assert.deepEqual(judge(seen(run)), { verdict: 'failed', rule: 'script-failed', error })
})

test('only the last try of a test counts', () => {
  const tries = [scriptTest('buys', [], { status: 'failed', isLast: false, errors: [scriptError('no')] })]
  const run = scriptRun({ status: 'passed', tests: [...tries, scriptTest('buys', [], { retry: 1 })] })
  assert.deepEqual(judge(seen(run)), { verdict: 'passed', rule: 'all-is-well', error: null })
})

test('a run that is ended at its limit is told apart, and where it was', () => {
  const ended = 'the script: it was not done within 10 s'
  const timedOut = (steps: ScriptTest['steps'], errors: string[] = []) =>
    scriptRun({
      status: 'timedout',
      tests: [scriptTest('buys', steps, { status: 'interrupted', errors: errors.map(scriptError) })],
    })
  const deaf = timedOut([
    scriptStep('Before Hooks', { category: 'hook' }),
    scriptStep('fills the basket', { category: 'test.step', duration: null }),
    scriptStep('Click', { depth: 1, duration: null }),
  ])
  assert.deepEqual(judge(brokenOff(deaf, 'check', ended)), {
    verdict: 'failed',
    rule: 'script-timed-out',
    error: `${ended}, and was at: buys › fills the basket › Click`,
  })
  const message = "Error: locator.click: Test ended.\nCall log:\n  - waiting for getByText('never')\n"
  const heard = timedOut([scriptStep('Click', { error: scriptError(message) })], [message])
  assert.equal(
    judge(brokenOff(heard, 'check', ended)).error,
    `${ended}, and was at: buys › Click, waiting for getByText('never')`,
  )
  const nothing = scriptRun({ status: 'timedout' })
  assert.equal(judge(brokenOff(nothing, 'check', ended)).error, ended)
})

test('what else broke a run off is its own fault, or ours', () => {
  const run = scriptRun({ status: 'interrupted' })
  const error = 'the script: it used more memory than the 768 MiB that it may'
  assert.deepEqual(judge(brokenOff(run, 'check', error)), { verdict: 'failed', rule: 'script-failed', error })
  const ours = 'this runner is ending'
  assert.deepEqual(judge(brokenOff(run, 'ours', ours)), { verdict: 'error', rule: 'our-trouble', error: ours })
})

test('soft failures of a script that asks to be degraded only degrade it', () => {
  const softly = scriptStep('Expect "soft toBe"', { category: 'expect', error: scriptError(SOFT) })
  const older = { ...softly, title: 'expect.soft.toBe' }
  const degraded = (run: ScriptRun) => judge(seen({ ...run, degraded: 'slow' }))
  for (const step of [softly, older]) {
    const run = failed([SOFT], { steps: [step] })
    assert.deepEqual(degraded(run), { verdict: 'degraded', rule: 'answer-weak', error: 'slow' })
    assert.equal(judge(seen(run)).verdict, 'failed', 'it did not ask')
  }
  assert.equal(degraded(failed([SOFT, CLICK], { steps: [softly] })).verdict, 'failed')
  assert.equal(degraded(failed([SOFT])).verdict, 'failed', 'of which no soft step is known')
  assert.equal(degraded(failed([SOFT], { steps: [softly], status: 'timedOut' })).verdict, 'failed')
  const beside = {
    ...failed([SOFT], { steps: [softly] }),
    errors: [scriptError(SOFT), scriptError('it does not load')],
  }
  assert.equal(degraded(beside).verdict, 'failed')
})

test('the same failure is one group, whatever came and whatever failed beside; another step is another', () => {
  const groupOf = (run: ScriptRun) => cleanErrorMessage(errorOf(run) ?? '')
  const other = scriptTest('other', [], { status: 'failed', errors: [scriptError('no')] })
  const same = [
    failed([TEXT]),
    failed([TEXT.replace('"x"', '"\u001b[31m7 items, 2 of them new\u001b[39m"')]),
    failed([TEXT], {}, [other]),
    failed([TEXT], {}, [other, other]),
  ]
  assert.equal(new Set(same.map(groupOf)).size, 1)
  const waits = (name: string) => failed([CLICK.replace("'Go'", `'${name}'`)])
  const different = [...same.slice(0, 1), waits('Go'), waits('Pay'), failed([SOFT])]
  assert.equal(new Set(different.map(groupOf)).size, different.length)
  assert.equal(groupOf(failed([CLICK])), groupOf(failed([CLICK.replace('500ms', '700ms')])))
})

test('every generated run is judged in one line of bounded length', () => {
  fc.assert(
    fc.property(scriptRuns, fc.constantFrom<ScriptRun['status']>('passed', 'failed', 'timedout'), (some, status) => {
      const run = { ...some, status }
      for (const observation of [
        seen(run),
        brokenOff(run, 'check', 'it broke off'),
        brokenOff(run, 'ours', 'we did'),
      ]) {
        const { verdict, error } = judge(observation)
        assert.equal(error === null, verdict === 'passed')
        assert.ok(error === null || (error !== '' && !error.includes('\n') && error.length < 2500))
      }
    }),
  )
})
