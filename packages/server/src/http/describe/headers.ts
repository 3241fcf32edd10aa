/** The headers of answers. */
import type { Route } from '@vedette/schema'
import { asJson, type Json } from './json.ts'
import { isPaced, isTagged } from './traits.ts'

const COMPONENTS = {
  ContentRange: ['content-range', 'Which entries of how many: `0-9/42`, or `*/0`.', 'string', '0-9/42'],
  Link: [
    'link',
    'Where the next page and the last one are (`rel="next"`, `rel="last"`); absent on the last page.',
    'string',
    '</v1/checks?page=2>; rel="next", </v1/checks?page=5>; rel="last"',
  ],
  RateLimit: ['X-RateLimit-Limit', 'How many requests may come at once. They flow back evenly.', 'integer', 600],
  RateRemaining: ['X-RateLimit-Remaining', 'How many are left.', 'integer', 587],
  RateReset: ['X-RateLimit-Reset', 'When all of them are back, in UNIX seconds.', 'integer', 1_768_032_060],
  RetryAfter: ['Retry-After', 'Seconds to wait before the next call.', 'integer', 5],
  ETag: ['ETag', 'The state of what was answered: send it as `If-None-Match` next time.', 'string', 'W/"jP8c2Q1o"'],
  Deprecation: ['Deprecation', 'The operation is kept for clients that use it only.', 'string', '@1735689600'],
} as const

type Name = keyof typeof COMPONENTS

export const headerComponents: Json = Object.fromEntries(
  Object.entries(COMPONENTS).map(([name, [, description, type, example]]) => [
    name,
    { description, schema: { type }, example },
  ]),
)

export function headersOf(route: Route): Json {
  const isPaged = Object.hasOwn(asJson(route.query?.properties), 'page')
  const names: Name[] = [
    ...(isPaged ? (['ContentRange', 'Link'] as const) : []),
    ...(isPaced(route) ? (['RateLimit', 'RateRemaining', 'RateReset'] as const) : []),
    ...(isTagged(route) ? (['ETag'] as const) : []),
    ...(route.deprecated ? (['Deprecation'] as const) : []),
  ]
  return Object.fromEntries(names.map((name) => [COMPONENTS[name][0], { $ref: `#/components/headers/${name}` }]))
}
