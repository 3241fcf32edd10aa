import type { Config } from '../config.ts'
import type { ChannelSettings } from './channels/channel-settings.ts'
import { twilioGateway } from './channels/twilio-gateway.ts'

/** From the configuration of the server. */
export function channelSettings({ phoneGateway, pagerdutyUrl, opsgenieUrl }: Config): ChannelSettings {
  return { phone: phoneGateway && twilioGateway(phoneGateway), pagerdutyUrl, opsgenieUrl }
}
