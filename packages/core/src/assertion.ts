/**
 * Judges one assertion on what an API probe observed. Whatever cannot be compared (a body that is no JSON, a pattern
 * that does not compile, a comparison that makes no sense for the value) fails with a reason; it never throws.
 */
import type { ApiAssertion, ApiAssertionSource, ApiObservation, AssertionOutcome } from '@vedette/schema'
import { compare } from './comparison.ts'
import { findValues, problemOfJsonPath } from './json-path.ts'
import { firstGroup, problemOfPattern } from './pattern.ts'
import { shorten, show } from './show.ts'

type Answer = NonNullable<ApiObservation['response']>

/** What the assertions of one answer share: the document is parsed once, when first asked for. */
export interface Evidence {
  answer: Answer
  responseTimeMs: number
  document?: { value: unknown } | { problem: string }
}

/** What an assertion cannot be written with, for the one who writes it; null when it can be judged. */
export function problemOfAssertion(
  assertion: Partial<Omit<ApiAssertion, 'source'>> & { source: string },
): { property: string; reason: string } | null {
  const { source, property = '', regex } = assertion
  if (PATH_SOURCES.includes(source) && property.trim() !== '') return named('property', problemOfJsonPath(property))
  if (PATTERN_SOURCES.includes(source) && property !== '') return named('property', problemOfPattern(property))
  if (source === 'HEADERS' && regex) return named('regex', problemOfPattern(regex))
  return null
}

/** What selects from these sources is a JSONPath, a regular expression. */
const PATH_SOURCES = ['JSON_BODY', 'JSON_ANSWER']
const PATTERN_SOURCES = ['TEXT_BODY', 'TEXT_ANSWER', 'RESPONSE_DATA']

const named = (property: string, reason: string | null) => (reason === null ? null : { property, reason })

/** One assertion with what was found and why it does not hold. */
export function judgeAssertion(assertion: ApiAssertion, evidence: Evidence): AssertionOutcome {
  const { source, comparison, property = '', target = '', regex = null } = assertion
  const outcome = { source, comparison, property, target, regex }
  try {
    const found = findIn[source](assertion, evidence)
    // Header names are kept in lower case, and users write them as they please.
    const sought = source === 'HEADERS' && comparison.endsWith('HAS_KEY') ? String(target).toLowerCase() : target
    return { ...outcome, error: compare(comparison, found, sought), actual: actualOf(found) }
  } catch (error) {
    return { ...outcome, error: error instanceof Error ? error.message : String(error), actual: null }
  }
}

/** The values an assertion speaks of: none when nothing is there, several when a path finds several. */
const findIn: { [S in ApiAssertionSource]: (assertion: ApiAssertion, evidence: Evidence) => unknown[] } = {
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

function parse({ body, truncated }: Answer): { value: unknown } | { problem: string } {
  if (body.trim() === '') return { problem: 'the body is empty, so it is no JSON' }
  try {
    return { value: JSON.parse(body) }
  } catch {
    if (truncated) return { problem: 'the body was cut at the read limit, so it is no JSON' }
    return { problem: `the body is no JSON: ${show(body, 80)}` }
  }
}

const ACTUAL_LIMIT = 10 * 1024

/** What is kept of the values: small ones as they are, large ones as shortened text. */
function actualOf(found: readonly unknown[]): unknown {
  const value = found.length > 1 ? found : found[0]
  if (value === undefined) return null
  if (typeof value === 'string') return shorten(value, ACTUAL_LIMIT)
  if (typeof value !== 'object' || value === null) return value
  const text = show(value, ACTUAL_LIMIT + 1)
  return text.length > ACTUAL_LIMIT ? text : value
}
