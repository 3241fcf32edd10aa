/** A URL check as its form holds it. */
import type { UrlCheck, UrlCheckCreate, UrlRequest } from '@vedette/schema'
import { completeUrl } from '../api/draft.ts'
import { type DraftAssertion, ofNumbers } from '../assertions/words.ts'
import { draftThresholds, type Thresholds, writeThresholds } from '../thresholds.ts'

export interface UrlDraft extends Thresholds {
  url: string
  followRedirects: boolean
  skipSSL: boolean
  ipFamily: NonNullable<UrlRequest['ipFamily']>
  httpVersion: NonNullable<UrlRequest['httpVersion']>
  assertions: readonly DraftAssertion<'STATUS_CODE'>[]
  shouldFail: boolean
}

export const blankUrl = (address: string): UrlDraft => ({
  url: address,
  followRedirects: true,
  skipSSL: false,
  ipFamily: 'IPv4',
  httpVersion: 'HTTP/1.1',
  assertions: [],
  degradedResponseTime: '3000',
  maxResponseTime: '5000',
  shouldFail: false,
})

export function draftUrl(check: UrlCheck): UrlDraft {
  const { url, followRedirects = true, skipSSL = false, ipFamily = 'IPv4', assertions = [] } = check.request
  const { httpVersion = 'HTTP/1.1' } = check.request
  return {
    url,
    followRedirects,
    skipSSL,
    ipFamily,
    httpVersion,
    assertions,
    ...draftThresholds(check),
    shouldFail: check.shouldFail,
  }
}

type UrlPart = Pick<UrlCheckCreate, 'request' | 'degradedResponseTime' | 'maxResponseTime' | 'shouldFail'>

export function writeUrl(draft: UrlDraft): UrlPart {
  const { url, followRedirects, skipSSL, ipFamily, httpVersion, assertions, shouldFail } = draft
  return {
    request: {
      url: completeUrl(url),
      followRedirects,
      skipSSL,
      ipFamily,
      httpVersion,
      assertions: ofNumbers(assertions),
    },
    ...writeThresholds(draft),
    shouldFail,
  }
}
