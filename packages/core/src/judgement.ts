/**
 * From an observation to a verdict, as far as it is the same for all kinds. The target is judged only by what it did:
 * where the trouble was ours, the verdict is `error`, whatever the assertions would have said.
 */
import type { AssertionOutcome, Failure, JudgedBy, Observation, Verdict, VerdictRule } from '@vedette/schema'

export interface Judgement {
  verdict: Verdict
  /** What decided it. */
  rule: VerdictRule
  overMaxResponseTime: boolean
  /** All of them, in order; none when there was no answer to judge. */
  assertions: AssertionOutcome[]
  /** Why it failed or was in error, in one sentence; null when it passed, slowly or not. */
  error: string | null
  /** No answer was received: what `onlyOn: NETWORK_ERROR` retries. */
  networkError: boolean
}

/** What a kind makes of an answer that came. */
export interface Findings {
  assertions: AssertionOutcome[]
  /** What is wrong with the answer whether or not anything is asserted; null: nothing. */
  problem: string | null
  /** What is not as it should be, and yet does not fail the check. */
  weakness?: string | null
}

/** Broken assertions come first, then what the kind finds wrong, then time. */
export function conclude<R>(
  { degradedResponseTime, maxResponseTime }: JudgedBy,
  { response, failure, responseTimeMs }: Observation<R>,
  judgeAnswer: (response: R) => Findings,
): Judgement {
  const overMaxResponseTime = maxResponseTime !== null && responseTimeMs > maxResponseTime
  if (failure !== null || response === null) return judgeFailure(failure, overMaxResponseTime)

  const { assertions, problem, weakness = null } = judgeAnswer(response)
  const broken = assertions.find((outcome) => outcome.error !== null)
  const decided = broken !== undefined || problem !== null || overMaxResponseTime
  const isSlow = degradedResponseTime !== null && responseTimeMs > degradedResponseTime
  const verdict = decided ? 'failed' : weakness !== null || isSlow ? 'degraded' : 'passed'
  let rule: VerdictRule = weakness !== null ? 'answer-weak' : isSlow ? 'over-degraded-response-time' : 'all-is-well'
  let error = weakness
  if (broken !== undefined) {
    rule = 'assertion-broken'
    error = `${subjectOf(broken)}: ${broken.error}`
  } else if (problem !== null) {
    rule = 'answer-not-acceptable'
    error = problem
  } else if (overMaxResponseTime) {
    rule = 'over-max-response-time'
    error = `the answer took ${Math.round(responseTimeMs)} ms, more than the allowed ${maxResponseTime} ms`
  }
  return { verdict, rule, overMaxResponseTime, assertions, error, networkError: false }
}

function judgeFailure(failure: Failure | null, overMaxResponseTime: boolean): Judgement {
  const ours = failure === null || failure.blame === 'ours'
  return {
    verdict: ours ? 'error' : 'failed',
    rule: ours ? 'our-trouble' : 'no-answer',
    overMaxResponseTime: !ours && overMaxResponseTime,
    assertions: [],
    error: failure?.message ?? 'the probe brought back neither an answer nor a reason',
    // An answer that sends us in circles or nowhere is an answer, and settings that make no request will not make one
    // when they are tried again.
    networkError: failure !== null && failure.phase !== 'redirect' && failure.blame !== 'check',
  }
}

/** What a source is called in a sentence. */
const subjects: { readonly [source: string]: (property: string) => string } = {
  STATUS_CODE: () => 'status code',
  RESPONSE_TIME: () => 'response time',
  TEXT_BODY: () => 'body',
  HEADERS: (property) => `header ${property}`.trim(),
  JSON_BODY: (property) => property || 'JSON body',
  GRPC_RESPONSE: (property) => property || 'message',
  GRPC_METADATA: (property) => `metadata ${property}`.trim(),
  GRPC_HEALTHCHECK_STATUS: () => 'health',
  GRPC_STATUS_CODE: () => 'gRPC status',
  RESPONSE_CODE: () => 'response code',
  TEXT_ANSWER: () => 'text of the answer',
  JSON_ANSWER: (property) => property || 'JSON of the answer',
  RESPONSE_DATA: () => 'data',
  LATENCY: (property) => `latency ${property}`.trim(),
  CERTIFICATE: (property) => `certificate ${property}`.trim(),
  CONNECTION: (property) => `connection ${property}`.trim(),
  TEXT_RESPONSE: () => 'text of the handshake',
  JSON_RESPONSE: (property) => property || 'JSON response',
}

function subjectOf({ source, property }: AssertionOutcome): string {
  return subjects[source]?.(property) ?? source.toLowerCase().replaceAll('_', ' ')
}
