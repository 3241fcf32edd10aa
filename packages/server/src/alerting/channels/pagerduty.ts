/** Opens and resolves incidents of PagerDuty, by its Events API v2. */
import { shorten } from '@vedette/core'
import type { AlertMessage, PagerdutyConfig } from '@vedette/schema'
import { factsOf } from './facts.ts'
import { httpChannel } from './http-channel.ts'
import { acknowledgeLinkOf, jsonRequest, linkOf } from './http-request.ts'
import { type News, newsOf, troubleOf } from './news.ts'
import { judgeByStatus } from './provider-answer.ts'

const SUMMARY_LIMIT = 1024

const severities: Readonly<Record<News, 'critical' | 'warning' | 'info'>> = {
  failure: 'critical',
  degraded: 'warning',
  recovery: 'info',
  certificate: 'warning',
}

export const pagerduty = httpChannel({
  type: 'PAGERDUTY',
  request: (message, config, { settings }) =>
    jsonRequest(new URL(`${settings.pagerdutyUrl}/v2/enqueue`), pagerdutyEvent(message, config)),
  judge: judgeByStatus,
  secretsOf: ({ serviceKey }) => [serviceKey],
})

export function pagerdutyEvent(message: AlertMessage, { serviceKey }: Pick<PagerdutyConfig, 'serviceKey'>) {
  const news = newsOf(message.ALERT_TYPE)
  const event = { routing_key: serviceKey, dedup_key: troubleOf(message) }
  if (news === 'recovery') return { ...event, event_action: 'resolve' }
  const link = linkOf(message)
  const acknowledge = acknowledgeLinkOf(message)
  const links = [
    ...(link === null ? [] : [{ href: link, text: 'Open the result' }]),
    ...(acknowledge === null ? [] : [{ href: acknowledge, text: 'Acknowledge' }]),
  ]
  return {
    ...event,
    event_action: 'trigger',
    client: 'Vedette',
    ...(link === null ? {} : { client_url: link }),
    ...(links.length === 0 ? {} : { links }),
    payload: {
      summary: shorten(message.ALERT_TITLE.trim() || message.CHECK_NAME, SUMMARY_LIMIT),
      source: message.SSL_CHECK_DOMAIN || message.CHECK_NAME || 'Vedette',
      severity: severities[news],
      timestamp: message.STARTED_AT,
      ...(message.GROUP_NAME === '' ? {} : { group: message.GROUP_NAME }),
      class: message.CHECK_TYPE,
      custom_details: {
        ...(message.CHECK_ERROR_MESSAGE === '' ? {} : { Error: message.CHECK_ERROR_MESSAGE }),
        ...(message.DELIVERY_NOTE === '' ? {} : { Delivery: message.DELIVERY_NOTE }),
        ...Object.fromEntries(factsOf(message).map(({ name, value }) => [name, value])),
      },
    },
  }
}
