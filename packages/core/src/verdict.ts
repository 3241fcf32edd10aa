/**
 * From an observation to a verdict. The target is judged only by what it did: where the trouble was ours, the verdict
 * is `error`, whatever the assertions would have said.
 */
import type {
  ApiAssertionSource,
  ApiObservation,
  ApiSettings,
  AssertionOutcome,
  KindObservations,
  KindSettings,
  RunnableKind,
  Verdict,
} from '@vedette/schema'
import { type Evidence, judgeAssertion } from './assertion.ts'

export interface Judgement {
  verdict: Verdict
  overMaxResponseTime: boolean
  /** All of them, in order; none when there was no answer to judge. */
  assertions: AssertionOutcome[]
  /** Why it failed or was in error, in one sentence; null when it passed, slowly or not. */
  error: string | null
  /** No answer was received: what `onlyOn: NETWORK_ERROR` retries. */
  networkError: boolean
}

export type Judges = {
  [K in RunnableKind]: (settings: KindSettings<K>, observation: KindObservations[K]) => Judgement
}

export const judges: Judges = { API: judgeApi }

/** Judges an HTTP exchange: assertions, then status, then time. `shouldFail` accepts an error status, nothing more. */
export function judgeApi(settings: ApiSettings, observation: ApiObservation): Judgement {
  const { response, failure, responseTimeMs } = observation
  const overMaxResponseTime = settings.maxResponseTime !== null && responseTimeMs > settings.maxResponseTime
  if (failure !== null || response === null) return judgeFailure(failure, overMaxResponseTime)

  const expected = settings.request.assertions ?? []
  const evidence: Evidence = { answer: response, responseTimeMs }
  const assertions = expected.map((assertion) => judgeAssertion(assertion, evidence))
  const broken = assertions.find((outcome) => outcome.error !== null)
  const statusDecided = settings.shouldFail || expected.some(({ source }) => source === 'STATUS_CODE')

  let error: string | null = null
  if (broken !== undefined) error = `${subjectOf(broken)}: ${broken.error}`
  else if (response.status >= 400 && !statusDecided) {
    error = `expected a status below 400, but the answer was ${`${response.status} ${response.statusText}`.trim()}`
  } else if (overMaxResponseTime) {
    error = `the answer took ${Math.round(responseTimeMs)} ms, more than the allowed ${settings.maxResponseTime} ms`
  }
  const slow = settings.degradedResponseTime !== null && responseTimeMs > settings.degradedResponseTime
  const verdict = error !== null ? 'failed' : slow ? 'degraded' : 'passed'
  return { verdict, overMaxResponseTime, assertions, error, networkError: false }
}

function judgeFailure(failure: ApiObservation['failure'], overMaxResponseTime: boolean): Judgement {
  const ours = failure === null || failure.blame === 'ours'
  return {
    verdict: ours ? 'error' : 'failed',
    overMaxResponseTime: !ours && overMaxResponseTime,
    assertions: [],
    error: failure?.message ?? 'the probe brought back neither an answer nor a reason',
    // An answer that sends us in circles or nowhere is an answer.
    networkError: failure !== null && failure.phase !== 'redirect',
  }
}

const subjects: { [S in ApiAssertionSource]: (property: string) => string } = {
  STATUS_CODE: () => 'status code',
  RESPONSE_TIME: () => 'response time',
  TEXT_BODY: () => 'body',
  HEADERS: (property) => `header ${property}`.trim(),
  JSON_BODY: (property) => property || 'JSON body',
}

function subjectOf({ source, property }: AssertionOutcome): string {
  return isSource(source) ? subjects[source](property) : source
}

function isSource(source: string): source is ApiAssertionSource {
  return Object.hasOwn(subjects, source)
}
