/** A configured destination for alerts, and which checks it hears of. */
import Type, { type Static } from 'typebox'
import { CHANNEL_TYPES } from './channels/index.ts'
import { WebhookConfig } from './channels/webhook.ts'
import { DateTime, Nullable, NumericId, Uuid } from './shape.ts'

export const ChannelSubscription = Type.Object({
  id: Type.Integer(),
  checkId: Nullable(Uuid),
  groupId: Nullable(Type.Integer()),
  activated: Type.Boolean(),
})
export type ChannelSubscription = Static<typeof ChannelSubscription>

const subscriptionFields = {
  checkId: Type.Optional(Nullable(Uuid)),
  groupId: Type.Optional(Nullable(NumericId)),
  activated: Type.Boolean(),
}
export const SubscriptionUpdate = Type.Object(subscriptionFields, {
  description: 'Exactly one of checkId and groupId.',
})
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>

export const AlertChannelWrite = Type.Object({
  type: Type.Enum(CHANNEL_TYPES),
  config: WebhookConfig,
  subscriptions: Type.Optional(
    Type.Array(SubscriptionUpdate, { maxItems: 10_000, description: 'Replaces the list; absent leaves it as it is.' }),
  ),
  sendRecovery: Type.Optional(Type.Boolean({ default: true })),
  sendFailure: Type.Optional(Type.Boolean({ default: true })),
  sendDegraded: Type.Optional(Type.Boolean({ default: false })),
  sslExpiry: Type.Optional(Type.Boolean({ default: false })),
  sslExpiryThreshold: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: 30 })),
  autoSubscribe: Type.Optional(Type.Boolean({ default: false, description: 'Subscribe every new check.' })),
})
export type AlertChannelWrite = Static<typeof AlertChannelWrite>

export const AlertChannel = Type.Object({
  id: Type.Integer(),
  type: Type.Enum(CHANNEL_TYPES),
  config: WebhookConfig,
  subscriptions: Type.Array(ChannelSubscription),
  sendRecovery: Type.Boolean(),
  sendFailure: Type.Boolean(),
  sendDegraded: Type.Boolean(),
  sslExpiry: Type.Boolean(),
  sslExpiryThreshold: Type.Integer(),
  autoSubscribe: Type.Boolean(),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type AlertChannel = Static<typeof AlertChannel>
