/** Views of checks made for screens: the list with its newest runs, and a check's course over time. */
import Type, { type Static } from 'typebox'
import { Acknowledgement } from './acknowledgement.ts'
import { CheckKind } from './check-kind.ts'
import { Verdict } from './result.ts'
import { Nullable, Uuid } from './shape.ts'

/** The newest runs of a check as the list draws them: newest last. */
export const RunMark = Type.Object({
  id: Uuid,
  verdict: Verdict,
  startedAt: Type.String(),
  responseTime: Type.Number(),
  location: Type.String(),
})

export const CheckOverview = Type.Object({
  id: Uuid,
  name: Type.String(),
  checkType: CheckKind,
  target: Type.String({ description: 'What the check looks at, in one line.' }),
  activated: Type.Boolean(),
  muted: Type.Boolean(),
  tags: Type.Array(Type.String()),
  frequency: Type.Integer(),
  frequencyOffset: Type.Integer(),
  state: Type.Enum(['passing', 'degraded', 'failing', 'unknown'], { description: 'Of the target.' }),
  hasErrors: Type.Boolean({ description: 'The latest run was in trouble of our own.' }),
  acknowledgement: Nullable(Acknowledgement, {
    description: 'Of its present trouble; null: nobody has said to be on it.',
  }),
  since: Nullable(Type.String({ description: 'Start of the present state.' })),
  lastRunAt: Nullable(Type.String()),
  nextRunAt: Nullable(Type.String()),
  runs: Type.Array(RunMark),
  cannotRun: Nullable(Type.String(), {
    description:
      'Why no runner that is there can execute the check: a runtime, a browser or isolation is missing. Its slots are recorded as missed until it changes. Null: one can, or nobody serves its locations now.',
  }),
})

export const ResponseTimePoint = Type.Object({
  at: Type.String(),
  id: Uuid,
  location: Type.String(),
  verdict: Verdict,
  responseTime: Type.Number(),
  phases: Nullable(Type.Array(Type.Number())),
})
export type RunMark = Static<typeof RunMark>
export type CheckOverview = Static<typeof CheckOverview>
export type ResponseTimePoint = Static<typeof ResponseTimePoint>

/** All checks of an account in figures. */
export const CheckSummary = Type.Object({
  total: Type.Integer(),
  passing: Type.Integer(),
  degraded: Type.Integer(),
  failing: Type.Integer(),
  unknown: Type.Integer({ description: 'Not run yet.' }),
  paused: Type.Integer({ description: 'Switched off, whatever their last state was.' }),
  inError: Type.Integer({ description: 'Activated, and the latest run was in trouble of our own.' }),
  tags: Type.Array(Type.String(), { description: 'Every tag in use.' }),
})
export type CheckSummary = Static<typeof CheckSummary>

/** Where the web application hears of news: server-sent events `hello`, and `check` with `{"checkId"}`. */
export const EVENTS_PATH = '/web/events'
