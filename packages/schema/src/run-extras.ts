/** What a run is given beside the settings of its check. */
import Type, { type Static } from 'typebox'
import { Nullable } from './shape.ts'

/** A variable in force: those of the check over those of its group over those of the account, and the built-in ones. */
export const RunVariable = Type.Object({
  key: Type.String(),
  value: Type.String(),
  hidden: Type.Boolean({ description: 'Whether its value is taken out of whatever is reported.' }),
})
export type RunVariable = Static<typeof RunVariable>

/** Names that nobody can give another value to. */
export const BUILT_IN_VARIABLES = [
  'ACCOUNT_ID',
  'CHECK_ID',
  'CHECK_NAME',
  'CHECK_TYPE',
  'CHECK_RESULT_ID',
  'CHECK_RUN_ID',
  'ENVIRONMENT_NAME',
  'ENVIRONMENT_URL',
  'GROUP_BASE_URL',
  'REGION',
  'REQUEST_URL',
  'RUNTIME_VERSION',
] as const
export type BuiltInVariable = (typeof BUILT_IN_VARIABLES)[number]

/** Values that scripts give to names with this beginning are hidden like secrets. */
export const SECRET_PREFIX = 'SERVICE_SECRET_'

/** What runs around a request, in the order given. */
export const RunScripts = Type.Object({
  setUp: Type.Array(Type.String()),
  tearDown: Type.Array(Type.String()),
  /** For scripts to import. */
  snippets: Type.Array(Type.Object({ name: Type.String(), script: Type.String() })),
})
export type RunScripts = Static<typeof RunScripts>

/** Shown to hosts that match the pattern; of several that match alike, the last. PEM. */
export const RunCertificate = Type.Object({
  host: Type.String(),
  cert: Type.String(),
  key: Type.String(),
  ca: Nullable(Type.String()),
  passphrase: Nullable(Type.String()),
})
export type RunCertificate = Static<typeof RunCertificate>
