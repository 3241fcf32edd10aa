/** What all kinds of check share. */
import Type, { type Static } from 'typebox'
import { AlertSettings } from './alert-settings.ts'
import { DataCenter } from './location.ts'
import { RetryStrategy } from './retry-strategy.ts'
import { RUNTIMES } from './runtime.ts'
import { DateTime, KeyValue, Nullable, NumericId, ShownVariable, Uuid, VariableItem } from './shape.ts'

/** Minutes between runs; 0 means every `frequencyOffset` seconds. */
export const FREQUENCIES = [0, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440] as const
/** For kinds that run a script: not several times a minute. */
export const SCRIPT_FREQUENCIES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440] as const
/** The family of addresses that a check connects to. */
export const IP_FAMILIES = ['IPv4', 'IPv6'] as const
export const IpFamily = Type.Enum(IP_FAMILIES, { default: 'IPv4' })
export const SEVERITIES = ['CRITICAL', 'MAJOR', 'MEDIUM', 'MINOR'] as const

/** How many checks one may depend on by itself. */
export const MOST_PARENTS = 10

export const Subscription = Type.Object({ alertChannelId: NumericId, activated: Type.Boolean() })
export type Subscription = Static<typeof Subscription>

export const TriggerIncident = Type.Object({
  serviceId: Uuid,
  severity: Type.Enum(SEVERITIES),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.String(),
  notifySubscribers: Type.Boolean(),
})

export type TriggerIncident = Static<typeof TriggerIncident>

/** Which channels hear of a check, by type: a read-only view that older clients use. */
export const AlertChannelsSummary = Type.Object({
  email: Type.Array(Type.Object({ address: Type.String() })),
  webhook: Type.Array(
    Type.Object({
      name: Type.String(),
      url: Type.String(),
      method: Nullable(Type.String()),
      headers: Type.Array(KeyValue),
      queryParameters: Type.Array(KeyValue),
    }),
  ),
  slack: Type.Array(Type.Object({ url: Type.String() })),
  sms: Type.Array(Type.Object({ number: Type.String(), name: Type.String() })),
})
export type AlertChannelsSummary = Static<typeof AlertChannelsSummary>

/** What every kind of check has, whether it is run or waits for pings. `name` is checked further where it is required. */
export const commonFields = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.Optional(Nullable(Type.String({ maxLength: 500 }), { default: null })),
  activated: Type.Optional(Type.Boolean({ default: true, description: 'Whether the check runs.' })),
  muted: Type.Optional(Type.Boolean({ default: false, description: 'Whether its notifications are held back.' })),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1000, default: [] })),
  alertSettings: Type.Optional(Nullable(AlertSettings)),
  useGlobalAlertSettings: Type.Optional(
    Type.Boolean({ default: true, description: 'Use the account’s alert settings instead of the check’s own.' }),
  ),
  alertChannelSubscriptions: Type.Optional(
    Type.Array(Subscription, { maxItems: 10_000, description: 'Replaces the subscriptions of the check.' }),
  ),
  triggerIncident: Type.Optional(Nullable(TriggerIncident, { default: null })),
  runParallel: Type.Optional(
    Type.Boolean({ default: false, description: 'Run in all locations at once instead of in turn.' }),
  ),
  dependsOn: Type.Optional(
    Type.Array(Uuid, {
      maxItems: MOST_PARENTS,
      default: [],
      description:
        'Checks that this one cannot do without: while one of them fails, alerts of this one are held, for five minutes at most unless people were told of that one.',
    }),
  ),
}

/** What every check has that runs somewhere. */
export const scheduledFields = {
  ...commonFields,
  locations: Type.Optional(Nullable(Type.Array(DataCenter, { maxItems: 22 }))),
  privateLocations: Type.Optional(
    Nullable(Type.Array(Type.String(), { maxItems: 100, description: 'Slugs of private locations.' })),
  ),
  groupId: Type.Optional(Nullable(NumericId, { default: null, description: 'The group that holds the check.' })),
  groupOrder: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), {
      default: null,
      description: 'Its place when the group is run as a whole.',
    }),
  ),
}

const retrying = {
  doubleCheck: Type.Optional(Type.Boolean({ default: true, description: 'Superseded by retryStrategy.' })),
  shouldFail: Type.Optional(
    Type.Boolean({ default: false, description: 'Accept an error status: only assertions and network errors fail.' }),
  ),
  runtimeId: Type.Optional(Nullable(Type.Enum(RUNTIMES), { default: null })),
  retryStrategy: Type.Optional(Nullable(RetryStrategy)),
}

const frequencyOffset = Type.Optional(
  Type.Integer({
    minimum: 1,
    description:
      'Frequency 0: 10, 20 or 30 seconds between runs. Up to 60: the phase in tenths of a minute. Above: the phase in hours.',
  }),
)

/** Kinds that make one request: they may run several times a minute. */
export const requestFields = {
  ...scheduledFields,
  ...retrying,
  frequency: Type.Optional(Type.Enum(FREQUENCIES, { default: 10, description: 'Minutes.' })),
  frequencyOffset,
}

/** Kinds that run a suite of the user’s, which retries by itself. */
export const suiteFields = {
  ...scheduledFields,
  frequency: Type.Optional(Type.Enum(SCRIPT_FREQUENCIES, { default: 10, description: 'Minutes.' })),
  environmentVariables: Type.Optional(
    Nullable(Type.Array(VariableItem, { maxItems: 50 }), { default: [], description: 'Seen by the script.' }),
  ),
}

/** So long a run may take of a kind that executes a script, in seconds. */
export const MOST_SCRIPT_SECONDS = 240
/** And of a suite. */
export const MOST_SUITE_SECONDS = 1800
/** Less would say more of the machine than of what is checked. */
export const LEAST_SCRIPT_SECONDS = 5

/** @param most seconds */
export const runTimeout = (most: number) =>
  Type.Optional(
    Type.Integer({
      minimum: LEAST_SCRIPT_SECONDS,
      maximum: most,
      default: most,
      description: 'Seconds after which a run is ended: it fails, and is told apart as timed out.',
    }),
  )

/** Kinds that run a script of the user’s. */
export const scriptFields = {
  ...suiteFields,
  ...retrying,
  timeout: runTimeout(MOST_SCRIPT_SECONDS),
  script: Nullable(Type.String({ maxLength: 5 * 1024 * 1024 })),
  scriptPath: Type.Optional(
    Nullable(Type.String({ maxLength: 1000 }), { default: null, description: 'The file that the script is.' }),
  ),
  dependencies: Type.Optional(
    Nullable(
      Type.Array(Type.Object({ path: Type.String({ minLength: 1, maxLength: 1000 }), content: Type.String() }), {
        maxItems: 1000,
      }),
      { default: null, description: 'Files that the script imports.' },
    ),
  ),
}

/** Fields that only the server sets. */
const readOnlyFields = {
  id: Uuid,
  alertChannels: Nullable(AlertChannelsSummary),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
}

/** As answers carry them: all there, unset ones null. */
export const commonAnswer = {
  ...readOnlyFields,
  name: Type.String(),
  description: Nullable(Type.String()),
  activated: Type.Boolean(),
  muted: Type.Boolean(),
  tags: Type.Array(Type.String()),
  alertSettings: Nullable(AlertSettings),
  useGlobalAlertSettings: Nullable(Type.Boolean()),
  alertChannelSubscriptions: Type.Array(Subscription),
  triggerIncident: Nullable(TriggerIncident),
  runParallel: Type.Boolean(),
  dependsOn: Type.Array(Uuid, { description: 'Checks that this one cannot do without.' }),
}

export const scheduledAnswer = {
  ...commonAnswer,
  locations: Type.Array(DataCenter),
  privateLocations: Type.Array(Type.String()),
  groupId: Nullable(Type.Integer()),
  groupOrder: Nullable(Type.Integer()),
  frequency: Type.Enum(FREQUENCIES),
}

const retryingAnswer = {
  doubleCheck: Type.Boolean(),
  shouldFail: Type.Boolean(),
  runtimeId: Nullable(Type.Enum(RUNTIMES)),
  retryStrategy: Nullable(RetryStrategy),
}

export const requestAnswer = { ...scheduledAnswer, ...retryingAnswer, frequencyOffset: Type.Integer() }

export const suiteAnswer = {
  ...scheduledAnswer,
  environmentVariables: Nullable(Type.Array(ShownVariable)),
}

export const scriptAnswer = {
  ...suiteAnswer,
  ...retryingAnswer,
  timeout: Type.Integer(),
  script: Nullable(Type.String()),
  scriptPath: Nullable(Type.String()),
  dependencies: Type.Optional(
    Nullable(Type.Array(Type.Object({ path: Type.String(), content: Type.String() })), {
      description: 'Only where asked for, and in answers to writes.',
    }),
  ),
}

/** Milliseconds above which a run counts as degraded or failing. */
export const threshold = (defaultMs: number, maximumMs: number, description: string) =>
  Type.Optional(
    Nullable(Type.Number({ minimum: 0, maximum: maximumMs }), {
      default: defaultMs,
      description: `${description} Milliseconds; null switches it off.`,
    }),
  )
export const thresholds = (degradedMs: number, failingMs: number, maximumMs: number) => ({
  degradedResponseTime: threshold(degradedMs, maximumMs, 'Slower than this counts as degraded.'),
  maxResponseTime: threshold(failingMs, maximumMs, 'Slower than this counts as failing.'),
})
/** By what a runner judges, beside the request and its assertions. */
export const judgedBy = {
  shouldFail: Type.Boolean(),
  degradedResponseTime: Nullable(Type.Number()),
  maxResponseTime: Nullable(Type.Number()),
}
export interface JudgedBy {
  shouldFail: boolean
  degradedResponseTime: number | null
  maxResponseTime: number | null
}

export const thresholdsAnswer = {
  degradedResponseTime: Nullable(Type.Number()),
  maxResponseTime: Nullable(Type.Number()),
}
