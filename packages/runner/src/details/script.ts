/** What is kept of a run of a script: all of it, for its times and steps are never those of another. */
import { type Scrub, scrubTexts } from '@vedette/core'
import { type ScriptObservation, ScriptRun } from '@vedette/schema'
import { Value } from 'typebox/value'
import type { HandedIn } from '../assets/hand-in.ts'
import { nothingSeen } from '../playwright/fold-events.ts'
import type { Details } from './details.ts'

const shared = {
  keepBytes: () => 0,
  isAlwaysKept: true,
  secrets: () => [],
  statusCode: () => null,
  phases: () => null,
  fingerprint: () => null,
  files: ({ files }: ScriptObservation) => files,
  keeping,
  toJudge,
} as const

export const multiStepDetails: Details<'MULTI_STEP'> = {
  ...shared,
  detail: (settings, observation, _assertions, clean) => ({
    kind: 'MULTI_STEP',
    content: contentOf(settings.runtimeId, observation, clean),
  }),
}

export const browserDetails: Details<'BROWSER'> = {
  ...shared,
  phases: errorsOf,
  detail: (settings, observation, _assertions, clean) => ({
    kind: 'BROWSER',
    content: contentOf(settings.runtimeId, observation, clean),
  }),
}

export const playwrightDetails: Details<'PLAYWRIGHT'> = {
  ...shared,
  detail: (settings, observation, _assertions, clean) => ({
    kind: 'PLAYWRIGHT',
    content: contentOf(settings.runtimeId, observation, clean),
  }),
}

function keeping(observation: ScriptObservation, { taken, problem }: HandedIn): ScriptObservation {
  const told = (run: ScriptRun): ScriptRun => {
    const word = problem === null ? [] : [{ time: Date.now(), msg: problem, level: 'WARN' as const }]
    return { ...run, assets: taken, jobLog: [...run.jobLog, ...word] }
  }
  const { response, unfinished } = observation
  return { ...observation, response: response && told(response), unfinished: unfinished && told(unfinished) }
}

function toJudge(observation: ScriptObservation, clean: Scrub): ScriptObservation {
  const { response, unfinished } = observation
  return {
    ...observation,
    response: response && inWords(response, clean),
    unfinished: unfinished && inWords(unfinished, clean),
  }
}

/** What is said of it in short. */
function inWords(run: ScriptRun, clean: Scrub): ScriptRun {
  const said = <T extends { message: string }>(error: T): T => ({ ...error, message: clean(error.message) })
  const tests = run.tests.map((test) => ({
    ...test,
    title: test.title.map(clean),
    errors: test.errors.map(said),
    steps: test.steps.map((step) => ({ ...step, title: clean(step.title), error: step.error && said(step.error) })),
  }))
  return { ...run, tests, errors: run.errors.map(said) }
}

/** How many of each sort, in the order in which kinds of checks measure them. */
function errorsOf({ response, unfinished }: ScriptObservation): number[] | null {
  const summary = (response ?? unfinished)?.traceSummary
  if (summary === undefined) return null
  return [summary.consoleErrors, summary.networkErrors, summary.userScriptErrors, summary.documentErrors]
}

function contentOf(runtimeId: string, observation: ScriptObservation, clean: Scrub): ScriptRun {
  const { response, unfinished, failure } = observation
  const facts = { runtimeId, engine: 'plain', browser: null } as const
  const run = response ?? unfinished ?? nothingSeen(facts, Date.now())
  const fault = failure === null ? [] : [{ message: failure.message, stack: null, snippet: null, location: null }]
  const cleaned = scrubTexts({ ...run, errors: [...fault, ...run.errors] }, clean)
  // A secret that is one of our own words makes nonsense of what it stands in: that is not kept.
  return Value.Check(ScriptRun, cleaned) ? cleaned : { ...nothingSeen(facts, run.startTime), leftOut: true }
}
