/** What a runner needs to execute a script of the user's. */
import Type, { type Static } from 'typebox'
import { judgedBy } from '../check.ts'
import { RUNTIMES } from '../runtime.ts'
import { Nullable } from '../shape.ts'

export const ScriptSettings = Type.Object({
  runtimeId: Type.Enum(RUNTIMES),
  script: Type.String(),
  scriptPath: Nullable(Type.String()),
  /** After this the run is ended. */
  limitMs: Type.Integer({ minimum: 1 }),
  dependencies: Type.Array(Type.Object({ path: Type.String(), content: Type.String() })),
  /** Thresholds do not apply to scripts, which say themselves when they are degraded. */
  ...judgedBy,
})
export type ScriptSettings = Static<typeof ScriptSettings>
