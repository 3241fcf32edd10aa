/**
 * Judges assertions on what a probe observed. Whatever cannot be compared (a body that is no JSON, a pattern that does
 * not compile, a comparison that makes no sense for the value) fails with a reason; it never throws.
 */
import { type AssertionOutcome, CERTIFICATE_PROPERTIES, CONNECTION_PROPERTIES, type Comparison } from '@vedette/schema'
import { compare } from './comparison.ts'
import { problemOfJsonPath } from './json-path.ts'
import { problemOfPattern } from './pattern.ts'
import { shorten, show } from './show.ts'

/** What the assertions of all kinds have in common. */
export interface AnyAssertion<S extends string = string> {
  source: S
  comparison: Comparison
  property?: string | undefined
  target?: string | number | undefined
  regex?: string | null | undefined
}

/** By source: the values an assertion speaks of. None when nothing is there, several when a path finds several. */
export type Finders<S extends string, E> = { [P in S]: (assertion: AnyAssertion<S>, evidence: E) => unknown[] }

/** What an assertion cannot be written with, for the one who writes it; null when it can be judged. */
export function problemOfAssertion(
  assertion: Partial<Omit<AnyAssertion, 'source'>> & { source: string },
): { property: string; reason: string } | null {
  const { source, property = '', regex } = assertion
  if (PATH_SOURCES.includes(source) && property.trim() !== '') return named('property', problemOfJsonPath(property))
  if (PATTERN_SOURCES.includes(source) && property !== '') return named('property', problemOfPattern(property))
  const properties = PROPERTY_SOURCES[source]
  if (properties !== undefined && !properties.includes(property.trim()))
    return { property: 'property', reason: `must be one of ${properties.join(', ')}` }
  if (source === 'HEADERS' && regex) return named('regex', problemOfPattern(regex))
  return null
}

/** What selects from these sources is a JSONPath, a regular expression. */
const PATH_SOURCES = ['JSON_BODY', 'JSON_ANSWER', 'JSON_RESPONSE', 'GRPC_RESPONSE']
const PATTERN_SOURCES = ['TEXT_BODY', 'TEXT_ANSWER', 'TEXT_RESPONSE', 'RESPONSE_DATA']
/** What can be named of these. */
const PROPERTY_SOURCES: { readonly [source: string]: readonly string[] } = {
  CERTIFICATE: CERTIFICATE_PROPERTIES,
  CONNECTION: CONNECTION_PROPERTIES,
}

const named = (property: string, reason: string | null) => (reason === null ? null : { property, reason })

/** All of them in order, each with what was found and why it does not hold. */
export function judgeAssertions<S extends string, E>(
  assertions: readonly AnyAssertion<S>[],
  finders: Finders<S, E>,
  evidence: E,
): AssertionOutcome[] {
  return assertions.map((assertion) => judgeAssertion(assertion, finders, evidence))
}

export function judgeAssertion<S extends string, E>(
  assertion: AnyAssertion<S>,
  finders: Finders<S, E>,
  evidence: E,
): AssertionOutcome {
  const { source, comparison, property = '', target = '', regex = null } = assertion
  const outcome = { source, comparison, property, target, regex }
  try {
    const found = finders[source](assertion, evidence)
    // Header names are kept in lower case, and users write them as they please.
    const sought = source === 'HEADERS' && comparison.endsWith('HAS_KEY') ? String(target).toLowerCase() : target
    return { ...outcome, error: compare(comparison, found, sought), actual: actualOf(found) }
  } catch (error) {
    return { ...outcome, error: error instanceof Error ? error.message : String(error), actual: null }
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
