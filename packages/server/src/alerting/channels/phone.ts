/** Channels that reach a telephone, through the gateway that the server was given. */
import { shorten } from '@vedette/core'
import type { AlertMessage } from '@vedette/schema'
import { type ChannelDelivery, type DeliveryContext, DeliveryError } from './channel.ts'
import { httpChannel } from './http-channel.ts'
import { acknowledgeLinkOf, linkOf } from './http-request.ts'
import type { PhoneGateway } from './phone-gateway.ts'

/** Two short messages in the alphabet of telephones. */
const TEXT_LIMIT = 320
const ERROR_LIMIT = 300

/** @throws DeliveryError when there is none. */
function gatewayOf({ settings }: DeliveryContext): PhoneGateway {
  if (settings.phone !== null) return settings.phone
  const outcome = 'Not sent: no telephone gateway is set up. Whoever runs the server sets PHONE_GATEWAY_ACCOUNT.'
  throw new DeliveryError(outcome, { retry: false })
}

export const sms: ChannelDelivery<'SMS'> = httpChannel({
  type: 'SMS',
  request: (message, { number }, context) => gatewayOf(context).write(number, textMessage(message)),
  judge: (answer, context) => gatewayOf(context).judge(answer),
  secretsOf: (_, context) => gatewayOf(context).secrets,
})

export const call: ChannelDelivery<'CALL'> = httpChannel({
  type: 'CALL',
  request: (message, { number }, context) => gatewayOf(context).call(number, words(message)),
  judge: (answer, context) => gatewayOf(context).judge(answer),
  secretsOf: (_, context) => gatewayOf(context).secrets,
})

/** The title and what there is to say of its way, cut so that the link is whole. The second link comes along if there is room. */
export function textMessage(message: AlertMessage): string {
  const link = linkOf(message) ?? ''
  const room = TEXT_LIMIT - link.length - 1
  const said = message.DELIVERY_NOTE === '' ? message.ALERT_TITLE : `${message.ALERT_TITLE}. ${message.DELIVERY_NOTE}`
  if (link === '' || room < 40) return shorten(said, TEXT_LIMIT)
  const acknowledge = acknowledgeLinkOf(message)
  const text = `${shorten(said, room)} ${link}`
  const longer = `${text} I am on it: ${acknowledge}`
  return acknowledge === null || longer.length > TEXT_LIMIT ? text : longer
}

/** What is read aloud: no links, no ids, and of a digest the numbers alone. */
export function words(message: AlertMessage): string {
  const error = message.IS_DIGEST ? '' : shorten(message.CHECK_ERROR_MESSAGE, ERROR_LIMIT)
  const note = message.DELIVERY_NOTE.replace(/\.$/, '')
  const sentences = [message.ALERT_TITLE, message.RUN_LOCATION && `Seen from ${message.RUN_LOCATION}`, error, note]
  return `${sentences.filter(Boolean).join('. ')}.`
}
