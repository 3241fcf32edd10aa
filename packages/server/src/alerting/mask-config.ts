import type { ChannelConfig, ChannelType } from '@vedette/schema'
import { channelSecrets } from './channels/channel-secrets.ts'

/** A channel's configuration as people may see it who may not read secrets. */
export function maskedConfig<T extends ChannelType>(type: T, config: ChannelConfig<T>): ChannelConfig<T> {
  return channelSecrets[type].mask(config)
}

/** What a client sent for a channel of the same type, with the stored secrets wherever it sent back their masks. */
export function withStoredSecrets<T extends ChannelType>(
  type: T,
  sent: ChannelConfig<T>,
  stored: ChannelConfig<T>,
): ChannelConfig<T> {
  return channelSecrets[type].restore(sent, stored)
}
