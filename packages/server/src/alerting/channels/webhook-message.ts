/** A webhook's templates filled in with a message. */
import { type Encoding, encodingOfBody, encodings, renderTemplate, TemplateError } from '@vedette/core'
import { type AlertMessage, type KeyValue, presetOf, type WebhookConfig } from '@vedette/schema'
import { uuidOf } from '../delivery-id.ts'
import { type DeliveryContext, DeliveryError } from './channel.ts'
import { parseUrl, USER_AGENT } from './http-request.ts'
import { decoded } from './webhook-mask.ts'

export interface WebhookMessage {
  method: string
  url: URL
  headers: Record<string, string | string[]>
  /** Null for methods that carry none. */
  body: string | null
  /** The parts as the configuration names them. */
  renderedUrl: string
  renderedHeaders: KeyValue[]
  renderedQuery: KeyValue[]
}

/** Headers that belong to the transport. */
const TRANSPORT_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** @throws DeliveryError when the configuration makes no request; trying again would not help. */
export function layOut(message: AlertMessage, given: WebhookConfig, context: DeliveryContext): WebhookMessage {
  const config = withPreset(given)
  const render = renderer(message, context)
  const method = config.method ?? 'POST'
  const renderedUrl = render('url', config.url, 'url')
  const renderedQuery = (config.queryParameters ?? []).map((item) => ({
    ...item,
    value: render(`query parameter ${item.key}`, item.value, 'plain'),
  }))
  const renderedHeaders = (config.headers ?? []).map((item) => ({
    ...item,
    value: render(`header ${item.key}`, item.value, 'header'),
  }))
  const headers = headersOf(renderedHeaders)
  const url = parseUrl(renderedUrl)
  for (const { key, value } of renderedQuery) url.searchParams.append(key, value)
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decoded(url.username)}:${decoded(url.password)}`
    headers.authorization ??= `Basic ${Buffer.from(credentials).toString('base64')}`
    url.username = ''
    url.password = ''
  }
  headers['user-agent'] ??= USER_AGENT
  const parts = { method, url, headers, renderedUrl, renderedHeaders, renderedQuery }
  if (method === 'GET' || method === 'HEAD') return { ...parts, body: null }

  headers['content-type'] ??= 'application/json'
  const body = config.template
    ? render('template', config.template, encodingOfBody([headers['content-type']].flat()[0] ?? ''))
    : JSON.stringify(defaultBody(message, uuidOf(`${context.deliveryId}:body`)))
  headers['content-length'] = String(Buffer.byteLength(body))
  return { ...parts, body }
}

/** The body when the user gave no template. What few messages have is there only with those. */
function defaultBody(message: AlertMessage, uuid: string) {
  return {
    event: message.ALERT_TITLE,
    alert_type: message.ALERT_TYPE,
    check_name: message.CHECK_NAME,
    group_name: message.GROUP_NAME,
    check_id: message.CHECK_ID,
    check_type: message.CHECK_TYPE,
    check_result_id: message.CHECK_RESULT_ID,
    check_error_message: message.CHECK_ERROR_MESSAGE,
    response_time: message.RESPONSE_TIME,
    api_check_response_status_code: message.API_CHECK_RESPONSE_STATUS_CODE,
    api_check_response_status_text: message.API_CHECK_RESPONSE_STATUS_TEXT,
    run_location: message.RUN_LOCATION,
    ssl_days_remaining: message.SSL_DAYS_REMAINING,
    ssl_check_domain: message.SSL_CHECK_DOMAIN,
    started_at: message.STARTED_AT,
    tags: message.TAGS,
    link: message.RESULT_LINK,
    region: message.REGION,
    uuid,
    ...(message.IS_DIGEST ? { digest: { checks: message.DIGEST_COUNT, list: message.DIGEST_LIST } } : {}),
    ...(message.FALLBACK_FOR === '' ? {} : { fallback_for: message.FALLBACK_FOR }),
    ...(message.DELIVERY_NOTE === '' ? {} : { delivery_note: message.DELIVERY_NOTE }),
  }
}

/** The body that the service understands which the user named, when they gave none of their own. */
function withPreset(config: WebhookConfig): WebhookConfig {
  const preset = config.template ? undefined : presetOf(config.webhookType)
  if (preset === undefined) return config
  const own = config.headers ?? []
  const isNamed = (name: string) => own.some(({ key }) => key.trim().toLowerCase() === name.toLowerCase())
  return {
    ...config,
    template: preset.template,
    headers: [...preset.headers.filter(({ key }) => !isNamed(key)), ...own],
  }
}

/** Ids and chance follow from the delivery: a repeated message says what the first one said. */
export function renderer(message: AlertMessage, { deliveryId, now }: DeliveryContext) {
  let drawn = 0
  const draw = () => {
    drawn += 1
    return uuidOf(`${deliveryId}:${drawn}`)
  }
  const random = () => Number.parseInt(draw().slice(0, 8), 16) / 2 ** 32
  return (what: string, template: string, encoding: Encoding): string => {
    try {
      return renderTemplate(template, { variables: message, encode: encodings[encoding], now, uuid: draw, random })
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      throw new DeliveryError(`Not sent: the template of the ${what} cannot be used: ${error.message}`, {
        retry: false,
      })
    }
  }
}

function headersOf(items: readonly KeyValue[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null)
  for (const { key, value } of items) {
    const name = key.trim().toLowerCase()
    if (name === '' || TRANSPORT_HEADERS.has(name)) continue
    if (!HEADER_NAME.test(name)) throw new DeliveryError(`Not sent: "${key}" is not a header name`, { retry: false })
    const written = headerValue(value)
    const before = headers[name]
    headers[name] = before === undefined ? written : [...[before].flat(), written]
  }
  return headers
}

/** Node takes header values byte by byte; ours go out as UTF-8, without what could begin another header. */
function headerValue(text: string): string {
  const bytes = Buffer.from(encodings.header(text), 'utf8')
  return Buffer.from(bytes.filter((byte) => byte === 9 || (byte >= 32 && byte !== 127))).toString('latin1')
}
