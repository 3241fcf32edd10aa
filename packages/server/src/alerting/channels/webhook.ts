/** Calls a URL of the user's with a message made from templates, signed when there is a secret. */
import type { AlertMessage, WebhookConfig } from '@vedette/schema'
import { type DeliveryContext, DeliveryError } from './channel.ts'
import { httpChannel, STORED_ANSWER_LIMIT } from './http-channel.ts'
import { maskUrl } from './mask.ts'
import { secretsOf } from './webhook-mask.ts'
import { layOut, type WebhookMessage } from './webhook-message.ts'
import { sign } from './webhook-signature.ts'

export const webhook = httpChannel({
  type: 'WEBHOOK',
  request(message, config, context) {
    const { method, url, headers, body } = layOut(message, config, context)
    return { method, url, headers: { ...headers, ...sign(body ?? '', config.webhookSecret ?? null, context) }, body }
  },
  // Whatever is behind the URL may be repaired meanwhile, so every refusal is worth another try.
  judge: ({ status }) => (status > 399 ? 'again' : 'accepted'),
  secretsOf,
  maskUrl,

  used(message, config, context) {
    const laidOut = layOutOrNothing(message, config, context)
    if (laidOut === null) return config
    const { template: _, ...rest } = config
    return {
      ...rest,
      url: laidOut.renderedUrl,
      headers: laidOut.renderedHeaders,
      queryParameters: laidOut.renderedQuery,
      ...(laidOut.body === null ? {} : { template: laidOut.body.slice(0, STORED_ANSWER_LIMIT).toWellFormed() }),
    }
  },
})

function layOutOrNothing(
  message: AlertMessage,
  config: WebhookConfig,
  context: DeliveryContext,
): WebhookMessage | null {
  try {
    return layOut(message, config, context)
  } catch (error) {
    if (error instanceof DeliveryError) return null
    throw error
  }
}
