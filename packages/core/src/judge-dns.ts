/** Judges the answer of a name server: assertions, then its response code, then whether it knows the name at all. */
import type { DnsAssertionSource, DnsJsonAnswer, DnsObservation, DnsResponse, DnsSettings } from '@vedette/schema'
import { type Finders, judgeAssertions } from './assertion.ts'
import { responseCodeNumber } from './dns/codes.ts'
import { findValues } from './json-path.ts'
import { conclude, type Judgement } from './judgement.ts'
import { firstGroup } from './pattern.ts'

interface DnsEvidence {
  answer: DnsResponse
  responseTimeMs: number
}

const dnsFinders: Finders<DnsAssertionSource, DnsEvidence> = {
  RESPONSE_TIME: (_, { responseTimeMs }) => [Math.round(responseTimeMs)],
  // Who writes a number means the number.
  RESPONSE_CODE: ({ target = '' }, { answer }) => [
    /^\s*\d+\s*$/.test(String(target)) ? (responseCodeNumber(answer.status) ?? answer.status) : answer.status,
  ],
  TEXT_ANSWER: ({ property }, { answer }) => [property ? firstGroup(property, answer.text) : answer.text],
  JSON_ANSWER: ({ property = '' }, { answer }) => findValues(property, answer.json),
}

/** `shouldFail` accepts another response code than NOERROR, nothing more. */
export function judgeDns(settings: DnsSettings, observation: DnsObservation): Judgement {
  return conclude(settings, observation, (answer) => {
    const { shouldFail, request } = settings
    const expected = request.assertions ?? []
    const evidence = { answer, responseTimeMs: observation.responseTimeMs }
    const isCodeDecided = shouldFail || expected.some(({ source }) => source === 'RESPONSE_CODE')
    // Whoever looks at the answer may want to see a referral: of the servers above a zone, for example.
    const isAnswerDecided = isCodeDecided || expected.some(({ source }) => source !== 'RESPONSE_TIME')
    return {
      assertions: judgeAssertions(expected, dnsFinders, evidence),
      problem:
        (isCodeDecided ? null : problemOfCode(answer.status, request.query)) ??
        (isAnswerDecided ? null : problemOfSilence(answer.json, request.query)),
    }
  })
}

const codeSentences: { readonly [status: string]: (query: string) => string } = {
  FORMERR: () => 'the name server did not understand the question',
  SERVFAIL: (query) => `the name server could not find out about ${query}`,
  NXDOMAIN: (query) => `the name ${query} does not exist`,
  NOTIMP: () => 'the name server does not know this kind of question',
  REFUSED: (query) => `the name server refuses to answer for ${query}`,
  NOTAUTH: (query) => `the name server is not responsible for ${query}`,
}

function problemOfCode(status: string, query: string): string | null {
  if (status === 'NOERROR') return null
  const sentence = codeSentences[status]?.(query) ?? 'expected NOERROR, but this was the response code'
  return `${status}: ${sentence}`
}

/**
 * Nothing found is an answer when the server is responsible or has asked those who are: then it shows the start of
 * their authority. A server that only names others, or nobody, does not know the name.
 */
function problemOfSilence({ AA, RA, Answer, Authority }: DnsJsonAnswer, query: string): string | null {
  if (AA || Answer.length > 0 || Authority.some(({ type }) => type === 'SOA')) return null
  const others = Authority.filter(({ type }) => type === 'NS').map(({ data }) => data)
  if (others.length > 0) {
    return `the name server gave no answer for ${query}, it only names others: ${others.slice(0, 3).join(', ')} (lame delegation)`
  }
  if (RA) return null
  return `the name server is not responsible for ${query} and gave no answer (lame delegation)`
}
