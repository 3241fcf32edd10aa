/** The channel types that deliver, by name. */
import type { ChannelType } from '@vedette/schema'
import type { ChannelDelivery } from './channel.ts'
import { email } from './email.ts'
import { opsgenie } from './opsgenie.ts'
import { pagerduty } from './pagerduty.ts'
import { call, sms } from './phone.ts'
import { slack } from './slack.ts'
import { webhook } from './webhook.ts'

export const channels: { [T in ChannelType]: ChannelDelivery<T> } = {
  EMAIL: email,
  SLACK: slack,
  WEBHOOK: webhook,
  SMS: sms,
  PAGERDUTY: pagerduty,
  OPSGENIE: opsgenie,
  CALL: call,
}
