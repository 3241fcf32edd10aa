/** What is different about a run of a script, beside another of the same check. */
import Type, { type Static } from 'typebox'
import { Verdict } from './result.ts'
import {
  ConsoleMessage,
  FailedRequest,
  LinkedAsset,
  SCRIPT_TEST_STATUSES,
  ScriptError,
  ScriptStep,
  SeenPage,
  WEB_VITAL_SCORES,
  WEB_VITALS,
} from './script-run.ts'
import { DateTime, Ms, Nullable, Uuid } from './shape.ts'

export const STEP_DIFFERENCES = ['MISSING', 'ADDED', 'FAILED', 'RECOVERED', 'SLOWER'] as const
export type StepDifference = (typeof STEP_DIFFERENCES)[number]

const TestName = Type.Object({
  title: Type.Array(Type.String(), { description: 'From the outermost group to its own.' }),
  project: Type.String(),
  file: Type.String(),
})
export type TestName = Static<typeof TestName>

export const DifferentStep = Type.Object({
  difference: Type.Enum(STEP_DIFFERENCES, {
    description:
      'MISSING: the other run had it. ADDED: the other run had none. FAILED: it came to its end in the other run alone. ' +
      'RECOVERED: it did not in the other. SLOWER: it took at least twice as long, and a second longer.',
  }),
  test: TestName,
  path: Type.Array(Type.String(), {
    description: 'The titles of the steps it is in, from the outermost, and its own.',
  }),
  result: Nullable(ScriptStep, { description: 'As it went in the run asked about.' }),
  with: Nullable(ScriptStep, { description: 'As it went in the run it is compared with.' }),
})
export type DifferentStep = Static<typeof DifferentStep>

const status = Nullable(Type.Enum(SCRIPT_TEST_STATUSES), { description: 'Null: there was no such test.' })
export const DifferentTest = Type.Object({
  ...TestName.properties,
  result: status,
  with: status,
  error: Nullable(ScriptError, { description: 'The first of the run asked about.' }),
})
export type DifferentTest = Static<typeof DifferentTest>

const times = Type.Integer({ minimum: 1, description: 'How often it was seen.' })
export const NewConsoleError = Type.Object({ ...ConsoleMessage.properties, times })
export type NewConsoleError = Static<typeof NewConsoleError>
export const NewFailedRequest = Type.Object({ ...FailedRequest.properties, times })
export type NewFailedRequest = Static<typeof NewFailedRequest>

const vital = Type.Object({ score: Type.Enum(WEB_VITAL_SCORES), value: Type.Number() })
export const WorsePage = Type.Object({
  url: SeenPage.properties.url,
  pageIndex: Type.Integer({ minimum: 0, description: 'Which page of the run asked about.' }),
  webVitals: Type.Array(Type.Object({ name: Type.Enum(WEB_VITALS), result: vital, with: vital }), {
    description: 'Those whose score is worse.',
  }),
})
export type WorsePage = Static<typeof WorsePage>

/** The rule of `core`. */
export const RunDifferences = Type.Object({
  firstStep: Nullable(DifferentStep, {
    description: 'The first that went otherwise; where the reason is a step inside it, that one.',
  }),
  tests: Type.Array(DifferentTest, { description: 'Those that ended otherwise.' }),
  consoleErrors: Type.Array(NewConsoleError, { description: 'New ones; numbers, ids and query strings do not count.' }),
  failedRequests: Type.Array(NewFailedRequest, { description: 'New ones, told apart in the same way.' }),
  pages: Type.Array(WorsePage),
})
export type RunDifferences = Static<typeof RunDifferences>

const ComparedRun = Type.Object({
  id: Uuid,
  runLocation: Type.String(),
  startedAt: DateTime,
  verdict: Verdict,
  duration: Ms,
  errorMessage: Nullable(Type.String()),
  leftOut: Type.Boolean({ description: 'Whether there was more of it than is kept, and than is compared.' }),
})

export const RunComparison = Type.Object({
  result: ComparedRun,
  with: ComparedRun,
  ...RunDifferences.properties,
  screenshots: Type.Array(
    Type.Object({ test: Nullable(Type.String()), result: Nullable(LinkedAsset), with: Nullable(LinkedAsset) }),
    { description: 'Of both runs, those side by side that were taken at the same place of the same test.' },
  ),
})
export type RunComparison = Static<typeof RunComparison>
