/** What assertions are made of, in words. */
import { API_ASSERTION_SOURCES, type ApiAssertionSource, COMPARISONS, type Comparison } from '@vedette/schema'
import type { Option } from '../../../../components/field.tsx'

/** `property`: what the second field asks for, null where there is none. */
export const sources: Record<ApiAssertionSource, { label: string; property: string | null; example: string }> = {
  STATUS_CODE: { label: 'Status code', property: null, example: '200' },
  JSON_BODY: { label: 'JSON body', property: 'JSONPath, e.g. $.status', example: 'ok' },
  HEADERS: { label: 'Header', property: 'Header name', example: 'application/json' },
  TEXT_BODY: { label: 'Text body', property: 'Regular expression (optional)', example: 'Welcome' },
  RESPONSE_TIME: { label: 'Response time (ms)', property: null, example: '1000' },
}

export const comparisons: Record<Comparison, string> = {
  EQUALS: 'equals',
  NOT_EQUALS: 'does not equal',
  GREATER_THAN: 'is greater than',
  LESS_THAN: 'is less than',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'does not contain',
  IS_EMPTY: 'is empty',
  NOT_EMPTY: 'is not empty',
  IS_NULL: 'is null',
  NOT_NULL: 'is not null',
  HAS_KEY: 'has the key',
  NOT_HAS_KEY: 'has not the key',
  HAS_VALUE: 'has the value',
  NOT_HAS_VALUE: 'has not the value',
}

const WITHOUT_TARGET: readonly Comparison[] = ['IS_EMPTY', 'NOT_EMPTY', 'IS_NULL', 'NOT_NULL']
const NUMERIC: readonly Comparison[] = ['EQUALS', 'NOT_EQUALS', 'GREATER_THAN', 'LESS_THAN']

export const needsTarget = (comparison: Comparison): boolean => !WITHOUT_TARGET.includes(comparison)

export const sourceOptions: Option<ApiAssertionSource>[] = API_ASSERTION_SOURCES.map((value) => ({
  value,
  label: sources[value].label,
}))

/** A number is only compared as a number. */
export const comparisonOptions = (source: ApiAssertionSource): Option<Comparison>[] =>
  (source === 'STATUS_CODE' || source === 'RESPONSE_TIME' ? NUMERIC : COMPARISONS).map((value) => ({
    value,
    label: comparisons[value],
  }))

/** An assertion as a sentence; for what a result brings, whose words may be newer than this page. */
export function sourceWords(source: string, property: string): string {
  const known = API_ASSERTION_SOURCES.find((one) => one === source)
  const label = known ? sources[known].label : source
  return property === '' ? label : `${label} ${property}`
}

export function comparisonWords(comparison: string): string {
  const known = COMPARISONS.find((one) => one === comparison)
  return known ? comparisons[known] : comparison
}

export const targetWords = (comparison: string, target: string | number): string => {
  const known = COMPARISONS.find((one) => one === comparison)
  return known && !needsTarget(known) ? '' : String(target)
}
