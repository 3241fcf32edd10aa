import type { AlertMessage, ChannelConfig, ChannelSetUp, ChannelType } from '@vedette/schema'
import type { DeliveryContext, Exchange } from './channels/channel.ts'
import { channels } from './channels/index.ts'

/** Tries once, through whatever channel it is. @throws DeliveryError when the message was not accepted */
export async function send<T extends ChannelType>(
  { type, config }: ChannelSetUp<T>,
  message: AlertMessage,
  context: DeliveryContext,
): Promise<Exchange> {
  return channels[type].deliver(message, config, context)
}

/** The configuration as it is used for a message, still unmasked. */
export function configInUse<T extends ChannelType>(
  { type, config }: ChannelSetUp<T>,
  message: AlertMessage,
  context: DeliveryContext,
): ChannelConfig<T> {
  return channels[type].used(message, config, context)
}
