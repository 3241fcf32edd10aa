import type { ChannelConfig, ChannelType } from '@vedette/schema'
import { channels } from './channels/index.ts'

/** A channel's configuration as people may see it who may not read secrets. */
export function maskedConfig<T extends ChannelType>(type: T, config: ChannelConfig<T>): ChannelConfig<T> {
  return channels[type].mask(config)
}
