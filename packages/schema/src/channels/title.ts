import type { ChannelSetUp } from './index.ts'

/** What people know a channel by: the name that they gave it, else where it leads. */
export function channelTitle({ type, config }: ChannelSetUp): string {
  switch (type) {
    case 'EMAIL':
      return config.address
    case 'SLACK':
      return config.channel || 'Slack'
    case 'SMS':
    case 'CALL':
      return config.name || config.number
    case 'PAGERDUTY':
      return config.serviceName || config.account || 'PagerDuty'
    case 'WEBHOOK':
    case 'OPSGENIE':
      return config.name
  }
}
