/** What is kept of a run of a script: its tests with their steps, what pages said, and the files it left. */
import Type, { type Static } from 'typebox'
import { LogEntry } from './kinds/api.ts'
import type { Observation } from './observation.ts'
import { ScriptEngine } from './runtime.ts'
import { Ms, Nullable } from './shape.ts'

const Location = Type.Object({ file: Type.String(), line: Type.Integer(), column: Type.Integer() })

export const ScriptError = Type.Object({
  message: Type.String(),
  stack: Nullable(Type.String()),
  snippet: Nullable(Type.String({ description: 'The lines of code around it.' })),
  location: Nullable(Location),
})
export type ScriptError = Static<typeof ScriptError>

export const ScriptStep = Type.Object({
  title: Type.String(),
  category: Type.String({ description: 'As Playwright says: hook, fixture, test.step, expect, pw:api, …' }),
  depth: Type.Integer({
    minimum: 0,
    description: 'How many steps it is in; it belongs to the last one before it of less depth.',
  }),
  start: Type.Number({ description: 'Milliseconds since the run began.' }),
  duration: Nullable(Ms, { description: 'Null: it did not come to its end.' }),
  error: Nullable(ScriptError),
  location: Nullable(Location),
})
export type ScriptStep = Static<typeof ScriptStep>

export const SCRIPT_TEST_STATUSES = ['passed', 'failed', 'timedOut', 'skipped', 'interrupted'] as const

/** One try of a test. */
export const ScriptTest = Type.Object({
  title: Type.Array(Type.String(), { description: 'From the outermost group to its own.' }),
  project: Type.String(),
  location: Location,
  retry: Type.Integer({ minimum: 0, description: 'How often it had been tried before.' }),
  isLast: Type.Boolean({ description: 'Whether it is what counts: no further try followed.' }),
  status: Type.Enum(SCRIPT_TEST_STATUSES),
  expected: Type.Enum(SCRIPT_TEST_STATUSES),
  start: Type.Number({ description: 'Milliseconds since the run began.' }),
  duration: Ms,
  errors: Type.Array(ScriptError),
  annotations: Type.Array(Type.Object({ type: Type.String(), description: Type.String() })),
  steps: Type.Array(ScriptStep),
})
export type ScriptTest = Static<typeof ScriptTest>

export const WEB_VITALS = ['TTFB', 'FCP', 'LCP', 'CLS', 'TBT'] as const
export type WebVital = (typeof WEB_VITALS)[number]
export const WEB_VITAL_SCORES = ['GOOD', 'NEEDS_IMPROVEMENT', 'POOR'] as const
export type WebVitalScore = (typeof WEB_VITAL_SCORES)[number]

const vital = Nullable(Type.Object({ score: Type.Enum(WEB_VITAL_SCORES), value: Type.Number() }), {
  description: 'Milliseconds; of CLS a score. Null: the page did not tell.',
})
export const SeenPage = Type.Object({
  url: Type.String(),
  webVitals: Type.Object({ TTFB: vital, FCP: vital, LCP: vital, CLS: vital, TBT: vital }),
  pageTimings: Type.Object({ onContentLoad: Nullable(Type.Number()), onLoad: Nullable(Type.Number()) }),
})
export type SeenPage = Static<typeof SeenPage>

export const CONSOLE_LEVELS = ['debug', 'info', 'log', 'warning', 'error'] as const
export const ConsoleMessage = Type.Object({
  time: Type.Number({ description: 'Milliseconds since 1970.' }),
  level: Type.Enum(CONSOLE_LEVELS),
  text: Type.String(),
  url: Type.String({ description: 'The page.' }),
})
export type ConsoleMessage = Static<typeof ConsoleMessage>

export const FailedRequest = Type.Object({
  time: Type.Number({ description: 'Milliseconds since 1970.' }),
  method: Type.String(),
  url: Type.String(),
  problem: Type.String(),
  isDocument: Type.Boolean(),
})
export type FailedRequest = Static<typeof FailedRequest>

export const TraceSummary = Type.Object({
  consoleErrors: Type.Integer({ minimum: 0 }),
  networkErrors: Type.Integer({ minimum: 0 }),
  documentErrors: Type.Integer({ minimum: 0 }),
  userScriptErrors: Type.Integer({ minimum: 0 }),
})
export type TraceSummary = Static<typeof TraceSummary>

export const SCRIPT_ASSET_TYPES = ['trace', 'video', 'screenshot', 'attachment', 'report'] as const
export const ScriptAssetType = Type.Enum(SCRIPT_ASSET_TYPES)
export type ScriptAssetType = Static<typeof ScriptAssetType>

/** Files are named within their result. */
export const SCRIPT_ASSET_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$'
export const ScriptAsset = Type.Object({
  type: ScriptAssetType,
  name: Type.String({ pattern: SCRIPT_ASSET_NAME }),
  contentType: Type.String(),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  test: Nullable(Type.String(), { description: 'The title of the test that left it.' }),
})
export type ScriptAsset = Static<typeof ScriptAsset>

export const SCRIPT_STATUSES = ['passed', 'failed', 'timedout', 'interrupted'] as const
const ScriptStatus = Type.Enum(SCRIPT_STATUSES, {
  description: '`timedout`: ended at its time limit. `interrupted`: broken off before its end for another reason.',
})

/** The whole of a run, whatever kind of check it was for. */
export const ScriptRun = Type.Object({
  status: ScriptStatus,
  startTime: Type.Number({ description: 'Milliseconds since 1970.' }),
  endTime: Type.Number(),
  runtime: Type.Object({
    id: Type.String(),
    node: Type.String(),
    playwright: Type.String(),
    browser: Nullable(Type.String()),
    engine: ScriptEngine,
  }),
  errors: Type.Array(ScriptError, { description: 'Of tests that count, and beside any test.' }),
  tests: Type.Array(ScriptTest),
  pages: Type.Array(SeenPage),
  console: Type.Array(ConsoleMessage),
  failedRequests: Type.Array(FailedRequest),
  traceSummary: TraceSummary,
  degraded: Nullable(Type.String({ description: 'Why the script asked for the run to count as degraded.' })),
  jobLog: Type.Array(LogEntry),
  assets: Type.Array(ScriptAsset),
  leftOut: Type.Boolean({ description: 'Whether there was more of it than is kept.' }),
})
export type ScriptRun = Static<typeof ScriptRun>

/** A file that a run left. */
export interface ScriptFile extends ScriptAsset {
  content: Uint8Array
}

/** What the probes of scripts bring back: a run that came to an end of its own, or why there is none. */
export interface ScriptObservation extends Observation<ScriptRun> {
  files: readonly ScriptFile[]
  /** What was seen until it broke off. */
  unfinished: ScriptRun | null
}

export const LinkedAsset = Type.Object({
  ...ScriptAsset.properties,
  url: Type.String({ description: 'Signed: whoever has it may read it for some hours.' }),
  viewer: Nullable(Type.String(), { description: 'Of traces: where they can be looked at.' }),
})
export type LinkedAsset = Static<typeof LinkedAsset>
const shared = {
  errors: Type.Array(ScriptError),
  startTime: Type.Number({ description: 'Milliseconds since 1970.' }),
  endTime: Type.Number({ description: 'Milliseconds since 1970.' }),
  runtimeVersion: Type.String(),
  jobLog: Nullable(Type.Array(LogEntry)),
  jobAssets: Nullable(Type.Array(Type.String(), { description: 'Addresses of screenshots and attachments.' })),
  playwrightTestTraces: Type.Array(Type.String()),
  playwrightTestJsonReportFile: Nullable(Type.String()),
  status: ScriptStatus,
  runtime: ScriptRun.properties.runtime,
  tests: Type.Array(ScriptTest),
  degraded: ScriptRun.properties.degraded,
  assets: Type.Array(LinkedAsset),
  leftOut: ScriptRun.properties.leftOut,
}
const ofPages = {
  playwrightTestVideos: Type.Array(Type.String()),
  traceSummary: TraceSummary,
  pages: Type.Array(SeenPage),
  console: Type.Array(ConsoleMessage),
  failedRequests: Type.Array(FailedRequest),
}

export const MultiStepCheckResult = Type.Object(shared)
export type MultiStepCheckResult = Static<typeof MultiStepCheckResult>

export const BrowserCheckResult = Type.Object({
  type: Type.String({ examples: ['PLAYWRIGHT_TEST'] }),
  ...shared,
  ...ofPages,
})
export type BrowserCheckResult = Static<typeof BrowserCheckResult>

export const PlaywrightCheckResult = Type.Object({
  ...shared,
  ...ofPages,
  playwrightTraceFiles: Type.Array(Type.Object({ url: Type.String(), name: Type.String(), filename: Type.String() })),
})
export type PlaywrightCheckResult = Static<typeof PlaywrightCheckResult>

/** What the three have in common. */
export type ScriptCheckResult = MultiStepCheckResult | BrowserCheckResult | PlaywrightCheckResult
