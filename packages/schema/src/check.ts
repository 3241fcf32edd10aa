/** What all kinds of check share. */
import Type, { type Static } from 'typebox'
import { AlertSettings } from './alert-settings.ts'
import { DataCenter } from './location.ts'
import { RetryStrategy } from './retry-strategy.ts'
import { DateTime, KeyValue, Nullable, NumericId, Uuid } from './shape.ts'

/** Minutes between runs; 0 means every `frequencyOffset` seconds. */
export const FREQUENCIES = [0, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440] as const
export const RUNTIMES = ['2025.04', '2024.09', '2024.02', '2023.09', '2023.02', '2022.10'] as const
export const SEVERITIES = ['CRITICAL', 'MAJOR', 'MEDIUM', 'MINOR'] as const

export const Subscription = Type.Object({ alertChannelId: NumericId, activated: Type.Boolean() })
export type Subscription = Static<typeof Subscription>

export const TriggerIncident = Type.Object({
  serviceId: Uuid,
  severity: Type.Enum(SEVERITIES),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.String(),
  notifySubscribers: Type.Boolean(),
})

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

/** Fields that a client sets. `frequency` and `runtimeId` are checked further, by kind and by rule. */
export const checkFields = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  description: Type.Optional(Nullable(Type.String({ maxLength: 500 }), { default: null })),
  activated: Type.Optional(Type.Boolean({ default: true, description: 'Whether the check runs.' })),
  muted: Type.Optional(Type.Boolean({ default: false, description: 'Whether its notifications are held back.' })),
  doubleCheck: Type.Optional(Type.Boolean({ default: true, description: 'Superseded by retryStrategy.' })),
  shouldFail: Type.Optional(
    Type.Boolean({ default: false, description: 'Accept an error status: only assertions and network errors fail.' }),
  ),
  locations: Type.Optional(Nullable(Type.Array(DataCenter, { maxItems: 22 }))),
  privateLocations: Type.Optional(
    Nullable(Type.Array(Type.String(), { maxItems: 100, description: 'Slugs of private locations.' })),
  ),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100, default: [] })),
  alertSettings: Type.Optional(Nullable(AlertSettings)),
  useGlobalAlertSettings: Type.Optional(
    Type.Boolean({ default: true, description: 'Use the account’s alert settings instead of the check’s own.' }),
  ),
  groupId: Type.Optional(Nullable(NumericId, { default: null })),
  groupOrder: Type.Optional(Nullable(Type.Integer({ minimum: 0 }), { default: null })),
  runtimeId: Type.Optional(Nullable(Type.Enum(RUNTIMES), { default: null })),
  alertChannelSubscriptions: Type.Optional(Type.Array(Subscription, { maxItems: 200 })),
  retryStrategy: Type.Optional(Nullable(RetryStrategy)),
  triggerIncident: Type.Optional(Nullable(TriggerIncident, { default: null })),
  runParallel: Type.Optional(
    Type.Boolean({ default: false, description: 'Run in all locations at once instead of in turn.' }),
  ),
  frequency: Type.Optional(Type.Enum(FREQUENCIES, { default: 10 })),
  frequencyOffset: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'Frequency 0: 10, 20 or 30 seconds between runs. Up to 60: the phase in tenths of a minute. Above: the phase in hours.',
    }),
  ),
}

/** Fields that only the server sets. */
export const checkReadOnlyFields = {
  id: Uuid,
  alertChannels: Nullable(AlertChannelsSummary),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
}

/** The shared fields as an answer carries them: all there, unset ones null. */
export const checkAnswerFields = {
  ...checkReadOnlyFields,
  name: Type.String(),
  description: Nullable(Type.String()),
  activated: Type.Boolean(),
  muted: Type.Boolean(),
  doubleCheck: Type.Boolean(),
  shouldFail: Type.Boolean(),
  locations: Type.Array(DataCenter),
  privateLocations: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  alertSettings: Nullable(AlertSettings),
  useGlobalAlertSettings: Type.Boolean(),
  groupId: Nullable(Type.Integer()),
  groupOrder: Nullable(Type.Integer()),
  runtimeId: Nullable(Type.Enum(RUNTIMES)),
  alertChannelSubscriptions: Type.Array(Subscription),
  retryStrategy: Nullable(RetryStrategy),
  triggerIncident: Nullable(TriggerIncident),
  runParallel: Type.Boolean(),
  frequency: Type.Enum(FREQUENCIES),
  frequencyOffset: Type.Integer(),
}
