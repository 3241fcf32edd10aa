/** The channel types that deliver, by name. */
import type { DeliverableChannelType } from '@vedette/schema'
import type { ChannelDelivery } from './channel.ts'
import { email } from './email.ts'
import { webhook } from './webhook.ts'

export const channels: { [T in DeliverableChannelType]: ChannelDelivery<T> } = {
  WEBHOOK: webhook,
  EMAIL: email,
}
