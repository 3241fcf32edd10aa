/**
 * Regular expressions that users write. They run on a linear engine (RE2 syntax: no look-ahead, no back-references),
 * so that no pattern and no text can stop the monitor.
 */
import { RE2JS } from 're2js'
import { boundedCache } from './bounded-cache.ts'

export const PATTERN_LIMIT = 1024
/** Only this much of a text is searched. */
export const SEARCHED_TEXT_LIMIT = 256 * 1024

type Compiled = { regex: RE2JS } | { problem: string }

/** Why a pattern cannot be used, or null. */
export function problemOfPattern(pattern: string): string | null {
  const compiled = compile(pattern)
  return 'problem' in compiled ? compiled.problem : null
}

/**
 * What a pattern finds in a text: its first group, the whole match when it has no groups, and nothing (an empty text)
 * when it does not match. Throws where `problemOfPattern` objects.
 */
export function firstGroup(pattern: string, text: string): string {
  const matcher = regexOf(pattern).matcher(text.slice(0, SEARCHED_TEXT_LIMIT))
  if (!matcher.find()) return ''
  return matcher.group(matcher.groupCount() > 0 ? 1 : 0) ?? ''
}

/** Whether a pattern occurs in a text, or is the whole of it. */
export function matches(pattern: string, text: string, whole: boolean): boolean {
  const matcher = regexOf(pattern).matcher(text.slice(0, SEARCHED_TEXT_LIMIT))
  return whole ? matcher.matches() : matcher.find()
}

function regexOf(pattern: string): RE2JS {
  const compiled = compile(pattern)
  if ('problem' in compiled) throw new Error(compiled.problem)
  return compiled.regex
}

const compileUnlessKnown = boundedCache<Compiled>(500, (pattern) => {
  try {
    return { regex: RE2JS.compile(pattern) }
  } catch (error) {
    return { problem: `is not a regular expression we can run: ${error instanceof Error ? error.message : error}` }
  }
})

function compile(pattern: string): Compiled {
  if (pattern.length > PATTERN_LIMIT) return { problem: `is longer than ${PATTERN_LIMIT} characters` }
  return compileUnlessKnown(pattern)
}
