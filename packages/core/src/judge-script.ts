/** Judges a run of a script: by its tests, which say themselves what they expect. */
import type { JudgedBy, ScriptObservation, ScriptRun } from '@vedette/schema'
import { conclude, type Judgement } from './judgement.ts'

/** A test that fails fails the run; a script that says so itself makes it degraded. */
export function judgeScript(settings: JudgedBy, observation: ScriptObservation): Judgement {
  const judged = conclude(settings, observation, (run) => ({
    assertions: [],
    problem: problemOf(run),
    weakness: run.degraded,
  }))
  // What the user wrote did not come to an end: nothing was asked of a target that could be asked again.
  if (observation.failure?.blame === 'check') return { ...judged, rule: 'script-failed' }
  return judged.rule === 'answer-not-acceptable' ? { ...judged, rule: 'script-failed' } : judged
}

function problemOf({ status, tests, errors }: ScriptRun): string | null {
  if (status === 'passed') return null
  const counting = tests.filter(({ isLast }) => isLast)
  const failed = counting.filter(({ status, expected }) => status !== 'skipped' && status !== expected)
  const [first] = failed
  if (first === undefined)
    return errors[0] === undefined ? `the script ended as ${status}` : firstLine(errors[0].message)
  const count =
    failed.length === 1 && counting.length === 1 ? '' : ` (${failed.length} of ${counting.length} tests failed)`
  const title = first.title.join(' › ')
  return `${title}: ${firstLine(first.errors[0]?.message ?? wordsOf[first.status])}${count}`
}

const wordsOf = {
  passed: 'it passed, although it was expected to fail',
  failed: 'it failed',
  timedOut: 'it was not done in time',
  skipped: 'it was skipped',
  interrupted: 'it was interrupted',
} as const

/** Of several lines, the first that says something; of an expectation, what was expected and what came too. */
function firstLine(message: string): string {
  const lines = message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const [first = ''] = lines
  const facts = lines.filter((line) => /^(?:Expected|Received)\b/.test(line))
  return (facts.length === 0 ? first : `${first.replace(/^Error: /, '')}, ${facts.slice(0, 2).join(', ')}`).slice(
    0,
    1000,
  )
}
