/** What all channels have in common that send one HTTP request and are told by the answer what became of it. */
import { encodings } from '@vedette/core'
import type { AlertMessage, ChannelConfig, ChannelType } from '@vedette/schema'
import { type ChannelDelivery, type DeliveryContext, DeliveryError, type Witnessed } from './channel.ts'
import { channelSecrets } from './channel-secrets.ts'
import { exchange } from './http-exchange.ts'
import type { HttpAnswer, HttpRequest } from './http-message.ts'
import { isSecretName, MASK } from './mask.ts'
import type { Judgement } from './provider-answer.ts'
import { scrub } from './webhook-mask.ts'

export interface HttpChannel<T extends ChannelType> {
  type: T
  /**
   * The request that tells the message. Made from a masked configuration, it is what people may see of it.
   *
   * @throws DeliveryError when there is none; trying again would not help
   */
  request(message: AlertMessage, config: ChannelConfig<T>, context: DeliveryContext): HttpRequest
  judge(answer: HttpAnswer, context: DeliveryContext): Judgement
  /** Literal values that the other side may echo. */
  secretsOf(config: ChannelConfig<T>, context: DeliveryContext): readonly string[]
  /** Where the address of a masked request may still tell a secret. */
  maskUrl?(url: string): string
  /** Where parts of the configuration are templates. */
  used?(message: AlertMessage, config: ChannelConfig<T>, context: DeliveryContext): ChannelConfig<T>
}

export const STORED_ANSWER_LIMIT = 4096
const SHOWN_BODY_LIMIT = 64 * 1024
/** Shorter values would be found by chance. */
const SHORTEST_SCRUBBED = 4
/** Of an answer, what tells people something about it. */
const TELLING_HEADERS = ['content-type', 'date', 'location', 'retry-after', 'server', 'x-request-id', 'request-id']

export function httpChannel<T extends ChannelType>(channel: HttpChannel<T>): ChannelDelivery<T> {
  return {
    async deliver(message, config, context) {
      const request = channel.request(message, config, context)
      const clean = cleaner(channel.secretsOf(config, context))
      const began = performance.now()
      const tell = (answer: HttpAnswer | null) => {
        if (context.witness === undefined) return
        const { url, ...shown } = channel.request(message, channelSecrets[channel.type].mask(config), context)
        const address = channel.maskUrl?.(url.href) ?? url.href
        context.witness(witnessed({ ...shown, address }, answer, clean, performance.now() - began))
      }
      const answer = await exchange(request, context).catch((error: unknown) => {
        tell(null)
        throw error instanceof DeliveryError ? error : new DeliveryError(clean(describe(error)))
      })
      tell(answer)
      const text = clean(answer.body)
      const outcome = text === '' ? `HTTP ${answer.status}` : `HTTP ${answer.status}: ${text}`
      const judgement = channel.judge(answer, context)
      if (judgement === 'accepted') return { outcome }
      throw new DeliveryError(outcome, { retry: judgement === 'again', retryAfterMs: answer.retryAfterMs })
    },

    used: (message, config, context) => channel.used?.(message, config, context) ?? config,
  }
}

type Clean = (text: string, limit?: number) => string

/** Receivers echo what they are sent, and the database takes no NUL. */
function cleaner(secrets: readonly string[]): Clean {
  const written = secrets
    .filter((secret) => secret.length >= SHORTEST_SCRUBBED)
    .flatMap((secret) => [...new Set([secret, encodings.json(secret), encodings.url(secret), encodings.html(secret)])])
  return (text, limit = STORED_ANSWER_LIMIT) => scrub(text.replaceAll('\0', ''), written).slice(0, limit).toWellFormed()
}

function witnessed(
  request: Omit<HttpRequest, 'url'> & { address: string },
  answer: HttpAnswer | null,
  clean: Clean,
  durationMs: number,
): Witnessed {
  return {
    request: {
      method: request.method,
      url: clean(request.address),
      headers: Object.entries(request.headers).flatMap(([name, values]) =>
        [values].flat().map((value) => ({
          name,
          // Header values go byte by byte; what people read is the text that they spell.
          value: isSecretName(name) ? MASK : clean(Buffer.from(value, 'latin1').toString('utf8')),
        })),
      ),
      body: request.body === null ? null : clean(request.body, SHOWN_BODY_LIMIT),
    },
    answer: answer && {
      status: answer.status,
      headers: TELLING_HEADERS.flatMap((name) => {
        const value = answer.headers[name]
        return value === undefined ? [] : [{ name, value: clean([value].flat().join(', ')) }]
      }),
      body: clean(answer.body),
    },
    durationMs,
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
