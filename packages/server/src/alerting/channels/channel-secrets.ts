/** Where the secrets of each channel type are. */
import type { ChannelType } from '@vedette/schema'
import type { ChannelSecrets } from './channel.ts'
import { MASK, maskUrl } from './mask.ts'
import { webhookSecrets } from './webhook-mask.ts'

const none = { mask: <C>(config: C) => config, restore: <C>(sent: C) => sent }
/** The key of an incoming webhook is the end of its URL. */
const maskSlackUrl = (url: string) => maskUrl(url, { lastIsSecret: true })

export const channelSecrets: { [T in ChannelType]: ChannelSecrets<T> } = {
  EMAIL: none,
  SMS: none,
  CALL: none,
  WEBHOOK: webhookSecrets,
  SLACK: {
    mask: (config) => ({ ...config, url: maskSlackUrl(config.url) }),
    restore: (sent, stored) => (sent.url === maskSlackUrl(stored.url) ? { ...sent, url: stored.url } : sent),
  },
  PAGERDUTY: {
    mask: (config) => ({ ...config, serviceKey: MASK }),
    restore: (sent, { serviceKey }) => (sent.serviceKey === MASK ? { ...sent, serviceKey } : sent),
  },
  OPSGENIE: {
    mask: (config) => ({ ...config, apiKey: MASK }),
    restore: (sent, { apiKey }) => (sent.apiKey === MASK ? { ...sent, apiKey } : sent),
  },
}
