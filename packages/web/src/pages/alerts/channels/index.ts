/** Every channel type has its view here: a missing one does not compile. */
import type { ChannelSetUp, ChannelType } from '@vedette/schema'
import type { ChannelView } from './channel-view.ts'
import { emailView } from './email-view.tsx'
import { opsgenieView } from './opsgenie-view.tsx'
import { pagerdutyView } from './pagerduty-view.tsx'
import { callView, smsView } from './phone-view.tsx'
import { slackView } from './slack-view.tsx'
import { webhookView } from './webhook-view.tsx'

export const channelViews: { [T in ChannelType]: ChannelView<T> } = {
  EMAIL: emailView,
  SLACK: slackView,
  WEBHOOK: webhookView,
  SMS: smsView,
  PAGERDUTY: pagerdutyView,
  OPSGENIE: opsgenieView,
  CALL: callView,
}

export function destinationOf<T extends ChannelType>({ type, config }: ChannelSetUp<T>): string | null {
  return channelViews[type].destination(config)
}
