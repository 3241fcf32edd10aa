/** What a user expects of an answer: a source, a comparison and a target. */
import Type, { type Static } from 'typebox'
import { Nullable } from './shape.ts'

export const COMPARISONS = [
  'EQUALS',
  'NOT_EQUALS',
  'GREATER_THAN',
  'LESS_THAN',
  'CONTAINS',
  'NOT_CONTAINS',
  'IS_EMPTY',
  'NOT_EMPTY',
  'IS_NULL',
  'NOT_NULL',
  'HAS_KEY',
  'NOT_HAS_KEY',
  'HAS_VALUE',
  'NOT_HAS_VALUE',
] as const
export const Comparison = Type.Enum(COMPARISONS)
export type Comparison = Static<typeof Comparison>

export const API_ASSERTION_SOURCES = ['STATUS_CODE', 'JSON_BODY', 'HEADERS', 'TEXT_BODY', 'RESPONSE_TIME'] as const
export const ApiAssertionSource = Type.Enum(API_ASSERTION_SOURCES)
export type ApiAssertionSource = Static<typeof ApiAssertionSource>

/** An assertion on one of some sources. `property` says what it selects from them. */
export const comparableAssertion = <S extends string[]>(sources: readonly [...S], property: string) =>
  Type.Object({
    source: Type.Enum(sources),
    comparison: Comparison,
    property: Type.Optional(Type.String({ maxLength: 2048, default: '', description: property })),
    target: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        default: '',
        description: 'Numbers may come as text or as numbers.',
      }),
    ),
    regex: Type.Optional(
      Nullable(Type.String({ maxLength: 1024 }), {
        default: '',
        description: 'HEADERS: a regular expression applied to the value; its first group is compared.',
      }),
    ),
  })

export const ApiAssertion = comparableAssertion(
  API_ASSERTION_SOURCES,
  'JSON_BODY: a JSONPath. HEADERS: the header’s name. TEXT_BODY: a regular expression.',
)
export type ApiAssertion = Static<typeof ApiAssertion>

/** One assertion with what was found. `error` is null when it held. */
export const AssertionOutcome = Type.Object({
  source: Type.String(),
  comparison: Type.String(),
  property: Type.String(),
  target: Type.Union([Type.String(), Type.Number()]),
  regex: Nullable(Type.String()),
  error: Nullable(Type.String()),
  actual: Type.Unknown(),
})
export type AssertionOutcome = Static<typeof AssertionOutcome>
