/** The suite: a whole project of browser tests, with its own settings and retries. */
import Type, { type Static } from 'typebox'
import { suiteAnswer, suiteFields } from '../check.ts'
import { Nullable } from '../shape.ts'

const text = (description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength: 2000 }), { default: null, description }))

export const PlaywrightCheckCreate = Type.Object({
  ...suiteFields,
  codeBundlePath: Type.String({ minLength: 1, maxLength: 2000, description: 'Where the uploaded project is kept.' }),
  cacheHash: text('A hash of the lock file: equal ones share their installed packages.'),
  testCommand: text('Instead of the runner’s own.'),
  installCommand: Type.Optional(Type.String({ maxLength: 2000, default: '' })),
  browsers: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20, default: ['chromium'] })),
  playwrightVersion: text('The version of the test runner.'),
  workingDir: text('The folder of the project within the bundle.'),
  engine: Type.Optional(Nullable(Type.Enum(['node', 'bun']), { default: null })),
  engineVersion: text('The version of the engine.'),
})
export type PlaywrightCheckCreate = Static<typeof PlaywrightCheckCreate>

/** Absent fields keep what is stored. */
export const PlaywrightCheckUpdate = Type.Partial(PlaywrightCheckCreate)

export const PlaywrightCheck = Type.Object({
  ...suiteAnswer,
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
