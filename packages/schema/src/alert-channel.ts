/** A configured destination for alerts, and which checks it hears of. */
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { type ChannelType, channelConfigs } from './channels/index.ts'
import { DateTime, Discriminated, Nullable, NumericId, Uuid } from './shape.ts'

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

/** The shapes of all channel types, with what they have in common. */
const everyType = <Fields extends TProperties>(fields: Fields) => {
  const shape = <T extends ChannelType, Config extends TSchema>(type: T, config: Config) =>
    Type.Object({ type: Type.Literal(type), config, ...fields })
  return Discriminated('type', [
    shape('EMAIL', channelConfigs.EMAIL),
    shape('SLACK', channelConfigs.SLACK),
    shape('WEBHOOK', channelConfigs.WEBHOOK),
    shape('SMS', channelConfigs.SMS),
    shape('PAGERDUTY', channelConfigs.PAGERDUTY),
    shape('OPSGENIE', channelConfigs.OPSGENIE),
    shape('CALL', channelConfigs.CALL),
  ])
}

export const AlertChannelWrite = everyType({
  subscriptions: Type.Optional(
    Type.Array(SubscriptionUpdate, { maxItems: 10_000, description: 'Replaces the list; absent leaves it as it is.' }),
  ),
  sendRecovery: Type.Optional(Type.Boolean({ default: true })),
  sendFailure: Type.Optional(Type.Boolean({ default: true })),
  sendDegraded: Type.Optional(Type.Boolean({ default: false })),
  sslExpiry: Type.Optional(Type.Boolean({ default: false })),
  sslExpiryThreshold: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: 30 })),
  autoSubscribe: Type.Optional(Type.Boolean({ default: false, description: 'Subscribe every new check and group.' })),
  fallbackChannelId: Type.Optional(
    Nullable(Type.Integer({ minimum: 1 }), {
      default: null,
      description:
        'Another channel that gets a message which this one has not taken within two minutes, or refuses for good. It need not be subscribed.',
    }),
  ),
})
export type AlertChannelWrite = Static<typeof AlertChannelWrite>

export const AlertChannel = everyType({
  id: Type.Integer(),
  subscriptions: Type.Array(ChannelSubscription),
  sendRecovery: Type.Boolean(),
  sendFailure: Type.Boolean(),
  sendDegraded: Type.Boolean(),
  sslExpiry: Type.Boolean(),
  sslExpiryThreshold: Type.Integer(),
  autoSubscribe: Type.Boolean(),
  fallbackChannelId: Nullable(Type.Integer()),
  created_at: DateTime,
  updated_at: Nullable(DateTime),
})
export type AlertChannel = Static<typeof AlertChannel>
