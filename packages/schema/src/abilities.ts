/** What a runner can execute: it says so when it signs in, and again when it changes. */
import Type, { type Static } from 'typebox'
import type { CheckKind } from './check-kind.ts'
import { RUNNABLE_KINDS } from './kinds/index.ts'
import { RUNTIMES, RunnerBrowser, RunnerRuntime } from './runtime.ts'
import { Nullable } from './shape.ts'

/** These need a runtime, and isolation to run it in. */
export const KINDS_WITH_RUNTIME: readonly CheckKind[] = ['MULTI_STEP', 'BROWSER', 'PLAYWRIGHT']

export const Abilities = Type.Object({
  kinds: Type.Array(Type.Enum(RUNNABLE_KINDS), {
    description: 'What it can execute: scripts only where they are kept apart and a runtime is installed.',
  }),
  runtimes: Type.Optional(Type.Array(RunnerRuntime, { maxItems: RUNTIMES.length })),
  browser: Type.Optional(Nullable(RunnerBrowser, { description: 'What pages are opened with; null: they cannot be.' })),
  recordsVideo: Type.Optional(Type.Boolean()),
})
export type Abilities = Static<typeof Abilities>

export const ScriptLoad = Type.Object(
  {
    running: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    waiting: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'For a place, or for memory.' }),
    turnedAway: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Since the runner began: in error, because there was no room in time.',
    }),
  },
  { description: 'How busy a runner is with scripts with Playwright.' },
)
export type ScriptLoad = Static<typeof ScriptLoad>
