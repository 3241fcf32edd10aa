/** Judges a run of a script: by its tests, which say themselves what they expect. */
import type { JudgedBy, ScriptObservation, ScriptRun, ScriptStep, ScriptTest } from '@vedette/schema'
import { conclude, type Judgement } from './judgement.ts'

/** A test that fails fails the run; a script that says so itself makes it degraded. */
export function judgeScript(settings: JudgedBy, observation: ScriptObservation): Judgement {
  const judged = conclude(settings, observation, (run) => ({
    assertions: [],
    problem: problemOf(run),
    weakness: run.degraded,
  }))
  const { failure, unfinished } = observation
  if (failure?.blame !== 'check')
    return judged.rule === 'answer-not-acceptable' ? { ...judged, rule: 'script-failed' } : judged
  // What the user wrote did not come to its end: nothing was asked of a target that could be asked again.
  if (unfinished?.status !== 'timedout') return { ...judged, rule: 'script-failed' }
  const place = placeIn(unfinished)
  const error = place === null ? failure.message : `${failure.message}, and was at: ${place}`
  return { ...judged, rule: 'script-timed-out', error }
}

function problemOf({ status, tests, errors, degraded }: ScriptRun): string | null {
  if (status === 'passed') return null
  const counting = tests.filter(({ isLast }) => isLast)
  const failed = counting.filter(({ status, expected }) => status !== 'skipped' && status !== expected)
  const [first] = failed
  if (first === undefined) return errors[0] === undefined ? `the script ended as ${status}` : inShort(errors[0].message)
  const isOfTests = errors.every(({ message }) => failed.some((test) => messagesOf(test).includes(message)))
  if (degraded !== null && isOfTests && failed.every(isSoft)) return null
  const count =
    failed.length === 1 && counting.length === 1 ? '' : ` (${failed.length} of ${counting.length} tests failed)`
  const place = [titleOf(first), ...failingSteps(first)].join(' › ')
  return `${place}: ${reasonOf(first)}${count}`
}

const titleOf = ({ title }: ScriptTest) => title.join(' › ')
const messagesOf = ({ errors }: ScriptTest) => errors.map(({ message }) => message)

/** Whether all that is wrong with it was asserted with `expect.soft`. */
function isSoft(test: ScriptTest): boolean {
  const soft = test.steps.filter(
    ({ category, title }) => category === 'expect' && /^(?:Expect "|expect\.)soft\b/.test(title),
  )
  const messages = messagesOf(test)
  return (
    test.status === 'failed' &&
    messages.length > 0 &&
    messages.every((message) => soft.some(({ error }) => error?.message === message))
  )
}

/** The steps that the user named around the one that failed first. */
const failingSteps = ({ steps }: ScriptTest) =>
  chainOf(steps, ({ error, category }) => error !== null && category === 'test.step')

/** Where a run was when it was broken off. */
function placeIn({ tests }: ScriptRun): string | null {
  const test = tests.findLast(({ isLast, status }) => isLast && status === 'interrupted')
  if (test === undefined) return null
  // Those that hear of the interruption end with an error, others do not end.
  const isCut = ({ duration, error }: ScriptStep) => duration === null || error !== null
  const last = test.steps.findLastIndex((step) => step.depth === 0 && isCut(step))
  const place = [titleOf(test), ...(last < 0 ? [] : chainOf(test.steps.slice(last), isCut))].join(' › ')
  const waited = messagesOf(test)
    .map(waitedFor)
    .findLast((what) => what !== undefined)
  return [place.slice(0, 500), ...(waited === undefined ? [] : [waited.slice(0, 500)])].join(', ')
}

/** The first that belongs, and those within it. Each step comes after the one that it is in. */
function chainOf(steps: readonly ScriptStep[], belongs: (step: ScriptStep) => boolean): string[] {
  const chain: ScriptStep[] = []
  for (const step of steps) {
    const outer = chain.at(-1)
    if (outer !== undefined && step.depth <= outer.depth) break
    if (belongs(step)) chain.push(step)
  }
  return chain.map(({ title }) => title)
}

const wordsOf = {
  passed: 'it passed, although it was expected to fail',
  failed: 'it failed',
  timedOut: 'it was not done in time',
  skipped: 'it was skipped',
  interrupted: 'it was interrupted',
} as const

const TEST_TIMEOUT = /Test timeout of \d+ms exceeded/

function reasonOf(test: ScriptTest): string {
  const [first, second] = messagesOf(test)
  if (first === undefined) return wordsOf[test.status]
  // What was waited for tells more than that it took too long.
  const isTold = TEST_TIMEOUT.test(first.split('\n')[0] ?? '') && TEST_TIMEOUT.test(second ?? '')
  return inShort(isTold ? (second ?? first) : first)
}

/** As Playwright's log of a call tells. */
const waitedFor = (message: string): string | undefined => /^\s*- (waiting for .*)$/m.exec(message)?.[1]

/** Of several lines the first that says something, what was looked for, what was expected and what came. */
function inShort(message: string): string {
  const lines = message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first = '', ...rest] = lines
  const said = first.replace(/^(?:Timeout)?Error: /, '').replace(/ \/\/ .*$/, '')
  const locator = rest.find((line) => /^Locator:/.test(line))
  const facts = rest.filter((line) => /^(?:Expected|Received)\b/.test(line)).slice(0, 2)
  const place = locator ?? (facts.length === 0 ? waitedFor(message) : undefined)
  return [said.replace(/\.$/, ''), ...(place === undefined ? [] : [place]), ...facts]
    .map((part) => part.replace(/\s+/g, ' '))
    .join(', ')
    .slice(0, 1000)
}
