/** What a body says of a channel, and the rules that its schema cannot hold. */
import { problemOfTemplate } from '@vedette/core'
import {
  type AlertChannel,
  AlertChannelWrite,
  type ChannelConfig,
  type ChannelType,
  channelSetUp,
} from '@vedette/schema'
import { MASK } from '../../alerting/channels/mask.ts'
import { withStoredSecrets } from '../../alerting/mask-config.ts'
import { invalidField } from '../../app-error.ts'
import { complete } from '../validation.ts'

/** A text in which variables may be named. */
interface Part {
  field: string
  text: string
  holds: 'address' | 'secret' | 'content'
}

/**
 * Defaults filled in for a new channel; a stored one keeps what the body does not name, and its secrets where their
 * masks were sent back.
 *
 * @throws AppError `invalid` for templates that cannot be read, addresses that are none, and masks of nothing
 */
export function readChannel(body: AlertChannelWrite, stored?: AlertChannel): AlertChannelWrite {
  // Validated before; `complete` only drops and fills in.
  const sent = complete(AlertChannelWrite, { ...flagsOf(stored), ...body }) as AlertChannelWrite
  const config = stored?.type === sent.type ? withStoredSecrets(sent.type, sent.config, stored.config) : sent.config
  for (const part of partsOf(sent.type, config)) refuseBad(part)
  return { ...sent, ...channelSetUp(sent.type, config) }
}

function flagsOf(stored: AlertChannel | undefined) {
  if (stored === undefined) return {}
  const { sendRecovery, sendFailure, sendDegraded, sslExpiry, sslExpiryThreshold, autoSubscribe, fallbackChannelId } =
    stored
  return { sendRecovery, sendFailure, sendDegraded, sslExpiry, sslExpiryThreshold, autoSubscribe, fallbackChannelId }
}

function refuseBad({ field, text, holds }: Part): void {
  const problem = problemOfTemplate(text)
  if (problem !== null) throw invalidField(field, problem)
  const isMasked = holds === 'address' ? text.includes(MASK) : holds === 'secret' && text === MASK
  if (isMasked) throw invalidField(field, 'must hold the secret itself, not the mask that is shown instead of it')
  if (holds === 'address' && !text.includes('{{') && !isWebAddress(text)) {
    throw invalidField(field, 'must begin with http:// or https://')
  }
}

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

function partsOf<T extends ChannelType>(type: T, config: ChannelConfig<T>): Part[] {
  return parts[type](config)
}

const nothing = () => []

const parts: { [T in ChannelType]: (config: ChannelConfig<T>) => Part[] } = {
  EMAIL: nothing,
  SMS: nothing,
  CALL: nothing,
  SLACK: ({ url }) => [{ field: 'config.url', text: url, holds: 'address' }],
  PAGERDUTY: ({ serviceKey }) => [{ field: 'config.serviceKey', text: serviceKey, holds: 'secret' }],
  OPSGENIE: ({ apiKey }) => [{ field: 'config.apiKey', text: apiKey, holds: 'secret' }],
  WEBHOOK: ({ url, template, headers, queryParameters, webhookSecret }) => [
    { field: 'config.url', text: url, holds: 'address' },
    { field: 'config.template', text: template ?? '', holds: 'content' },
    { field: 'config.webhookSecret', text: webhookSecret ?? '', holds: 'secret' },
    ...(headers ?? []).map(({ value }, index) => itemPart(`config.headers.${index}.value`, value)),
    ...(queryParameters ?? []).map(({ value }, index) => itemPart(`config.queryParameters.${index}.value`, value)),
  ],
}

const itemPart = (field: string, text: string): Part => ({ field, text, holds: 'secret' })
