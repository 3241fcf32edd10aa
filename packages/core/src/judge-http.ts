/** Judges an HTTP exchange, of an API check or the lean one of a URL check. */
import type { ApiAssertionSource, HttpObservation, HttpResponse, JudgedBy } from '@vedette/schema'
import { type AnyAssertion, type Finders, judgeAssertions } from './assertion.ts'
import { findValues } from './json-path.ts'
import { conclude, type Judgement } from './judgement.ts'
import { firstGroup } from './pattern.ts'
import { show } from './show.ts'

/** What the assertions of one answer share: the document is parsed once, when first asked for. */
export interface HttpEvidence {
  answer: HttpResponse
  responseTimeMs: number
  document?: { value: unknown } | { problem: string }
}

export const httpFinders: Finders<ApiAssertionSource, HttpEvidence> = {
  STATUS_CODE: (_, { answer }) => [answer.status],
  RESPONSE_TIME: (_, { responseTimeMs }) => [Math.round(responseTimeMs)],
  TEXT_BODY: ({ property }, { answer }) => [property ? firstGroup(property, answer.body) : answer.body],
  HEADERS: ({ property = '', regex }, { answer }) => {
    const name = property.trim().toLowerCase()
    if (name === '') return [answer.headers]
    const value = Object.hasOwn(answer.headers, name) ? answer.headers[name] : undefined
    if (regex) return [firstGroup(regex, value ?? '')]
    return value === undefined ? [] : [value]
  },
  JSON_BODY: ({ property = '' }, evidence) => {
    evidence.document ??= parse(evidence.answer)
    if ('problem' in evidence.document) throw new Error(evidence.document.problem)
    return findValues(property, evidence.document.value)
  },
}

interface HttpSettings extends JudgedBy {
  request: { assertions?: readonly AnyAssertion<ApiAssertionSource>[] | undefined }
}

/** Assertions, then status, then time. `shouldFail` accepts an error status, nothing more. */
export function judgeHttp(settings: HttpSettings, observation: HttpObservation): Judgement {
  return conclude(settings, observation, (response) => {
    const { shouldFail, request } = settings
    const expected = request.assertions ?? []
    const evidence: HttpEvidence = { answer: response, responseTimeMs: observation.responseTimeMs }
    const statusDecided = shouldFail || expected.some(({ source }) => source === 'STATUS_CODE')
    const isBad = response.status >= 400 && !statusDecided
    return {
      assertions: judgeAssertions(expected, httpFinders, evidence),
      problem:
        observation.scriptError ??
        (isBad
          ? `expected a status below 400, but the answer was ${`${response.status} ${response.statusText}`.trim()}`
          : null),
    }
  })
}

function parse({ body, truncated }: HttpResponse): { value: unknown } | { problem: string } {
  if (body.trim() === '') return { problem: 'the body is empty, so it is no JSON' }
  try {
    return { value: JSON.parse(body) }
  } catch {
    if (truncated) return { problem: 'the body was cut at the read limit, so it is no JSON' }
    return { problem: `the body is no JSON: ${show(body, 80)}` }
  }
}
