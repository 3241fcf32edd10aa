/** What is kept of the answer of a name server. */
import { hash } from 'node:crypto'
import type { DnsAnswerRecord, DnsCheckResult, DnsJsonAnswer, DnsObservation, DnsResponse } from '@vedette/schema'
import type { Details } from './details.ts'
import type { Scrub } from './masks.ts'
import { cleanOutcomes } from './outcomes.ts'

const STORED_LIMIT = 64 * 1024

/** Times to live count down, and servers turn the order of records round. */
function fingerprintOf({ status, json }: DnsResponse, errors: readonly (string | null)[]): string {
  const { Answer, Authority, TC, RA, AD, AA, RRSIG } = json
  const records = (list: readonly DnsAnswerRecord[]) =>
    list.map(({ name, type, data }) => `${name} ${type} ${data}`.toLowerCase()).sort()
  return hash(
    'sha1',
    JSON.stringify([status, TC, RA, AD, AA, RRSIG, records(Answer), records(Authority), errors]),
    'base64url',
  )
}

export const dnsDetails: Details<'DNS'> = {
  keepBytes: () => STORED_LIMIT,
  secrets: () => [],
  statusCode: () => null,
  phases: () => null,
  fingerprint: ({ response }, assertions) =>
    response === null
      ? null
      : fingerprintOf(
          response,
          assertions.map(({ error }) => error),
        ),
  detail: (_, observation, assertions, clean) => ({
    kind: 'DNS',
    content: {
      assertions: cleanOutcomes(assertions, clean),
      request: observation.request,
      response: describeAnswer(observation, clean),
      requestError: observation.failure === null ? null : clean(observation.failure.message),
      jobLog: null,
      jobAssets: null,
      pcapDataUrl: null,
    },
  }),
}

function describeAnswer({ response, responseTimeMs }: DnsObservation, clean: Scrub): DnsCheckResult['response'] {
  if (response === null) return { status: '', text: '', json: null, timingPhases: null }
  const { status, text, json } = response
  const kept = cut(json, clean)
  const isShortened = text.length > STORED_LIMIT
  return {
    status,
    text: clean(isShortened ? text.slice(0, STORED_LIMIT) : text),
    json: kept,
    truncated: isShortened || kept.Answer.length + kept.Authority.length < json.Answer.length + json.Authority.length,
    timingPhases: { total: Math.round(responseTimeMs * 1000) / 1000 },
  }
}

/** As many records as fit. */
function cut(json: DnsJsonAnswer, clean: Scrub): DnsJsonAnswer {
  let left = STORED_LIMIT
  const fitting = (list: readonly DnsAnswerRecord[]): DnsAnswerRecord[] =>
    list
      .filter(({ name, data }) => {
        left -= name.length + data.length
        return left >= 0
      })
      .map((record) => ({ ...record, name: clean(record.name), data: clean(record.data) }))
  return {
    ...json,
    Question: json.Question.map(({ name, type }) => ({ name: clean(name), type })),
    Answer: fitting(json.Answer),
    Authority: fitting(json.Authority),
  }
}
