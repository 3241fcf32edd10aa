/** A request in another environment: a preview, a staging host. */
import type { ApiRequest, KeyValue } from '@vedette/schema'

const URL_PARTS = /^(https?:\/\/)?((?:\{\{.*?\}\}|[^/?#])*)(.*)$/is

/**
 * The URL with the host of the environment, and its scheme where it names one. Path and query stay; templates in the
 * host go with it.
 */
export function atEnvironment(url: string, environment: string): string {
  const [, scheme, host] = /^(https?:\/\/)?([^/?#]+)/i.exec(environment.trim()) ?? []
  if (host === undefined) return url
  const [, ownScheme = 'https://', , rest = ''] = URL_PARTS.exec(url) ?? []
  return `${scheme ?? ownScheme}${host}${rest}`
}

/** What tells who somebody is, whether it was locked or not. */
const CREDENTIALS = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-api-key'])

/**
 * The request in the environment. Whoever knows a trigger's URL may name any environment, so locked values and
 * credentials go to no other host than the check's own.
 */
export function inEnvironment(request: ApiRequest, environment: string): ApiRequest {
  const url = atEnvironment(request.url, environment)
  if (placeOf(url) === placeOf(request.url)) return { ...request, url }
  const isOpen = ({ key, locked }: KeyValue) => !locked && !CREDENTIALS.has(key.trim().toLowerCase())
  return {
    ...request,
    url,
    headers: request.headers?.filter(isOpen),
    queryParameters: request.queryParameters?.filter(({ locked }) => !locked),
    basicAuth: null,
  }
}

/** Scheme and host: a secret is not sent in the clear either because an environment knows no TLS. */
export function placeOf(url: string): string {
  const [, scheme = '', host = ''] = URL_PARTS.exec(url) ?? []
  return `${scheme}${host}`.toLowerCase()
}
