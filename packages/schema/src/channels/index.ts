/** The channel types. A new one is listed here once; the registries elsewhere are mapped over the lists. */
import { EmailConfig } from './email.ts'
import { OpsgenieConfig } from './opsgenie.ts'
import { PagerdutyConfig } from './pagerduty.ts'
import { PhoneConfig } from './phone.ts'
import { SlackConfig } from './slack.ts'
import { WebhookConfig } from './webhook.ts'

export const CHANNEL_TYPES = ['EMAIL', 'SLACK', 'WEBHOOK', 'SMS', 'PAGERDUTY', 'OPSGENIE', 'CALL'] as const
export type ChannelType = (typeof CHANNEL_TYPES)[number]

export const channelConfigs = {
  EMAIL: EmailConfig,
  SLACK: SlackConfig,
  WEBHOOK: WebhookConfig,
  SMS: PhoneConfig,
  PAGERDUTY: PagerdutyConfig,
  OPSGENIE: OpsgenieConfig,
  CALL: PhoneConfig,
} as const satisfies Record<ChannelType, unknown>

interface ChannelConfigs {
  EMAIL: EmailConfig
  SLACK: SlackConfig
  WEBHOOK: WebhookConfig
  SMS: PhoneConfig
  PAGERDUTY: PagerdutyConfig
  OPSGENIE: OpsgenieConfig
  CALL: PhoneConfig
}
export type ChannelConfig<T extends ChannelType> = ChannelConfigs[T]

/** A type with the configuration that belongs to it. */
export type ChannelSetUp<T extends ChannelType = ChannelType> = {
  [One in T]: { type: One; config: ChannelConfig<One> }
}[T]

/** Puts the two together again after they were kept apart. */
export const channelSetUp = <T extends ChannelType>(type: T, config: ChannelConfig<T>): ChannelSetUp<T> => ({
  type,
  config,
})
