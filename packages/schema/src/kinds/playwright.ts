/** The suite: a whole project of browser tests, with its own settings and retries. */
import Type, { type Static } from 'typebox'
import { judgedBy, MOST_SUITE_SECONDS, runTimeout, suiteAnswer, suiteFields } from '../check.ts'
import { CODE_BUNDLE_PATH } from '../code-bundle.ts'
import { RUNTIMES } from '../runtime.ts'
import { Nullable } from '../shape.ts'

const text = (description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength: 2000 }), { default: null, description }))

export const PlaywrightCheckCreate = Type.Object({
  ...suiteFields,
  timeout: runTimeout(MOST_SUITE_SECONDS),
  codeBundlePath: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'The uploaded project, as the answer of its upload named it.',
    examples: [CODE_BUNDLE_PATH.example],
  }),
  cacheHash: text('A hash of the lock file, kept for clients that compare it. Nothing is installed here.'),
  testCommand: text(
    '`npx playwright test` with arguments. No shell runs it: no other program, no variables and no patterns of files.',
  ),
  installCommand: Type.Optional(
    Type.String({
      maxLength: 2000,
      default: '',
      description: 'Must be empty: a suite runs without a network to install from. Its bundle may bring node_modules.',
    }),
  ),
  browsers: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 20,
      default: ['chromium'],
      description: 'Only chromium. Empty: the suite opens no pages, and runs where there is no browser.',
    }),
  ),
  playwrightVersion: text('The version of the test runner: one that runners bring, or null for the current one.'),
  workingDir: text('The folder of the project within the bundle.'),
  engine: Type.Optional(Nullable(Type.Enum(['node', 'bun']), { default: null, description: 'Only node.' })),
  engineVersion: text('The version of Node.js, or null for that of the runner.'),
})
export type PlaywrightCheckCreate = Static<typeof PlaywrightCheckCreate>

/** Absent fields keep what is stored. */
export const PlaywrightCheckUpdate = Type.Partial(PlaywrightCheckCreate)

export const PlaywrightCheck = Type.Object({
  ...suiteAnswer,
  timeout: Type.Integer(),
  checkType: Type.Literal('PLAYWRIGHT'),
  codeBundlePath: Type.String(),
  cacheHash: Nullable(Type.String()),
  testCommand: Nullable(Type.String()),
  installCommand: Type.String(),
  browsers: Type.Array(Type.String()),
  playwrightVersion: Nullable(Type.String()),
  workingDir: Nullable(Type.String()),
  engine: Nullable(Type.Enum(['node', 'bun'])),
  engineVersion: Nullable(Type.String()),
})
export type PlaywrightCheck = Static<typeof PlaywrightCheck>

/** What a runner needs to execute a suite. */
export const PlaywrightSettings = Type.Object({
  runtimeId: Type.Enum(RUNTIMES),
  /** The SHA-256 of the archive, in hex: runners keep those that they have fetched. */
  bundle: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Below the folder of the bundle; `.` is the folder itself. */
  workingDir: Type.String(),
  /** After this the run is ended. */
  limitMs: Type.Integer({ minimum: 1 }),
  /** Of `playwright test`. */
  args: Type.Array(Type.String()),
  hasPages: Type.Boolean(),
  /** The suite says itself when it is degraded. */
  ...judgedBy,
})
export type PlaywrightSettings = Static<typeof PlaywrightSettings>
