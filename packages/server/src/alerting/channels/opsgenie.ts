/** Creates and closes alerts of Opsgenie, by its Alert API. */
import { shorten } from '@vedette/core'
import type { AlertMessage, OpsgenieConfig } from '@vedette/schema'
import type { ChannelSettings } from './channel-settings.ts'
import { factsOf } from './facts.ts'
import { httpChannel } from './http-channel.ts'
import { acknowledgeLinkOf, jsonRequest, linkOf } from './http-request.ts'
import { newsOf, troubleOf } from './news.ts'
import { judgeByStatus } from './provider-answer.ts'

/** The limits that Opsgenie publishes. */
const MESSAGE_LIMIT = 130
const DESCRIPTION_LIMIT = 15_000
const NOTE_LIMIT = 25_000
const ENTITY_LIMIT = 512
const TAG_LIMIT = 50
const TAGS_LIMIT = 20
/** All names and values of the details together have 8000 characters. */
const DETAIL_LIMIT = 500

const endpoints: Readonly<Record<OpsgenieConfig['region'], string>> = {
  EU: 'https://api.eu.opsgenie.com',
  US: 'https://api.opsgenie.com',
}

export const opsgenieEndpoint = (region: OpsgenieConfig['region'], { opsgenieUrl }: ChannelSettings): string =>
  opsgenieUrl ?? endpoints[region]

export const opsgenie = httpChannel({
  type: 'OPSGENIE',
  request(message, { apiKey, region, priority }, { settings }) {
    const alerts = `${opsgenieEndpoint(region, settings)}/v2/alerts`
    const headers = { authorization: `GenieKey ${headerText(apiKey)}` }
    if (newsOf(message.ALERT_TYPE) !== 'recovery') {
      return jsonRequest(new URL(alerts), opsgenieAlert(message, priority), headers)
    }
    const close = new URL(`${alerts}/${encodeURIComponent(troubleOf(message))}/close?identifierType=alias`)
    return jsonRequest(close, { source: 'Vedette', note: shorten(described(message), NOTE_LIMIT) }, headers)
  },
  judge: judgeByStatus,
  secretsOf: ({ apiKey }) => [apiKey],
})

export function opsgenieAlert(message: AlertMessage, priority: OpsgenieConfig['priority']) {
  const tags = message.TAGS.map((tag) => shorten(tag, TAG_LIMIT)).filter((tag) => tag !== '')
  return {
    message: shorten(message.ALERT_TITLE.trim() || message.CHECK_NAME, MESSAGE_LIMIT),
    alias: troubleOf(message),
    description: shorten(described(message), DESCRIPTION_LIMIT),
    priority,
    source: 'Vedette',
    entity: shorten(message.SSL_CHECK_DOMAIN || message.CHECK_NAME, ENTITY_LIMIT),
    tags: tags.slice(0, TAGS_LIMIT),
    details: Object.fromEntries(factsOf(message).map(({ name, value }) => [name, shorten(value, DETAIL_LIMIT)])),
  }
}

function described(message: AlertMessage): string {
  const { ALERT_TITLE: title, CHECK_ERROR_MESSAGE: error, DELIVERY_NOTE: note } = message
  const acknowledge = acknowledgeLinkOf(message)
  const links = [linkOf(message) ?? '', acknowledge === null ? '' : `Acknowledge: ${acknowledge}`]
  return [title, note, error, ...links].filter(Boolean).join('\n\n')
}

/** A key that is none must not break the request apart: the service says that it is wrong. */
const headerText = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?')
