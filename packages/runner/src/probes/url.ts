/** The lean request of a URL check is one of an API check that sends nothing of its own. */
import type { ApiRequest, UrlRequest } from '@vedette/schema'
import { apiProbe } from './api.ts'
import type { Probe } from './probe.ts'

export const urlProbe: Probe<'URL'> = {
  observe: ({ request, ...rest }, context) => apiProbe.observe({ ...rest, request: httpRequestOf(request) }, context),
}

export function httpRequestOf({
  method = 'GET',
  url,
  followRedirects,
  skipSSL,
  ipFamily,
  httpVersion,
}: UrlRequest): ApiRequest {
  return { method, url, followRedirects, skipSSL, ipFamily, httpVersion, bodyType: 'NONE' }
}
