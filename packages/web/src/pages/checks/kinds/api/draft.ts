/** An API check as its form holds it. */
import type { ApiAssertion, ApiCheck, ApiCheckCreate, ApiRequest, KeyValue } from '@vedette/schema'
import { draftScripts, NO_SCRIPTS, type ScriptOwner, type ScriptsDraft, writeScripts } from '../../scripts/scripts.ts'
import { draftThresholds, type Thresholds, writeThresholds } from '../thresholds.ts'

export interface ApiDraft extends Thresholds, ScriptsDraft {
  method: ApiRequest['method']
  url: string
  followRedirects: boolean
  skipSSL: boolean
  ipFamily: NonNullable<ApiRequest['ipFamily']>
  httpVersion: NonNullable<ApiRequest['httpVersion']>
  bodyType: NonNullable<ApiRequest['bodyType']>
  body: string
  headers: readonly KeyValue[]
  queryParameters: readonly KeyValue[]
  username: string
  password: string
  assertions: readonly ApiAssertion[]
  shouldFail: boolean
}

export const blankApi = (address: string): ApiDraft => ({
  method: 'GET',
  url: address,
  followRedirects: true,
  skipSSL: false,
  ipFamily: 'IPv4',
  httpVersion: 'HTTP/1.1',
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
  ...NO_SCRIPTS,
})

export function draftApi(check: ApiCheck): ApiDraft {
  const { request } = check
  return {
    method: request.method,
    url: request.url,
    followRedirects: request.followRedirects ?? true,
    skipSSL: request.skipSSL ?? false,
    ipFamily: request.ipFamily ?? 'IPv4',
    httpVersion: request.httpVersion ?? 'HTTP/1.1',
    bodyType: request.bodyType ?? 'NONE',
    body: request.body ?? '',
    headers: request.headers ?? [],
    queryParameters: request.queryParameters ?? [],
    username: request.basicAuth?.username ?? '',
    password: request.basicAuth?.password ?? '',
    assertions: request.assertions ?? [],
    ...draftThresholds(check),
    shouldFail: check.shouldFail,
    ...draftScripts(check),
  }
}

type ApiPart = Pick<ApiCheckCreate, 'request' | 'degradedResponseTime' | 'maxResponseTime' | 'shouldFail'> & ScriptOwner

export function writeApi(draft: ApiDraft): ApiPart {
  const { username, password, degradedResponseTime, maxResponseTime, shouldFail, url, ...rest } = draft
  const { setUpSnippetId, setUpScript, tearDownSnippetId, tearDownScript, ...request } = rest
  return {
    request: {
      ...request,
      url: completeUrl(url),
      headers: named(request.headers),
      queryParameters: named(request.queryParameters),
      assertions: [...request.assertions],
      basicAuth: username === '' && password === '' ? null : { username, password },
    },
    ...writeThresholds({ degradedResponseTime, maxResponseTime }),
    shouldFail,
    ...writeScripts({ setUpSnippetId, setUpScript, tearDownSnippetId, tearDownScript }),
  }
}

/** People type `example.org`; a template at the start may hold the scheme itself. */
export function completeUrl(typed: string): string {
  const url = typed.trim()
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) || url.startsWith('{{') ? url : `https://${url}`
}

/** What a check of this address is called when nobody says so. */
export const nameOfUrl = (typed: string): string =>
  completeUrl(typed)
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#]+$/, '')
    .slice(0, 255)

/** Rows left empty are not meant. */
export const named = (items: readonly KeyValue[]): KeyValue[] => items.filter(({ key }) => key.trim() !== '')
