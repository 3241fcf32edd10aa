/** The channel types by name. */
import type { ChannelType } from '@vedette/schema'
import type { ChannelDelivery } from './channel.ts'
import { webhook } from './webhook.ts'

export const channels: { [T in ChannelType]: ChannelDelivery<T> } = { WEBHOOK: webhook }
