import { type ChannelSetUp, DELIVERABLE_CHANNEL_TYPES, type DeliverableChannelType } from '@vedette/schema'

export function isDeliverable(channel: ChannelSetUp): channel is ChannelSetUp<DeliverableChannelType> {
  return DELIVERABLE_CHANNEL_TYPES.some((type) => type === channel.type)
}
