/** Calls a URL of the user's with a message made from templates, signed when there is a secret. */
import type { AlertMessage, WebhookConfig } from '@vedette/schema'
import { type ChannelDelivery, type DeliveryContext, DeliveryError } from './channel.ts'
import { exchange } from './http-exchange.ts'
import { scrub, secretsOf } from './webhook-mask.ts'
import { layOut, type WebhookMessage } from './webhook-message.ts'
import { sign } from './webhook-signature.ts'

const STORED_ANSWER_LIMIT = 4096

export const webhook: ChannelDelivery<'WEBHOOK'> = {
  async deliver(message, config, context) {
    const { method, url, headers, body } = layOut(message, config, context)
    const signed = { ...headers, ...sign(body ?? '', config.webhookSecret ?? null, context) }
    const answer = await exchange({ method, url, headers: signed, body }, context).catch((error: unknown) => {
      throw error instanceof DeliveryError ? error : new DeliveryError(describe(error), { retry: true })
    })
    // Receivers echo what they are sent, and the database takes no NUL.
    const text = scrub(answer.body.replaceAll('\0', ''), secretsOf(config)).slice(0, STORED_ANSWER_LIMIT).toWellFormed()
    const outcome = text === '' ? `HTTP ${answer.status}` : `HTTP ${answer.status}: ${text}`
    if (answer.status > 399) throw new DeliveryError(outcome, { retryAfterMs: answer.retryAfterMs })
    return { outcome }
  },

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
}

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

/** Network errors in a sentence. An attempt at several addresses fails with an error for each. */
function describe(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : undefined
  const meaning = code === undefined ? undefined : MEANINGS[code]
  if (meaning !== undefined) return `No answer: ${meaning}`
  return `No answer: ${first instanceof Error ? first.message : String(first)}`
}

const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused (ECONNREFUSED)',
  ECONNRESET: 'the connection was closed by the other side (ECONNRESET)',
  ENOTFOUND: 'the name is not known (ENOTFOUND)',
  ETIMEOUT: 'the name server did not answer (ETIMEOUT)',
  ETIMEDOUT: 'the connection took too long (ETIMEDOUT)',
  EHOSTUNREACH: 'the host cannot be reached (EHOSTUNREACH)',
  ENETUNREACH: 'the network cannot be reached (ENETUNREACH)',
}
