/** A group of checks: shared settings, and a run of all of them. */
import Type, { type Static } from 'typebox'
import { AlertSettings } from './alert-settings.ts'
import { ApiAssertion } from './assertion.ts'
import { Subscription } from './check.ts'
import { DataCenter } from './location.ts'
import { RetryStrategy } from './retry-strategy.ts'
import { RUNTIMES } from './runtime.ts'
import { DateTime, KeyValue, Nullable, NumericId, ShownVariable, Uuid, VariableItem } from './shape.ts'

/** What API checks of a group start from. */
export const ApiCheckDefaults = Type.Object({
  url: Type.Optional(
    Nullable(Type.String({ maxLength: 2048 }), {
      default: '',
      description: 'Stands in requests for the template GROUP_BASE_URL.',
    }),
  ),
  headers: Type.Optional(Type.Array(KeyValue, { maxItems: 1000, default: [] })),
  queryParameters: Type.Optional(Type.Array(KeyValue, { maxItems: 1000, default: [] })),
  assertions: Type.Optional(Type.Array(ApiAssertion, { maxItems: 1000, default: [] })),
  basicAuth: Type.Optional(
    Nullable(Type.Object({ username: Type.String({ default: '' }), password: Type.String({ default: '' }) }), {
      default: null,
    }),
  ),
})
export type ApiCheckDefaults = Static<typeof ApiCheckDefaults>

/** A strategy for all checks of the group, null for no retries, FALLBACK for each check's own. */
export const GroupRetryStrategy = Type.Union([RetryStrategy, Type.Literal('FALLBACK'), Type.Null()])
export type GroupRetryStrategy = Static<typeof GroupRetryStrategy>

const fields = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.Optional(Nullable(Type.String({ maxLength: 500 }), { default: null })),
  activated: Type.Optional(Type.Boolean({ default: true, description: 'Whether its checks run.' })),
  muted: Type.Optional(Type.Boolean({ default: false, description: 'Whether its checks are silent.' })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1000, default: [] })),
  locations: Type.Optional(Nullable(Type.Array(DataCenter, { maxItems: 22 }), { default: [] })),
  privateLocations: Type.Optional(
    Nullable(Type.Array(Type.String(), { maxItems: 100 }), { default: null, description: 'Slugs.' }),
  ),
  concurrency: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 3, description: 'How many run at once when all are run.' }),
  ),
  apiCheckDefaults: Type.Optional(Nullable(ApiCheckDefaults, { default: {} })),
  environmentVariables: Type.Optional(Nullable(Type.Array(VariableItem, { maxItems: 50 }), { default: [] })),
  setupSnippetId: Type.Optional(Nullable(NumericId, { default: null })),
  tearDownSnippetId: Type.Optional(Nullable(NumericId, { default: null })),
  localSetupScript: Type.Optional(Nullable(Type.String({ maxLength: 262_144 }), { default: null })),
  localTearDownScript: Type.Optional(Nullable(Type.String({ maxLength: 262_144 }), { default: null })),
  runtimeId: Type.Optional(Nullable(Type.Enum(RUNTIMES), { default: null })),
  alertSettings: Type.Optional(Nullable(AlertSettings)),
  alertChannelSubscriptions: Type.Optional(
    Type.Array(Subscription, { maxItems: 10_000, description: 'Replaces the subscriptions of the group.' }),
  ),
}

/** The older group: its settings always override those of its checks. */
export const CheckGroupV1Create = Type.Object({
  ...fields,
  doubleCheck: Type.Optional(Type.Boolean({ default: true, description: 'Superseded by retryStrategy.' })),
  useGlobalAlertSettings: Type.Optional(Nullable(Type.Boolean(), { default: true })),
  retryStrategy: Type.Optional(GroupRetryStrategy),
  runParallel: Type.Optional(Nullable(Type.Boolean(), { default: false })),
})
export const CheckGroupV1Update = Type.Partial(CheckGroupV1Create)

/** A group that overrides only where it has an opinion: null, an empty list and FALLBACK leave it to the check. */
export const CheckGroupV2Create = Type.Object({
  ...fields,
  doubleCheck: Type.Optional(Type.Boolean({ default: false, description: 'Superseded by retryStrategy.' })),
  useGlobalAlertSettings: Type.Optional(
    Nullable(Type.Boolean(), {
      default: null,
      description: 'true: the account’s settings for all. false: those of the group. null: no opinion.',
    }),
  ),
  retryStrategy: Type.Optional(
    Type.Union([RetryStrategy, Type.Literal('FALLBACK'), Type.Null()], { default: 'FALLBACK' }),
  ),
  runParallel: Type.Optional(Nullable(Type.Boolean(), { default: null })),
})
export const CheckGroupV2Update = Type.Object({ ...Type.Partial(CheckGroupV2Create).properties, name: fields.name })

/** A group as it is kept. */
export type CheckGroupFields = Static<typeof CheckGroupV1Create>

export const CheckGroup = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Nullable(Type.String()),
  activated: Type.Boolean(),
  muted: Type.Boolean(),
  tags: Type.Array(Type.String()),
  locations: Type.Array(DataCenter),
  privateLocations: Nullable(Type.Array(Type.String())),
  concurrency: Type.Integer(),
  apiCheckDefaults: ApiCheckDefaults,
  browserCheckDefaults: Type.String({ description: 'Empty; kept for older clients.' }),
  environmentVariables: Type.Array(ShownVariable),
  doubleCheck: Type.Boolean(),
  useGlobalAlertSettings: Nullable(Type.Boolean()),
  alertSettings: Nullable(AlertSettings),
  alertChannelSubscriptions: Type.Array(Subscription),
  setupSnippetId: Nullable(Type.Integer()),
  tearDownSnippetId: Nullable(Type.Integer()),
  localSetupScript: Nullable(Type.String()),
  localTearDownScript: Nullable(Type.String()),
  runtimeId: Nullable(Type.Enum(RUNTIMES)),
  retryStrategy: GroupRetryStrategy,
  runParallel: Nullable(Type.Boolean()),
  checks: Type.Array(Uuid, { description: 'Its members, in their order.' }),
  version: Type.Integer({ description: '1: always overrides. 2: overrides where it has an opinion.' }),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type CheckGroup = Static<typeof CheckGroup>
