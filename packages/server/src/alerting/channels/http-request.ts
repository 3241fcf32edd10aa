/** Requests as the channels make them. */
import type { AlertMessage } from '@vedette/schema'
import { VERSION } from '../../version.ts'
import { DeliveryError } from './channel.ts'
import type { HttpRequest } from './http-message.ts'

export const USER_AGENT = `Vedette/${VERSION}`

export function jsonRequest(url: URL, value: unknown, headers: Record<string, string> = {}): HttpRequest {
  return post(url, JSON.stringify(value), { 'content-type': 'application/json', ...headers })
}

export function formRequest(url: URL, form: Record<string, string>, headers: Record<string, string> = {}): HttpRequest {
  const body = new URLSearchParams(form).toString()
  return post(url, body, { 'content-type': 'application/x-www-form-urlencoded', ...headers })
}

function post(url: URL, body: string, headers: Record<string, string>): HttpRequest {
  const length = String(Buffer.byteLength(body))
  return {
    method: 'POST',
    url,
    headers: { 'user-agent': USER_AGENT, accept: 'application/json', ...headers, 'content-length': length },
    body,
  }
}

/** @throws DeliveryError for what is no address of the web. */
export function parseUrl(text: string): URL {
  const url = URL.parse(text.trim())
  if (url === null) throw new DeliveryError('Not sent: the URL is not one', { retry: false })
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new DeliveryError('Not sent: the URL does not begin with http:// or https://', { retry: false })
  }
  return url
}

/** The link when it is one: services refuse what is not. */
export function linkOf({ RESULT_LINK }: AlertMessage): string | null {
  return linkIn(RESULT_LINK)
}

/** Where to say that one is on it; null where nothing is to be said. */
export function acknowledgeLinkOf({ ACKNOWLEDGE_LINK }: AlertMessage): string | null {
  return linkIn(ACKNOWLEDGE_LINK)
}

function linkIn(text: string): string | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
}
