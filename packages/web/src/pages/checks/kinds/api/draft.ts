/** An API check as its form holds it. */
import type { ApiAssertion, ApiCheck, ApiCheckCreate, ApiRequest, KeyValue } from '@vedette/schema'

export interface ApiDraft {
  method: ApiRequest['method']
  url: string
  followRedirects: boolean
  skipSSL: boolean
  ipFamily: NonNullable<ApiRequest['ipFamily']>
  bodyType: NonNullable<ApiRequest['bodyType']>
  body: string
  headers: readonly KeyValue[]
  queryParameters: readonly KeyValue[]
  username: string
  password: string
  assertions: readonly ApiAssertion[]
  /** Milliseconds as typed; empty switches the threshold off. */
  degradedResponseTime: string
  maxResponseTime: string
  shouldFail: boolean
}

export const blankApi = (address: string): ApiDraft => ({
  method: 'GET',
  url: address,
  followRedirects: true,
  skipSSL: false,
  ipFamily: 'IPv4',
  bodyType: 'NONE',
  body: '',
  headers: [],
  queryParameters: [],
  username: '',
  password: '',
  assertions: [],
  degradedResponseTime: '5000',
  maxResponseTime: '20000',
  shouldFail: false,
})

export function draftApi(check: ApiCheck): ApiDraft {
  const { request } = check
  return {
    method: request.method,
    url: request.url,
    followRedirects: request.followRedirects ?? true,
    skipSSL: request.skipSSL ?? false,
    ipFamily: request.ipFamily ?? 'IPv4',
    bodyType: request.bodyType ?? 'NONE',
    body: request.body ?? '',
    headers: request.headers ?? [],
    queryParameters: request.queryParameters ?? [],
    username: request.basicAuth?.username ?? '',
    password: request.basicAuth?.password ?? '',
    assertions: request.assertions ?? [],
    degradedResponseTime: check.degradedResponseTime === null ? '' : String(check.degradedResponseTime),
    maxResponseTime: check.maxResponseTime === null ? '' : String(check.maxResponseTime),
    shouldFail: check.shouldFail,
  }
}

type ApiPart = Pick<ApiCheckCreate, 'request' | 'degradedResponseTime' | 'maxResponseTime' | 'shouldFail'>

export function writeApi(draft: ApiDraft): ApiPart {
  const { username, password, degradedResponseTime, maxResponseTime, shouldFail, url, ...request } = draft
  return {
    request: {
      ...request,
      url: completeUrl(url),
      headers: named(request.headers),
      queryParameters: named(request.queryParameters),
      assertions: [...request.assertions],
      basicAuth: username === '' && password === '' ? null : { username, password },
    },
    degradedResponseTime: readMs(degradedResponseTime),
    maxResponseTime: readMs(maxResponseTime),
    shouldFail,
  }
}

/** People type `example.org`; a template at the start may hold the scheme itself. */
export function completeUrl(typed: string): string {
  const url = typed.trim()
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || url.startsWith('{{') ? url : `https://${url}`
}

/** Rows left empty are not meant. */
export const named = (items: readonly KeyValue[]): KeyValue[] => items.filter(({ key }) => key.trim() !== '')

const readMs = (text: string): number | null => (text.trim() === '' ? null : Number(text))
